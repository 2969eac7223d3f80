import { describe, expect, test } from 'vitest'
import { parseReply, prefix, type RawRequest, sendRaw, signedHeaders } from '../../../support/http/raw.ts'
import { aTenant } from '../../../support/worlds/people.ts'
import { aClock, inFile, inMemory, onPostgres, testWorld } from '../../../support/worlds/world.ts'

const repeated = { status: 401, code: 'UNAUTHORIZED', message: 'nonce already used' }
const untimely = { status: 401, code: 'UNAUTHORIZED', message: 'timestamp outside the window' }
const nonce = 'aNonceUsedOnce0001'

async function aCaller(options: Parameters<typeof testWorld>[0] = {}) {
  const world = await testWorld(options)
  const tenant = await aTenant(world)
  return {
    world,
    tenant,
    send: async (request: RawRequest = {}) => parseReply(await sendRaw(world, tenant.key, request)),
  }
}

describe('the timestamp', () => {
  test.each([
    ['now', 0, true],
    ['300 seconds ago', -300, true],
    ['301 seconds ago', -301, false],
    ['300 seconds ahead', 300, true],
    ['301 seconds ahead', 301, false],
    ['a day ago', -86_400, false],
  ])('of %s', async (_, offset, isTimely) => {
    const { world, send } = await aCaller()
    const timestamp = String(world.casino.machineNow() / 1000 + offset)
    expect(await send({ timestamp })).toEqual(isTimely ? { status: 200 } : untimely)
  })

  test('is compared in milliseconds: 300 seconds and one millisecond are too many', async () => {
    const { world, send } = await aCaller()
    const timestamp = String(world.casino.machineNow() / 1000 - 300)
    world.clock.add('1ms')
    expect(await send({ timestamp })).toEqual(untimely)
  })

  test('that is wrong is revealed only to a caller with a valid signature', async () => {
    const { world, send } = await aCaller()
    const timestamp = String(world.casino.machineNow() / 1000 - 301)
    expect(await send({ timestamp, secret: 'wrong' })).toMatchObject({ message: 'invalid credentials' })
    expect(await send({ timestamp, headers: { 'x-api-key': 'ek_l_unknown' } })).toMatchObject({
      message: 'invalid credentials',
    })
    expect(await send({ timestamp })).toEqual(untimely)
  })

  test('in milliseconds is malformed, because it has 13 digits', async () => {
    const { world, send } = await aCaller()
    expect(await send({ timestamp: String(world.casino.machineNow()) })).toEqual(untimely)
  })

  test("may be the world's or the machine's, if the world's clock was moved", async () => {
    const { world, send } = await aCaller()
    const machine = world.casino.machineNow() / 1000
    await world.clock.advance(world.casino.machineNow() + 40 * 86_400_000)
    expect(await send({ timestamp: String(machine) })).toEqual({ status: 200 })
    expect(await send({ timestamp: String(machine + 40 * 86_400) })).toEqual({ status: 200 })
    expect(await send({ timestamp: String(machine + 20 * 86_400) })).toEqual(untimely)
  })
})

describe.each([inMemory, inFile, onPostgres])('a nonce on $name', (on) => {
  test('is valid once: a repeated request is refused and not processed', async () => {
    const { tenant, send } = await aCaller({ on })
    const body = JSON.stringify({ username: 'amy', txnId: 't-1', amount: '5', currency: 'USD' })
    const deposit = { method: 'POST', url: `${prefix}/wallet/deposit`, body, nonce }
    expect(await send(deposit)).toEqual({ status: 200 })
    expect(await send(deposit)).toEqual(repeated)
    expect(await send({ nonce })).toEqual(repeated)
    const other = JSON.stringify({ username: 'amy', txnId: 't-2', amount: '5', currency: 'USD' })
    expect(await send({ ...deposit, body: other })).toEqual(repeated)
    expect(await tenant.client.balance({ query: { username: 'amy' } })).toMatchObject({ balance: '5' })
  })

  test('of many concurrent requests is used by one of them', async () => {
    const { send } = await aCaller({ on })
    const replies = await Promise.all(Array.from({ length: 20 }, () => send({ nonce })))
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(1)
    expect(replies.filter((reply) => reply.code === 'UNAUTHORIZED')).toHaveLength(19)
  })
})

