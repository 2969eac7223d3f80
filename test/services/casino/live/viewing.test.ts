import { describe, expect, onTestFinished, test } from 'vitest'
import { createTable, setLimits } from '../../../../src/services/casino/admin/index.ts'
import { setLive } from '../../../../src/services/casino/live/switches.ts'
import { aTenant, type TestTenant } from '../../../support/worlds/people.ts'
import { inMemory, onPostgres, testWorld } from '../../../support/worlds/world.ts'

// 1-tenant-api, Limits, free demo plan: "video: 3 viewers at once; at most 30 minutes continuous viewing".

interface Body {
  readonly error: { readonly code: string }
}

const minute = 60_000
const until = <T>(get: () => T | Promise<T>) => expect.poll(get)

async function aHall(options: { on?: typeof inMemory; plan?: 'free' | 'paid' } = {}) {
  const { on = inMemory, plan = 'free' } = options
  const world = await testWorld({ on })
  const pair = await aTenant(world, { plan, tables: ['BAC-01', 'DT-01'] })
  await world.server.listen({ port: 0 })
  await setLive(world.casino, true)
  await world.settle()
  const start = await world.clock.now()

  /** A player with a session, as a browser has one. */
  async function guest(username: string, tenant: TestTenant = pair) {
    await tenant.client.deposit({ body: { username, txnId: `in-${username}`, amount: '1000', currency: 'USD' } })
    const { url } = await tenant.client.launch({ body: { username } })
    const entered = await fetch(url)
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
    const session = /data-session="([^"]+)"/.exec(await entered.text())?.[1] ?? ''
    const { origin } = new URL(url)
    const ask = async (method: string, path: string, body?: object) => {
      const reply = await fetch(`${origin}/play/v1${path}`, {
        method,
        headers: { cookie, 'x-session': session, 'content-type': 'application/json' },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      // Parsed as the page parses it: the assertions are about its content.
      return { status: reply.status, body: (await reply.json()) as Body }
    }
    return {
      /** Returns the code of a refusal, or 200. */
      look: async (table = 'BAC-01'): Promise<string | number> => {
        const { status, body } = await ask('GET', `/tables/${table}`)
        return status === 200 ? 200 : body.error.code
      },
      ask,
      /** A page with a table, or the lobby, in view. */
      async page(table?: string) {
        const stop = new AbortController()
        onTestFinished(() => stop.abort())
        const query = new URLSearchParams({ session, ...(table ? { table } : {}) })
        const reply = await fetch(`${origin}/play/v1/events?${query}`, { headers: { cookie }, signal: stop.signal })
        let received = ''
        let isOver = false
        void (async () => {
          for await (const part of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) received += part
        })()
          .catch(() => {})
          .finally(() => {
            isOver = true
          })
        const events = (name: string) =>
          [...received.matchAll(/event: (\w+)\n(?:id: .*\n)?data: (.*)\n/g)]
            .filter(([, event]) => event === name)
            .map(([, , data]) => JSON.parse(data ?? ''))
        return { events, isOver: () => isOver, close: () => stop.abort() }
      },
    }
  }
  const goTo = (ms: number) => world.clock.advance(start + ms)
  return { world, pair, guest, goTo }
}

describe.each([inMemory, onPostgres])('on $name', (on) => {
  test('three players of a tenant see a dealt table; a fourth is refused, and sees it when one has left', async () => {
    const { world, guest } = await aHall({ on })
    const [amy, bob, cho, dee] = [await guest('amy'), await guest('bob'), await guest('cho'), await guest('dee')]
    const pages = [await amy.page('BAC-01'), await bob.page('BAC-01'), await cho.page('DT-01')]
    for (const page of pages) await until(() => page.events('table').length).toBe(1)
    const fourth = await dee.page('BAC-01')
    await until(() => fourth.events('viewing')).toEqual([{ reason: 'full', limit: 3 }])
    await until(fourth.isOver).toBe(true)
    expect(fourth.events('table')).toEqual([])
    expect(await dee.look()).toBe('VIEWERS_FULL')
    // The lobby has no video, and a second page of one player takes no second place.
    const lobby = await dee.page()
    await until(() => lobby.events('lobby').length).toBe(1)
    const second = await amy.page('DT-01')
    await until(() => second.events('table').length).toBe(1)
    pages[0]?.close()
    await world.settle()
    expect(await dee.look()).toBe('VIEWERS_FULL')
    second.close()
    await until(async () => {
      await world.settle()
      return dee.look()
    }).toBe(200)
  })

  test('of many concurrent viewers three see a table', async () => {
    const { guest } = await aHall({ on })
    const guests = []
    for (const name of ['amy', 'bob', 'cho', 'dee', 'eve', 'fay']) guests.push(await guest(name))
    const looks = await Promise.all(guests.map((each) => each.look()))
    expect(looks.toSorted()).toEqual([200, 200, 200, 'VIEWERS_FULL', 'VIEWERS_FULL', 'VIEWERS_FULL'])
  })
})

