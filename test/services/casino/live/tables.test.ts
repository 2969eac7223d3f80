import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { choices } from '../../../../src/domain/games/holdem/no-limit.ts'
import { formatAmount } from '../../../../src/domain/money.ts'
import { isProblem } from '../../../../src/kit/problem.ts'
import { logIntoConsole } from '../../../../src/services/casino/account/demo-idle.ts'
import { setLimits, setPlan, setSideBets, setTableStatus } from '../../../../src/services/casino/admin/index.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { readBets } from '../../../../src/services/casino/bets/read.ts'
import { decide, placeBets, takeSeat, takeTurn } from '../../../../src/services/casino/live/play.ts'
import { roadLength } from '../../../../src/services/casino/live/roads.ts'
import { unpacked } from '../../../../src/services/casino/live/state.ts'
import { setLive } from '../../../../src/services/casino/live/switches.ts'
import { tableEntry } from '../../../../src/services/casino/live/views.ts'
import { thePlayer } from '../../../../src/services/casino/players/players.ts'
import { slipsOfRound } from '../../../../src/services/casino/queries/bets.ts'
import { liveTableOf } from '../../../../src/services/casino/queries/live.ts'
import { roundOf } from '../../../../src/services/casino/queries/rounds.ts'
import { readRound } from '../../../../src/services/casino/rounds/rounds.ts'
import { changeRound, dealExactly, play } from '../../../../src/services/casino/simulator/index.ts'
import { disableTable } from '../../../../src/services/casino/tables/tables.ts'
import { demoCode } from '../../../../src/world/demo-data.ts'
import { openWorld, type World } from '../../../../src/world/world.ts'
import { postgres } from '../../../support/databases/engines.ts'
import { auditBalances } from '../../../support/program/audit.ts'
import { allTables } from '../every-table.ts'
import { balanceOf, demoTenant, type LiveWorld, liveWorld, start } from './support.ts'

async function dealing(options: Parameters<typeof liveWorld>[0] = {}): Promise<LiveWorld> {
  const world = await liveWorld(options)
  await setLive(world.casino, true)
  await world.settle()
  return world
}

function tableNow(world: World, tableId: string) {
  return world.store.read(async (reader) => {
    const row = await liveTableOf(reader, 'live', tableId)
    if (!row) throw new Error(`nothing is dealt at ${tableId}`)
    const round = row.round_id === null ? undefined : await roundOf(reader, row.round_id)
    return { ...row, state: unpacked(row.state), round, roundId: row.round_id ?? '', now: reader.now }
  })
}

async function who(world: World, username: string, code = demoCode) {
  const tenant = await demoTenant(world, code)
  return { tenant, player: await world.store.read((reader) => thePlayer(reader, tenant, username)) }
}

async function bet(world: World, username: string, tableId: string, bets: Record<string, string>, variant?: string) {
  const { roundId, round } = await tableNow(world, tableId)
  const usual = { baccarat: 'classic', dragontiger: 'standard', niuniu: 'standard', holdem: 'casino' } as const
  const input = { roundId, variant: variant ?? usual[round?.game ?? 'baccarat'], bets }
  await placeBets(world.casino, await who(world, username), tableId, input)
  return roundId
}

async function records(world: World): Promise<readonly BetRecord[]> {
  return (await readBets(world.casino, await demoTenant(world), { limit: 1000 })).read().items
}

const refused = (code: string) => (error: unknown) => isProblem(error, code)
const openRounds = (world: World, tableId: string) =>
  world.store.read(({ q }) =>
    q
      .selectFrom('casino_rounds')
      .select('id')
      .where('table_id', '=', tableId)
      .where('environment', '=', 'live')
      .where('status', '=', 'open')
      .execute(),
  )

