import { createHash } from 'node:crypto'
import { type Answer, answer } from '../contract/contract.ts'

/** Returns the ETag of a text. */
export function etagOf(content: string): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/**
 * Returns whether an `If-None-Match` contains the ETag: in a list, weak or not, or as `*`. Weak tags are sufficient
 * here (RFC 9110, 13.1.2), because no ranges are combined.
 */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => tag.replace(/^W\//, '') === etag)
}

/** Returns the response with its ETag, or 304 when the client has it. */
export function unlessKnown<T>(
  data: T,
  ifNoneMatch: string | undefined,
  headers: Readonly<Record<string, string>>,
): Answer<T> {
  const etag = etagOf(JSON.stringify(data))
  return answer(data, {
    ...(isKnown(ifNoneMatch, etag) ? { status: 304 } : {}),
    headers: { ...headers, etag },
  })
}
