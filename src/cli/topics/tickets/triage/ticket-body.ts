import { countText } from '../../../../kit/text/count-text.ts'
import type { FullTicket, RemoteComment } from '../../../../operator/tickets/parse.ts'
import { oneLine } from '../../../terminal/text.ts'

/** Formats the text of a ticket within the screen. Omitted parts are counted; a key shows all. */

const maxLines = 12
const maxComments = 4
const maxOfComment = 3

export function bodyOf(ticket: FullTicket, isWhole: boolean): string[] {
  const lines = ticket.description === '' ? [] : linesOf(ticket.description)
  const comments = ticket.comments ?? []
  const shown = isWhole ? comments : comments.slice(-maxComments)
  const earlier = comments.length - shown.length
  const cut = isWhole ? lines : lines.slice(0, maxLines)
  const moreLines = lines.length - cut.length
  const moreOfComments = isWhole ? 0 : shown.reduce((sum, { content }) => sum + omittedLines(content), 0)
  // Other instances may send fewer comments than exist; ours sends the newest 200.
  const unread = Math.max(0, (ticket.commentCount ?? 0) - comments.length)
  const isCut = earlier + moreLines + moreOfComments > 0
  return [
    ...cut.map((line) => `   ${line}`),
    ...(moreLines > 0 ? [`   … ${countText(moreLines, 'more line')}`] : []),
    ...(unread > 0 ? [`   … ${countText(unread, 'comment')} not returned with the ticket`] : []),
    ...(earlier > 0 ? [`   … ${countText(earlier, 'earlier comment')}`] : []),
    ...shown.flatMap((comment) => commentLines(comment, isWhole)),
    ...(isCut ? ['   Press x for all.'] : []),
  ]
}

const linesOf = (text: string): string[] => text.trimEnd().split(/\r?\n/)

const omittedLines = (content: string): number => Math.max(0, linesOf(content).length - maxOfComment)

function commentLines({ visibility, authorDisplayName, content }: RemoteComment, isWhole: boolean): string[] {
  const lines = linesOf(content)
  const [first = '', ...rest] = isWhole ? lines : lines.slice(0, maxOfComment)
  const more = lines.length - 1 - rest.length
  return [
    `   ${visibility === 'public' ? 'public' : 'internal'} comment by ${oneLine(authorDisplayName ?? 'unknown')}: ${first}`,
    ...rest.map((line) => `     ${line}`),
    ...(more > 0 ? [`     … ${countText(more, 'more line')}`] : []),
  ]
}
