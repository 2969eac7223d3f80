import type { FullTicket, RemoteComment } from './parse.ts'

/** Finds out whether a comment of ours exists after a lost response. */

interface CommentText {
  readonly content: string
  readonly visibility: 'internal' | 'public'
}

const plain = (text: string) => text.replaceAll('\r\n', '\n').trim()

function alike({ comments }: FullTicket, { content, visibility }: CommentText): readonly RemoteComment[] | null {
  const isAlike = (comment: RemoteComment) =>
    plain(comment.content) === plain(content) && (comment.visibility === null || comment.visibility === visibility)
  return comments?.filter(isAlike) ?? null
}

/** Counts equal comments on a ticket; null if the instance does not return comments. */
export function countAlike(ticket: FullTicket, said: CommentText): number | null {
  return alike(ticket, said)?.length ?? null
}

/**
 * Returns whether our comment arrived: by its key if the instance returns it, else if there is one more equal comment than
 * before.
 */
export function findComment(
  ticket: FullTicket,
  said: CommentText,
  key: string,
  countBefore: number | null,
): RemoteComment | 'none' | 'cannot-tell' {
  const byKey = ticket.comments?.find((comment) => comment.clientCommentId === key)
  if (byKey) return byKey
  const all = alike(ticket, said)
  if (all === null || countBefore === null) return 'cannot-tell'
  return all.length > countBefore ? (all.at(-1) ?? 'none') : 'none'
}
