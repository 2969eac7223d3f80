import { networkInterfaces } from 'node:os'
import { expect, test } from 'vitest'
import { overHttp } from '../../../../src/http/client/transport.ts'
import { setAllowlist } from '../../../../src/services/casino/admin/index.ts'
import { exchange, sendBytes, sendOverHttp } from '../../../support/http/http.ts'
import { parseReply, prefix, type RawRequest, signedHeaders } from '../../../support/http/raw.ts'
import { aTenant, clientOf, refuses } from '../../../support/worlds/people.ts'
import { inFile, testWorld } from '../../../support/worlds/world.ts'

const invalidCredentials = { status: 401, code: 'UNAUTHORIZED', message: 'invalid credentials' }

async function served(host = '127.0.0.1') {
  const world = await testWorld({ on: inFile })
  const tenant = await aTenant(world, { tables: ['BAC-01'] })
  const { url } = await world.server.listen({ host, port: 0 })
  const send = async (request: RawRequest & { chunked?: boolean } = {}) =>
    parseReply(await sendOverHttp(url, world, tenant.key, request))
  return { world, tenant, url, send }
}

test('the typed client works over a socket as it does in process', async () => {
  const { world, tenant, url } = await served()
  const transport = overHttp(url)
  const client = clientOf(world, tenant.key, transport)
  const input = { username: 'amy', txnId: 't-1', amount: '999999999999999.9999', currency: 'usd' }
  expect(await client.deposit({ body: input })).toEqual({
    txnId: 't-1',
    status: 'done',
    balance: '999999999999999.9999',
    duplicate: false,
  })
  expect(await client.deposit({ body: input })).toMatchObject({ duplicate: true })
  const all = { ...input, txnId: 't-2', username: 'AMY' }
  expect(await client.withdraw({ body: all })).toMatchObject({ balance: '0' })
  await refuses('INSUFFICIENT_BALANCE', client.withdraw({ body: { ...all, txnId: 't-3', amount: '0.0001' } }))
  await transport.close()
})

test('a path is signed as it is sent, with any text', async () => {
  const { send } = await served()
  expect(await send({ url: `${prefix}/player?username=a%40b.c&x=%2F%3f` })).toMatchObject({ code: 'PLAYER_NOT_FOUND' })
  expect(await send({ url: `${prefix}/../v1/tables` })).toMatchObject({ status: 404 })
  expect(await send({ url: `${prefix}/%74ables`, signedUrl: `${prefix}/tables` })).toEqual(invalidCredentials)
  expect(await send({ url: `${prefix}//tables` })).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

test('the bytes of a body are signed, sent in one piece or in chunks', async () => {
  const { send, tenant } = await served()
  const body = new TextEncoder().encode('{ "username":"amy",\n "nickname":"波布" }')
  const launch = { method: 'POST', url: `${prefix}/player/launch`, body }
  expect(await send(launch)).toEqual({ status: 200 })
  expect(await send({ ...launch, chunked: true })).toEqual({ status: 200 })
  expect(await send({ ...launch, signedBody: '{"username":"amy","nickname":"波布"}' })).toEqual(invalidCredentials)
  expect(await tenant.client.player({ query: { username: 'amy' } })).toMatchObject({ nickname: '波布' })
})

test('a body over 65,536 bytes is rejected, announced or in chunks, and the server continues', async () => {
  const { send } = await served()
  const body = JSON.stringify({ username: 'amy', nickname: 'n'.repeat(70_000) })
  const large = { method: 'POST', url: `${prefix}/player/launch`, body }
  expect(await send(large)).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
  expect(await send({ ...large, chunked: true })).toMatchObject({ status: 413, code: 'PAYLOAD_TOO_LARGE' })
  expect(await send()).toEqual({ status: 200 })
})

test('a nonce that was sent over one connection is refused on the next', async () => {
  const { send } = await served()
  const nonce = 'sentOverTwoSockets'
  expect(await send({ nonce })).toEqual({ status: 200 })
  expect(await send({ nonce })).toMatchObject({ status: 401, message: 'nonce already used' })
})

test('a duplicate header is invalid: no value of it is used', async () => {
  const { world, tenant, url } = await served()
  for (const name of ['x-api-key', 'x-timestamp', 'x-nonce', 'x-signature']) {
    const headers = signedHeaders(world, tenant.key)
    const lines = Object.entries(headers).map(([header, value]) => `${header}: ${value}`)
    const twice = [...lines, `${name}: ${headers[name]}`].join('\r\n')
    const text = `GET ${prefix}/tables HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${twice}\r\n\r\n`
    expect(await sendBytes(url, text)).toMatch(/^HTTP\/1\.1 401 /)
  }
})

test('names of headers may be in any case', async () => {
  const { world, tenant, url } = await served()
  const lines = Object.entries(signedHeaders(world, tenant.key)).map(
    ([name, value]) => `${name.toUpperCase()}: ${value}`,
  )
  const text = `GET ${prefix}/tables HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines.join('\r\n')}\r\n\r\n`
  expect(await sendBytes(url, text)).toMatch(/^HTTP\/1\.1 200 /)
})

test('the address is that of the connection, with any headers', async () => {
  const { world, tenant, send } = await served()
  const headers = { 'x-forwarded-for': '203.0.113.7', 'x-real-ip': '203.0.113.7', forwarded: 'for=203.0.113.7' }
  await setAllowlist(world.casino, tenant.code, ['203.0.113.7'])
  expect(await send({ headers })).toMatchObject({ status: 403, code: 'IP_NOT_ALLOWED' })
  await setAllowlist(world.casino, tenant.code, ['127.0.0.0/8'])
  expect(await send({ headers })).toEqual({ status: 200 })
})

// Some containers have no IPv6 at all.
const hasIpv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === '::1'),
)

