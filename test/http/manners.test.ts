import { setImmediate } from 'node:timers/promises'
import { Type } from 'typebox'
import { expect, onTestFinished, test } from 'vitest'
import { createClient } from '../../src/http/client/client.ts'
import { inProcess, overHttp, remoteCodes } from '../../src/http/client/transport.ts'
import { type Authenticate, type Contract, refusals } from '../../src/http/contract/contract.ts'
import { bareOrError, bareOrStatus } from '../../src/http/contract/envelopes.ts'
import { serve } from '../../src/http/server/handle.ts'
import { plainAddress } from '../../src/http/server/request.ts'
import { openServer } from '../../src/http/server/server.ts'
import { isProxyRange } from '../../src/http/server/trusted-proxies.ts'

/** Behavior of some APIs only: forms, blank query keys, a code for the wrong method, all errors at once. */
const shop = {
  title: 'Shop',
  version: '1',
  prefixes: ['/shop/v1'],
  envelope: bareOrError,
  problems: { INVALID: 400, INVALID_JSON: 400, NOT_FOUND: 404, METHOD_NOT_ALLOWED: 405, TOO_LARGE: 413, INTERNAL: 500 },
  standardCodes: {
    invalid: 'INVALID',
    json: 'INVALID_JSON',
    missing: 'NOT_FOUND',
    method: 'METHOD_NOT_ALLOWED',
    large: 'TOO_LARGE',
    internal: 'INTERNAL',
  },
  common: [],
  bodyLimit: 1000,
  blankIsAbsent: true,
  forms: true,
  endpoints: {
    list: {
      method: 'GET',
      path: '/items',
      summary: 'List',
      access: 'any',
      query: Type.Object({ page: Type.Optional(Type.Integer()), from: Type.Optional(Type.String({ minLength: 4 })) }),
      status: 200,
      reply: Type.Object({ page: Type.Integer() }),
      refusals: [],
    },
    add: {
      method: 'POST',
      path: '/items',
      summary: 'Add',
      access: 'any',
      body: Type.Object({ name: Type.String(), price: Type.Union([Type.Number(), Type.String()]) }),
      status: 200,
      reply: Type.Object({ name: Type.String(), price: Type.Union([Type.Number(), Type.String()]) }),
      refusals: [],
    },
  },
} as const satisfies Contract

const anybody: Authenticate<{ any: { name: string } }> = async () => ({ name: 'x' })

function open() {
  const server = openServer({
    services: [
      serve(shop, anybody, {
        list: async ({ query }) => ({ page: query.page ?? 0 }),
        add: async ({ body }) => body,
      }),
    ],
  })
  onTestFinished(() => server.close())
  return inProcess(server)
}

const get = (path: string, method = 'GET') => ({ method, path: `/shop/v1${path}`, headers: {} })

test('a blank query key counts as missing in an API with that rule', async () => {
  expect((await open()(get('/items?page=&from='))).body).toBe('{"page":0}')
})

test('a path with another method is rejected with the accepted methods, if the API has a code for that', async () => {
  const reply = await open()(get('/items', 'PUT'))
  expect([reply.status, reply.headers['allow']]).toEqual([405, 'GET, POST'])
  expect(JSON.parse(reply.body).error).toMatchObject({ code: 'METHOD_NOT_ALLOWED', details: [{ allow: 'GET, POST' }] })
  expect((await open()(get('/other', 'PUT'))).status).toBe(404)
})

test("all faults are listed at once if the API's error format allows it", async () => {
  const reply = await open()({ ...get('/items', 'POST'), body: '{"price":true}' })
  expect(JSON.parse(reply.body).error).toMatchObject({
    code: 'INVALID',
    message: 'name is missing',
    details: [
      { field: 'name', code: 'absent' },
      { field: 'price', code: 'malformed' },
    ],
    requestId: reply.headers['x-request-id'],
  })
})

test.each([
  ['a query', get('/items?from=2026%00'), 'from'],
  ['a body', { ...get('/items', 'POST'), body: '{"name":"a\\u0000b","price":1}' }, 'name'],
  ['a body, or half a character', { ...get('/items', 'POST'), body: '{"name":"\\udc00","price":1}' }, 'name'],
  ['a union in a body', { ...get('/items', 'POST'), body: '{"name":"a","price":"\\u0000"}' }, 'price'],
])('a NUL in %s is rejected before it is stored', async (_where, request, field) => {
  const reply = await open()(request)
  expect(JSON.parse(reply.body).error).toMatchObject({ code: 'INVALID', details: [{ field, code: 'malformed' }] })
})

test('a form body is read as texts if the API accepts forms', async () => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  const reply = await open()({
    ...get('/items', 'POST'),
    headers,
    body: 'name=a+b%C3%A9&price=1&price=2&__proto__=x&extra=1',
  })
  expect(JSON.parse(reply.body)).toEqual({ name: 'a bé', price: '2' })
})

