import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isWildcard } from './public-url.ts'
import { plainAddress } from './request.ts'

export interface ReachOptions {
  isProxy(address: string): boolean
  /** Returns whether the server listens on all addresses. */
  isOnAllAddresses(): boolean
}

/**
 * Returns the base URL by which a request reached the service, if it differs from the served address. It comes from the
 * headers of a trusted proxy, or on a wildcard address from the local end of the connection. A `Host` header is used
 * only from a trusted proxy, because any client can write one.
 */
export function reachOf({ isProxy, isOnAllAddresses }: ReachOptions): (raw: IncomingMessage) => string | undefined {
  return ({ socket, headers }) => {
    if (isProxy(plainAddress(socket.remoteAddress ?? ''))) {
      const forwarded = forwardedUrl(headers)
      if (forwarded !== undefined) return forwarded
    }
    return isOnAllAddresses() ? localUrl(socket) : undefined
  }
}

/**
 * Returns the scheme and host in a proxy's headers. The last of several values counts, which the nearest proxy wrote.
 */
function forwardedUrl(headers: IncomingMessage['headers']): string | undefined {
  const scheme = lastOf(headers['x-forwarded-proto'])?.toLowerCase() ?? 'http'
  const host = lastOf(headers['x-forwarded-host']) ?? headers.host
  if ((scheme !== 'http' && scheme !== 'https') || host === undefined) return undefined
  // A host and an optional port only, so that a URL cannot point elsewhere.
  if (!/^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/i.test(host)) return undefined
  const url = URL.parse(`${scheme}://${host}`)
  return url && !isWildcard(url.hostname) ? url.origin : undefined
}

function lastOf(header: string | string[] | undefined): string | undefined {
  const value = (Array.isArray(header) ? header.join(',') : header)?.split(',').at(-1)?.trim()
  return value === '' ? undefined : value
}

function localUrl({ localAddress, localPort }: IncomingMessage['socket']): string | undefined {
  if (localAddress === undefined || localPort === undefined) return undefined
  const address = plainAddress(localAddress)
  // A link-local address needs an interface, which no URL can name.
  if (isIP(address) === 0 || /^fe[89ab]/i.test(address)) return undefined
  return `http://${isIP(address) === 6 ? `[${address}]` : address}:${localPort}`
}