describe('a live table', () => {
  test('opens no round before it is enabled', async () => {
    const world = await liveWorld()
    await world.wait(60_000)
    expect(await openRounds(world, 'BAC-01')).toEqual([])
  })

  test('opens one round for its betting time, in both environments', async () => {
    const world = await dealing()
    const { phase, due_at, now } = await tableNow(world, 'BAC-01')
    expect({ phase, waits: (due_at ?? 0) - now }).toEqual({ phase: 'betting', waits: 20_000 })
    await world.settle()
    await world.settle()
    expect(await openRounds(world, 'BAC-01')).toHaveLength(1)
    const sandbox = await world.store.read((reader) => liveTableOf(reader, 'sandbox', 'BAC-01'))
    expect(sandbox?.phase).toBe('betting')
  })

  test('closes betting, shows the cards, pays, pauses, and opens the next round', async () => {
    const world = await dealing()
    const roundId = await bet(world, 'amy', 'BAC-01', { B: '100', T: '10' })
    expect(await balanceOf(world, 'amy')).toBe('9890')
    await world.wait(20_000)
    const shown = await tableNow(world, 'BAC-01')
    expect(shown.phase).toBe('dealing')
    expect(shown.state.outcome?.cardInfo).toMatch(/^[A-Z0-9-]{12}$/)
    expect(await records(world)).toEqual([])
    await world.wait(6_000)
    const [record] = await records(world)
    expect(record).toMatchObject({
      roundId,
      username: 'amy',
      status: 'settled',
      result: { cardInfo: shown.state.outcome?.cardInfo },
    })
    expect(await balanceOf(world, 'amy')).toBe(String(10_000 + Number(record?.winLoss)))
    const settled = await tableNow(world, 'BAC-01')
    expect(settled.phase).toBe('result')
    expect(Object.values(settled.state.results ?? {})).toMatchObject([{ winLoss: record?.winLoss, status: 'settled' }])
    await world.wait(6_000)
    const next = await tableNow(world, 'BAC-01')
    expect({ phase: next.phase, round: next.round?.round, isNew: next.roundId !== roundId }).toEqual({
      phase: 'betting',
      round: 2,
      isNew: true,
    })
  })

  test('deals without players', async () => {
    const world = await dealing()
    for (let i = 0; i < 20; i++) await world.wait(3_000)
    for (const tableId of ['BAC-01', 'DT-01', 'HE-01', 'HE-02', 'HE-03', 'NN-01'])
      expect((await tableNow(world, tableId)).round?.round, tableId).toBeGreaterThan(1)
    expect(await records(world)).toEqual([])
  })

  test('accepts changed and withdrawn bets until betting closes, and rejects them afterwards', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'BAC-01', { B: '100' })
    await bet(world, 'amy', 'BAC-01', { P: '30', PP: '5' }, 'nocomm')
    expect(await balanceOf(world, 'amy')).toBe('9965')
    await bet(world, 'amy', 'BAC-01', {})
    expect(await balanceOf(world, 'amy')).toBe('10000')
    await bet(world, 'amy', 'BAC-01', { B: '50' })
    await world.wait(20_000)
    await expect(bet(world, 'amy', 'BAC-01', {})).rejects.toSatisfy(refused('BETTING_CLOSED'))
    await expect(bet(world, 'bob', 'BAC-01', { B: '50' })).rejects.toSatisfy(refused('BETTING_CLOSED'))
    expect(await balanceOf(world, 'amy')).toBe('9950')
  })

  test('keeps the earlier bets when a new bet is rejected', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'BAC-01', { B: '100' })
    const attempts = [
      [{ B: '20000' }, 'BET_LIMIT'],
      [{ B: '0.5' }, 'BET_LIMIT'],
      [{ S6: '10' }, 'BET_REFUSED'],
      [{ B: '5000', P: '5000', T: '5000' }, 'INSUFFICIENT_BALANCE'],
      [{ B: 'ten' }, 'INVALID_AMOUNT'],
    ] as const
    for (const [bets, code] of attempts)
      await expect(bet(world, 'amy', 'BAC-01', bets)).rejects.toSatisfy(refused(code))
    expect(await balanceOf(world, 'amy')).toBe('9900')
  })

  test('rejects a request for the first bets of a round when some are placed, and keeps those', async () => {
    const world = await dealing()
    const { roundId } = await tableNow(world, 'BAC-01')
    const amy = await who(world, 'amy')
    const first = (bets: Record<string, string>) =>
      placeBets(world.casino, amy, 'BAC-01', { roundId, variant: 'classic', bets, onlyFirst: true })
    await first({ B: '10' })
    for (const bets of [{ P: '5' }, { B: '10' }, {}])
      await expect(first(bets)).rejects.toSatisfy(refused('ALREADY_PLACED'))
    const [slip] = await world.store.read((reader) => slipsOfRound(reader, roundId))
    expect(JSON.parse(slip?.placed ?? '')).toMatchObject({ bets: [{ zone: 'B', amount: '10' }] })
    expect(await balanceOf(world, 'amy')).toBe('9990')
    await bet(world, 'amy', 'BAC-01', {})
    await first({ P: '5' })
    expect(await balanceOf(world, 'amy')).toBe('9995')
  })

  test('closes to the players of a tenant as soon as that tenant disables it', async () => {
    const world = await dealing()
    await disableTable(world.casino, await demoTenant(world), 'BAC-01')
    await expect(bet(world, 'amy', 'BAC-01', { B: '10' })).rejects.toSatisfy(refused('TABLE_CLOSED'))
  })

  test('is not affected by an exact round dealt in between', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'NN-01', { P1E: '10' })
    const cardInfo = '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C'
    await dealExactly(world.casino, demoCode, {
      tableId: 'NN-01',
      cardInfo,
      slips: [{ username: 'amy', bets: { P1E: '10' } }],
    })
    await world.wait(40_000)
    const rounds = (await records(world)).map(({ round, game }) => ({ round, game }))
    expect(rounds).toEqual([
      { round: 2, game: 'niuniu' },
      { round: 1, game: 'niuniu' },
    ])
  })

  test('plays only rounds with bets when the clock moves by a day', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'BAC-01', { B: '10' })
    await bet(world, 'amy', 'HE-01', { ANTE: '10' })
    const { steps } = await world.clock.advance(start + 26 * 3_600_000)
    expect(steps).toBeLessThan(40)
    expect((await records(world)).map((record) => record.game).sort()).toEqual(['baccarat', 'holdem'])
    expect((await tableNow(world, 'BAC-01')).phase).toBe('betting')
  })

  test('finishes open rounds and opens no more after it is stopped', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'BAC-01', { B: '10' })
    expect(await setLive(world.casino, false)).toEqual({ live: false, was: true })
    await world.wait(120_000)
    expect(await records(world)).toHaveLength(1)
    expect((await tableNow(world, 'BAC-01')).phase).toBe('idle')
    expect(await openRounds(world, 'BAC-01')).toEqual([])
  })
})

