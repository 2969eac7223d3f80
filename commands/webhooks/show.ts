import { Args } from '../../src/cli/flags.ts'
import { receivedView, receivedViewSchema } from '../../src/cli/received-view.ts'
import { bookFlag, WebhookCommand } from '../../src/cli/webhook-command.ts'
import { Problem } from '../../src/kit/problem.ts'

export default class WebhooksShow extends WebhookCommand {
  static override summary = 'Show a webhook as it was received: its headers and its exact bytes'
  static override description = 'What --json prints can be given to "countroom webhooks verify".'
  static override examples = ['countroom webhooks show 01JC2Z5M8Q4N6R7S9TVWXYZ012']
  static override exits = ['not-found'] as const
  static override completes = { book: 'files' }
  static override args = { id: Args.string({ required: true, description: 'The delivery id' }) }
  static override flags = { ...bookFlag }
  static override data = async () => {
    const { Type } = await import('typebox')
    const received = await receivedViewSchema()
    return Type.Object({
      ...received.properties,
      headers: Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 })),
      body: Type.String(),
      bodyForm: Type.Enum(['text', 'base64'], { description: 'How the bytes stand in body' }),
    })
  }

  override async run() {
    const { args } = await this.parse(WebhooksShow)
    const book = await this.bookIfThere()
    const { headersOf, listWebhooks } = await import('../../src/book/webhooks.ts')
    const [row] = book ? await listWebhooks(book, { ids: [args.id], limit: 1 }) : []
    if (!row) throw new Problem('NOT_FOUND', `There is no webhook ${args.id} in the book`)
    const view = receivedView(row)
    const headers = headersOf(row)
    this.fields(view)
    this.log()
    for (const [name, value] of headers) this.log(`${name}: ${value}`)
    this.log(`\n${row.body}`)
    return { ...view, headers, body: row.body, bodyForm: row.body_form }
  }
}
