import { createHash } from 'node:crypto'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { Type } from 'typebox'
import { onTestFinished } from 'vitest'
import { inProcess, overHttp, signed, type Transport, type WireReply } from '../../src/http/client/transport.ts'
import {
  type Authenticate,
  type AuthenticateRequest,
  answer,
  type Contract,
  refusals,
} from '../../src/http/contract/contract.ts'
import { okData } from '../../src/http/contract/envelopes.ts'
import { Named, Nullable, OneOf, OpenObject, Whole } from '../../src/http/contract/shared-schemas.ts'
import { type ServeOptions, serve } from '../../src/http/server/handle.ts'
import { openServer, type ServerOptions } from '../../src/http/server/server.ts'
import type { Log } from '../../src/kit/log.ts'
import { Problem } from '../../src/kit/problem.ts'

/** A small made-up API with one of everything: the calls of the three real ones are combinations of these. */
const Book = Type.Object({
  bookId: Type.String(),
  title: Type.String(),
  pages: Nullable(Type.Integer()),
  genre: OneOf(['novel', 'verse']),
  shelf: Type.Optional(Type.Object({ room: Type.String(), row: Type.Integer() })),
})

export const library = {
  title: 'Library',
  version: '1.0.0',
  description: 'Books, and who reads them.\n\nMade up for `tests`.',
  security: 'Every call carries `x-key`.',
  prefixes: ['/api/library/v1', '/lib/v1'],
  envelope: okData,
  problems: {
    UNAUTHORIZED: 401,
    INVALID_PARAMETER: 400,
    INVALID_TITLE: 400,
    TITLE_NEEDED: 400,
    INVALID_JSON: 400,
    NOT_FOUND: 404,
    BOOK_LENT: 409,
    TOO_LARGE: 413,
    RATE_LIMITED: 429,
    INTERNAL_ERROR: 500,
  },
  standardCodes: {
    invalid: 'INVALID_PARAMETER',
    json: 'INVALID_JSON',
    missing: 'NOT_FOUND',
    large: 'TOO_LARGE',
    internal: 'INTERNAL_ERROR',
  },
  common: ['UNAUTHORIZED', 'NOT_FOUND', 'RATE_LIMITED', 'INTERNAL_ERROR'],
  bodyLimit: 65_536,
  endpoints: {
    ping: {
      method: 'GET',
      path: '/ping',
      summary: 'Say hello',
      access: 'reader',
      status: 200,
      reply: Type.Object({}),
      refusals: [],
    },
    books: {
      method: 'GET',
      path: '/books',
      also: ['/books/'],
      summary: 'List books',
      access: 'reader',
      query: Type.Object({
        limit: Type.Optional(Whole(1, 100, { default: 20 })),
        tags: Type.Optional(Type.Array(Type.String())),
        lent: Type.Optional(Type.Boolean()),
        title: Type.Optional(Type.String({ pattern: '^[A-Za-z ]+$' })),
      }),
      status: 200,
      reply: Type.Object({ asked: OpenObject, items: Type.Array(Book) }),
      refusals: [],
      malformed: { title: 'INVALID_TITLE' },
    },
    book: {
      method: 'GET',
      path: '/books/:bookId',
      summary: 'Read one book',
      access: 'reader',
      params: Type.Object({ bookId: Type.String({ pattern: '^[A-Z0-9/ é]{1,8}$' }) }),
      status: 200,
      reply: Book,
      refusals: ['NOT_FOUND'],
    },
    newest: {
      method: 'GET',
      path: '/books/newest',
      summary: 'Read the newest',
      access: 'reader',
      status: 200,
      reply: Book,
      refusals: [],
    },
    addBook: {
      method: 'POST',
      path: '/books',
      summary: 'Add a book',
      description: 'Adding the same book twice is answered like the first time.',
      access: 'librarian',
      body: Type.Object({
        title: Type.String({ pattern: '^[A-Za-z ]{1,40}$' }),
        pages: Type.Integer({ minimum: 1 }),
        genre: OneOf(['novel', 'verse']),
        note: Type.Optional(Nullable(Type.String())),
        shelf: Type.Optional(Type.Object({ room: Type.String() })),
        open: Type.Optional(OpenObject),
      }),
      status: 201,
      alternatives: { 200: 'The book that was there' },
      reply: Type.Object({ got: OpenObject, caller: Type.String() }),
      refusals: ['BOOK_LENT'],
      malformed: { title: 'INVALID_TITLE' },
      absent: { title: 'TITLE_NEEDED' },
    },
    touch: {
      method: 'POST',
      path: '/books/:bookId/touch',
      summary: 'Touch a book',
      access: 'reader',
      params: Type.Object({ bookId: Type.String() }),
      body: Type.Object({ soft: Type.Optional(Type.Boolean()) }),
      bodyOptional: true,
      status: 200,
      reply: Type.Object({ soft: Nullable(Type.Boolean()) }),
      refusals: [],
    },
    wipe: {
      method: 'DELETE',
      path: '/books',
      summary: 'Remove all',
      access: 'librarian',
      status: 200,
      reply: Type.Object({}),
      refusals: [],
    },
    applyFault: {
      method: 'POST',
      path: '/misbehave',
      summary: 'Go wrong in a chosen way',
      access: 'reader',
      body: Type.Object({ how: Type.String() }),
      status: 200,
      reply: Type.Object({
        must: Type.String(),
        may: Type.Optional(Type.String()),
        any: Type.Optional(Type.Unknown()),
        counts: Type.Optional(Named(Type.Integer())),
      }),
      refusals: ['BOOK_LENT'],
    },
  },
} as const satisfies Contract

