import { type Answer, answer } from '../../../http/contract/contract.ts'
import { momentText } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import { isRateable } from '../api/views.ts'
import { type Chat, type Customer, changing } from '../service.ts'
import { addMessage, draftOf, saveDraft } from './room-changes.ts'
import { theRoom } from './rooms.ts'

interface Rated {
  readonly rating: { readonly score: number; readonly comment: string | null; readonly ratedAt: string }
}

/**
 * Saves the customer's rating of the conversation that ended last, once per conversation. Agents see it in the room and
 * as an event message, which also keeps the ratings of earlier conversations.
 */
export async function rateConversation(
  app: Chat,
  { tenant, room }: Customer,
  input: { readonly score: number; readonly comment?: string | undefined },
): Promise<Answer<Rated>> {
  const comment = input.comment?.replaceAll('\r\n', '\n').toWellFormed().trim() || null
  const { score } = input
  const saved = await changing(app, async (tx, changes) => {
    const now = await theRoom(tx, tenant, room.id)
    if (!isRateable(now)) {
      // A conversation that ended before ratings existed has no `closed_seq` and cannot be rated.
      const isRated = now.status === 'closed' && now.closed_seq !== null && now.rating !== null
      if (isRated && now.rating === score && now.rating_comment === comment) return { row: now, isRepeated: true }
      if (isRated) throw refuse('ALREADY_RATED', 'This conversation was rated before')
      throw refuse('NOT_RATEABLE', 'A conversation can be rated after it has ended')
    }
    const draft = draftOf(now)
    addMessage(app, tx, draft, {
      sender: { type: 'system', id: null, name: now.customer_display_name },
      text: `Rating: ${score} of 5${comment === null ? '' : `\n${comment}`}`,
      type: 'event',
      eventKind: 'roomRated',
    })
    const rating = { rated_seq: now.closed_seq, rating: score, rating_comment: comment, rated_at: tx.now }
    draft.room = { ...draft.room, ...rating }
    await saveDraft(app, tx, draft, changes)
    return { row: draft.room, isRepeated: false }
  })
  const { row, isRepeated } = saved
  const rating = { score, comment, ratedAt: momentText(row.rated_at ?? 0) }
  return answer({ rating }, { status: isRepeated ? 200 : 201 })
}
