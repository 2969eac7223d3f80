import type { Transport } from '../contract/wire-types.ts'
import type { Server } from '../server/server.ts'
import { checkedBase, type HttpOptions, openOutgoingHttp } from './http-transport.ts'
import { inProcess } from './in-process-transport.ts'

/** Returns the transport for a base URL. */
export type Network = (baseUrl: string) => Transport

/** Outgoing connections: everything that leaves the program is sent by a transport from here. */
export interface OpenNetwork extends Network {
  /** Serves an origin by a server of this process, without a socket. Returns the function that ends this. */
  serve(origin: string, server: Pick<Server, 'inject'>): () => void
  /** Closes all connections. */
  close(): Promise<void>
}

/** Opens a network. Two worlds in one process have two, so that each can be closed alone. */
export function openNetwork(options: HttpOptions = {}): OpenNetwork {
  const outgoing = openOutgoingHttp(options)
  const served = new Map<string, Pick<Server, 'inject'>>()
  const network: Network = (baseUrl) => {
    const { origin, pathname } = splitBase(baseUrl)
    // Checked for each request: serving an origin may start or stop while a transport to it exists.
    return (request) => {
      const server = served.get(origin)
      return server ? inProcess(server, { basePath: pathname })(request) : outgoing.to(baseUrl)(request)
    }
  }
  return Object.assign(network, {
    serve(origin: string, server: Pick<Server, 'inject'>) {
      const key = splitBase(origin).origin
      served.set(key, server)
      return () => {
        if (served.get(key) === server) served.delete(key)
      }
    },
    close: outgoing.close,
  })
}

/**
 * Splits a base URL. An origin served in process needs no port, so any scheme is allowed; others are checked when used.
 */
function splitBase(baseUrl: string): { origin: string; pathname: string } {
  const url = URL.parse(baseUrl)
  return url ? { origin: url.origin, pathname: url.pathname } : checkedBase(baseUrl)
}
