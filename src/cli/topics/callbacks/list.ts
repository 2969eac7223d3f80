import { type CallbackQuery, listCallbacks } from '../../../operator/callbacks/inbox.ts'
import type { CommandContext } from '../../context/context.ts'
import { formOf } from './sources.ts'
import type { CallbackTopic } from './topics.ts'
import { receivedView } from './view.ts'

/** Returns received callbacks, newest first, up to a limit. */
export async function listReceived(
  context: CommandContext,
  topic: CallbackTopic,
  { limit, ...query }: Pick<CallbackQuery, 'ids' | 'event' | 'kind' | 'since' | 'unforwarded'> & { limit: number },
) {
  const book = await context.services.bookIfThere()
  const filter = { channel: topic.channel, ...query, limit: limit + 1, newestFirst: true }
  const { rows, more } = context.upTo(limit, book ? await listCallbacks(book, filter) : [])
  return { rows: rows.map((row) => receivedView(formOf(topic), row)), more }
}
