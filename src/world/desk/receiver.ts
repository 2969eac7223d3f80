import { readBody } from '../../http/server/request.ts'
import type { Routes } from '../../http/server/routes.ts'
import { isFromThisMachine } from './access.ts'

/** A request that the desk's receiver got. */
export interface Received {
  readonly id: number
  /** Machine's time, ISO 8601. */
  readonly at: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  /** Null if it was too large to be kept. */
  readonly body: string | null
  /** Status that was answered. */
  readonly status: number
}

/** A receiver in the served world itself, to inspect the callbacks that a real one would get. */
export interface Receiver {
  /** Received requests, newest first. */
  list(): readonly Received[]
  clear(): void
  /** Status of its responses. */
  status: number
  readonly routes: Routes
}

/** Path of the receiver. It needs no token: the world's own callbacks carry none. */
export const receiverPath = '/desk/receiver'

const maxKept = 100
const maxBytes = 256 * 1024
/** Maximum size of all kept bodies: the page gets them all with every change. */
const maxKeptBytes = 2 * 1024 * 1024

/** Opens a receiver that keeps the latest requests in memory. */
export function openReceiver(isOpen: () => boolean, machineNow: () => number): Receiver {
  let kept: readonly Received[] = []
  let count = 0
  const receiver: Receiver = {
    list: () => kept,
    clear() {
      kept = []
    },
    status: 200,
    routes: (table) => {
      table.post(receiverPath, async (request, reply) => {
        const { headers, method, url, raw } = request
        // A browser sends these; a page of another site must not fill the list.
        const isBrowser = headers.origin !== undefined || headers['sec-fetch-site'] !== undefined
        if (!isOpen() || !isFromThisMachine(request) || isBrowser) return reply.code(404).send({ message: 'Not found' })
        const body = await readBody(raw, maxBytes)
        const entry: Received = {
          id: ++count,
          at: new Date(machineNow()).toISOString(),
          method,
          path: url,
          headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
          body: body === 'too-large' ? null : Buffer.from(body).toString(),
          status: receiver.status,
        }
        kept = newest([entry, ...kept])
        await reply.code(receiver.status).send({ received: entry.id })
      })
    },
  }
  return receiver
}

/** Returns the newest requests that fit. */
function newest(all: readonly Received[]): readonly Received[] {
  let bytes = 0
  const surplus = all.findIndex(({ body }, at) => {
    bytes += body === null ? 0 : Buffer.byteLength(body)
    return at >= maxKept || bytes > maxKeptBytes
  })
  return surplus === -1 ? all : all.slice(0, surplus)
}
