import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseReply, prefix, type RawRequest, sendRaw, signedHeaders } from '../../../support/http/raw.ts'
import { aTenant, refuses } from '../../../support/worlds/people.ts'
import { testWorld } from '../../../support/worlds/world.ts'

const unauthorized = { status: 401, code: 'UNAUTHORIZED' }
const invalidCredentials = { ...unauthorized, message: 'invalid credentials' }

async function aCaller() {
  const world = await testWorld()
  const tenant = await aTenant(world)
  return { world, tenant, send: (request: RawRequest = {}) => sendRaw(world, tenant.key, request) }
}

test('a request signed exactly by the document is accepted, in either environment', async () => {
  const { world, tenant } = await aCaller()
  expect(tenant.key.apiKey).toMatch(/^ek_l_/)
  expect(tenant.sandbox.key.apiKey).toMatch(/^ek_s_/)
  expect(parseReply(await sendRaw(world, tenant.key))).toEqual({ status: 200 })
  expect(parseReply(await sendRaw(world, tenant.sandbox.key))).toEqual({ status: 200 })
})

test('a success is ok with data, a refusal is not ok and has a code and a message, and no other field', async () => {
  const { send } = await aCaller()
  expect(JSON.parse((await send({ url: `${prefix}/tables` })).body)).toEqual({
    ok: true,
    data: { tables: expect.any(Array) },
  })
  expect(JSON.parse((await send({ url: `${prefix}/player?username=nobody` })).body)).toEqual({
    ok: false,
    error: { code: 'PLAYER_NOT_FOUND', message: expect.any(String) },
  })
})

describe('the signature', () => {
  test('covers the method', async () => {
    const { send } = await aCaller()
    expect(parseReply(await send({ signedMethod: 'POST' }))).toEqual(invalidCredentials)
    expect(parseReply(await send({ signedMethod: 'get' }))).toEqual(invalidCredentials)
  })

  test.each([
    ['another path', `${prefix}/tables`, `${prefix}/account`],
    ['the path without its prefix', `${prefix}/tables`, '/tables'],
    ['the path without the query', `${prefix}/player?username=amy`, `${prefix}/player`],
    ['the query in another order', `${prefix}/bets?limit=5&from=2026-03-01`, `${prefix}/bets?from=2026-03-01&limit=5`],
    ['the query decoded', `${prefix}/player?username=a%40b`, `${prefix}/player?username=a@b`],
    ['the query encoded', `${prefix}/player?username=a@b`, `${prefix}/player?username=a%40b`],
    ['an empty query added', `${prefix}/tables?`, `${prefix}/tables`],
    ['the whole URL', `${prefix}/tables`, `http://127.0.0.1${prefix}/tables`],
  ])('covers the path and query exactly as sent: %s is refused', async (_, url, signedUrl) => {
    const { send } = await aCaller()
    expect(parseReply(await send({ url, signedUrl }))).toEqual(invalidCredentials)
    expect(parseReply(await send({ url })).code).not.toBe('UNAUTHORIZED')
  })

  test('covers every byte of the body, including spaces and the last line feed', async () => {
    const { world, tenant, send } = await aCaller()
    const url = `${prefix}/player/launch`
    const body = '{"username":"amy"}'
    for (const signedBody of ['{"username": "amy"}', `${body}\n`, '', '{"username":"Amy"}'])
      expect(parseReply(await send({ method: 'POST', url, body, signedBody }))).toEqual(invalidCredentials)
    await refuses('PLAYER_NOT_FOUND', tenant.client.player({ query: { username: 'amy' } }))
    expect(parseReply(await send({ method: 'POST', url, body: `${body}\n` }))).toEqual({ status: 200 })
    const bytes = new TextEncoder().encode('{"username":"bob","nickname":"波布 🂡"}')
    expect(parseReply(await sendRaw(world, tenant.key, { method: 'POST', url, body: bytes }))).toEqual({ status: 200 })
  })

  test('covers the timestamp and the nonce as sent', async () => {
    const { world, tenant } = await aCaller()
    const headers = signedHeaders(world, tenant.key)
    const send = (changed: object) =>
      world.server.inject({ method: 'GET', path: `${prefix}/tables`, headers: { ...headers, ...changed } })
    const timestamp = headers['x-timestamp'] ?? ''
    expect(parseReply(await send({ 'x-timestamp': String(Number(timestamp) + 1) }))).toEqual(invalidCredentials)
    expect(parseReply(await send({ 'x-timestamp': `0${timestamp}` }))).toEqual(invalidCredentials)
    expect(parseReply(await send({ 'x-nonce': 'anotherNonce12345' }))).toEqual(invalidCredentials)
    expect(parseReply(await send({}))).toEqual({ status: 200 })
  })

  test('has five lines and no line feed at the end', async () => {
    const { world, tenant } = await aCaller()
    const { createHmac, createHash } = await import('node:crypto')
    const headers = signedHeaders(world, tenant.key)
    const hash = createHash('sha256').update('').digest('hex')
    const lines = ['GET', `${prefix}/tables`, headers['x-timestamp'], headers['x-nonce'], hash]
    const signedWith = async (text: string) => {
      const signature = createHmac('sha256', tenant.key.secret).update(text).digest('hex')
      const path = `${prefix}/tables`
      return parseReply(
        await world.server.inject({ method: 'GET', path, headers: { ...headers, 'x-signature': signature } }),
      )
    }
    expect(await signedWith(`${lines.join('\n')}\n`)).toEqual(invalidCredentials)
    expect(await signedWith(lines.join('\r\n'))).toEqual(invalidCredentials)
    expect(await signedWith(lines.slice(0, 4).join('\n'))).toEqual(invalidCredentials)
    expect(await signedWith(lines.join('\n'))).toEqual({ status: 200 })
  })

  test('is lower-case hex', async () => {
    const { world, tenant } = await aCaller()
    const headers = signedHeaders(world, tenant.key)
    const signature = headers['x-signature'] ?? ''
    for (const wrong of [signature.toUpperCase(), signature.slice(1), `${signature}0`, '', 'Zz'.repeat(32)]) {
      const path = `${prefix}/tables`
      const reply = await world.server.inject({ method: 'GET', path, headers: { ...headers, 'x-signature': wrong } })
      expect(parseReply(reply)).toEqual(invalidCredentials)
    }
  })

  test("is keyed with the key's own secret: another key's of the same tenant is refused", async () => {
    const { world, tenant } = await aCaller()
    expect(parseReply(await sendRaw(world, { ...tenant.key, secret: tenant.sandbox.key.secret }))).toEqual(
      invalidCredentials,
    )
    const mixed = { apiKey: tenant.sandbox.key.apiKey, secret: tenant.key.secret }
    expect(parseReply(await sendRaw(world, mixed))).toEqual(invalidCredentials)
  })
})

