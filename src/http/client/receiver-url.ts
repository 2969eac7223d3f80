import { isLoopback } from '../server/public-url.ts'

/** URLs of monitoring services and chat webhooks. */

/** Returns why a URL cannot be a receiver; undefined if it can. */
export function receiverFault(text: string): string | undefined {
  const url = URL.parse(text)
  if (!url) return 'must be a URL'
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password'
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return undefined
  return 'must use https; plain http is allowed for this machine only'
}

/** Returns a URL for display. Its path and query are often a secret. */
export function shownReceiver(text: string): string {
  const url = URL.parse(text)
  return url ? `${url.origin}/…` : '…'
}
