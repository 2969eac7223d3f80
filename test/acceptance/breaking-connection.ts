import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/**
 * The position of a break: bytes of a request, of a response or of a stream's event that have passed. No further byte
 * passes.
 */
export interface CutPoint {
  readonly of: 'request' | 'answer' | 'event'
  /**
   * 0: it began, and no byte passed. 1: the whole request passed; a whole response or event would have been received.
   */
  readonly share: number
  /** Time without data before the connection breaks; the server continues to work. */
  readonly afterMs?: number
}

/**
 * A connection between clients and a server that breaks at given positions. It breaks by bytes and not by time, so that
 * each break hits a request, a response or an event in progress.
 */
export interface BreakingConnection {
  readonly url: string
  /** Returns the number of bytes that were read from clients. */
  taken(): number
  /** Connects to this server from now on; without a server, clients are disconnected. */
  leadTo(baseUrl: string | undefined): void
  /**
   * Breaks once at this position, after all earlier breaks. `broken` is called at that moment, before either side
   * notices.
   */
  breakAt(point: CutPoint, broken: () => void): void
  close(): Promise<void>
}

/** Returns how many of these bytes pass before the break. */
type Look = (bytes: Buffer, at: CutPoint | undefined) => number | undefined

export async function breakingConnection(): Promise<BreakingConnection> {
  const breaks: { readonly point: CutPoint; broken(): void }[] = []
  const open = new Set<Socket>()
  let port: number | undefined
  let taken = 0

  const keep = (socket: Socket) => {
    open.add(socket)
    // These errors are intended: the client has to handle them.
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  }

  function lead(client: Socket): void {
    keep(client)
    if (port === undefined) return void client.destroy()
    const server = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    keep(server)
    let isBroken = false
    const pass = (from: Socket, to: Socket, look: Look) => {
      from.on('data', (bytes: Buffer) => {
        if (isBroken) return
        if (from === client) taken += bytes.length
        const [next] = breaks
        const passing = look(bytes, next?.point)
        if (next === undefined || passing === undefined) return void to.write(bytes)
        isBroken = true
        breaks.shift()
        const hangUp = () => {
          next.broken()
          client.destroy()
          server.destroy()
        }
        const { afterMs } = next.point
        to.write(bytes.subarray(0, passing), () => (afterMs === undefined ? hangUp() : setTimeout(hangUp, afterMs)))
      })
      from.on('end', () => isBroken || to.end())
      from.on('close', () => isBroken || to.destroySoon())
    }
    const answer = message('answer')
    pass(client, server, message('request'))
    pass(server, client, (bytes, at) => answer(bytes, at) ?? midEvent(bytes, at))
  }

  const connection = createServer({ allowHalfOpen: true }, lead).listen(0, '127.0.0.1')
  await once(connection, 'listening')
  return {
    url: `http://127.0.0.1:${(connection.address() as AddressInfo).port}`,
    taken: () => taken,
    leadTo(baseUrl) {
      port = baseUrl === undefined ? undefined : Number(new URL(baseUrl).port)
    },
    breakAt(point, broken) {
      assert(point.of === 'request' ? point.share <= 1 : point.share < 1, 'what passed whole is not under way any more')
      breaks.push({ point, broken })
    },
    async close() {
      connection.close()
      for (const socket of open) socket.destroy()
      await once(connection, 'close')
    },
  }
}

/** Follows the single request or response of a connection; its headers contain its length. */
function message(of: CutPoint['of']): Look {
  let head = ''
  let length: number | undefined
  let passed = 0
  return (bytes, at) => {
    if (length === undefined) {
      head += bytes.toString('latin1')
      const end = head.indexOf('\r\n\r\n') + 4
      if (end >= 4) length = end + Number(/\r\ncontent-length: *(\d+)/i.exec(head.slice(0, end))?.[1] ?? 0)
    }
    const before = passed
    passed += bytes.length
    if (at?.of !== of || length === undefined) return undefined
    const point = Math.floor(at.share * length)
    return passed < point ? undefined : Math.max(0, point - before)
  }
}

/** A position in the event of a message. Its last line has not passed, so the client has not received it. */
function midEvent(bytes: Buffer, at: CutPoint | undefined): number | undefined {
  if (at?.of !== 'event') return undefined
  const begin = bytes.indexOf('event: message.created')
  if (begin < 0) return undefined
  const end = bytes.indexOf('\n\n', begin)
  return begin + Math.floor(at.share * ((end < 0 ? bytes.length : end) - begin))
}