describe('a header', () => {
  test.each(['x-api-key', 'x-timestamp', 'x-nonce', 'x-signature'])(
    '%s that is missing or empty is refused',
    async (name) => {
      const { send } = await aCaller()
      expect(parseReply(await send({ headers: { [name]: null } }))).toMatchObject(unauthorized)
      expect(parseReply(await send({ headers: { [name]: '' } }))).toMatchObject(unauthorized)
    },
  )

  test.each([
    'EK_L_abcdefgh',
    'ek_x_abcdefgh',
    'ek_l_',
    'ek_l_abc-def',
    'ek_l_abc def',
    "ek_l_' or 1=1",
    `ek_l_${'a'.repeat(65)}`,
    'ek_l_unknownKeyThatNobodyHas',
  ])('X-Api-Key %s is refused with the same message as a wrong signature', async (apiKey) => {
    const { send } = await aCaller()
    expect(parseReply(await send({ headers: { 'x-api-key': apiKey } }))).toEqual(invalidCredentials)
  })

  test.each(['12345678', '123456789012', '17731992.0', '-773199200', '1e9', ' ', 'now', '１７７３１９９２００'])(
    'X-Timestamp %s is malformed and refused',
    async (timestamp) => {
      const { send } = await aCaller()
      expect(parseReply(await send({ timestamp }))).toEqual({
        ...unauthorized,
        message: 'timestamp outside the window',
      })
    },
  )

  test.each(['short', 'a'.repeat(15), 'a'.repeat(65), 'has-a-dash-in-its-16', 'sixteen letters!', 'ñandúñandúñandú'])(
    'X-Nonce %s is malformed and refused',
    async (nonce) => {
      const { send } = await aCaller()
      expect(parseReply(await send({ nonce }))).toEqual(invalidCredentials)
    },
  )

  test('X-Nonce may have 16 to 64 letters and digits', async () => {
    const { send } = await aCaller()
    for (const nonce of ['a'.repeat(16), 'Z9'.repeat(32), '0123456789012345'])
      expect(parseReply(await send({ nonce }))).toEqual({ status: 200 })
  })

  test('with any content is refused in the format of the API, never with a 5xx', async () => {
    const { send } = await aCaller()
    const text = fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)) })
    const name = fc.constantFrom('x-api-key', 'x-timestamp', 'x-nonce', 'x-signature')
    await fc.assert(
      fc.asyncProperty(name, text, async (header, value) => {
        const reply = await send({ headers: { [header]: value } })
        expect(parseReply(reply)).toMatchObject(unauthorized)
      }),
      { numRuns: 100 },
    )
  })
})

