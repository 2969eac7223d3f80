import type { Transport } from '../contract/wire-types.ts'
import type { Server } from '../server/server.ts'
import { checkedBase, type HttpOptions, openHttpDoor } from './http-transport.ts'
import { inProcess } from './in-process-transport.ts'

/** Base URL to transport. */
export type Network = (baseUrl: string) => Transport

/** The one door out: everything that leaves the program is sent by a transport from here. */
export interface OpenNetwork extends Network {
  /** From now on this origin is a server of this process, reached without a socket. Answers how to take that back. */
  serve(origin: string, server: Pick<Server, 'inject'>): () => void
  /** Lets go of all connections. */
  close(): Promise<void>
}

/** Opens the door. Two worlds in one process have two, so that one may close while the other goes on. */
export function openNetwork(options: HttpOptions = {}): OpenNetwork {
  const door = openHttpDoor(options)
  const served = new Map<string, Pick<Server, 'inject'>>()
  const network: Network = (baseUrl) => {
    const { origin, pathname } = splitBase(baseUrl)
    // Asked at each request and not once: an origin may start or stop being served while a transport to it exists.
    return (request) => {
      const server = served.get(origin)
      return server ? inProcess(server, { basePath: pathname })(request) : door.to(baseUrl)(request)
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
    close: door.close,
  })
}

/** A served origin needs no port, so any scheme goes; what is not served is checked when it is asked. */
function splitBase(baseUrl: string): { origin: string; pathname: string } {
  const url = URL.parse(baseUrl)
  return url ? { origin: url.origin, pathname: url.pathname } : checkedBase(baseUrl)
}