describe('maintenance', () => {
  test('voids a round that still accepts bets, and opens no other', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'BAC-01', { B: '100' })
    await setTableStatus(world.casino, 'live', 'BAC-01', 'maintenance')
    await expect(bet(world, 'amy', 'BAC-01', { B: '10' })).rejects.toSatisfy(refused('TABLE_CLOSED'))
    await world.settle()
    expect(await balanceOf(world, 'amy')).toBe('10000')
    expect(await records(world)).toMatchObject([
      { status: 'void', rev: 1, delta: '100', result: { code: '', cardInfo: '' } },
    ])
    for (let i = 0; i < 10; i++) await world.wait(5_000)
    expect((await tableNow(world, 'BAC-01')).phase).toBe('idle')
    await setTableStatus(world.casino, 'live', 'BAC-01', 'open')
    await world.settle()
    expect((await tableNow(world, 'BAC-01')).phase).toBe('betting')
  })

  test('finishes a round that was dealt', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'BAC-01', { B: '100' })
    await world.wait(20_000)
    await setTableStatus(world.casino, 'live', 'BAC-01', 'maintenance')
    await world.wait(6_000)
    expect(await records(world)).toMatchObject([{ status: 'settled' }])
  })

  test('is refused for a table that does not exist', async () => {
    const world = await liveWorld()
    await expect(setTableStatus(world.casino, 'live', 'X-1', 'open')).rejects.toSatisfy(refused('NOT_FOUND'))
  })
})

describe('a restart in the middle of a round', () => {
  /** No cards are dealt for a while: the machine's clock advances alone. */
  const away = (world: LiveWorld, ms: number) => {
    world.time.at += ms
    return world.settle()
  }

  test('within a minute continues the round', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'BAC-01', { B: '100' })
    await away(world, 70_000)
    expect((await tableNow(world, 'BAC-01')).phase).toBe('dealing')
    await away(world, 60_000)
    expect(await records(world)).toMatchObject([{ status: 'settled' }])
  })

  test('later voids a round that still accepted bets', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'BAC-01', { B: '100' })
    await away(world, 20_000 + 60_001)
    expect(await records(world)).toMatchObject([{ status: 'void', payout: '100' }])
    expect(await balanceOf(world, 'amy')).toBe('10000')
  })

  test('later voids a hand with pending decisions', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'HE-01', { ANTE: '100' })
    await world.wait(20_000)
    expect((await tableNow(world, 'HE-01')).phase).toBe('deciding')
    await away(world, 120_000)
    expect(await records(world)).toMatchObject([{ status: 'void', result: { code: 'void' } }])
    expect(await balanceOf(world, 'amy')).toBe('10000')
  })

  test('settles dealt cards, however late', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'BAC-01', { B: '100' })
    await world.wait(20_000)
    const { state } = await tableNow(world, 'BAC-01')
    await away(world, 3_600_000)
    expect(await records(world)).toMatchObject([{ status: 'settled', result: { cardInfo: state.outcome?.cardInfo } }])
  })

  test('reopens a round without bets', async () => {
    const world = await dealing()
    const before = await tableNow(world, 'BAC-01')
    await away(world, 3_600_000)
    const now = await tableNow(world, 'BAC-01')
    expect({ round: now.roundId, phase: now.phase, waits: (now.due_at ?? 0) - now.now }).toEqual({
      round: before.roundId,
      phase: 'betting',
      waits: 20_000,
    })
  })

  test('on a clock that was set far back releases the stakes', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'BAC-01', { B: '100' })
    await world.clock.set(start - 86_400_000)
    await world.settle()
    expect(await balanceOf(world, 'amy')).toBe('10000')
  })

  test('restores the table from the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'countroom-live-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const db = join(folder, 'world.db')
    const time = { at: start }
    const first = await openWorld({ db, seed: '7', machineNow: () => time.at })
    const { ensureDemo } = await import('../../../../src/world/demo-data.ts')
    await ensureDemo(first.casino)
    await setLive(first.casino, true)
    await first.settle()
    await bet(first, 'amy', 'HE-01', { ANTE: '10' })
    time.at += 20_000
    await first.settle()
    const before = await tableNow(first, 'HE-01')
    await first.close()
    time.at += 5_000
    const second = await openWorld({ db, machineNow: () => time.at })
    onTestFinished(() => second.close())
    const input = { roundId: before.roundId, moment: 'flop', does: 'bet' } as const
    await decide(second.casino, await who(second, 'amy'), 'HE-01', input)
    time.at += 5_000
    await second.settle()
    const [record] = await records(second)
    expect(record?.bets.map((leg) => leg.zone)).toEqual(['ANTE', 'CALL'])
    expect(record?.result.cardInfo.split('|')[1]).toBe(before.state.seats[0]?.hole?.join(' '))
  })
})

describe('the daily bet total of a demo operator’s players', () => {
  test('counts each bet once, however often it changes, and no withdrawn bets', async () => {
    const world = await dealing()
    const code = `${demoCode}-SBX`
    await setLimits(world.casino, code, { day_bets_limited: 1 })
    const tenant = await demoTenant(world, code)
    const player = await world.store.read((reader) => thePlayer(reader, tenant, 'amy'))
    const { round_id } = await world.store.read(async (reader) => {
      const row = await liveTableOf(reader, 'sandbox', 'BAC-01')
      if (!row) throw new Error('nothing is dealt')
      return row
    })
    const put = (bets: Record<string, string>) =>
      placeBets(world.casino, { tenant, player }, 'BAC-01', { roundId: round_id ?? '', variant: 'classic', bets })
    const counted = () =>
      world.store.read(async ({ q }) =>
        (await q.selectFrom('casino_day_bets').select('total').where('tenant', '=', code).execute()).map(
          (row) => row.total,
        ),
      )
    for (let i = 0; i < 5; i++) await put({ B: '400' })
    expect(await counted()).toEqual(['400'])
    await put({})
    expect(await counted()).toEqual(['0'])
    await put({ B: '1000' })
    await put({ P: '1000' })
    expect(await counted()).toEqual(['1000'])
    const bob = await world.store.read((reader) => thePlayer(reader, tenant, 'bob'))
    const input = { roundId: round_id ?? '', variant: 'classic', bets: { B: '1' } }
    await expect(placeBets(world.casino, { tenant, player: bob }, 'BAC-01', input)).rejects.toSatisfy(
      refused('DAY_LIMIT'),
    )
  })
})

