import { Type } from 'typebox'
import { describe, expect, test } from 'vitest'
import { createClient, fromReply, toRequest } from '../../../src/http/client/client.ts'
import type { WireReply } from '../../../src/http/client/transport.ts'
import type { Contract } from '../../../src/http/contract/contract.ts'
import { bareOrError, bareOrStatus, okData } from '../../../src/http/contract/envelopes.ts'
import { library, openLibrary } from '../library.ts'

describe.each(['http', 'in process'] as const)('over %s', (way) => {
  test('a client calls by name and gets the data', async () => {
    const { ways } = await openLibrary()
    const client = createClient(library, ways[way])
    expect(await client.ping({})).toEqual({})
    expect(await client.book({ params: { bookId: 'A/ é' } })).toMatchObject({ bookId: 'A/ é', title: 'Dune' })
    const { items } = await client.books({ query: { limit: 3, tags: ['a b', '&='], lent: false } })
    expect(items[0]?.genre).toBe('novel')
    expect(await client.addBook({ body: { title: 'Dune', pages: 1, genre: 'verse' } })).toEqual({
      got: { title: 'Dune', pages: 1, genre: 'verse' },
      caller: 'ann',
    })
    expect(await client.touch({ params: { bookId: 'A1' }, body: {} })).toEqual({ soft: null })
  })

  test('a refusal is a Problem with the code of the API', async () => {
    const { ways } = await openLibrary()
    const client = createClient(library, ways[way])
    await expect(client.addBook({ body: { title: 'Lent', pages: 1, genre: 'novel' } })).rejects.toMatchObject({
      name: 'Problem',
      code: 'BOOK_LENT',
      message: 'Somebody has it',
      detail: { status: 409 },
    })
    await expect(client.applyFault({ body: { how: 'slow down' } })).rejects.toMatchObject({
      code: 'RATE_LIMITED',
      detail: { status: 429, retryAfterMs: 2_000 },
    })
    await expect(client.applyFault({ body: { how: 'throw' } })).rejects.toMatchObject({ code: 'INTERNAL_ERROR' })
  })

  test('headers of one call are sent only with that call', async () => {
    const { ways, seen } = await openLibrary()
    const client = createClient(library, ways[way])
    await client.ping({}, { headers: { 'idempotency-key': 'k1' } })
    await client.ping({})
    expect(seen.gate.map(({ headers }) => headers['idempotency-key'])).toEqual(['k1', undefined])
  })

  test('an aborted call rejects with the reason', async () => {
    const { ways } = await openLibrary()
    const client = createClient(library, ways[way])
    await expect(client.ping({}, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough')
  })
})

test('a query omits undefined values, repeats lists and writes numbers as text', () => {
  const request = toRequest(library, 'books', { query: { limit: 5, tags: ['x', 'y'], lent: true } })
  expect(request).toEqual({
    method: 'GET',
    path: '/api/library/v1/books?limit=5&tags=x&tags=y&lent=true',
    headers: { accept: 'application/json' },
    isWhole: expect.any(Function),
  })
  expect(toRequest(library, 'books', { query: {} }).path).toBe('/api/library/v1/books')
})

test.each([
  ['a/b', 'a%2Fb'],
  ['a b?', 'a%20b%3F'],
  ['..', '%2E%2E'],
  ['.', '%2E'],
  ['%2F', '%252F'],
  ['é', '%C3%A9'],
])('the parameter %s is one segment of the path', (bookId, segment) => {
  expect(toRequest(library, 'book', { params: { bookId } }).path).toBe(`/api/library/v1/books/${segment}`)
})

test('a missing parameter is a bug of the caller, an empty one an invalid call, and neither is another path', () => {
  expect(() => toRequest(library, 'book', { params: {} as never })).toThrow('needs bookId')
  expect(() => toRequest(library, 'book', { params: { bookId: '' } })).toThrow(
    expect.objectContaining({ code: 'INVALID_USAGE', message: 'bookId must not be empty' }),
  )
})

const reply = (status: number, body: unknown, headers = {}): WireReply => ({
  status,
  headers,
  body: typeof body === 'string' ? body : JSON.stringify(body),
})
const book = { bookId: 'A', title: 'B', pages: null, genre: 'verse' }

test.each([
  ['an edge’s page instead of a 502', reply(502, '<html>Bad gateway</html>'), 'REMOTE_UNAVAILABLE'],
  ['an empty 503', reply(503, ''), 'REMOTE_UNAVAILABLE'],
  ['a 500 in JSON of another form', reply(500, { oops: true }), 'REMOTE_UNAVAILABLE'],
  ['an edge’s 429', reply(429, 'slow down'), 'REMOTE_UNAVAILABLE'],
  ['a page with status 200', reply(200, '<html>Welcome</html>'), 'REMOTE_UNAVAILABLE'],
  ['an empty 200', reply(200, ''), 'REMOTE_UNAVAILABLE'],
  ['half of a 200', reply(200, '{"ok":true,"data":{"bookId":"A"}'), 'REMOTE_UNAVAILABLE'],
  ['a redirect', reply(302, '', { location: 'https://evil.example' }), 'REMOTE_UNINTELLIGIBLE'],
  ['a 404 of something else', reply(404, 'not here'), 'REMOTE_UNINTELLIGIBLE'],
  ['success without its data', reply(200, { ok: true }), 'REMOTE_UNINTELLIGIBLE'],
  ['success with a failure status', reply(404, { ok: true, data: book }), 'REMOTE_UNINTELLIGIBLE'],
  ['data without a field', reply(200, { ok: true, data: { ...book, title: undefined } }), 'REMOTE_UNINTELLIGIBLE'],
  [
    'data with a field of another type',
    reply(200, { ok: true, data: { ...book, pages: '1' } }),
    'REMOTE_UNINTELLIGIBLE',
  ],
  ['null', reply(200, null), 'REMOTE_UNINTELLIGIBLE'],
])('%s is %s', (_name, wire, code) => {
  expect(() => fromReply(library, 'book', wire)).toThrow(expect.objectContaining({ code }))
})

test('the position of an invalid value is named, and no part of the body is repeated', () => {
  const wire = reply(200, { ok: true, data: { ...book, genre: 'secret-words' } })
  expect(() => fromReply(library, 'book', wire)).toThrow(/at genre\)$/)
  expect(() => fromReply(library, 'book', wire)).not.toThrow(/secret-words/)
})

test('fields that are not in the contract are dropped', () => {
  expect(fromReply(library, 'book', reply(200, { ok: true, data: { ...book, gw_new: 1 } }))).toEqual(book)
})

test('a Retry-After with a date counts from the response’s own date', () => {
  const headers = { date: 'Sun, 01 Mar 2026 08:00:00 GMT', 'retry-after': 'Sun, 01 Mar 2026 08:00:07 GMT' }
  const wire = reply(429, { ok: false, error: { code: 'RATE_LIMITED', message: '' } }, headers)
  expect(() => fromReply(library, 'book', wire)).toThrow(
    expect.objectContaining({ detail: { status: 429, retryAfterMs: 7_000 } }),
  )
})

const refusal = { code: 'X', message: 'm', status: 409, detail: { field: 'a' }, requestId: 'r9' }

test.each([
  ['okData', okData, { ok: true, data: [1] }, { ok: false, error: { code: 'X', message: 'm' } }],
  ['bareOrStatus', bareOrStatus, [1], { status: false, statusCode: 409, code: 'X', message: 'm' }],
  ['bareOrError', bareOrError, [1], { error: { code: 'X', message: 'm', details: [{ field: 'a' }], requestId: 'r9' } }],
] as const)('%s reads the envelopes that it writes', (_name, envelope, wrapped, refused) => {
  expect(envelope.wrap([1])).toEqual(wrapped)
  expect(envelope.read(200, wrapped)).toEqual({ data: [1] })
  expect(envelope.refuse(refusal)).toEqual(refused)
  expect(envelope.read(409, refused)).toMatchObject({ code: 'X', message: 'm' })
  for (const body of [null, 1, 'x', [], {}, { error: 'text' }, { error: { code: 5 } }, { code: 5 }, { ok: false }]) {
    expect(envelope.read(409, body)).toBeUndefined()
  }
})

test('a plain text is a valid response', () => {
  const contract = {
    ...library,
    envelope: bareOrStatus,
    endpoints: {
      verify: {
        method: 'POST',
        path: '/verify',
        summary: 'x',
        access: 'a',
        status: 200,
        reply: Type.Literal('OK'),
        refusals: [],
      },
    },
  } as const satisfies Contract
  expect(fromReply(contract, 'verify', reply(200, '"OK"'))).toBe('OK')
  expect(() => fromReply(contract, 'verify', reply(200, 'OK'))).toThrow(
    expect.objectContaining({ code: 'REMOTE_UNINTELLIGIBLE' }),
  )
})