test.skipIf(!hasIpv6)('an IPv6 connection is compared with IPv6 entries', async () => {
  const { world, tenant, send } = await served('::1')
  await setAllowlist(world.casino, tenant.code, ['127.0.0.1'])
  expect(await send()).toMatchObject({ status: 403, code: 'IP_NOT_ALLOWED' })
  await setAllowlist(world.casino, tenant.code, ['::1'])
  expect(await send()).toEqual({ status: 200 })
})

test('a launch link works in a browser once, and only for the one that opens it', async () => {
  const { tenant, url } = await served()
  const link = await tenant.client.launch({ body: { username: 'amy', lang: 'jpn' } })
  expect(link.url.startsWith(`${url}/Launch?t=`)).toBe(true)
  const path = link.url.slice(url.length)
  expect((await exchange(url, { method: 'HEAD', path })).status).toBe(404)
  const opened = await exchange(url, { method: 'GET', path })
  expect(opened).toMatchObject({
    status: 200,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    },
  })
  expect(opened.body).toContain('<html lang="ja">')
  const again = await exchange(url, { method: 'GET', path })
  expect(again.status).toBe(410)
  // In the language of the link.
  expect(again.body).toContain('<html lang="ja">')
  expect(again.body).toContain('リンクの期限が切れました')
})

test('a world that closes during requests responds to them', async () => {
  const { world, tenant, url } = await served()
  const transport = overHttp(url)
  const client = clientOf(world, tenant.key, transport)
  const deposits = Array.from({ length: 20 }, (_, i) =>
    client.deposit({ body: { username: 'amy', txnId: `t-${i}`, amount: '1', currency: 'USD' } }).then(
      () => 1,
      () => 0,
    ),
  )
  await deposits[0]
  await world.close()
  const done = (await Promise.all(deposits)).reduce((sum, one) => sum + one, 0)
  await transport.close()
  const again = await world.reopened()
  const { balance } = await clientOf(again, tenant.key).balance({ query: { username: 'amy' } })
  expect(Number(balance)).toBeGreaterThanOrEqual(done)
})