describe('Hold’em against the dealer', () => {
  async function act(world: LiveWorld, tableId: string, username: string, does: 'bet' | 'pass') {
    const { roundId, state } = await tableNow(world, tableId)
    const input = { roundId, moment: state.moment ?? 'flop', does }
    return decide(world.casino, await who(world, username), tableId, input)
  }

  test('a call is twice the ante, and the last decision reveals the cards at once', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'HE-01', { ANTE: '10', AAB: '5' })
    await bet(world, 'bob', 'HE-01', { ANTE: '20' })
    await world.wait(20_000)
    expect(await balanceOf(world, 'amy')).toBe('9985')
    await act(world, 'HE-01', 'amy', 'bet')
    expect(await balanceOf(world, 'amy')).toBe('9965')
    expect((await tableNow(world, 'HE-01')).phase).toBe('deciding')
    await expect(act(world, 'HE-01', 'amy', 'bet')).rejects.toSatisfy(refused('DECISION_CLOSED'))
    await act(world, 'HE-01', 'bob', 'pass')
    expect((await tableNow(world, 'HE-01')).phase).toBe('dealing')
    await world.wait(5_000)
    const all = Object.fromEntries((await records(world)).map((record) => [record.username, record]))
    expect(all['amy']?.bets.map((leg) => [leg.zone, leg.amount])).toEqual([
      ['ANTE', '10'],
      ['AAB', '5'],
      ['CALL', '20'],
    ])
    expect(all['amy']?.result.code).not.toBe('fold')
    expect(all['bob']).toMatchObject({ stake: '20', winLoss: '-20', result: { code: 'fold' } })
    const [amys, bobs] = [all['amy'], all['bob']].map((record) => record?.result.cardInfo.split('|'))
    expect([amys?.[0], amys?.[2]]).toEqual([bobs?.[0], bobs?.[2]])
    expect(amys?.[1]).not.toBe(bobs?.[1])
  })

  test('a missing decision is a fold', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'HE-01', { ANTE: '10' })
    await world.wait(20_000 + 15_000 + 5_000)
    expect(await records(world)).toMatchObject([{ result: { code: 'fold' }, winLoss: '-10' }])
  })

  test('a call above the balance is rejected, and the hand can still be folded', async () => {
    const world = await dealing()
    for (const tableId of ['BAC-01', 'DT-01']) await bet(world, 'amy', tableId, { T: '4990' })
    await bet(world, 'amy', 'HE-01', { ANTE: '15' })
    await world.wait(20_000)
    await expect(act(world, 'HE-01', 'amy', 'bet')).rejects.toSatisfy(refused('INSUFFICIENT_BALANCE'))
    await act(world, 'HE-01', 'amy', 'pass')
    expect((await tableNow(world, 'HE-01')).phase).toBe('dealing')
  })

  test('Bonus Poker has three decisions; a pass is a fold at the first and a check later', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'HE-02', { ANTE: '10', BONUS: '5' }, 'thbp')
    await bet(world, 'bob', 'HE-02', { ANTE: '10' }, 'thbp')
    await world.wait(20_000)
    const moments = []
    for (const does of ['bet', 'pass', 'bet'] as const) {
      const { state } = await tableNow(world, 'HE-02')
      moments.push(state.moment)
      await act(world, 'HE-02', 'amy', does)
      if (state.moment === 'hole') await act(world, 'HE-02', 'bob', 'bet')
      else await world.wait(15_000)
    }
    expect(moments).toEqual(['hole', 'flop', 'turn'])
    await world.wait(5_000)
    const all = Object.fromEntries(
      (await records(world)).map((record) => [record.username, record.bets.map((leg) => leg.zone)]),
    )
    expect(all).toEqual({ amy: ['ANTE', 'BONUS', 'FLOP', 'RIVER'], bob: ['ANTE', 'FLOP'] })
  })

  test('nine players get a seat, and the tenth does not', async () => {
    const world = await dealing()
    const sandboxes = ['amy', 'bob', 'cho', 'dee']
    const { createPlayer } = await import('../../../../src/services/casino/players/players.ts')
    const { deposit } = await import('../../../../src/services/casino/wallet.ts')
    const tenant = await demoTenant(world)
    for (let i = 5; i <= 10; i++) {
      const username = `p${i}`
      await world.store.write((tx) => createPlayer(world.casino, tx, tenant, { username, currency: 'USD' }))
      await deposit(world.casino, tenant, { username, txnId: `give-${i}`, amount: '100', currency: 'USD' })
      sandboxes.push(username)
    }
    for (const username of sandboxes.slice(0, 9)) await bet(world, username, 'HE-01', { ANTE: '1' })
    await expect(bet(world, 'p10', 'HE-01', { ANTE: '1' })).rejects.toSatisfy(refused('TABLE_FULL'))
    await bet(world, 'amy', 'HE-01', {})
    await bet(world, 'p10', 'HE-01', { ANTE: '1' })
  })

  test('a bet on a later street cannot be placed with the ante', async () => {
    const world = await dealing()
    await expect(bet(world, 'amy', 'HE-01', { ANTE: '10', CALL: '20' })).rejects.toSatisfy(refused('BET_REFUSED'))
  })
})

