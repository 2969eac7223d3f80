import type { DeskComment, WholeDeskTicket } from './parse.ts'

/** Whether a comment of ours is on a ticket, where no answer told. */

interface Said {
  readonly content: string
  readonly visibility: 'internal' | 'public'
}

const plain = (text: string) => text.replaceAll('\r\n', '\n').trim()

function alike({ comments }: WholeDeskTicket, { content, visibility }: Said): readonly DeskComment[] | null {
  const isAlike = (comment: DeskComment) =>
    plain(comment.content) === plain(content) && (comment.visibility === null || comment.visibility === visibility)
  return comments?.filter(isAlike) ?? null
}

/** How often a ticket has such a comment; null where the instance does not show comments. */
export function countAlike(ticket: WholeDeskTicket, said: Said): number | null {
  return alike(ticket, said)?.length ?? null
}

/**
 * A comment of ours that arrived: by its key where the instance gives it back, else by there being one more of its words
 * than before it was sent.
 */
export function findComment(
  ticket: WholeDeskTicket,
  said: Said,
  key: string,
  countBefore: number | null,
): DeskComment | 'none' | 'cannot-tell' {
  const byKey = ticket.comments?.find((comment) => comment.clientCommentId === key)
  if (byKey) return byKey
  const all = alike(ticket, said)
  if (all === null || countBefore === null) return 'cannot-tell'
  return all.length > countBefore ? (all.at(-1) ?? 'none') : 'none'
}
