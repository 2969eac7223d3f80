import type { DeskComment, WholeDeskTicket } from '../../../../operator/tickets/parse.ts'
import { oneLine } from '../../../terminal/text.ts'

/** What a ticket says, as far as it fits beside the question what to do with it: what is left out is counted, and a key shows all. */

const mostLines = 12
const mostComments = 4
const mostOfComment = 3

export function bodyOf(ticket: WholeDeskTicket, isWhole: boolean): string[] {
  const lines = ticket.description === '' ? [] : linesOf(ticket.description)
  const comments = ticket.comments ?? []
  const shown = isWhole ? comments : comments.slice(-mostComments)
  const earlier = comments.length - shown.length
  const cut = isWhole ? lines : lines.slice(0, mostLines)
  const moreLines = lines.length - cut.length
  const moreOfComments = isWhole ? 0 : shown.reduce((sum, { content }) => sum + leftOut(content), 0)
  // An instance may send fewer comments than there are; ours sends the latest 200.
  const unread = Math.max(0, (ticket.commentCount ?? 0) - comments.length)
  const isCut = earlier + moreLines + moreOfComments > 0
  return [
    ...cut.map((line) => `   ${line}`),
    ...(moreLines > 0 ? [`   … ${many(moreLines, 'more line')}`] : []),
    ...(unread > 0
      ? [`   … ${many(unread, 'comment')} that ${unread === 1 ? 'is' : 'are'} not shown with the ticket`]
      : []),
    ...(earlier > 0 ? [`   … ${many(earlier, 'earlier comment')}`] : []),
    ...shown.flatMap((comment) => commentLines(comment, isWhole)),
    ...(isCut ? ['   x shows all of it.'] : []),
  ]
}

const many = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`

const linesOf = (text: string): string[] => text.trimEnd().split(/\r?\n/)

const leftOut = (content: string): number => Math.max(0, linesOf(content).length - mostOfComment)

function commentLines({ visibility, authorDisplayName, content }: DeskComment, isWhole: boolean): string[] {
  const lines = linesOf(content)
  const [first = '', ...rest] = isWhole ? lines : lines.slice(0, mostOfComment)
  const more = lines.length - 1 - rest.length
  return [
    `   ${visibility === 'public' ? 'to the customer' : 'note'} by ${oneLine(authorDisplayName ?? 'somebody')}: ${first}`,
    ...rest.map((line) => `     ${line}`),
    ...(more > 0 ? [`     … ${many(more, 'more line')}`] : []),
  ]
}