describe('no-limit Hold’em', () => {
  async function sit(world: LiveWorld, username: string, buyIn: string | null) {
    const { roundId } = await tableNow(world, 'HE-03')
    await takeSeat(world.casino, await who(world, username), 'HE-03', { roundId, buyIn })
  }

  /** Plays the hand until it is settled; `play` acts for a player whose turn it is. */
  async function playOn(world: LiveWorld, play: (username: string) => Promise<void>) {
    for (let i = 0; i < 400; i++) {
      const { phase, state } = await tableNow(world, 'HE-03')
      if (phase === 'result') return
      const seat = state.seats.find((each) => each.seat === state.hand?.turn)
      if (phase === 'deciding' && seat?.playerId) await play(seat.name)
      else await world.wait(1_000)
    }
    throw new Error('the hand does not come to an end')
  }

  const act =
    (world: LiveWorld, does: 'fold' | 'check' | 'call' | 'raise', to?: string) => async (username: string) => {
      const { roundId, state } = await tableNow(world, 'HE-03')
      const may = state.hand ? choices(state.hand) : null
      const fallback = does === 'call' && may?.canCheck ? 'check' : does === 'fold' && may?.canCheck ? 'check' : does
      const input = { roundId, action: state.actions ?? 0, does: fallback, ...(to === undefined ? {} : { to }) }
      await takeTurn(world.casino, await who(world, username), 'HE-03', input)
    }

  test('a seat is paid for when it is taken, and can be changed or left until bets close', async () => {
    const world = await dealing()
    await sit(world, 'amy', '100')
    expect(await balanceOf(world, 'amy')).toBe('9900')
    await sit(world, 'amy', '200')
    expect(await balanceOf(world, 'amy')).toBe('9800')
    await sit(world, 'amy', null)
    expect(await balanceOf(world, 'amy')).toBe('10000')
    for (const buyIn of ['39', '401']) await expect(sit(world, 'amy', buyIn)).rejects.toSatisfy(refused('BET_LIMIT'))
    await expect(sit(world, 'amy', '100.001')).rejects.toSatisfy(refused('BET_REFUSED'))
    expect((await tableNow(world, 'HE-03')).state.seats).toEqual([])
  })

  test('players and guests play a hand to its end; the seats lose together the amount of the rake', async () => {
    const world = await dealing()
    await sit(world, 'amy', '100')
    await sit(world, 'bob', '200')
    await world.wait(20_000)
    await playOn(world, act(world, 'call'))
    const all = await records(world)
    const units = (amount = '0') => Math.round(Number(amount) * 10_000)
    const total = (field: 'winLoss' | 'rake') => all.reduce((sum, record) => sum + units(record[field]), 0)
    expect(total('winLoss')).toBe(0 - total('rake'))
    expect(all.filter((record) => record.onsite).length).toBeGreaterThan(0)
    for (const username of ['amy', 'bob']) {
      const record = all.find((each) => each.username === username)
      expect(await balanceOf(world, username)).toBe(formatAmount(100_000_000n + BigInt(units(record?.winLoss))))
      expect(Number(record?.stake ?? 0)).toBeLessThanOrEqual(username === 'amy' ? 100 : 200)
    }
  })

  test('a player who does not act in time checks or folds', async () => {
    const world = await dealing()
    await sit(world, 'amy', '100')
    await world.wait(20_000)
    await playOn(world, () => world.wait(20_000))
    const record = (await records(world)).find((each) => each.username === 'amy')
    // Folded without a contribution, there is no slip at all.
    expect(record?.result.code ?? 'fold').toMatch(/fold|win|lose|split/)
    expect(Number(await balanceOf(world, 'amy'))).toBe(10_000 + Number(record?.winLoss ?? 0))
  })

  test('illegal actions are rejected, and so are actions out of turn', async () => {
    const world = await dealing()
    await sit(world, 'amy', '100')
    await world.wait(20_000)
    let tried = 0
    await playOn(world, async (username) => {
      if (tried++ === 0) {
        await expect(act(world, 'raise', '0.5')(username)).rejects.toSatisfy(refused('BET_REFUSED'))
        await expect(act(world, 'raise', '5000')(username)).rejects.toSatisfy(refused('BET_REFUSED'))
        await expect(act(world, 'raise', '1.5.5')(username)).rejects.toSatisfy(refused('INVALID_AMOUNT'))
        await expect(act(world, 'call')('bob')).rejects.toSatisfy(refused('DECISION_CLOSED'))
      }
      await act(world, 'fold')(username)
    })
    expect(tried).toBeGreaterThan(0)
  })

  test('a void returns every chip', async () => {
    const world = await dealing()
    await sit(world, 'amy', '100')
    await world.wait(20_000)
    await playOn(world, async () => {
      world.time.at += 120_000
      await world.settle()
    })
    expect(await balanceOf(world, 'amy')).toBe('10000')
    for (const record of await records(world)) expect(record).toMatchObject({ status: 'void', winLoss: '0' })
  })

  test('a hand has one currency', async () => {
    const world = await dealing()
    const tenant = await demoTenant(world)
    const { deposit } = await import('../../../../src/services/casino/wallet.ts')
    await deposit(world.casino, tenant, { username: 'eva', txnId: 'e1', amount: '1000', currency: 'EUR' })
    await sit(world, 'amy', '100')
    await expect(sit(world, 'eva', '100')).rejects.toSatisfy(refused('BET_REFUSED'))
  })

  test('the button moves with every hand', async () => {
    const world = await dealing()
    const buttons = []
    for (let i = 0; i < 3; i++) {
      await sit(world, 'amy', '100')
      await world.wait(20_000)
      await playOn(world, act(world, 'fold'))
      buttons.push((await tableNow(world, 'HE-03')).state.button)
      await world.wait(6_000)
    }
    expect(buttons).toEqual([1, 2, 3])
  })

  test('the button continues from exact hands dealt in between', async () => {
    const world = await dealing()
    await sit(world, 'amy', '100')
    await world.wait(20_000)
    await playOn(world, act(world, 'fold'))
    await setLive(world.casino, false)
    await world.wait(60_000)
    const input = { tenant: demoCode, tables: ['HE-03'], rounds: 2, players: 4, days: 0, corrected: 0, voided: 0 }
    for await (const _ of play(world.casino, input));
    const buttons = await world.store.read(({ q }) =>
      q
        .selectFrom('casino_rounds')
        .select('button')
        .where('environment', '=', 'live')
        .where('table_id', '=', 'HE-03')
        .orderBy('round')
        .execute(),
    )
    expect(buttons.flatMap(({ button }) => button ?? [])).toEqual([1, 2, 3])
    await setLive(world.casino, true)
    await world.settle()
    await sit(world, 'amy', '100')
    await world.wait(20_000)
    expect((await tableNow(world, 'HE-03')).state.button).toBe(4)
  })
})

