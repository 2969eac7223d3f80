import { expect, test } from 'vitest'
import { setLive } from '../../../../src/services/casino/live/switches.ts'
import type { SessionView, SlipView } from '../../../../src/services/casino/player-page/browser/views.ts'
import { launch } from '../../../../src/services/casino/players/launches.ts'
import { changeRound, dealExactly } from '../../../../src/services/casino/simulator/index.ts'
import { demoCode } from '../../../../src/world/demo-data.ts'
import { demoTenant, liveWorld } from './support.ts'

/** A world without dealt tables, and the page's requests of a player. */
async function aPlayer(username: string) {
  const world = await liveWorld()
  await world.server.listen({ port: 0 })
  const { url } = await launch(world.casino, await demoTenant(world), { username })
  const entered = await fetch(url)
  const cookie = entered.headers.get('set-cookie')?.split(';')[0] ?? ''
  const session = /data-session="([^"]+)"/.exec(await entered.text())?.[1] ?? ''
  const get = (path: string, signal?: AbortSignal) =>
    fetch(new URL(`/play/v1${path}`, url), {
      headers: { cookie, 'x-session': session },
      ...(signal ? { signal } : {}),
    })
  return { world, session, get }
}

test('the history of a player has pages of 30 slips, in order also within a moment, with the returns of the legs', async () => {
  const { world, get } = await aPlayer('amy')
  const bets = { P: '10', B: '10', T: '5', PP: '5' }
  const deal = (code: string, placed: Record<string, string>, tableId = 'BAC-01') =>
    dealExactly(world.casino, demoCode, { tableId, code, slips: [{ username: 'amy', bets: placed }] })
  const rounds: string[] = []
  for (let i = 0; i < 61; i++) {
    // Pairs of rounds have the same time.
    if (i % 2 === 0) world.time.at += 1_000
    rounds.unshift((await deal(i % 3 === 0 ? '9' : '2', i % 5 === 0 ? { P: '10' } : bets)).roundId)
  }
  const page = async (before?: string) => {
    const reply = await get(`/slips${before === undefined ? '' : `?before=${before}`}`)
    return { status: reply.status, ...((await reply.json()) as { slips: SlipView[]; hasMore: boolean }) }
  }
  const pages = [await page()]
  while (pages.at(-1)?.hasMore) pages.push(await page(pages.at(-1)?.slips.at(-1)?.slipId))
  expect(pages.map(({ slips }) => slips.length)).toEqual([30, 30, 1])
  const all = pages.flatMap(({ slips }) => slips)
  expect(all.map((slip) => slip.roundId)).toEqual(rounds)
  expect(new Set(all.map((slip) => slip.round)).size).toBeGreaterThan(1)
  const returnsIn = (code: string, count: number) =>
    all
      .find((slip) => slip.code === code && slip.legs.length === count)
      ?.legs.map(({ zone, returned }) => `${zone} ${returned}`)
  expect(returnsIn('2', 4)).toEqual(['P 20', 'B 0', 'T 0', 'PP 0'])
  expect(returnsIn('9', 1)).toEqual(['P 0'])
  expect(returnsIn('9', 4)).toEqual(['P 0', 'B 19.5', 'T 0', 'PP 60'])
  const { staked, winLoss } = (await (await get('/session')).json()) as SessionView
  const total = (amounts: string[]) => amounts.reduce((all, amount) => all + Number(amount), 0)
  expect(Number(staked)).toBe(total(all.map(({ stake }) => stake)))
  expect(Number(winLoss)).toBe(total(all.map((slip) => slip.winLoss)))
  await changeRound(world.casino, rounds[0] ?? '', { void: true })
  expect((await page()).slips[0]?.legs).toEqual([{ zone: 'P', amount: '10', returned: '10' }])
  expect(((await (await get('/session')).json()) as SessionView).staked).toBe(String(Number(staked) - 10))
  expect((await page('0'.repeat(26))).status).toBe(404)
  for (const bad of ['', 'x', '../me']) expect((await page(bad)).status, bad).toBe(400)
})

test('the road of a table is pushed once for each result', async () => {
  const { world, session, get } = await aPlayer('amy')
  await setLive(world.casino, true)
  await world.settle()
  const stop = new AbortController()
  const stream = await get(`/events?session=${session}&table=BAC-01`, stop.signal)
  let received = ''
  const read = stream.body?.pipeThrough(new TextDecoderStream()).pipeTo(
    new WritableStream({
      write: (text) => {
        received += text
      },
    }),
  )
  // An event may arrive in several pieces.
  const views = () =>
    [...received.matchAll(/event: table\ndata: (.*)\n/g)].map(
      ([, data]): { round: { roundId: string; phase: string }; road?: unknown[] } => JSON.parse(data ?? ''),
    )
  for (let round = 1; round <= 3; round++)
    for (const [ms, phase] of [
      [20_000, 'dealing'],
      [6_000, 'result'],
      [6_000, 'betting'],
    ] as const) {
      await world.wait(ms)
      await expect.poll(() => views().at(-1)?.round.phase).toBe(phase)
    }
  stop.abort()
  await read?.catch(() => undefined)
  expect(views().flatMap(({ round, road }) => (road ? [[round.phase, road.length]] : []))).toEqual([
    ['betting', 0],
    ['result', 1],
    ['result', 2],
    ['result', 3],
  ])
})
