import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isWildcard } from './public-url.ts'
import { plainAddress } from './request.ts'

export interface ReachOptions {
  isProxy(address: string): boolean
  /** Whether the port is open on every address of the machine. */
  isOnAllAddresses(): boolean
}

/**
 * Finds out by which address a request reached the service, where that is not the address served at: from a trusted
 * proxy as it says, and on a wildcard address by the end of the connection. A `Host` that anybody can write is never used.
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

/** The scheme and host a proxy was asked for. Of several values the last counts, which the proxy next to us wrote. */
function forwardedUrl(headers: IncomingMessage['headers']): string | undefined {
  const scheme = lastOf(headers['x-forwarded-proto'])?.toLowerCase() ?? 'http'
  const host = lastOf(headers['x-forwarded-host']) ?? headers.host
  if ((scheme !== 'http' && scheme !== 'https') || host === undefined) return undefined
  // A host and perhaps a port, and nothing by which a URL would come to mean another place.
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
  // A link-local address means something together with an interface only, which no URL can name.
  if (isIP(address) === 0 || /^fe[89ab]/i.test(address)) return undefined
  return `http://${isIP(address) === 6 ? `[${address}]` : address}:${localPort}`
}
