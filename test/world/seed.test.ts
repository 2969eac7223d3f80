import { describe, expect, test } from 'vitest'
import { createKey, createTenant } from '../../src/services/casino/admin/index.ts'
import { play } from '../../src/services/casino/simulator/index.ts'
import { credentialsOf, demoCode, ensureDemo } from '../../src/world/demo-data.ts'
import { clientOf } from '../support/worlds/people.ts'
import { aClock, inFile, onPostgres, type TestWorld, testWorld } from '../support/worlds/world.ts'

/** Everything that is drawn at random: keys, ids, cards, bets, launch tokens. */
async function lifeOf(world: TestWorld) {
  await ensureDemo(world.casino)
  const tables = ['BAC-01', 'DT-01']
  const order = { tenant: demoCode, tables, rounds: 30, players: 6, days: 0, corrected: 1000, voided: 1000 }
  for await (const _ of play(world.casino, order));
  const keys = await credentialsOf(world.casino, demoCode)
  if (!keys) throw new Error('the demo has its keys')
  const client = clientOf(world, keys.live)
  return {
    keys,
    launch: await client.launch({ body: { username: 'amy' } }),
    bets: await client.bets({ query: {} }),
    shoes: await world.store.read(({ q }) => q.selectFrom('casino_shoes').selectAll().execute()),
    players: await world.store.read(({ q }) => q.selectFrom('casino_players').selectAll().orderBy('id').execute()),
  }
}

describe('a seed', () => {
  test('repeats every id, key, deal, bet and name at the same time of day', async () => {
    const [one, other] = [await testWorld({ seed: '7' }), await testWorld({ seed: '7', on: inFile })]
    expect(await lifeOf(one)).toEqual(await lifeOf(other))
  })

  test('with another number creates different ones', async () => {
    const [one, other] = [await testWorld({ seed: '7' }), await testWorld({ seed: '8' })]
    const [a, b] = [await lifeOf(one), await lifeOf(other)]
    expect(a.keys).not.toEqual(b.keys)
    expect(a.launch.url).not.toBe(b.launch.url)
    expect(a.shoes.map((shoe) => shoe.cards)).not.toEqual(b.shoes.map((shoe) => shoe.cards))
  })

  test('creates the same ids at another time of day', async () => {
    const one = await testWorld({ seed: '7' })
    const other = await testWorld({ seed: '7', time: aClock('2030-01-01T00:00:00Z') })
    const [a, b] = [await lifeOf(one), await lifeOf(other)]
    expect(a.keys).toEqual(b.keys)
    expect(a.bets.items.map((bet) => bet.slipId)).toEqual(b.bets.items.map((bet) => bet.slipId))
  })

  test('continues after a restart without repeating itself, and that is reproducible too', async () => {
    const lives = []
    for (let i = 0; i < 2; i++) {
      const world = await testWorld({ seed: '7', on: inFile })
      const first = await lifeOf(world)
      const again = await world.reopened()
      lives.push({ first, second: await lifeOf(again) })
    }
    expect(lives[0]).toEqual(lives[1])
    const [{ first, second } = { first: undefined, second: undefined }] = lives
    expect(second?.bets.items.slice(0, first?.bets.items.length)).toEqual(first?.bets.items)
    const ids = second?.bets.items.map((bet) => `${bet.slipId}/${bet.rev}`) ?? []
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('is stored: opened without one, the world continues with its own', async () => {
    const made = []
    for (const seed of ['7', undefined]) {
      const world = await testWorld({ seed: '7', on: inFile })
      await lifeOf(world)
      const again = await world.reopened({ seed: seed ?? null })
      made.push(await again.store.read(async () => again.casino.id()))
    }
    expect(made[0]).toBe(made[1])
  })

  test('that is changed and changed back repeats no earlier value', async () => {
    const world = await testWorld({ seed: '7', on: inFile })
    const seen = new Set<string>()
    let opened = world
    for (const seed of ['8', '7', '8', '7']) {
      for (let i = 0; i < 5; i++) {
        const id = opened.casino.id()
        expect(seen.has(id)).toBe(false)
        seen.add(id)
      }
      opened = await opened.reopened({ seed })
    }
  })

  test('gives two processes that have the world open a stream each', async () => {
    const one = await testWorld({ seed: '7', on: onPostgres })
    const other = await testWorld({ seed: '7', database: one.database })
    const { live } = await createTenant(one.casino, {
      code: 'T',
      plan: 'paid',
      timezone: 'UTC',
      currency: 'USD',
      currencies: [],
    })
    const keys = [live, await createKey(other.casino, 'T'), await createKey(one.casino, 'T')]
    expect(new Set(keys.map((key) => key.apiKey)).size).toBe(3)
    const ids = Array.from({ length: 20 }, (_, i) => (i % 2 ? one : other).casino.id())
    expect(new Set(ids).size).toBe(20)
  })
})

test('without a seed nothing repeats', async () => {
  const [one, other] = [await testWorld({ seed: null }), await testWorld({ seed: null })]
  expect(one.casino.id()).not.toBe(other.casino.id())
  expect(one.casino.random(16)).not.toEqual(other.casino.random(16))
})