describe('the side bets of a dragon tiger table', () => {
  test('are offered to the players of tenants that enabled them', async () => {
    const world = await dealing()
    await expect(bet(world, 'amy', 'DT-02', { DB: '10' })).rejects.toSatisfy(refused('BET_REFUSED'))
    await setSideBets(world.casino, demoCode, 'DT-02', true)
    const visit = { ...(await who(world, 'amy')), session: { language: 'ENG' } } as never
    const { info } = await world.store.read((reader) => tableEntry(reader, visit, 'DT-02'))
    expect(info.zones['standard']).toContain('DB')
    await bet(world, 'amy', 'DT-02', { DB: '10' })
    expect(await balanceOf(world, 'amy')).toBe('9990')
  })
})

describe('a paused tenant', () => {
  test('has its tables closed to its players, and open again after a login', async () => {
    const world = await dealing()
    await setPlan(world.casino, demoCode, 'free')
    await setLive(world.casino, false)
    await world.wait(14 * 86_400_000)
    await setLive(world.casino, true)
    await world.settle()
    const visit = async () => ({ ...(await who(world, 'amy')), session: { language: 'ENG' } }) as never
    const status = async () => {
      const seen = await visit()
      return (await world.store.read((reader) => tableEntry(reader, seen, 'BAC-01'))).view.status
    }
    expect(await status()).toBe('maintenance')
    await expect(bet(world, 'amy', 'BAC-01', { B: '10' })).rejects.toSatisfy(refused('TABLE_CLOSED'))
    await logIntoConsole(world.casino, demoCode)
    expect(await status()).toBe('open')
    await bet(world, 'amy', 'BAC-01', { B: '10' })
  })
})

describe('a round that the source voids while it is dealt', () => {
  const sourceVoids = (world: World, roundId: string) => changeRound(world.casino, roundId, { void: true })

  test('ends at the table: stakes are returned, and the next round opens on time', async () => {
    const world = await dealing()
    for (const waits of [0, 20_000]) {
      const roundId = await bet(world, 'amy', 'BAC-01', { B: '100' })
      await world.wait(waits)
      const { round, bets } = await sourceVoids(world, roundId)
      expect(round).toMatchObject({ status: 'void', rev: 1, code: null })
      expect(bets).toMatchObject([{ status: 'void', delta: '100' }])
      expect(await balanceOf(world, 'amy')).toBe('10000')
      expect((await tableNow(world, 'BAC-01')).phase).toBe('result')
      await world.wait(6_000)
      const next = await tableNow(world, 'BAC-01')
      expect({ phase: next.phase, isNew: next.roundId !== roundId }).toEqual({ phase: 'betting', isNew: true })
    }
  })

  test('asks for no more decisions, and discards the earlier ones', async () => {
    const world = await dealing()
    await bet(world, 'amy', 'HE-01', { ANTE: '10' })
    const roundId = await bet(world, 'bob', 'HE-01', { ANTE: '10' })
    await world.wait(20_000)
    const amy = await who(world, 'amy')
    await decide(world.casino, amy, 'HE-01', { roundId, moment: 'flop', does: 'bet' })
    const answers = async () => {
      const visit = { ...amy, session: { language: 'ENG' } } as never
      const { view } = await world.store.read((reader) => tableEntry(reader, visit, 'HE-01'))
      return [view.round?.phase, view.mine?.hasDecided, view.round?.seats.map(({ hasDecided }) => hasDecided)]
    }
    expect(await answers()).toEqual(['deciding', true, [true, false]])
    await sourceVoids(world, roundId)
    expect(await answers()).toEqual(['result', false, [false, false]])
  })

  test('returns the chips of a no-limit hand that are not in the pot yet, and leaves no slip for them', async () => {
    const world = await dealing()
    const { roundId } = await tableNow(world, 'HE-03')
    await takeSeat(world.casino, await who(world, 'amy'), 'HE-03', { roundId, buyIn: '100' })
    expect((await sourceVoids(world, roundId)).bets).toEqual([])
    expect(await balanceOf(world, 'amy')).toBe('10000')
    await world.wait(6_000)
    const next = await tableNow(world, 'HE-03')
    await takeSeat(world.casino, await who(world, 'amy'), 'HE-03', { roundId: next.roundId, buyIn: '100' })
    await world.wait(21_000)
    const { phase } = await tableNow(world, 'HE-03')
    expect(phase).toBe('deciding')
    const { round } = await sourceVoids(world, next.roundId)
    expect(round.status).toBe('void')
    expect(await balanceOf(world, 'amy')).toBe('10000')
  })

  test('is shown as void, or with the corrected result, to players who still see its result', async () => {
    const world = await dealing()
    const roundId = await bet(world, 'amy', 'BAC-01', { B: '100' })
    await world.wait(26_000)
    const before = await tableNow(world, 'BAC-01')
    expect(before.phase).toBe('result')
    await changeRound(world.casino, roundId, { correct: { cardInfo: 'KS4H7D2C----' } })
    const corrected = await tableNow(world, 'BAC-01')
    expect(corrected.state.outcome?.cardInfo).toBe('KS4H7D2C----')
    expect(Object.values(corrected.state.results ?? {})).toMatchObject([{ status: 'recalculated', winLoss: '-100' }])
    expect(corrected.version).toBe(before.version + 1)
    expect(corrected.due_at).toBe(before.due_at)
    await sourceVoids(world, roundId)
    const voided = await tableNow(world, 'BAC-01')
    expect(Object.values(voided.state.results ?? {})).toMatchObject([{ status: 'void', winLoss: '0' }])
    await world.wait(6_000)
    expect((await tableNow(world, 'BAC-01')).phase).toBe('betting')
  })
})