describe('a nonce', () => {
  test('is refused for 600 seconds, and afterwards valid again', async () => {
    const { world, send } = await aCaller()
    expect(await send({ nonce })).toEqual({ status: 200 })
    world.clock.add('300s')
    expect(await send({ nonce })).toEqual(repeated)
    world.clock.add('300s')
    expect(await send({ nonce })).toEqual(repeated)
    world.clock.add('1ms')
    expect(await send({ nonce })).toEqual({ status: 200 })
    expect(await send({ nonce })).toEqual(repeated)
  })

  test('is refused as long as its timestamp is valid, to the last millisecond', async () => {
    const { world, send } = await aCaller()
    const timestamp = String(world.casino.machineNow() / 1000 + 300)
    expect(await send({ nonce, timestamp })).toEqual({ status: 200 })
    world.clock.add('600s')
    expect(await send({ nonce, timestamp })).toEqual(repeated)
    world.clock.add('1ms')
    expect(await send({ nonce, timestamp })).toEqual(untimely)
  })

  test('is refused across a restart', async () => {
    const { world, tenant, send } = await aCaller({ on: inFile })
    expect(await send({ nonce })).toEqual({ status: 200 })
    const again = await world.reopened()
    expect(parseReply(await sendRaw(again, tenant.key, { nonce }))).toEqual(repeated)
    again.clock.add('601s')
    expect(parseReply(await sendRaw(again, tenant.key, { nonce }))).toEqual({ status: 200 })
  })

  test('is refused after the periodic jobs have run in between', async () => {
    const { world, send } = await aCaller()
    expect(await send({ nonce })).toEqual({ status: 200 })
    world.clock.add('600s')
    await world.settle()
    expect(await send({ nonce })).toEqual(repeated)
  })

  test('refuses the same request at any time of the world, and accepts a new one', async () => {
    const { world, tenant } = await aCaller()
    const request = { method: 'GET', path: `${prefix}/tables`, headers: signedHeaders(world, tenant.key, { nonce }) }
    expect(parseReply(await world.server.inject(request))).toEqual({ status: 200 })
    await world.clock.advance(world.casino.machineNow() + 3_600_000)
    expect(parseReply(await world.server.inject(request))).toEqual(repeated)
    world.clock.add('1s')
    expect(parseReply(await sendRaw(world, tenant.key, { nonce }))).toEqual({ status: 200 })
  })

  test('belongs to its key: another key may use the same', async () => {
    const { world, tenant, send } = await aCaller()
    expect(await send({ nonce })).toEqual({ status: 200 })
    expect(parseReply(await sendRaw(world, tenant.sandbox.key, { nonce }))).toEqual({ status: 200 })
  })

  test('is case-sensitive', async () => {
    const { send } = await aCaller()
    expect(await send({ nonce: 'abcdefghijklmnop' })).toEqual({ status: 200 })
    expect(await send({ nonce: 'ABCDEFGHIJKLMNOP' })).toEqual({ status: 200 })
  })

  test('is not used up by a request whose signature is wrong', async () => {
    const { send } = await aCaller()
    expect(await send({ nonce, secret: 'wrong' })).toMatchObject({ message: 'invalid credentials' })
    expect(await send({ nonce })).toEqual({ status: 200 })
  })

  test('is used up by a request that is refused after admission control', async () => {
    const { send } = await aCaller()
    expect(await send({ nonce, url: `${prefix}/player?username=nobody` })).toMatchObject({ code: 'PLAYER_NOT_FOUND' })
    expect(await send({ nonce })).toEqual(repeated)
  })

  test('is deleted in the end, so that the table of nonces does not grow forever', async () => {
    const time = aClock()
    const { world, send } = await aCaller({ time })
    for (let i = 0; i < 250; i++) await send()
    const count = () => world.store.read(({ q }) => q.selectFrom('casino_nonces').select('nonce').execute())
    await world.settle()
    expect(await count()).toHaveLength(250)
    time.add('601s')
    await world.settle()
    expect(await count()).toHaveLength(0)
  })
})
