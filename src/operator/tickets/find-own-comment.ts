import type { FullTicket, RemoteComment } from './parse.ts'

/** Finds out whether a comment of ours exists after a lost response. */

interface CommentText {
  readonly content: string
  readonly visibility: 'internal' | 'public'
}

const plain = (text: string) => text.replaceAll('\r\n', '\n').trim()

function equalComments(
  { comments }: FullTicket,
  { content, visibility }: CommentText,
): readonly RemoteComment[] | null {
  const isEqual = (comment: RemoteComment) =>
    plain(comment.content) === plain(content) && (comment.visibility === null || comment.visibility === visibility)
  return comments?.filter(isEqual) ?? null
}

/** Counts equal comments on a ticket; null if the instance does not return comments. */
export function countAlike(ticket: FullTicket, commentText: CommentText): number | null {
  return equalComments(ticket, commentText)?.length ?? null
}

/**
 * Returns our comment if it arrived. It is found by its key if the instance returns it, else by one more equal comment
 * than before.
 */
export function findComment(
  ticket: FullTicket,
  commentText: CommentText,
  key: string,
  countBefore: number | null,
): RemoteComment | 'none' | 'unknown' {
  const byKey = ticket.comments?.find((comment) => comment.clientCommentId === key)
  if (byKey) return byKey
  const all = equalComments(ticket, commentText)
  if (all === null || countBefore === null) return 'unknown'
  return all.length > countBefore ? (all.at(-1) ?? 'none') : 'none'
}