describe('the order of checks', () => {
  test('an unsigned request reveals nothing: neither whether its path exists, nor the errors of its body', async () => {
    const { world } = await aCaller()
    for (const [method, path, body] of [
      ['GET', `${prefix}/tables`, undefined],
      ['GET', `${prefix}/nothing/here`, undefined],
      ['POST', `${prefix}/wallet/deposit`, '{broken'],
      ['DELETE', `${prefix}/player`, undefined],
    ] as const) {
      const reply = await world.server.inject({ method, path, headers: {}, ...(body === undefined ? {} : { body }) })
      expect(parseReply(reply)).toEqual(invalidCredentials)
    }
  })

  test('a wrong signature with an invalid body is UNAUTHORIZED, a valid one INVALID_JSON', async () => {
    const { send } = await aCaller()
    const broken = { method: 'POST', url: `${prefix}/wallet/deposit`, body: '{"username":' }
    expect(parseReply(await send({ ...broken, secret: 'wrong' }))).toEqual(invalidCredentials)
    expect(parseReply(await send(broken))).toMatchObject({ status: 400, code: 'INVALID_JSON' })
  })

  test('a body over the limit is refused before anything else, from any sender', async () => {
    const { send } = await aCaller()
    const large = { method: 'POST', url: `${prefix}/wallet/deposit`, body: `{"username":"${'a'.repeat(65_536)}"}` }
    expect(parseReply(await send(large))).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
    expect(parseReply(await send({ ...large, secret: 'wrong' }))).toMatchObject({
      status: 413,
      code: 'PAYLOAD_TOO_LARGE',
    })
  })

  test('a body of 65,536 bytes is read, one of 65,537 is not', async () => {
    const { send } = await aCaller()
    const url = `${prefix}/player/launch`
    const ofLength = (length: number) => JSON.stringify({ username: 'amy' }).padEnd(length)
    expect(parseReply(await send({ method: 'POST', url, body: ofLength(65_536) }))).toEqual({ status: 200 })
    expect(parseReply(await send({ method: 'POST', url, body: ofLength(65_537) }))).toMatchObject({ status: 413 })
  })

  test('the address is checked before the state of the tenant, and both before the nonce is used up', async () => {
    const { world, tenant, send } = await aCaller()
    const { setAllowlist, setTenantState } = await import('../../../../src/services/casino/admin/index.ts')
    await setAllowlist(world.casino, tenant.code, ['10.0.0.1'])
    await setTenantState(world.casino, tenant.code, 'DISABLED')
    const nonce = 'theSameNonceTwice01'
    expect(parseReply(await send({ nonce }))).toMatchObject({ status: 403, code: 'IP_NOT_ALLOWED' })
    await setAllowlist(world.casino, tenant.code, [])
    expect(parseReply(await send({ nonce }))).toMatchObject({ status: 403, code: 'TENANT_SUSPENDED' })
    await setTenantState(world.casino, tenant.code, 'ENABLED')
    expect(parseReply(await send({ nonce }))).toEqual({ status: 200 })
    expect(parseReply(await send({ nonce }))).toEqual({ ...unauthorized, message: 'nonce already used' })
  })
})

describe('refusals by HTTP itself', () => {
  test.each([
    ['GET on a POST endpoint', 'GET', '/wallet/deposit'],
    ['POST on a GET endpoint', 'POST', '/tables'],
    ['an invalid path', 'GET', '/playerz'],
    ['a path with an additional slash', 'GET', '/tables/'],
    ['a path in capitals', 'GET', '/Tables'],
    ['the prefix alone', 'GET', ''],
    ['an unknown method', 'PURGE', '/tables'],
  ])('%s is NOT_FOUND', async (_, method, path) => {
    const { send } = await aCaller()
    const body = method === 'POST' ? { body: '{}' } : {}
    expect(parseReply(await send({ method, url: `${prefix}${path}`, ...body }))).toMatchObject({
      status: 404,
      code: 'NOT_FOUND',
    })
  })

  test.each(['', '[]', 'null', '"text"', '7', '{', '{"username":"amy",}', "{'username':'amy'}", '{"username":"amy"}x'])(
    'the body %s is INVALID_JSON',
    async (body) => {
      const { send } = await aCaller()
      expect(parseReply(await send({ method: 'POST', url: `${prefix}/player/logout`, body }))).toMatchObject({
        status: 400,
        code: 'INVALID_JSON',
      })
    },
  )

  test('a body that is no UTF-8 is INVALID_JSON', async () => {
    const { send } = await aCaller()
    const body = Uint8Array.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])
    expect(parseReply(await send({ method: 'POST', url: `${prefix}/player/logout`, body }))).toMatchObject({
      code: 'INVALID_JSON',
    })
  })

  test('a body is parsed as JSON with any content type', async () => {
    const { send, tenant } = await aCaller()
    await tenant.client.launch({ body: { username: 'amy' } })
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', null]) {
      const request = { method: 'POST', url: `${prefix}/player/logout`, body: '{"username":"amy"}' }
      expect(parseReply(await send({ ...request, headers: { 'content-type': type } }))).toEqual({ status: 200 })
    }
  })
})
