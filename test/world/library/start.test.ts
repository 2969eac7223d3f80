import { describe, expect, onTestFinished, test } from 'vitest'
import {
  connectCasino,
  connectChat,
  connectGateway,
  Problem,
  type StartOptions,
  startWorld,
} from '../../../src/index.ts'
import { aTenant, refuses } from '../../support/worlds/people.ts'
import { inFile, testWorld } from '../../support/worlds/world.ts'

const start = '2026-03-01T00:00:00Z'

async function started(options: StartOptions = {}) {
  const world = await startWorld({ clock: start, ...options })
  onTestFinished(() => world.close())
  return world
}

const aDeposit = { username: 'zoe', txnId: 't-1', amount: '12.5', currency: 'USD' }

describe.each([['process'], ['http']] as const)('a started world, reached by %s', (way) => {
  const options = way === 'http' ? { listen: true } : {}

  test('has clients of all three services, and separate environments', async () => {
    const world = await started(options)
    expect(world.baseUrl === null).toBe(way === 'process')
    const { casino, gateway, chat } = world
    expect(await casino.live.deposit({ body: aDeposit })).toMatchObject({ balance: '12.5', duplicate: false })
    expect(await casino.live.deposit({ body: aDeposit })).toMatchObject({ balance: '12.5', duplicate: true })
    await refuses('PLAYER_NOT_FOUND', casino.sandbox.balance({ query: { username: 'zoe' } }))
    for (const { client } of [gateway.production, gateway.sandbox])
      expect((await client.currencies({ query: {} })).currencies).toContain('btc')
    const room = await chat.bot.openRoom({ body: { customerAccount: 'zoe' } })
    expect(room).toMatchObject({ roomId: expect.anything() })
    await refuses('PLAN_REQUIRED', chat.freeBot.tickets({ query: {} }))
    expect(await chat.agent.me({ query: {} })).toBeDefined()
    expect(await chat.widget.config({ query: {} })).toBeDefined()
  })

  test('pays out with the second factor of its own time', async () => {
    const world = await started(options)
    const { client, payouts, bearer, code } = world.gateway.sandbox
    const { whitelisted } = world.credentials.gateway.sandbox
    const headers = await bearer()
    const address = whitelisted['usdttrc20'] ?? ''
    const withdrawals = [{ address, currency: 'usdttrc20', amount: '25' }]
    const batch = await payouts.createPayouts({ body: { withdrawals } }, { headers })
    const { id } = batch
    await payouts.verifyPayouts({ params: { id }, body: { verification_code: await code() } }, { headers })
    expect(await client.status({})).toEqual({ message: 'OK' })
  })
})

test('the clock moves by a duration or to a time, and runs the jobs that are due', async () => {
  const world = await started()
  expect((await world.clock.now()).toISOString().slice(0, 10)).toBe('2026-03-01')
  expect((await world.clock.advance('30d')).done).toBeGreaterThan(29)
  await world.clock.advance(new Date('2026-04-01T00:00:00Z'))
  const { statements } = await world.casino.live.statements({})
  expect(statements).toMatchObject([{ period: '2026-03', chargesUsd: '-800' }])
  expect(await world.settle()).toBe(0)
  await refuses('INVALID_USAGE', world.clock.advance('soon'))
  await refuses('INVALID_USAGE', world.clock.advance(start))
  await world.clock.set(start)
  expect((await world.clock.now()).toISOString().slice(0, 10)).toBe('2026-03-01')
})

test('the same seed and clock create the same keys, and other seeds others', async () => {
  const keyOf = async (seed: number) => (await started({ seed })).credentials.casino.live
  const [first, same, other] = [await keyOf(7), await keyOf(7), await keyOf(8)]
  expect(same).toEqual(first)
  expect(other).not.toEqual(first)
})

test('two worlds share no data', async () => {
  const [one, two] = [await started(), await started()]
  await one.casino.live.deposit({ body: aDeposit })
  await refuses('PLAYER_NOT_FOUND', two.casino.live.balance({ query: { username: 'zoe' } }))
})

test('closing twice is harmless, and later requests get no response', async () => {
  for (const listen of [false, true]) {
    const world = await startWorld({ listen })
    await Promise.all([world.close(), world.close()])
    await world.close()
    await expect(world.casino.live.account({})).rejects.toBeInstanceOf(Error)
  }
})

test('a start that fails leaves nothing running', async () => {
  const other = await testWorld({ on: inFile })
  await aTenant(other, { code: 'OTHER' })
  await other.close()
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  // Timers of other tests in this process may end during the start, so a leak shows in the number of starts.
  const starts = 5
  for (let start = 0; start < starts; start++)
    await refuses('BAD_CONFIGURATION', startWorld({ db: other.database.url, listen: true }))
  expect(timers() - before).toBeLessThan(starts)
})

test('a world that does not listen cannot be reached over HTTP, and one that does can be reached both ways', async () => {
  const silent = await started()
  expect(() => silent.over('http')).toThrow(Problem)
  const world = await started({ listen: { host: '127.0.0.1', port: 0 } })
  await world.over('process').casino.live.deposit({ body: aDeposit })
  expect(await world.over('http').casino.live.balance({ query: { username: 'ZOE' } })).toMatchObject({
    balance: '12.5',
  })
})

test('the clients connect to a platform by its address and keys', async () => {
  const world = await started({ listen: true })
  const { credentials, baseUrl } = world
  const casino = connectCasino({ baseUrl: baseUrl ?? '', ...credentials.casino.live })
  const gateway = connectGateway({ baseUrl: `${baseUrl}/sandbox`, apiKey: credentials.gateway.sandbox.apiKey })
  const chat = connectChat({ baseUrl: baseUrl ?? '', apiKey: credentials.chat.apiKey })
  expect(await casino.client.account({})).toMatchObject({ plan: 'paid' })
  expect((await gateway.client.currencies({ query: {} })).currencies.length).toBeGreaterThan(3)
  expect(await chat.client.openRoom({ body: { customerAccount: 'amy' } })).toHaveProperty('roomId')
  await Promise.all([casino.close(), gateway.close(), chat.close()])
  const stranger = connectCasino({ baseUrl: baseUrl ?? '', apiKey: 'ek_l_nobody0000', secret: 'x', retries: false })
  await refuses('UNAUTHORIZED', stranger.client.account({}))
  await stranger.close()
})

test('rate limits are the real ones unless they are disabled', async () => {
  const free = (world: Awaited<ReturnType<typeof started>>) =>
    Promise.allSettled(Array.from({ length: 120 }, () => world.casino.sandbox.account({})))
  const refusedIn = async (options: StartOptions) =>
    (await free(await started(options))).some(({ status }) => status === 'rejected')
  expect(await refusedIn({})).toBe(true)
  expect(await refusedIn({ rateLimits: false })).toBe(false)
})
