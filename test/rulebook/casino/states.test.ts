import { describe, expect, test } from 'vitest'
import { topUp } from '../../../src/services/casino/admin/index.ts'
import { changeRound, dealExactly, disputeRound } from '../../../src/services/casino/simulator/index.ts'
import { open } from '../../support/browser/browser.ts'
import { allBets, anOpenRound, aPlayer, aRound, aTenant, balanceOf, refuses } from '../../support/worlds/people.ts'
import { aClock, testWorld } from '../../support/worlds/world.ts'
import { shared } from '../shared.ts'
import { ask, verdictOf } from './casino.ts'
import { playerStatuses } from './fields.ts'
import * as book from './states.ts'

const tenant = shared((world) => aTenant(world, { code: 'BOOK', tables: ['BAC-01'] }))
const enter = async (username: string) =>
  open(tenant().world, (await tenant().client.launch({ body: { username } })).url)
const reasonOf = (body: string) => /data-reason="([A-Z_]+)"/.exec(body)?.[1] ?? null

describe('player status', () => {
  test('a new player is active, created by a launch or by a deposit', async () => {
    for (const balance of ['0', '10']) {
      const { username } = await aPlayer(tenant(), { balance })
      expect((await tenant().client.player({ query: { username } })).status).toBe(book.newPlayer)
    }
  })

  const transitions = playerStatuses.flatMap((from) =>
    book.playerTransitions.map((transition) => ({ from, ...transition })),
  )
  test.each(transitions)('from $from to $to', async ({ from, to, kicked, launch, bets }) => {
    const { username } = await aPlayer(tenant())
    const update = (status: typeof from) => tenant().client.updatePlayer({ body: { username, status } })
    const page = await enter(username)
    await update(from)
    const was = (await page.reload()).status
    expect((await update(to)).status).toBe(to)
    const after = await page.reload()
    expect(after.status === 200).toBe(was === 200 && kicked === null)
    if (was === 200 && kicked) expect(reasonOf(after.body)).toBe(kicked)
    expect(verdictOf(await ask(tenant(), 'POST /player/launch', { username }))).toBe(
      launch === 'allowed' ? 'ok' : launch,
    )
    const bet = anOpenRound(tenant(), 'BAC-01', [{ username, bets: { B: '1' } }]).then(
      () => true,
      () => false,
    )
    expect(await bet).toBe(bets)
  })
})

describe('launch URL', () => {
  test.each(book.launchUrl)(
    'after $afterSeconds seconds, opened $opensBefore times',
    async ({ afterSeconds, opensBefore, opens }) => {
      const { url } = await tenant().client.launch({ body: { username: `l-${afterSeconds}-${opensBefore}` } })
      for (let i = 0; i < opensBefore; i++) await open(tenant().world, url)
      tenant().world.clock.add(`${afterSeconds}s`)
      const { status } = await open(tenant().world, url)
      if (opens !== 'border') expect(status).toBe(opens ? 200 : 410)
    },
  )

  test('sessions end with the reason of the table', async () => {
    const { username } = await aPlayer(tenant())
    const { client, world } = tenant()
    const link = async () => (await client.launch({ body: { username } })).url
    const [one, other] = [await link(), await link()]
    const first = await open(world, one)
    const second = await open(world, other)
    expect(reasonOf((await first.reload()).body)).toBe(book.kickReasons['a link is opened'])
    await link()
    expect(reasonOf((await second.reload()).body)).toBe(book.kickReasons['a launch is called'])
    const third = await enter(username)
    await client.logout({ body: { username } })
    expect(reasonOf((await third.reload()).body)).toBe(book.kickReasons['player/logout'])
    const fourth = await enter(username)
    await client.updatePlayer({ body: { username, status: 'locked' } })
    expect(reasonOf((await fourth.reload()).body)).toBe(book.kickReasons['player/update to locked'])
  })
})

describe('slips and rounds', () => {
  const correct = { correct: { cardInfo: 'KS4H7D2C----' } }
  const steps = { correct, void: { void: true } } as const

  test.each(book.roundHistories)('$by: $status, revision $rev', async ({ by, status, rev }) => {
    const { username } = await aPlayer(tenant())
    const [first, ...later] = by
    const then = later.flatMap((each) => (each === 'correct' || each === 'void' ? [steps[each]] : []))
    const slips = [{ username, bets: { B: '10' } }]
    const result = first === 'void' ? { void: true } : { cardInfo: '5H4S3C5D----' }
    const order = { tableId: 'BAC-01', ...result, slips, then }
    const { roundId } = await dealExactly(tenant().world.casino, tenant().code, order)
    if (later.some((each) => each === 'dispute')) await disputeRound(tenant().world.casino, roundId)
    expect(await tenant().client.round({ params: { roundId } })).toMatchObject({ status, rev })
  })

  test.each(book.slipTransitions)('from $from by $by: $to', async ({ from, by, to }) => {
    const player = await aPlayer(tenant())
    const slips = [{ username: player.username, bets: { B: '10' } }]
    const before = { settled: [], recalculated: [correct], void: [{ void: true } as const] }
    const app = tenant().world.casino
    if (from === null) {
      const { revisions } = await aRound(tenant(), { slips, ...(by === 'void' ? { void: true } : {}) })
      expect(revisions.map(({ bets: [record] }) => [record?.status, record?.rev])).toEqual([[to, 1]])
      return
    }
    const { roundId } = await aRound(tenant(), { slips }, ...before[from])
    const read = async () => (await allBets(tenant())).items.filter((record) => record.roundId === roundId)
    const [was, balance] = [await read(), await balanceOf(player)]
    await changeRound(app, roundId, steps[by]).catch(() => undefined)
    const now = await read()
    if (to === 'refused') {
      expect(now).toEqual(was)
      expect(await balanceOf(player)).toBe(balance)
    } else expect(now.at(-1)).toMatchObject({ status: to, rev: was.length + 1 })
  })
})