describe('viewing without a pause', () => {
  test('ends after 30 minutes, and continues after a pause of a minute', async () => {
    const { goTo, guest } = await aHall()
    const amy = await guest('amy')
    const page = await amy.page('BAC-01')
    await until(() => page.events('table').length).toBe(1)
    await goTo(30 * minute - 1)
    expect([await amy.look(), page.events('viewing')]).toEqual([200, []])
    await goTo(30 * minute)
    await until(() => page.events('viewing')).toEqual([{ reason: 'pause', limit: 30 }])
    await until(page.isOver).toBe(true)
    expect(await amy.look()).toBe('VIEWING_PAUSE')
    await goTo(31 * minute - 1)
    expect(await amy.look()).toBe('VIEWING_PAUSE')
    await goTo(31 * minute)
    expect(await amy.look()).toBe(200)
  })

  test('is not restarted by a break that is shorter than a pause, nor by another table', async () => {
    const { world, goTo, guest } = await aHall()
    const amy = await guest('amy')
    const page = await amy.page('BAC-01')
    await until(() => page.events('table').length).toBe(1)
    await goTo(20 * minute)
    page.close()
    await world.settle()
    await goTo(20 * minute + 59_999)
    const other = await amy.page('DT-01')
    await until(() => other.events('table').length).toBe(1)
    await goTo(30 * minute)
    await until(() => other.events('viewing').length).toBe(1)
    expect(await amy.look('DT-01')).toBe('VIEWING_PAUSE')
  })

  test('continues to the end of a round with a bet of the player; then no new bet is accepted', async () => {
    const { world, pair, goTo, guest } = await aHall()
    await setLimits(world.casino, pair.code, { view_minutes: 1 })
    await createTable(world.casino, pair.code, { tableId: 'SLOW-01', game: 'baccarat', betSeconds: 120 })
    await pair.client.disableTable({ body: { tableId: 'DT-01' } })
    await pair.client.enableTable({ body: { tableId: 'SLOW-01' } })
    await world.settle()
    const amy = await guest('amy')
    const page = await amy.page('SLOW-01')
    await until(() => page.events('table').length).toBe(1)
    const { roundId } = page.events('table')[0].round
    const bet = () => amy.ask('PUT', '/tables/SLOW-01/bets', { roundId, variant: 'classic', bets: { P: '10' } })
    await goTo(minute - 1)
    expect((await bet()).status).toBe(200)
    for (let at = minute; at < 2 * minute; at += 20_000) {
      await goTo(at)
      expect([await amy.look('SLOW-01'), page.events('viewing')]).toEqual([200, []])
    }
    for (let at = 2 * minute; at < 2.25 * minute; at += 1000) await goTo(at)
    await until(() => page.events('viewing')).toEqual([{ reason: 'pause', limit: 1 }])
    expect(page.events('table').at(-1)).toMatchObject({ round: { roundId, phase: 'result' }, mine: { stake: '10' } })
    expect(await amy.look('SLOW-01')).toBe('VIEWING_PAUSE')
    expect((await bet()).body.error.code).toBe('VIEWING_PAUSE')
  })
})

describe('the limits on the video', () => {
  test('are lifted by the platform per tenant', async () => {
    const { world, pair, goTo, guest } = await aHall()
    const guests = []
    for (const name of ['amy', 'bob', 'cho', 'dee', 'eve']) guests.push(await guest(name))
    await setLimits(world.casino, pair.code, { viewers_limit: 4, view_minutes: 0 })
    const looks = []
    for (const each of guests) looks.push(await each.look())
    expect(looks).toEqual([200, 200, 200, 200, 'VIEWERS_FULL'])
    const page = await guests[0]?.page('BAC-01')
    await goTo(31 * minute)
    expect([await guests[0]?.look(), page?.events('viewing')]).toEqual([200, []])
    expect(
      (await setLimits(world.casino, pair.code, { viewers_limit: null, view_minutes: null })).limits,
    ).toMatchObject({
      viewers: 3,
      viewMinutes: 30,
    })
  })

  test('apply in a sandbox, and not on the paid plan', async () => {
    const { pair, guest } = await aHall({ plan: 'paid' })
    const looksOf = async (tenant: TestTenant) => {
      const looks = []
      for (const name of ['amy', 'bob', 'cho', 'dee']) looks.push(await (await guest(name, tenant)).look())
      return looks
    }
    await pair.sandbox.client.enableTable({ body: { tableId: 'BAC-01' } })
    expect(await looksOf(pair)).toEqual([200, 200, 200, 200])
    expect(await looksOf(pair.sandbox)).toEqual([200, 200, 200, 'VIEWERS_FULL'])
  })

  test('do not apply if tables are not dealt', async () => {
    const { world, guest } = await aHall()
    await setLive(world.casino, false)
    const looks = []
    for (const name of ['amy', 'bob', 'cho', 'dee']) looks.push(await (await guest(name)).look())
    expect(looks).toEqual([200, 200, 200, 200])
  })
})