describe('rounds without bets', () => {
  const roundsAt = (world: World, tableId: string) =>
    world.store.read(({ q }) =>
      q
        .selectFrom('casino_rounds')
        .select('id')
        .where('environment', '=', 'live')
        .where('table_id', '=', tableId)
        .orderBy('opened_at')
        .execute(),
    )

  test('are readable as long as the bets of their month; then all but the newest ones of the road are deleted, and rounds with bets stay', async () => {
    const world = await dealing()
    const tenant = await demoTenant(world)
    const betIn = await bet(world, 'amy', 'BAC-01', { B: '10' })
    await setLive(world.casino, false)
    await world.wait(60_000)
    const empty = { tableId: 'BAC-01', cardInfo: '5H4S3C5D----', slips: [] }
    const { roundId: nobody } = await dealExactly(world.casino, demoCode, empty)
    for (let i = 0; i < roadLength + 7; i++) {
      world.time.at += 1_000
      await dealExactly(world.casino, demoCode, empty)
    }
    const dealt = await roundsAt(world, 'BAC-01')
    expect(dealt).toHaveLength(roadLength + 9)
    expect(await readRound(world.casino, tenant, nobody)).toMatchObject({ status: 'settled' })
    // 1-tenant-api, Limits: about 400 days on the paid plan, in whole months. March can be read until 400 days after
    // its end. Jobs due on the days before have no effect here.
    await world.clock.set(Date.parse('2027-05-05T00:00:00.000Z'))
    await world.clock.advance(Date.parse('2027-05-05T23:59:59.999Z'))
    expect(await readRound(world.casino, tenant, nobody)).toMatchObject({ status: 'settled' })
    expect(await roundsAt(world, 'BAC-01')).toHaveLength(dealt.length)
    await world.clock.advance(Date.parse('2027-05-06T00:00:00.000Z'))
    const kept = (await roundsAt(world, 'BAC-01')).map(({ id }) => id)
    expect(kept).toHaveLength(roadLength + 1)
    expect(kept[0]).toBe(betIn)
    expect(kept.slice(1)).toEqual(dealt.slice(-roadLength).map(({ id }) => id))
    await expect(readRound(world.casino, tenant, nobody)).rejects.toSatisfy(refused('ROUND_NOT_FOUND'))
    expect(await readRound(world.casino, tenant, betIn)).toMatchObject({ status: 'settled' })
  })

  test('are readable in a sandbox for the current and the previous month', async () => {
    const world = await liveWorld()
    const { roundId } = await dealExactly(world.casino, 'DEMO-SBX', {
      tableId: 'BAC-01',
      cardInfo: '5H4S3C5D----',
      slips: [],
    })
    const forgetAt = (await world.store.read((reader) => roundOf(reader, roundId)))?.forget_at
    expect(forgetAt).toBe(Date.parse('2026-05-01T00:00:00.000Z'))
  })

  test('are kept for the same period again after a correction or void', async () => {
    const world = await liveWorld()
    await world.clock.advance(Date.parse('2026-03-31T20:00:00.000Z'))
    const empty = { tableId: 'BAC-01', cardInfo: '5H4S3C5D----', slips: [] }
    const { roundId } = await dealExactly(world.casino, demoCode, empty)
    const forgetAt = async () => (await world.store.read((reader) => roundOf(reader, roundId)))?.forget_at
    expect(await forgetAt()).toBe(Date.parse('2027-05-06T00:00:00.000Z'))
    await world.clock.advance(Date.parse('2026-04-01T10:00:00.000Z'))
    await changeRound(world.casino, roundId, { correct: { cardInfo: 'KS4H7D2C----' } })
    expect(await forgetAt()).toBe(Date.parse('2027-06-05T00:00:00.000Z'))
    await changeRound(world.casino, roundId, { void: true })
    expect(await forgetAt()).toBe(Date.parse('2027-06-05T00:00:00.000Z'))
  })
})