export type Library = typeof library

const refuse = refusals(library)

export interface Callers {
  reader: { name: string }
  librarian: { name: string; isLibrarian: true }
}

/** Calls of authentication and of the handlers, in order. */
export interface Seen {
  gate: AuthenticateRequest[]
  calls: unknown[]
}

export const key = 'sesame-42'

export function aLibrary(seen: Seen = { gate: [], calls: [] }, options: ServeOptions & { held?: Promise<void> } = {}) {
  const gate: Authenticate<Callers> = async (request) => {
    seen.gate.push(request)
    if (request.headers['x-key'] !== key) throw refuse('UNAUTHORIZED', 'Who are you?')
    const digest = request.headers['x-digest']
    if (digest !== undefined && digest !== digestOf(request.method, request.url, request.body)) {
      throw refuse('UNAUTHORIZED', 'The signature does not match')
    }
    return { name: 'ann', isLibrarian: true }
  }
  const book = { bookId: 'A1', title: 'Dune', pages: 412, genre: 'novel' as const, secretPrice: '9.99' }
  return serve(
    library,
    gate,
    {
      ping: async () => {
        await options.held
        return {}
      },
      books: async ({ query }) => {
        seen.calls.push(query)
        return { asked: query, items: [{ ...book, pages: null, shelf: { room: 'a', row: 1, lock: '1234' } }] }
      },
      book: async ({ params }) => ({ ...book, bookId: params.bookId }),
      newest: async () => book,
      addBook: async ({ caller, body }) => {
        seen.calls.push(body)
        if (body.title === 'Lent') throw refuse('BOOK_LENT', 'Somebody has it', { by: 'bob' })
        if (body.title === 'Again')
          return answer({ got: { ...body }, caller: caller.name }, { status: 200, headers: { 'x-again': 'yes' } })
        return { got: { ...body }, caller: caller.name }
      },
      touch: async ({ body }) => ({ soft: body.soft ?? null }),
      wipe: async () => ({}),
      applyFault: async ({ body }) => applyFault(body.how),
    },
    options,
  )
}

// biome-ignore lint/suspicious/noExplicitAny: no type allows these replies.
function applyFault(how: string): any {
  switch (how) {
    case 'throw':
      throw new Error(`the password is ${key}`)
    case 'throw text':
      throw 'just text'
    case 'unknown code':
      throw new Problem('NOT_IN_CONTRACT', 'inner words')
    case 'inherited code':
      throw new Problem('constructor', 'inner words')
    case 'internal code':
      throw refuse('INTERNAL_ERROR', 'inner words')
    case 'busy':
      throw new Problem('STORE_BUSY', 'inner words', { outcome: 'none' })
    case 'slow down':
      throw refuse('RATE_LIMITED', 'Too fast', { retryAfterMs: 1_001 })
    case 'missing':
      return { may: 'x' }
    case 'null':
      return { must: null }
    case 'number':
      return { must: 12.5 }
    case 'nothing':
      return undefined
    case 'bigint':
      return { must: 'x', any: 1n }
    case 'leak':
      return { must: 'x', password: key, counts: { a: 1 } }
    case 'wrong count':
      return { must: 'x', counts: { a: 1, b: 'two' } }
    default:
      return { must: 'x', any: { deep: [{ kept: 'whole', list: [1, null, true] }] } }
  }
}

export function digestOf(method: string, url: string, body: string | Uint8Array): string {
  return createHash('sha256').update(`${method} ${url} `).update(body).digest('hex')
}

/** Sends the key and signs path and bytes, as the real signatures do. */
export const sign = ({ method, path, body = '' }: { method: string; path: string; body?: string | Uint8Array }) => ({
  'x-key': key,
  'x-digest': digestOf(method, path, body),
})

export function recordingLog(): Log & { lines: string[] } {
  const lines: string[] = []
  const write = (detail: object, message: string) => void lines.push(JSON.stringify({ ...detail, message }))
  return { lines, debug: write, info: write, warn: write, error: write }
}

/** A library that is open during a test, reached both ways. */
export async function openLibrary(
  options: Partial<ServerOptions> & { serve?: ServeOptions & { held?: Promise<void> } } = {},
) {
  const seen: Seen = { gate: [], calls: [] }
  const log = recordingLog()
  const server = openServer({ services: [aLibrary(seen, options.serve)], log, ...options })
  const { url, port } = await server.listen()
  const http = overHttp(url)
  onTestFinished(async () => {
    await http.close()
    await server.close()
  })
  const ways: Record<'http' | 'in process', Transport> = {
    http: signed(http, sign),
    'in process': signed(inProcess(server), sign),
  }
  return { seen, log, server, url, port, ways, http }
}

/** Sends these bytes over a socket of its own and reads until the server closes. */
export async function rawly(port: number, ...parts: (string | Buffer)[]): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  for (const part of parts) socket.write(part)
  return text(socket)
}

export function jsonOf(reply: WireReply): {
  ok?: boolean
  data?: Record<string, unknown>
  error?: { code: string; message: string }
} {
  return JSON.parse(reply.body)
}
