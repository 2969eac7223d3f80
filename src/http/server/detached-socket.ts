import type { Server as HttpServer, ServerResponse } from 'node:http'
import { connect, Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { addedHeaders } from './added-headers.ts'
import { createServer, STATUS_CODES, validateHeaderValue } from './node-http.ts'

/**
 * Opens a long-lived response, such as an event stream; undefined when the client has disconnected. Node's HTTP objects
 * for a connection (request, response, parser) take several times the memory of the socket, and are not needed after
 * the head. So the stream continues on a new socket over the same connection, and the old one is closed without it:
 * Node then frees the rest. The body has no length and no chunks; it ends with the connection. Where this is not
 * possible (a request in process, one behind another) the response itself is used. `headers` has the complete head
 * including `date`, because the socket does not add one.
 */
export function openDetachedStream(
  raw: ServerResponse,
  server: HttpServer,
  headers: Readonly<Record<string, string>>,
): Writable | undefined {
  if (raw.destroyed || raw.req.destroyed || raw.socket?.destroyed) return undefined
  const detached = detachedSocketsOf(server)
  const socket = detached.mayDetach ? detach(raw) : undefined
  if (!socket) {
    raw.writeHead(200, headers)
    return raw
  }
  detached.add(socket)
  socket.write(headOf({ ...headers, ...addedHeaders(raw) }))
  return socket
}

/** Returns whether this version of Node allows detaching a connection. Tests it on a local connection. */
export async function probeDetaching(): Promise<boolean> {
  const { promise: answer, resolve } = Promise.withResolvers<string>()
  const server = createServer((_request, response) => {
    // Waits until the request has been read completely.
    setImmediate(() => {
      const socket = detach(response)
      if (socket) socket.end(`${headOf({ 'content-length': '2' })}ok`)
      else resolve('')
    })
  })
  const timer = setTimeout(() => resolve(''), probeMs)
  try {
    server.once('error', () => resolve(''))
    server.listen({ host: '127.0.0.1', port: 0 }, () => {
      const address = server.address()
      const client = connect({ host: '127.0.0.1', port: typeof address === 'object' && address ? address.port : 0 })
      client.on('error', () => resolve(''))
      client.write('GET / HTTP/1.1\r\nhost: probe\r\n\r\n')
      text(client).then(resolve, () => resolve(''))
    })
    return (await answer).endsWith('\r\n\r\nok')
  } catch {
    return false
  } finally {
    clearTimeout(timer)
    server.close()
    server.closeAllConnections()
  }
}

const probeMs = 2_000

/** Writes the last text of a stream and closes it, also if the peer neither reads nor closes. */
export function endStream(stream: Writable, text: string): void {
  if (!(stream instanceof Socket)) return void stream.end(text)
  stream.write(text)
  stream.destroySoon()
  stream.setTimeout(lingerMs, () => stream.destroy())
}

const lingerMs = 5_000

/** Detached connections of a server, which the server itself no longer knows. */
export interface DetachedSockets {
  /** Lets responses continue on detached sockets. False until the probe has succeeded. */
  mayDetach: boolean
  add(socket: Socket): void
  /** Resolves when none is open. */
  closed(): Promise<void>
  /** Closes all connections at once. */
  cut(): void
}

const detached = new WeakMap<HttpServer, DetachedSockets>()

export function detachedSocketsOf(server: HttpServer): DetachedSockets {
  const known = detached.get(server)
  if (known) return known
  const made = openDetachedSockets()
  detached.set(server, made)
  return made
}

function openDetachedSockets(): DetachedSockets {
  const open = new Set<Socket>()
  let settle = () => {}
  // One function for all, which gets its socket as `this`: a closure for each would cost as much memory as the socket's
  // fields.
  function stopTracking(this: Socket) {
    open.delete(this)
    if (open.size === 0) settle()
  }
  return {
    mayDetach: false,
    add(socket) {
      open.add(socket)
      socket.on('close', stopTracking)
    },
    async closed() {
      if (open.size > 0)
        await new Promise<void>((resolve) => {
          settle = resolve
        })
    },
    cut() {
      for (const socket of open) socket.destroy()
    },
  }
}

/** Detaches the connection of a completely read request from Node's HTTP; undefined where that is not possible. */
function detach({ req, socket: old }: ServerResponse): Socket | undefined {
  // A pipelined response that waits has no socket; in memory or over TLS the socket has another class.
  if (!req.complete || old?.constructor !== Socket) return undefined
  const handle: unknown = Reflect.get(old, '_handle')
  if (typeof handle !== 'object' || handle === null) return undefined
  // A data listener makes the socket deliver bytes again instead of the parser.
  old.on('data', ignore)
  Reflect.set(old, '_handle', null)
  const options: object = { handle, allowHalfOpen: false }
  const socket = new Socket(options)
  old.destroy()
  // Data after the request is ignored, but must be read: a disconnect is only noticed while reading.
  socket.on('error', ignore)
  socket.resume()
  return socket
}

function headOf(headers: Readonly<Record<string, string>>): string {
  const fields = Object.entries({ ...headers, connection: 'close' }).map(([name, value]) => {
    validateHeaderValue(name, value)
    return `${name}: ${value}\r\n`
  })
  return `HTTP/1.1 200 ${STATUS_CODES[200]}\r\n${fields.join('')}\r\n`
}

function ignore(): void {}