describe('two dealers on one database', () => {
  test('open one round per table, deal it once and pay it once', async () => {
    const { url } = await postgres.database()
    const time = { at: start }
    const one = await liveWorld({ db: url ?? '', time })
    // A few tables are sufficient for both to meet at each.
    for (const tableId of allTables.filter((id) => !['BAC-01', 'DT-01', 'HE-01', 'NN-01'].includes(id)))
      for (const environment of ['live', 'sandbox'] as const)
        await setTableStatus(one.casino, environment, tableId, 'maintenance')
    await setLive(one.casino, true)
    const other = await openWorld({ db: url ?? '', machineNow: () => time.at })
    onTestFinished(() => other.close())
    await Promise.all([one.settle(), other.settle()])
    const { roundId } = await tableNow(one, 'DT-01')
    await bet(one, 'amy', 'DT-01', { D: '100' })
    for (let i = 0; i < 20; i++) {
      time.at += 2_000
      await Promise.all([one.settle(), other.settle()])
      expect((await openRounds(one, 'DT-01')).length).toBeLessThanOrEqual(1)
    }
    const all = await records(one)
    expect(all.map((record) => [record.roundId, record.rev])).toEqual([[roundId, 1]])
    const rounds = await one.store.read(({ q }) =>
      q
        .selectFrom('casino_rounds')
        .select('round')
        .where('table_id', '=', 'DT-01')
        .where('environment', '=', 'live')
        .orderBy('round')
        .execute(),
    )
    expect(rounds.map(({ round }) => round)).toEqual(rounds.map((_, i) => i + 1))
  })
})

test('after live play and changes by the source, the wallets hold deposits plus winnings', async () => {
  const world = await dealing({ seed: '11' })
  const { drawBelow } = await import('../../../../src/domain/games/shuffle.ts')
  const { seededBytes } = await import('../../../../src/kit/ambient.ts')
  const bytes = seededBytes('law')
  const draw = (below: number) => drawBelow(below, bytes)
  const amount = () => String(1 + draw(200))
  const try_ = (work: Promise<unknown>) => work.catch((error) => expect(error).toHaveProperty('name', 'Problem'))
  for (let turn = 0; turn < 150; turn++) {
    for (const username of ['amy', 'bob', 'cho']) {
      const me = await who(world, username)
      if (draw(2)) await try_(bet(world, username, 'BAC-01', draw(5) ? { B: amount(), PP: amount() } : {}))
      if (draw(2)) await try_(bet(world, username, 'NN-02', { P1D: amount(), P2E: amount() }))
      if (draw(2)) await try_(bet(world, username, 'HE-01', { ANTE: amount() }))
      if (draw(2)) await try_(bet(world, username, 'HE-02', { ANTE: amount(), BONUS: amount() }, 'thbp'))
      for (const tableId of ['HE-01', 'HE-02']) {
        const { roundId, state } = await tableNow(world, tableId)
        const does = draw(3) ? 'bet' : 'pass'
        await try_(decide(world.casino, me, tableId, { roundId, moment: state.moment ?? 'flop', does }))
      }
      const { roundId, state } = await tableNow(world, 'HE-03')
      if (draw(2))
        await try_(takeSeat(world.casino, me, 'HE-03', { roundId, buyIn: draw(6) ? String(40 + draw(300)) : null }))
      const does = (['fold', 'check', 'call', 'raise', 'call'] as const)[draw(5)] ?? 'call'
      const input = { roundId, action: state.actions ?? 0, does, to: String(4 + draw(60)) }
      await try_(takeTurn(world.casino, me, 'HE-03', input))
    }
    if (draw(15) === 0) {
      const { roundId } = await tableNow(world, allTables[draw(allTables.length)] ?? 'BAC-01')
      await try_(changeRound(world.casino, roundId, { void: true }))
    }
    if (draw(16) === 0) {
      // Mistaken for another round's cards: a misreading like any other.
      const read = (await records(world)).filter(({ game, status }) => /bacc|niu/.test(game) && status !== 'void')
      const [one, other] = [read[draw(read.length || 1)], read[draw(read.length || 1)]]
      if (one && one.game === other?.game)
        await try_(changeRound(world.casino, one.roundId, { correct: { cardInfo: other.result.cardInfo } }))
    }
    if (draw(30) === 0) world.time.at += 90_000
    await world.wait(500 + draw(4_000))
  }
  await setLive(world.casino, false)
  await world.wait(600_000)
  const all = await records(world)
  expect(new Set(all.map((record) => record.variant)).size).toBe(5)
  expect(new Set(all.map((record) => record.status))).toEqual(new Set(['settled', 'recalculated', 'void']))
  const last = [...Map.groupBy(all, (record) => record.slipId).values()].flatMap((revisions) => revisions.at(-1) ?? [])
  for (const username of ['amy', 'bob', 'cho']) {
    const mine = last.filter((record) => record.username === username && !record.onsite)
    const won = mine.reduce((sum, record) => sum + Math.round(Number(record.winLoss) * 10_000), 0)
    expect(await balanceOf(world, username), username).toBe(formatAmount(100_000_000n + BigInt(won)))
  }
  const left = await world.store.read(({ q }) =>
    q.selectFrom('casino_slips').select('id').where('status', '=', 'placed').execute(),
  )
  expect(left).toEqual([])
  expect(await auditBalances(world.store)).toEqual([])
})
