import { describe, expect, onTestFinished, test } from 'vitest'
import { setLive } from '../../../src/services/casino/live/switches.ts'
import { aTenant } from '../../support/worlds/people.ts'
import { testWorld } from '../../support/worlds/world.ts'
import * as book from './limits.ts'

const minute = 60_000

/** A world whose tables are dealt, and players with a page each. */
async function aHall(plan: (typeof book.video)[number]['plan']) {
  const world = await testWorld()
  const pair = await aTenant(world, { plan: plan === 'free' ? 'free' : 'paid', tables: ['BAC-01'] })
  const tenant = plan === 'sandbox' ? pair.sandbox : pair
  if (plan === 'sandbox') await tenant.client.enableTable({ body: { tableId: 'BAC-01' } })
  await world.server.listen({ port: 0 })
  await setLive(world.casino, true)
  await world.settle()
  const start = await world.clock.now()
  const controller = new AbortController()
  onTestFinished(() => controller.abort())

  async function guest(username: string) {
    const { url } = await tenant.client.launch({ body: { username } })
    const { origin } = new URL(url)
    const entered = await fetch(url)
    const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
    const session = /data-session="([^"]+)"/.exec(await entered.text())?.[1] ?? ''
    const headers = { cookie, 'x-session': session }
    return {
      /** `ok`, or the code of the refusal. */
      async looks() {
        const reply = await fetch(`${origin}/play/v1/tables/BAC-01`, { headers })
        return reply.status === 200 ? 'ok' : JSON.parse(await reply.text()).error.code
      },
      /** Opens a page with the table in view; returns its events. */
      async page() {
        const query = new URLSearchParams({ session, table: 'BAC-01' })
        const reply = await fetch(`${origin}/play/v1/events?${query}`, { headers, signal: controller.signal })
        let received = ''
        void (async () => {
          for await (const part of reply.body?.pipeThrough(new TextDecoderStream()) ?? []) received += part
        })().catch(() => {})
        const hasEvent = (event: string) => received.includes(`event: ${event}\n`)
        await expect.poll(() => hasEvent('table') || hasEvent('viewing')).toBe(true)
        return hasEvent
      },
    }
  }
  return { guest, goTo: (ms: number) => world.clock.advance(start + ms) }
}

describe.each(book.video)('video on the plan $plan', ({ plan, viewers, minutes }) => {
  test(`${viewers ?? 'any number of'} viewers at once`, async () => {
    const { guest } = await aHall(plan)
    const most = viewers ?? 5
    const seen = []
    for (let i = 0; i <= most; i++) {
      const one = await guest(`g-${i}`)
      const hasEvent = await one.page()
      seen.push([hasEvent('table'), await one.looks()])
    }
    const full = viewers === null ? [true, 'ok'] : [false, 'VIEWERS_FULL']
    expect(seen).toEqual([...Array(most).fill([true, 'ok']), full])
  })

  test(`${minutes ?? 'any number of'} minutes without a pause`, async () => {
    const { guest, goTo } = await aHall(plan)
    const amy = await guest('amy')
    const hasEvent = await amy.page()
    const end = (minutes ?? 2 * book.demo.videoMinutes) * minute
    await goTo(end - 1000)
    expect([await amy.looks(), hasEvent('viewing')]).toEqual(['ok', false])
    await goTo(end + 1000)
    if (minutes === null) return expect([await amy.looks(), hasEvent('viewing')]).toEqual(['ok', false])
    await expect.poll(() => hasEvent('viewing')).toBe(true)
    expect(await amy.looks()).toBe('VIEWING_PAUSE')
    // A pause of a minute, our own figure, and the time starts again.
    await goTo(end + minute - 1000)
    expect(await amy.looks()).toBe('VIEWING_PAUSE')
    await goTo(end + minute + 2000)
    expect(await amy.looks()).toBe('ok')
  })
})
