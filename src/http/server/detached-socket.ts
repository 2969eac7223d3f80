import type { Server as HttpServer, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { addedHeaders } from './added-headers.ts'
import { STATUS_CODES, validateHeaderValue } from './node-http.ts'

/**
 * Opens a long-lived response, such as an event stream; undefined when the client has disconnected. Node's HTTP objects
 * for a connection (request, response, parser) take several times the memory of the socket, and are not needed after
 * the head. So the stream continues on a new socket over the same connection, and the old one is closed without it:
 * Node then frees the rest. The body has no length and no chunks; it ends with the connection. Where this is not
 * possible (a request in process, one behind another) the response itself is used. `headers` has the complete head
 * including `date`, because the socket does not add one.
 */
export function openLine(
  { raw }: { readonly raw: ServerResponse },
  { server }: { readonly server: HttpServer },
  headers: Readonly<Record<string, string>>,
): Writable | undefined {
  if (raw.destroyed || raw.req.destroyed || raw.socket?.destroyed) return undefined
  const socket = taken(raw)
  if (!socket) {
    raw.writeHead(200, headers)
    return raw
  }
  linesOf(server).add(socket)
  socket.write(headOf({ ...headers, ...addedHeaders(raw) }))
  return socket
}

/** Writes the last text and closes the connection, even when the client neither reads nor disconnects. */
export function endLine(line: Writable, text: string): void {
  if (!(line instanceof Socket)) return void line.end(text)
  line.write(text)
  line.destroySoon()
  line.setTimeout(lingerMs, () => line.destroy())
}

const lingerMs = 5_000

/** Detached connections of a server, which the server itself no longer knows. */
export interface Lines {
  add(socket: Socket): void
  /** Resolves when none is open. */
  closed(): Promise<void>
  /** Closes all connections at once. */
  cut(): void
}

const lines = new WeakMap<HttpServer, Lines>()

export function linesOf(server: HttpServer): Lines {
  const known = lines.get(server)
  if (known) return known
  const made = openLines()
  lines.set(server, made)
  return made
}

function openLines(): Lines {
  const open = new Set<Socket>()
  let tell = () => {}
  // One function for all, which gets its socket as `this`: a closure for each would cost as much memory as the socket's
  // fields.
  function forget(this: Socket) {
    open.delete(this)
    if (open.size === 0) tell()
  }
  return {
    add(socket) {
      open.add(socket)
      socket.on('close', forget)
    },
    async closed() {
      if (open.size > 0)
        await new Promise<void>((resolve) => {
          tell = resolve
        })
    },
    cut() {
      for (const socket of open) socket.destroy()
    },
  }
}

/** Takes the connection of a completely read request out of Node's HTTP. */
function taken({ req, socket: old }: ServerResponse): Socket | undefined {
  // A response behind another has no socket, and one over a mock or TLS has a different kind.
  if (!req.complete || old?.constructor !== Socket) return undefined
  const handle: unknown = Reflect.get(old, '_handle')
  if (typeof handle !== 'object' || handle === null) return undefined
  // A data listener makes the socket deliver bytes again instead of the parser.
  old.on('data', ignore)
  Reflect.set(old, '_handle', null)
  const options: object = { handle, allowHalfOpen: false }
  const socket = new Socket(options)
  old.destroy()
  // Data after the request is ignored; reading on is how a disconnect is noticed.
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
