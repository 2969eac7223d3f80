import { Problem } from '../../../kit/problem.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import { CallbackCommand, type Mail } from './command.ts'
import { receivedView, receivedViewSchema } from './view.ts'

export const showData = (mail: Mail) => (shapes: Shapes) => {
  const { Type } = shapes
  const received = receivedViewSchema(shapes, mail)
  return Type.Object({
    ...received.properties,
    headers: Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 })),
    body: Type.String(),
    bodyForm: Type.Enum(['text', 'base64'], { description: 'Encoding of body.' }),
  })
}

/** Shows one stored callback; of several about one object, the newest. */
export abstract class ShowCommand extends CallbackCommand {
  protected async show(id: string) {
    const book = await this.bookIfThere()
    const { headersOf, listCallbacks } = await import('../../../operator/callbacks/inbox.ts')
    const { channel } = this.mail.form
    const [row] = book ? await listCallbacks(book, { channel, ids: [id], newestFirst: true, limit: 1 }) : []
    if (!row) throw new Problem('NOT_FOUND', `The book has no ${this.mail.noun} ${id}`)
    const view = receivedView(this.mail, row)
    const headers = headersOf(row)
    this.fields(view)
    this.log()
    for (const [name, value] of headers) this.log(`${name}: ${value}`)
    this.log(`\n${row.body}`)
    return { ...view, headers, body: row.body, bodyForm: row.body_form }
  }
}
