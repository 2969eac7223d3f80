import { Problem } from '../../../kit/problem.ts'
import { headersOf, listCallbacks } from '../../../operator/callbacks/inbox.ts'
import type { CommandContext } from '../../context/context.ts'
import { formOf } from './sources.ts'
import type { CallbackTopic } from './topics.ts'
import { receivedView } from './view.ts'

/** Shows one stored callback; of several about one object, the newest. */
export async function showCallback(context: CommandContext, topic: CallbackTopic, id: string) {
  const book = await context.services.bookIfThere()
  const { channel } = topic
  const [row] = book ? await listCallbacks(book, { channel, ids: [id], newestFirst: true, limit: 1 }) : []
  if (!row)
    throw new Problem('NOT_FOUND', `The book has no ${topic.noun} ${id}. To list them: countroom ${topic.words} list`)
  const view = receivedView(formOf(topic), row)
  const headers = headersOf(row)
  context.fields(view)
  context.log()
  for (const [name, value] of headers) context.log(`${name}: ${value}`)
  context.log(`\n${row.body}`)
  return { ...view, headers, body: row.body, bodyForm: row.body_form }
}