test('the same API can be served a second time under its own prefixes', async () => {
  const live = serve(shop, anybody, { list: async () => ({ page: 1 }), add: async ({ body }) => body })
  const sandbox = serve(
    shop,
    anybody,
    { list: async () => ({ page: 2 }), add: async ({ body }) => body },
    { prefixes: ['/sandbox/shop/v1'] },
  )
  const server = openServer({ services: [live, sandbox] })
  onTestFinished(() => server.close())
  expect(await createClient(shop, inProcess(server)).list({ query: {} })).toEqual({ page: 1 })
  expect(await createClient(shop, inProcess(server, { basePath: '/sandbox' })).list({ query: {} })).toEqual({ page: 2 })
})

test('a response in process has a timeout, which does not count a time in which the process was stopped', async () => {
  const timeoutMs = 200
  const stopped = {
    async inject() {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3 * timeoutMs)
      // The timers run before the second one.
      await setImmediate()
      await setImmediate()
      return { status: 204, headers: {}, body: '' }
    },
  }
  expect((await inProcess(stopped, { timeoutMs })(get('/items'))).status).toBe(204)
  const silent = { inject: () => new Promise<never>(() => {}) }
  await expect(inProcess(silent, { timeoutMs })(get('/items'))).rejects.toMatchObject({ code: remoteCodes.timeout })
})

test('the address of the caller is passed to authentication', async () => {
  const addresses: string[] = []
  const gate: typeof anybody = async ({ address }) => {
    addresses.push(address)
    return { name: 'x' }
  }
  const server = openServer({
    services: [serve(shop, gate, { list: async () => ({ page: 1 }), add: async ({ body }) => body })],
  })
  onTestFinished(() => server.close())
  await inProcess(server, { address: '::ffff:10.1.2.3' })(get('/items'))
  await inProcess(server, { address: '2001:db8::1' })({ ...get('/items'), headers: { 'x-forwarded-for': '1.2.3.4' } })
  expect(addresses).toEqual(['10.1.2.3', '2001:db8::1'])
  expect(plainAddress('::ffff:999')).toBe('::ffff:999')
})

test('behind trusted proxies the forwarded address is used; forwarded addresses of other callers are ignored', async () => {
  const addresses: string[] = []
  const gate: typeof anybody = async ({ address }) => {
    addresses.push(address)
    return { name: 'x' }
  }
  const service = serve(shop, gate, { list: async () => ({ page: 1 }), add: async ({ body }) => body })
  const addressBy = async (trustedProxies: readonly string[], forwarded: string) => {
    const server = openServer({ services: [service], trustedProxies })
    const { url } = await server.listen()
    const http = overHttp(url)
    const reply = await http({ ...get('/items'), headers: { 'x-forwarded-for': forwarded } })
    const missing = await http({ method: 'GET', path: '/nothing/here', headers: {} })
    await http.close()
    await server.close()
    expect([reply.status, missing.status]).toEqual([200, 404])
    expect([reply.headers['x-request-id'], missing.headers['x-request-id']]).toEqual([
      expect.any(String),
      expect.any(String),
    ])
    return addresses.pop()
  }
  expect(await addressBy([], '203.0.113.9')).toBe('127.0.0.1')
  expect(await addressBy(['10.0.0.0/8'], '203.0.113.9')).toBe('127.0.0.1')
  expect(await addressBy(['loopback'], '203.0.113.9')).toBe('203.0.113.9')
  // The caller wrote everything before the last address that is no proxy.
  expect(await addressBy(['127.0.0.1', '10.0.0.0/8'], '198.51.100.1, 203.0.113.9, 10.1.2.3')).toBe('203.0.113.9')
})

test.each([
  ['10.1.2.3', true],
  ['10.0.0.0/8', true],
  ['::1', true],
  ['fd00::/8', true],
  ['loopback', true],
  ['uniquelocal', true],
  ['', false],
  ['everybody', false],
  ['0.0.0.0/0', false],
  ['::/0', false],
  ['10.0.0.0/33', false],
  ['10.0.0.0/08', false],
  ['10.0.0.0/8/8', false],
  ['fe80::1%eth0', false],
  ['example.com', false],
])('a proxy can be named %j: %s', (text, expected) => {
  expect(isProxyRange(text)).toBe(expected)
})

test('a call outside the contract does not compile', () => {
  const handlers = { list: async () => ({ page: 1 }), add: async () => ({ name: 'x', price: 1 }) }
  expect(serve(shop, anybody, handlers).contract).toBe(shop)
  // @ts-expect-error a handler is missing
  serve(shop, anybody, { list: handlers.list })
  // @ts-expect-error a reply lacks a field
  serve(shop, anybody, { ...handlers, list: async () => ({}) })
  // @ts-expect-error a GET without a body is given none
  serve(shop, anybody, { ...handlers, list: async ({ body }) => body })
  // @ts-expect-error the caller has no such field
  serve(shop, anybody, { ...handlers, list: async ({ caller }) => ({ page: caller.age }) })
  const refuse = refusals(shop)
  expect(refuse('NOT_FOUND', 'x').code).toBe('NOT_FOUND')
  // @ts-expect-error the contract lists no such code
  refuse('NOPE', 'x')
  expect(bareOrStatus.refuse({ code: 'X', message: 'm', status: 400, detail: {}, requestId: 'r' })).not.toHaveProperty(
    'requestId',
  )
})