describe('guardrails', () => {
  const correct = { correct: { cardInfo: 'KS4H7D2C----' } }
  const steps = { correct, void: { void: true } } as const

  test.each(book.guardrails)(
    '$hours hours later, after $after, by $by: $status $rev',
    async ({ after, hours, by, status, rev }) => {
      const time = aClock()
      const world = await testWorld({ time })
      const one = await aTenant(world, { tables: ['BAC-01'] })
      const player = await aPlayer(one, { username: 'amy', balance: '10' })
      const { roundId } = await aRound(one, { slips: [{ username: 'amy', bets: { B: '10' } }] })
      if (after === 'a correction') await changeRound(world.casino, roundId, { correct: { cardInfo: '5H4S3C5C----' } })
      if (after === 'a dispute') await disputeRound(world.casino, roundId)
      if (after === 'a void') await changeRound(world.casino, roundId, steps.void)
      const out = { username: 'amy', txnId: 'out', amount: '10', currency: 'USD' }
      if (after === 'a withdrawal') await one.client.withdraw({ body: out })
      time.add(`${Math.round(hours * 3_600_000)}ms`)
      const before = await balanceOf(player)
      const records = (await allBets(one, { from: '2026-03-01T00:00:00.000Z' })).items
      await changeRound(world.casino, roundId, steps[by]).catch(() => undefined)
      expect(await one.client.round({ params: { roundId } })).toMatchObject({ status, rev })
      const { items } = await allBets(one, { from: '2026-03-01T00:00:00.000Z' })
      if (items.length === records.length) expect([items, await balanceOf(player)]).toEqual([records, before])
      else expect(items.at(-1)?.rev).toBe(rev)
    },
  )
})

test.each(book.tableTransitions)('table: enabled $from, $by: $to', async ({ from, by, to }) => {
  const { client } = await aTenant(tenant().world)
  const body = { tableId: 'DT-01' }
  if (from) await client.enableTable({ body })
  const answer = await (by === 'enable' ? client.enableTable({ body }) : client.disableTable({ body }))
  expect(answer).toMatchObject({ enabled: to, used: to ? 1 : 0 })
  expect((await client.tables({})).tables.find(({ tableId }) => tableId === 'DT-01')?.enabled).toBe(to)
})

describe('account state', () => {
  const day = 86_400_000
  test('credit runs out, grace ends, and a top-up restores from either', async () => {
    const seen: string[] = []
    for (const back of ['GRACE', 'DOWNGRADED'] as const) {
      const start = Date.parse('2026-03-10T12:00:00.000Z')
      const world = await testWorld({ time: aClock('2026-03-10T12:00:00.000Z') })
      const paying = await aTenant(world, { tables: ['BAC-01'] })
      await topUp(world.casino, paying.code, '1', 'first')
      const state = async () => (await paying.client.account({})).state
      seen.push(await state())
      for (let days = 1; days < 60 && (await state()) !== back; days++) {
        await world.clock.advance(start + days * day)
        if (seen.at(-1) !== (await state())) seen.push(await state())
      }
      const { graceUntil } = await paying.client.account({})
      expect(graceUntil === null).toBe(back !== 'GRACE')
      await topUp(world.casino, paying.code, '1000', 'back')
      seen.push(await state())
    }
    const transitions = seen.slice(1).map((to, i) => `${seen[i]} ${to}`)
    const allowed = book.accountTransitions.map(({ from, to }) => `${from} ${to}`)
    expect(transitions.filter((transition) => !allowed.includes(transition) && transition !== 'PAID PAID')).toEqual([])
    expect(allowed.filter((transition) => !transitions.includes(transition))).toEqual([])
  })
})

test('a locked player keeps the existing limits and money', async () => {
  const player = await aPlayer(tenant(), { balance: '12.5' })
  await tenant().client.updatePlayer({ body: { username: player.username, status: 'locked' } })
  await refuses('PLAYER_LOCKED', tenant().client.launch({ body: { username: player.username } }))
  expect(await balanceOf(player)).toBe('12.5')
})
