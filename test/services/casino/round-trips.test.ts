import { type AddressInfo, connect, createServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { aTenant } from '../../support/worlds/people.ts'
import { onPostgres, testWorld } from '../../support/worlds/world.ts'

/**
 * A proxy to PostgreSQL that counts round trips: the number of times the client sends again after a response of the
 * server.
 */
async function countingProxy(url: string) {
  const target = new URL(url)
  const { hostname, port } = target
  let count = 0
  const server = createServer((client) => {
    const upstream = connect(Number(port || 5432), hostname)
    let isAnswered = true
    client.on('data', (bytes) => {
      if (isAnswered) count += 1
      isAnswered = false
      upstream.write(bytes)
    })
    upstream.on('data', (bytes) => {
      isAnswered = true
      client.write(bytes)
    })
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  target.hostname = '127.0.0.1'
  target.port = String((server.address() as AddressInfo).port)
  return {
    url: target.href,
    /** Counts the round trips of a function. */
    async during(work: () => Promise<unknown>): Promise<number> {
      const before = count
      await work()
      return count - before
    },
  }
}

test('a deposit or withdrawal takes five round trips to PostgreSQL, with its key, nonce and rate', async () => {
  const database = await onPostgres.database()
  const proxy = await countingProxy(database.url)
  const world = await testWorld({ database: { ...database, url: proxy.url }, rateLimits: true })
  const tenant = await aTenant(world)
  const input = (n: number) => ({ username: 'amy', txnId: `t-${n}`, amount: '1', currency: 'USD' })
  const deposit = (n: number) => tenant.client.deposit({ body: input(n) })
  const withdraw = (n: number) => tenant.client.withdraw({ body: input(n) })
  // The first ones create the player and prepare the statements on each connection.
  for (let n = 0; n < 12; n++) await deposit(n)
  for (let n = 12; n < 24; n++) await withdraw(n)
  expect(await proxy.during(() => deposit(24))).toBe(5)
  expect(await proxy.during(() => withdraw(25))).toBe(5)
  // The player's first deposit also inserts the player, and the plan's limit may need their number.
  const first = () => tenant.client.deposit({ body: { ...input(26), username: 'bob' } })
  expect(await proxy.during(first)).toBeLessThanOrEqual(6)
})
