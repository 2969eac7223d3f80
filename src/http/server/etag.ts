import { createHash } from 'node:crypto'
import { type Answer, answer } from '../contract/contract.ts'

/** The tag of what is answered: another as soon as one byte of it is. */
export function etagOf(content: string): string {
  return `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`
}

/**
 * Whether an `If-None-Match` names the tag of what there is: one of a list, weak or not, or `*`. Weak tags are as good as
 * strong ones here (RFC 9110, 13.1.2): nothing is put together from parts.
 */
export function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const tags = ifNoneMatch.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((tag) => tag.replace(/^W\//, '') === etag)
}

/** The answer with a tag, or 304 when the asker has this very answer. */
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
