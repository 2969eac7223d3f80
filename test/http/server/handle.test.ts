import { describe, expect, test } from 'vitest'
import type { WireReply, WireRequest } from '../../../src/http/client/transport.ts'
import { readFormOf } from '../../../src/http/server/routes.ts'
import { jsonOf, key, openLibrary } from '../library.ts'

const base = '/api/library/v1'
const get = (path: string, method = 'GET'): WireRequest => ({ method, path: base + path, headers: {} })
const post = (path: string, body: string | Uint8Array | object): WireRequest => ({
  method: 'POST',
  path: base + path,
  headers: { 'content-type': 'application/json' },
  body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
})
const codeOf = (reply: WireReply) => `${reply.status} ${jsonOf(reply).error?.code ?? 'ok'}`
const novel = { title: 'Dune', pages: 412, genre: 'novel' }

describe.each(['http', 'in process'] as const)('over %s', (way) => {
  async function open(options?: Parameters<typeof openLibrary>[0]) {
    const opened = await openLibrary(options)
    return { ...opened, send: opened.ways[way] }
  }

  test('a response has the envelope, cut to its schema at every depth', async () => {
    const { send } = await open()
    const reply = await send(get('/books'))
    expect(reply.status).toBe(200)
    expect(jsonOf(reply)).toEqual({
      ok: true,
      data: {
        asked: { limit: 20 },
        items: [{ bookId: 'A1', title: 'Dune', pages: null, genre: 'novel', shelf: { room: 'a', row: 1 } }],
      },
    })
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    expect(reply.headers['x-request-id']).toBeTruthy()
    expect(reply.headers['server']).toBeUndefined()
    expect(reply.headers['x-powered-by']).toBeUndefined()
  })

  test('every prefix of the contract answers', async () => {
    const { send } = await open()
    expect(codeOf(await send({ ...get(''), path: '/lib/v1/ping' }))).toBe('200 ok')
  })

  test('a second spelling answers only if the contract lists it', async () => {
    const { send } = await open()
    expect(codeOf(await send(get('/books/?limit=3')))).toBe('200 ok')
    expect(codeOf(await send(get('/ping/')))).toBe('404 NOT_FOUND')
  })

  test('a handler can set status and headers', async () => {
    const { send } = await open()
    const first = await send(post('/books', novel))
    const again = await send(post('/books', { ...novel, title: 'Again' }))
    expect([first.status, again.status, again.headers['x-again']]).toEqual([201, 200, 'yes'])
  })

  test.each([
    ['/nothing', 'GET'],
    ['/', 'GET'],
    ['', 'GET'],
    ['//ping', 'GET'],
    ['/ping/', 'GET'],
    ['/PING', 'GET'],
    ['/%70ing', 'GET'],
    ['/books%2Fnewest/', 'GET'],
    ['/../v1/ping', 'GET'],
    ['/./ping', 'GET'],
    ['/books/lower', 'GET'],
    ['/books/%zz', 'GET'],
    ['/books/%E0%A4%A', 'GET'],
    ['/books/%FF', 'GET'],
    ['/ping', 'HEAD'],
    ['/ping', 'OPTIONS'],
    ['/ping', 'POST'],
    ['/ping', 'PROPFIND'],
    [`/books/${'A'.repeat(300)}`, 'GET'],
    ['/ping|x"<y>', 'GET'],
    ['/__proto__', 'GET'],
    ['/constructor', 'GET'],
  ])('%s by %s is not found for an authenticated caller, and rejected earlier for another', async (path, method) => {
    const { send, seen, http, server } = await open()
    const known = await send(get(path, method))
    expect(known.status).toBe(404)
    if (method !== 'HEAD') expect(jsonOf(known)).toMatchObject({ ok: false, error: { code: 'NOT_FOUND' } })
    expect(seen.gate.at(-1)).toMatchObject({ url: base + path, method })
    const bare = way === 'http' ? http : (request: WireRequest) => server.inject(request)
    const unknown = await bare(get(path, method))
    expect(unknown.status).toBe(401)
  })

  test('a path outside all prefixes is a plain 404', async () => {
    const { send, seen } = await open()
    for (const path of [
      '/',
      '/api/library/v10',
      '/api/library',
      '/API/library/v1/ping',
      '/api%2Flibrary/v1/ping',
      '/api/library/v1%2Fping',
      '/%zz',
    ]) {
      const reply = await send({ method: 'GET', path, headers: {} })
      expect([path, reply.status]).toEqual([path, 404])
      expect(JSON.parse(reply.body)).toEqual({ message: 'Not found' })
    }
    expect(seen.gate).toEqual([])
  })

  test('a literal segment takes precedence over a parameter', async () => {
    const { send } = await open()
    expect(jsonOf(await send(get('/books/newest'))).data).toMatchObject({ bookId: 'A1' })
    expect(jsonOf(await send(get('/books/B2'))).data).toMatchObject({ bookId: 'B2' })
  })

  test('a parameter is decoded once', async () => {
    const { send } = await open()
    expect(jsonOf(await send(get('/books/A%2FB'))).data).toMatchObject({ bookId: 'A/B' })
    expect(jsonOf(await send(get('/books/%C3%A9'))).data).toMatchObject({ bookId: 'é' })
    expect(codeOf(await send(get('/books/A%252FB')))).toBe('404 NOT_FOUND')
  })

  test('the authentication gets path, query and bytes exactly as sent', async () => {
    const { send, seen } = await open()
    await send(get('/books?title=a%20b+c&x=%7e|"&tags=1&'))
    expect(seen.gate.at(-1)?.url).toBe(`${base}/books?title=a%20b+c&x=%7e|"&tags=1&`)
    const spaced = '{ "title":"Dune" ,\n"pages":412,"genre":"novel"}\n'
    expect(codeOf(await send(post('/books', spaced)))).toBe('201 ok')
    expect(Buffer.from(seen.gate.at(-1)?.body ?? []).toString()).toBe(spaced)
    expect(seen.gate.at(-1)).toMatchObject({ address: '127.0.0.1', prefix: base })
  })

  test('authentication precedes the parsing of the body', async () => {
    const { http, server, seen } = await open()
    const bare = way === 'http' ? http : (request: WireRequest) => server.inject(request)
    for (const body of ['{"broken', '[]', '', JSON.stringify({ title: 5 })]) {
      expect(codeOf(await bare(post('/books', body)))).toBe('401 UNAUTHORIZED')
    }
    expect(seen.calls).toEqual([])
  })

  test.each([
    ['broken', '{"title":'],
    ['a list', '[]'],
    ['text', '"x"'],
    ['null', 'null'],
    ['a number', '1'],
    ['nothing', ''],
    ['two objects', '{}{}'],
    ['not UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
    ['NaN', '{"pages":NaN}'],
    ['very deep lists', `{"open":${'['.repeat(30_000)}${']'.repeat(30_000)}}`],
    ['very deep objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['deep and unclosed', '['.repeat(65_000)],
  ])('a body that is %s is INVALID_JSON', async (_name, body) => {
    const { send, seen } = await open()
    expect(codeOf(await send(post('/books', body)))).toBe('400 INVALID_JSON')
    expect(seen.calls).toEqual([])
  })

  test('the content type is not checked', async () => {
    const { send } = await open()
    for (const type of ['text/plain', 'application/json; charset=utf-8', ';;;', 'multipart/form-data', '']) {
      const reply = await send({ ...post('/books', novel), headers: { 'content-type': type } })
      expect([type, reply.status]).toEqual([type, 201])
    }
    expect(codeOf(await send({ ...post('/books', novel), headers: {} }))).toBe('201 ok')
  })

  test('an optional body can be omitted, empty or present', async () => {
    const { send } = await open()
    expect(jsonOf(await send(get('/books/A1/touch', 'POST'))).data).toEqual({ soft: null })
    expect(jsonOf(await send(post('/books/A1/touch', ''))).data).toEqual({ soft: null })
    expect(jsonOf(await send(post('/books/A1/touch', { soft: true }))).data).toEqual({ soft: true })
    expect(codeOf(await send(post('/books/A1/touch', '[]')))).toBe('400 INVALID_JSON')
  })

  test('a body of an endpoint without one is signed but not parsed', async () => {
    const { send, seen } = await open()
    expect(codeOf(await send({ ...get('/ping'), body: '{"broken' }))).toBe('200 ok')
    expect(seen.gate.at(-1)?.body.byteLength).toBe(8)
    expect(codeOf(await send({ ...get('/books', 'DELETE'), body: 'x' }))).toBe('200 ok')
  })

  test('a body of exactly the limit is accepted, one byte more is rejected before authentication', async () => {
    const { send, seen } = await open()
    const filler = (size: number) => {
      const empty = JSON.stringify({ ...novel, pad: '' })
      return JSON.stringify({
        ...novel,
        pad: 'é'.repeat((size - empty.length) / 2) + ((size - empty.length) % 2 ? 'x' : ''),
      })
    }
    expect(Buffer.byteLength(filler(65_536))).toBe(65_536)
    expect(codeOf(await send(post('/books', filler(65_536))))).toBe('201 ok')
    const before = seen.gate.length
    expect(codeOf(await send(post('/books', filler(65_537))))).toBe('413 TOO_LARGE')
    expect(codeOf(await send(post('/books', 'x'.repeat(5_000_000))))).toBe('413 TOO_LARGE')
    expect(seen.gate.length).toBe(before)
    expect(codeOf(await send(get('/ping')))).toBe('200 ok')
  })

  test('fields outside the contract do not reach the handler', async () => {
    const { send, seen } = await open()
    await send(post('/books', { ...novel, extra: 1, shelf: { room: 'a', row: 3 }, open: { kept: { whole: [1] } } }))
    expect(seen.calls.at(-1)).toEqual({ ...novel, shelf: { room: 'a' }, open: { kept: { whole: [1] } } })
    await send(get('/books?limit=5&other=1'))
    expect(seen.calls.at(-1)).toEqual({ limit: 5 })
  })

  test.each([
    '{"title":"Dune","pages":1,"genre":"novel","__proto__":{"polluted":true}}',
    '{"title":"Dune","pages":1,"genre":"novel","open":{"__proto__":{"polluted":true},"a":{"__proto__":{"polluted":true}}}}',
    '{"title":"Dune","pages":1,"genre":"novel","open":{"\\u005f_proto__":{"polluted":true}}}',
    '{"title":"Dune","pages":1,"genre":"novel","open":{"constructor":{"prototype":{"polluted":true}}}}',
  ])('a body with prototype keys changes no prototype: %s', async (body) => {
    const { send, seen } = await open()
    expect(codeOf(await send(post('/books', body)))).toBe('201 ok')
    const got = seen.calls.at(-1) as { open?: object }
    expect(JSON.stringify(got)).not.toContain('__proto__')
    expect(Object.assign({}, got.open)).not.toHaveProperty('polluted')
    expect({}).not.toHaveProperty('polluted')
    expect(Object.getPrototypeOf(got)).toBe(Object.prototype)
  })

  test.each([
    ['a field is absent', { pages: 1, genre: 'novel' }, 'TITLE_NEEDED', 'title'],
    ['a field is malformed', { ...novel, title: '4' }, 'INVALID_TITLE', 'title'],
    ['a field is null', { ...novel, title: null }, 'INVALID_TITLE', 'title'],
    ['a text stands for a number', { ...novel, pages: '412' }, 'INVALID_PARAMETER', 'pages'],
    ['a number has a fraction', { ...novel, pages: 1.5 }, 'INVALID_PARAMETER', 'pages'],
    ['a number is too small', { ...novel, pages: 0 }, 'INVALID_PARAMETER', 'pages'],
    ['a value is not on the list', { ...novel, genre: 'Novel' }, 'INVALID_PARAMETER', 'genre'],
    ['a field inside is absent', { ...novel, shelf: {} }, 'INVALID_PARAMETER', 'shelf'],
    ['an object is a list', { ...novel, shelf: [] }, 'INVALID_PARAMETER', 'shelf'],
    ['absent before malformed, in the order of the contract', { pages: 'x', genre: 'x' }, 'TITLE_NEEDED', 'title'],
    ['malformed before absent, in the order of the contract', { title: '4' }, 'INVALID_TITLE', 'title'],
    ['everything is wrong', { genre: 1, pages: '', title: [] }, 'INVALID_TITLE', 'title'],
    ['later ones only', { genre: 'x', title: 'Dune' }, 'INVALID_PARAMETER', 'pages'],
  ])('when %s, the refusal has the field’s own code and names it', async (_name, body, code, field) => {
    const { send } = await open()
    const reply = await send(post('/books', body))
    expect(codeOf(reply)).toBe(`400 ${code}`)
    expect(jsonOf(reply).error?.message).toMatch(new RegExp(`^${field}`))
  })

  test.each([
    ['limit=7', { limit: 7 }],
    ['', { limit: 20 }],
    ['tags=a', { limit: 20, tags: ['a'] }],
    ['tags=a&tags=b', { limit: 20, tags: ['a', 'b'] }],
    ['lent=true', { limit: 20, lent: true }],
    ['title=a+b%20c', { limit: 20, title: 'a b c' }],
    ['__proto__=1&constructor=2', { limit: 20 }],
  ])('the query %s is read as %o', async (query, read) => {
    const { send, seen } = await open()
    expect(codeOf(await send(get(`/books?${query}`)))).toBe('200 ok')
    expect(seen.calls.at(-1)).toEqual(read)
  })

  test.each([
    ['limit=0', 'INVALID_PARAMETER', 'limit'],
    ['limit=101', 'INVALID_PARAMETER', 'limit'],
    ['limit=1e1', 'INVALID_PARAMETER', 'limit'],
    ['limit=1.0', 'INVALID_PARAMETER', 'limit'],
    ['limit=0x10', 'INVALID_PARAMETER', 'limit'],
    ['limit=+5', 'INVALID_PARAMETER', 'limit'],
    ['limit=%205', 'INVALID_PARAMETER', 'limit'],
    ['limit=', 'INVALID_PARAMETER', 'limit'],
    ['limit=1&limit=2', 'INVALID_PARAMETER', 'limit'],
    ['limit=1234567890123456', 'INVALID_PARAMETER', 'limit'],
    ['lent=yes', 'INVALID_PARAMETER', 'lent'],
    ['title=a&title=b', 'INVALID_TITLE', 'title'],
    ['title=%zz', 'INVALID_TITLE', 'title'],
    ['title=%FF', 'INVALID_TITLE', 'title'],
  ])('the query %s is refused', async (query, code, field) => {
    const { send } = await open()
    const reply = await send(get(`/books?${query}`))
    expect(codeOf(reply)).toBe(`400 ${code}`)
    expect(jsonOf(reply).error?.message).toMatch(new RegExp(`^${field}`))
  })

  test.each([
    'throw',
    'throw text',
    'unknown code',
    'inherited code',
    'internal code',
    'missing',
    'null',
    'number',
    'nothing',
    'bigint',
    'wrong count',
  ])('an unexpected error (%s) is logged and not sent to the caller', async (how) => {
    const { send, log } = await open()
    const reply = await send(post('/misbehave?token=secret-in-query', { how }))
    expect(jsonOf(reply)).toEqual({
      ok: false,
      error: { code: 'INTERNAL_ERROR', message: 'Internal error' },
    })
    expect(reply.status).toBe(500)
    expect(log.lines).toHaveLength(1)
    expect(log.lines[0]).toContain(`"requestId":"${reply.headers['x-request-id']}"`)
    expect(log.lines[0]).not.toContain('secret-in-query')
  })

  test('a change with too many conflicts is rejected as busy, with a Retry-After', async () => {
    const { send, log } = await open()
    const reply = await send(post('/misbehave', { how: 'busy' }))
    const message = 'The service is busy: try again later'
    expect(jsonOf(reply)).toEqual({ ok: false, error: { code: 'INTERNAL_ERROR', message } })
    expect([reply.status, reply.headers['retry-after'], log.lines.length]).toEqual([500, '1', 1])
  })

  test('an additional field of a view is removed', async () => {
    const { send } = await open()
    const reply = await send(post('/misbehave', { how: 'leak' }))
    expect(reply.body).toBe('{"ok":true,"data":{"must":"x","counts":{"a":1}}}')
    expect(reply.body).not.toContain(key)
  })

  test('open-ended parts are returned in full', async () => {
    const { send } = await open()
    const reply = await send(post('/misbehave', { how: 'well' }))
    expect(jsonOf(reply).data).toEqual({ must: 'x', any: { deep: [{ kept: 'whole', list: [1, null, true] }] } })
  })

  test('a refusal can have a Retry-After, in whole seconds rounded up', async () => {
    const { send } = await open()
    const reply = await send(post('/misbehave', { how: 'slow down' }))
    expect(codeOf(reply)).toBe('429 RATE_LIMITED')
    expect(reply.headers['retry-after']).toBe('2')
  })

  test('a hundred concurrent calls each get their own response', async () => {
    const { send } = await open()
    const replies = await Promise.all(Array.from({ length: 100 }, (_, i) => send(get(`/books/${i}`))))
    expect(replies.map((reply) => jsonOf(reply).data?.['bookId'])).toEqual(replies.map((_, i) => String(i)))
    expect(new Set(replies.map((reply) => reply.headers['x-request-id'])).size).toBe(100)
  })

  test('an ordinary route can be below a prefix and takes precedence there', async () => {
    const { send, seen } = await open({
      routes: [
        (app) => {
          app.get(`${base}/books/:id/events`, (_request, reply) => reply.type('text/plain').send('stream'))
          app.post('/page', () => {
            throw new Error(`the password is ${key}`)
          })
          app.post('/form', async (request, reply) => reply.send(await readFormOf(request, 20)))
        },
      ],
    })
    expect((await send(get('/books/A1/events'))).body).toBe('stream')
    expect(codeOf(await send(get('/books/A1/events', 'POST')))).toBe('404 NOT_FOUND')
    expect(seen.gate).toHaveLength(1)
    const failed = await send({ method: 'POST', path: '/page', headers: {} })
    expect([failed.status, failed.body]).toEqual([500, '{"message":"Internal error"}'])
    const form = (type: string, body: string | Uint8Array) =>
      send({ method: 'POST', path: '/form', headers: { 'content-type': type }, body })
    const urlencoded = 'application/x-www-form-urlencoded'
    expect((await form(`${urlencoded}; charset=utf-8`, 'coin=btc&coin=eth')).body).toBe('{"coin":"eth"}')
    const refused = [form('application/json', '{'), form(urlencoded, 'x'.repeat(21)), form(urlencoded, Buffer.of(0xff))]
    expect((await Promise.all(refused)).map(({ status, body }) => [status, body])).toEqual([
      [415, '{"message":"Unsupported Media Type"}'],
      [413, '{"message":"Payload Too Large"}'],
      [400, '{"message":"Bad Request"}'],
    ])
  })

  test('a browser on another origin gets its CORS headers, in the preflight and with every response', async () => {
    const { send, seen } = await open({
      serve: {
        cors: async ({ headers }) =>
          headers['origin'] === 'https://shop.example'
            ? { 'access-control-allow-origin': 'https://shop.example' }
            : undefined,
      },
    })
    const ask = {
      ...get('/books', 'OPTIONS'),
      headers: { origin: 'https://shop.example', 'access-control-request-method': 'POST' },
    }
    const allowed = await send(ask)
    expect([
      allowed.status,
      allowed.body,
      allowed.headers['access-control-allow-origin'],
      allowed.headers['vary'],
    ]).toEqual([204, '', 'https://shop.example', 'Origin'])
    expect(seen.gate).toHaveLength(0)
    expect((await send({ ...ask, headers: { ...ask.headers, origin: 'https://other.example' } })).status).toBe(404)
    const refused = await send({ ...post('/books', '{'), headers: { origin: 'https://shop.example' } })
    expect(refused.headers['access-control-allow-origin']).toBe('https://shop.example')
    expect((await send(get('/books'))).headers['vary']).toBe('Origin')
  })
})
