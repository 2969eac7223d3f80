import { describe, expect, test } from 'vitest'
import { openWorld } from '../../src/world/world.ts'
import { open } from '../support/browser/browser.ts'
import { aTenant, refuses } from '../support/worlds/people.ts'
import { aClock, inFile, inMemory, onPostgres, testWorld } from '../support/worlds/world.ts'

const iso = (at: number) => new Date(at).toISOString()

describe.each([inMemory, inFile, onPostgres])('the clock on $name', (on) => {
  test("is the machine's until it is set, and then continues from there", async () => {
    const time = aClock('2026-03-10T12:00:00Z')
    const world = await testWorld({ on, time })
    expect(iso(await world.clock.now())).toBe('2026-03-10T12:00:00.000Z')
    await world.clock.advance(Date.parse('2026-04-01T00:00:00Z'))
    time.add('90s')
    expect(iso(await world.clock.now())).toBe('2026-04-01T00:01:30.000Z')
  })

  test('can be set back and forth, which runs no job', async () => {
    const world = await testWorld({ on })
    const tenant = await aTenant(world)
    await open(world, (await tenant.client.launch({ body: { username: 'amy' } })).url)
    await world.clock.set(Date.parse('2026-03-10T18:00:00Z'))
    const ended = () => world.store.read(({ q }) => q.selectFrom('casino_sessions').select('ended_at').execute())
    expect(await ended()).toEqual([{ ended_at: null }])
    await world.clock.set(Date.parse('2020-01-01T00:00:00Z'))
    expect(iso(await world.clock.now())).toBe('2020-01-01T00:00:00.000Z')
  })
})

describe('advancing', () => {
  test('runs each due job at its own time', async () => {
    const world = await testWorld({ time: aClock('2026-03-10T12:00:00Z') })
    const tenant = await aTenant(world, { tables: ['BAC-01'] })
    await open(world, (await tenant.client.launch({ body: { username: 'amy' } })).url)
    const steps: string[] = []
    const { done } = await world.clock.advance(Date.parse('2026-03-19T00:00:00Z'), (at) => steps.push(iso(at)))
    expect(steps).toEqual([
      '2026-03-10T13:00:00.000Z',
      '2026-03-11T00:00:00.000Z',
      '2026-03-12T00:00:00.000Z',
      '2026-03-13T00:00:00.000Z',
      '2026-03-14T00:00:00.000Z',
      '2026-03-15T00:00:00.000Z',
      '2026-03-16T00:00:00.000Z',
      '2026-03-17T00:00:00.000Z',
      '2026-03-18T00:00:00.000Z',
      '2026-03-19T00:00:00.000Z',
    ])
    expect(done).toBeGreaterThan(0)
    const [session] = await world.store.read(({ q }) => q.selectFrom('casino_sessions').selectAll().execute())
    expect(session).toMatchObject({ ended_at: Date.parse('2026-03-10T13:00:00Z'), end_reason: 'IDLE' })
    expect(await tenant.client.account({})).toMatchObject({ state: 'DOWNGRADED' })
  })

  test('to a past time is refused, and changes nothing', async () => {
    const world = await testWorld()
    const now = await world.clock.now()
    await refuses('INVALID_USAGE', world.clock.advance(now - 1))
    expect(await world.clock.now()).toBe(now)
    await world.clock.advance(now)
    expect(await world.clock.now()).toBe(now)
  })

  test('to a year in which jobs could not compute their days is refused, as is setting it, and moves nothing', async () => {
    const time = aClock('2026-03-10T12:00:00Z')
    const world = await testWorld({ time })
    for (const at of ['0000-01-01T00:00:00Z', '9999-12-31T00:00:00Z', '+275760-09-01T00:00:00Z', 'never']) {
      await refuses('INVALID_USAGE', world.clock.set(Date.parse(at)))
      await refuses('INVALID_USAGE', world.clock.advance(Date.parse(at)))
    }
    await refuses('INVALID_USAGE', openWorld({ db: ':memory:', startAt: Date.parse('0000-01-01T00:00:00Z') }))
    expect(iso(await world.clock.now())).toBe('2026-03-10T12:00:00.000Z')
    await world.clock.set(Date.parse('9989-12-31T23:59:59Z'))
    await world.settle()
    await world.clock.set(Date.parse('1971-01-01T00:00:00Z'))
    await world.settle()
  })

  test('stops on request, at the time it reached, and continues from there', async () => {
    const world = await testWorld({ time: aClock('2026-03-10T12:00:00Z') })
    const tenant = await aTenant(world, { tables: ['BAC-01'] })
    const stop = new AbortController()
    const to = Date.parse('2026-03-19T00:00:00Z')
    const steps: string[] = []
    const onStep = (at: number) => {
      if (steps.push(iso(at)) === 2) stop.abort()
    }
    expect(await world.clock.advance(to, onStep, stop.signal)).toMatchObject({ steps: 2 })
    expect(steps).toEqual(['2026-03-11T00:00:00.000Z', '2026-03-12T00:00:00.000Z'])
    expect(iso(await world.clock.now())).toBe('2026-03-12T00:00:00.000Z')
    await world.clock.advance(to)
    expect(await tenant.client.account({})).toMatchObject({ state: 'DOWNGRADED' })
  })

  test('in small steps has the same result as in one', async () => {
    const states = []
    for (const hours of [5, 77, 24 * 40]) {
      const world = await testWorld({ time: aClock('2026-01-10T12:00:00Z') })
      const tenant = await aTenant(world, { tables: ['BAC-01', 'DT-01'] })
      const end = Date.parse('2026-02-15T12:00:00Z')
      for (let at = await world.clock.now(); at < end; at = await world.clock.now())
        await world.clock.advance(Math.min(end, at + hours * 3_600_000))
      const { statements } = await tenant.client.statements({})
      states.push({ account: await tenant.client.account({}), statements })
    }
    expect(states[1]).toEqual(states[0])
    expect(states[2]).toEqual(states[0])
  })

  test('by a year is immediate in an empty world', async () => {
    const world = await testWorld()
    expect(await world.clock.advance((await world.clock.now()) + 365 * 86_400_000)).toEqual({ steps: 0, done: 0 })
  })
})
