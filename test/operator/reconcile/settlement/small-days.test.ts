import { describe, expect, test } from 'vitest'
import { firstSettlement } from '../../../../src/domain/bets/slip.ts'
import { isNo, type TableSettings } from '../../../../src/domain/games/game.ts'
import { niuniu } from '../../../../src/domain/games/niuniu.ts'
import { formatAmount, parseAmount } from '../../../../src/domain/money.ts'
import { asTheRules, type Settled } from '../../../../src/domain/reconcile/settlement/recorded.ts'
import { readSlip, settleRound } from '../../../../src/operator/reconcile/settlement/rounds.ts'
import { stateSettings } from '../../../../src/operator/reconcile/settlement/table-settings.ts'
import { DayTally } from '../../../../src/operator/reconcile/settlement/tally.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aRecord, toRow, writeRows } from '../../book-rows.ts'
import { aBookOf, settled } from './settled-days.ts'

/** Days of a few slips: the settings that the slips of a table agree on, and the result of a day. */

/** The banker has 7, the players 10, none and 9; or, with special hands, 11, 12, 13 and 10. */
const deals = {
  '57A09': '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
  '3BCDA': '4D|KC QD JH QH KD|9S 9H 9D 9C 2S|AS AD 2H 3C 2D|TS 4C 6H 5D 5S',
} as const

/** A Niu Niu slip as a table with these settings settles it. */
function aSlip(
  slipId: string,
  settings: TableSettings,
  over: Partial<BetRecord> = {},
  zone = 'P1E',
  code: keyof typeof deals = '57A09',
) {
  const accepted = niuniu.accept({ variant: 'standard', bets: [{ zone, amount: parseAmount('10') }] }, settings)
  const outcome = niuniu.read({ code, cardInfo: deals[code] }, { variant: 'standard', settings })
  if (isNo(accepted) || isNo(outcome)) throw new Error('the slip cannot be placed')
  const all = niuniu.settle(outcome, [{ variant: 'standard', bets: accepted.bets }], settings)
  const [first] = isNo(all) ? [] : all
  if (!first) throw new Error('the slip cannot be settled')
  const { legs, result, ...figures } = firstSettlement(first)
  return aRecord({
    ...{ slipId, game: 'niuniu', variant: 'standard', tableId: 'NN-09', roundId: `R-${slipId}`, result },
    ...{ stake: formatAmount(figures.stake), hold: formatAmount(figures.hold), rolling: formatAmount(figures.rolling) },
    ...{ validStake: formatAmount(figures.validStake), payout: formatAmount(figures.payout) },
    ...{ winLoss: formatAmount(figures.winLoss), delta: formatAmount(figures.delta) },
    bets: legs.map(({ zone, amount, return: returned, hold, mult }) => ({
      ...{ zone, amount: formatAmount(amount), return: formatAmount(returned) },
      ...(hold === undefined ? {} : { hold: formatAmount(hold) }),
      ...(mult === undefined ? {} : { mult }),
    })),
    ...over,
  })
}

const slipOf = (...records: readonly BetRecord[]) => readSlip(records.map((record) => toRow(record, 1)))
const taxed = { commission: '0.05' }
const many = (count: number, settings: TableSettings, name = 's') =>
  Array.from({ length: count }, (_, i) => slipOf(aSlip(`${name}${i}`, settings)))
/** A correction of a slip, the same but for its rolling. */
const corrected = (record: BetRecord): BetRecord => ({
  ...record,
  ...{ rev: 2, status: 'recalculated', delta: '0', rolling: '1' },
})
const unreadable = (record: BetRecord) => ({ ...toRow(record, 1), record: '{' })

describe('the slips of a Niu Niu table without stated settings', () => {
  function conclude(slips: readonly ReturnType<typeof slipOf>[], history: readonly ReturnType<typeof slipOf>[] = []) {
    const tally = new DayTally(new Map(), new Set())
    for (const slip of slips) for (const one of settleRound([slip], {})) tally.add(one)
    const undecided = tally.undecidedTables()
    tally.conclude(new Map([['NN-09', history]]))
    const { wrong, unchecked, tables, possible } = tally
    expect(tally.slips).toBe(slips.length)
    return {
      undecided: undecided.length,
      wrong: wrong.length,
      unstated: unchecked.get('TABLE_RULES_UNSTATED')?.slips ?? 0,
      agreed: tables.map(({ settings, slips: agreeing }) => [settings, agreeing]),
      possible: [...possible.values()],
    }
  }
  const none = { undecided: 0, wrong: 0, unstated: 0, agreed: [], possible: [] }

  test('are right by the defaults', () => {
    expect(conclude(many(2, {}))).toEqual(none)
  })

  test('agree on a commission if three have it, and four times more than have none', () => {
    const agreed = (count: number) => ({ ...none, unstated: count, agreed: [[taxed, count]] })
    const open = (count: number) => ({ ...none, undecided: 1, wrong: count, possible: [taxed] })
    expect(conclude(many(3, taxed))).toEqual(agreed(3))
    expect([conclude(many(1, taxed)), conclude(many(2, taxed))]).toEqual([open(1), open(2)])
    expect(conclude([...many(3, taxed), ...many(1, {}, 'd')])).toEqual(open(3))
    expect(conclude([...many(4, taxed), ...many(1, {}, 'd')])).toEqual(agreed(4))
  })

  test('of other days are evidence only', () => {
    const agreed = { ...none, undecided: 1, unstated: 1, agreed: [[taxed, 1]] }
    expect(conclude(many(1, taxed), many(2, taxed, 'h'))).toEqual(agreed)
    expect(conclude(many(1, taxed), [...many(2, taxed, 'h'), ...many(1, {}, 'd')])).toEqual({
      ...{ ...none, undecided: 1, wrong: 1, possible: [taxed] },
    })
  })

  test('agree on a hold, which needs no statement', () => {
    const slips = ['a', 'b', 'c'].map((id) => slipOf(aSlip(id, { holdFactor: 3 }, {}, 'P1D')))
    expect(conclude(slips)).toEqual({ ...none, agreed: [[{ holdFactor: 3 }, 3]] })
  })

  test('agree without one that is wrong in any revision', () => {
    const first = aSlip('x', taxed)
    const wrong = slipOf(first, corrected(first))
    expect(conclude([...many(3, taxed), wrong])).toEqual({ ...none, wrong: 1, unstated: 3, agreed: [[taxed, 3]] })
    expect(conclude([...many(2, taxed), wrong])).toMatchObject({ undecided: 1, wrong: 3, agreed: [] })
    const lost = aSlip('y', {}, {}, 'P2E')
    expect(conclude([slipOf(lost, corrected(lost))])).toMatchObject({ undecided: 1, wrong: 1, agreed: [] })
  })

  test('agree on special hands by one that is named, in any revision', () => {
    const special = { specialHands: true }
    const named = aSlip('a', special, {}, 'P1D', '3BCDA')
    expect(conclude([slipOf(named)])).toEqual({ ...none, agreed: [[special, 1]] })
    expect(conclude([slipOf(aSlip('a', special, {}, 'P1D'))])).toMatchObject({ undecided: 1, agreed: [] })
    const second = readSlip([unreadable(named), toRow({ ...named, rev: 2, status: 'recalculated' }, 2)])
    expect(conclude([second])).toMatchObject({ undecided: 0, agreed: [[special, 1]] })
  })
})

describe('a rake that contradicts the stakes of a no-limit table', () => {
  const wrong: Settled = { ...asTheRules, differences: [{ field: 'rake', platform: '2', rules: '1', units: 10_000n }] }
  const unknown: Settled = { ...asTheRules, unchecked: 'SEATS_UNKNOWN' }
  const seatOf = (name: string, rakes: readonly string[], roundId = name) =>
    slipOf(
      ...rakes.map((rake, i) =>
        aRecord({
          ...{ slipId: name, roundId, rev: i + 1, game: 'holdem', variant: 'nlhe', tableId: 'HE-03', rake },
        }),
      ),
    )
  const raked = (count: number) => Array.from({ length: count }, (_, i) => seatOf(`h${i}`, ['1']))

  function conclude(hands: readonly [ReturnType<typeof slipOf>, Settled[]][], open: readonly string[], is = wrong) {
    const tally = new DayTally(new Map(), new Set())
    for (const [slip, outcomes] of hands) tally.add({ slip, outcomes, isByStakes: false })
    const before = tally.wrong.length
    for (const name of open) tally.add({ slip: seatOf(name, ['1']), outcomes: [is], isByStakes: true })
    tally.conclude()
    return [tally.wrong.length - before, tally.unchecked.get('STAKES_UNKNOWN')?.slips ?? 0]
  }
  const right = (slips: readonly ReturnType<typeof slipOf>[]) =>
    slips.map((slip): [ReturnType<typeof slipOf>, Settled[]] => [slip, [asTheRules]])

  test('is wrong if four times as many hands fit, else the stakes are unknown', () => {
    expect([conclude(right(raked(3)), ['x']), conclude(right(raked(4)), ['x'])]).toEqual([
      [0, 1],
      [1, 0],
    ])
    expect([conclude(right(raked(7)), ['x', 'x', 'y']), conclude(right(raked(8)), ['x', 'x', 'y'])]).toEqual([
      [0, 3],
      [3, 0],
    ])
  })

  test('counts a split pot, whose winners all pay rake, as one hand', () => {
    const split = ['a', 'b'].map((name) => seatOf(name, ['1'], 'h0'))
    expect(conclude(right([...raked(3), ...split]), ['x'])).toEqual([0, 1])
    expect(conclude(right([...raked(4), ...split]), ['x'])).toEqual([1, 0])
  })

  test('is compared with hands that have a rake, and were checked completely', () => {
    const withLast = (rakes: readonly string[], outcomes: Settled[]) =>
      conclude([...right(raked(3)), [seatOf('last', rakes), outcomes]], ['x'])
    expect([withLast(['0'], [asTheRules]), withLast(['0.0001'], [asTheRules])]).toEqual([
      [0, 1],
      [1, 0],
    ])
    expect(withLast(['0', '1'], [asTheRules, asTheRules])).toEqual([1, 0])
    for (const last of [unknown, wrong]) {
      expect(withLast(['1'], [last])).toEqual([0, 1])
      expect(withLast(['1', '1'], [asTheRules, last])).toEqual([0, 1])
    }
    const bad = readSlip([unreadable(aRecord({ game: 'holdem', variant: 'nlhe', tableId: 'HE-03' }))])
    expect(conclude([...right(raked(3)), ...right([bad])], ['x'])).toEqual([0, 1])
  })

  test('stays unchecked for another reason', () => {
    expect(conclude([], ['x'], unknown)).toEqual([0, 0])
  })
})

/** A slip that lost 10 on the tiger: the dragon has a king, the tiger a seven. */
const tiger = (slipId: string, over: Partial<BetRecord> = {}): BetRecord =>
  aRecord({
    ...{ slipId, game: 'dragontiger', variant: 'standard', tableId: 'DT-01', rolling: '10', validStake: '10' },
    ...{ bets: [{ zone: 'TG', amount: '10', return: '0' }], result: { code: '1', cardInfo: 'KS7H' } },
    ...over,
  })
const at = (time: string) => ({ settledAt: `2026-03-10T${time}:00.000Z` })

describe('the result of a small day', () => {
  test('without slips is balanced, and reports none', async () => {
    const seen: number[] = []
    const { result } = await settled(await aBookOf([]), { onSlips: (count) => seen.push(count) })
    expect(result).toMatchObject({ verdict: 'balanced', slips: 0, unchecked: 0, hours: 24, games: [], reasons: [] })
    expect(seen).toEqual([])
  })

  test('has the games by name, and reports the slips of each time', async () => {
    const seen: number[] = []
    const records = [
      ...[aSlip('a', {}, at('10:00')), tiger('b', at('11:00')), tiger('c', at('11:00'))],
      aRecord({
        slipId: 'd',
        ...at('12:00'),
        status: 'void',
        payout: '10',
        winLoss: '0',
        validStake: '0',
        rolling: '0',
      }),
    ]
    const { result } = await settled(await aBookOf(records), { onSlips: (count) => seen.push(count) })
    expect(result.games.map(({ game }) => game)).toEqual(['baccarat', 'dragontiger', 'niuniu'])
    expect(result.reasons).toEqual([])
    expect(seen).toEqual([1, 3, 4])
  })

  test('is different by one slip, and has its differences and the totals of the last revisions', async () => {
    const wrong = { rolling: '9', delta: '1' }
    const first = tiger('a', wrong)
    const { result } = await settled(await aBookOf([first, tiger('r', { roundId: 'R2' })]))
    expect([result.verdict, result.findings.map(({ slipId }) => slipId)]).toEqual(['differences', ['a']])
    expect(result.findings[0]?.fields.map(({ field, difference }) => [field, difference])).toEqual([
      ['rolling', '-1'],
      ['delta', '1'],
    ])
    const later = { rev: 2, status: 'recalculated', delta: '0' } as const
    const second = await settled(await aBookOf([tiger('e'), tiger('e', { ...later, rolling: '9' })]))
    expect(second.result.findings.map(({ slipId, rev }) => [slipId, rev])).toEqual([['e', 2]])
    const total = { currency: 'USD', field: 'rolling', difference: '-1', slips: 1 }
    expect(result.totals).toEqual([total])
    const book = await aBookOf([tiger('b', wrong), tiger('c', { ...wrong, roundId: 'R2', onsite: true })])
    const revised = tiger('d', { roundId: 'R3' })
    await writeRows(book, [
      { ...toRow(revised, 8), record: '{' },
      toRow({ ...revised, rev: 2, status: 'recalculated', rolling: '8', delta: '0', ...at('13:00') }, 9),
    ])
    expect((await settled(book)).result.totals).toEqual([{ ...total, difference: '-3', slips: 2 }])
  })

  test('compares the cards of a round', async () => {
    const other = { result: { code: '1', cardInfo: 'KS8H' } }
    const { result } = await settled(await aBookOf([tiger('a'), tiger('b'), tiger('c', other)]))
    expect(result.findings.map(({ slipId, fields }) => [slipId, fields])).toEqual([
      ['c', [{ field: 'result.cardInfo', platform: '1 KS8H', rules: '1 KS7H', difference: null }]],
    ])
    expect(result.totals).toEqual([])
  })

  test('is inconclusive by one slip that may be of another day, or that cannot be read', async () => {
    const later = { rev: 2, status: 'recalculated', delta: '0' } as const
    const headless = await settled(await aBookOf([tiger('a'), tiger('b', { ...later, roundId: 'R2' })]))
    expect(headless.result).toMatchObject({ verdict: 'cannot-conclude', reasons: [{ code: 'FIRST_REVISION_MISSING' }] })
    const late = await settled(await aBookOf([tiger('a')]), { now: Date.UTC(2026, 2, 10, 20) })
    expect(late.result).toMatchObject({ verdict: 'cannot-conclude', notChecked: [], reasons: [{}] })
    const book = await aBookOf([aSlip('n', {})])
    await writeRows(book, [
      { ...toRow(tiger('b'), 8), record: '{' },
      { ...toRow(aSlip('m', {}), 9), record: '{' },
    ])
    const { result } = await settled(book)
    expect(result).toMatchObject({ verdict: 'cannot-conclude', unchecked: 2, reasons: [] })
    expect(result.notChecked).toMatchObject([{ reason: 'RECORD_UNREADABLE', slips: 2 }])
  })

  test('adds up the unchecked slips of all games', async () => {
    const game = { ...tiger('b'), game: 'roulette' } as unknown as BetRecord
    const { result } = await settled(await aBookOf([game, { ...aSlip('n', {}), variant: 'x' } as unknown as BetRecord]))
    expect([result.unchecked, result.games.map(({ unchecked }) => unchecked)]).toEqual([2, [1, 1]])
  })

  test('settles a table by its stated settings, unless they are forgotten', async () => {
    const book = await aBookOf([aSlip('a', taxed)])
    await book.store.write((tx) => stateSettings(tx, new Map([['NN-09', taxed]]), 'dana'))
    const verdict = async (stated?: Map<string, TableSettings | null>) =>
      (await settled(book, stated === undefined ? {} : { stated })).result.verdict
    expect([await verdict(), await verdict(new Map([['NN-09', null]]))]).toEqual(['balanced', 'differences'])
    expect(await verdict(new Map([['NN-09', { commission: '0.04' }]]))).toBe('differences')
    const three = await aBookOf(['a', 'b', 'c'].map((slipId) => aSlip(slipId, taxed)))
    const wrong = async (commission: string) =>
      (await settled(three, { stated: new Map([['NN-09', { commission }]]) })).result.wrong
    expect([await wrong('0.04'), await wrong('0.05')]).toEqual([3, 0])
  })

  describe('of a table that is not decided reads slips of other days', () => {
    const yesterday = { settledAt: '2026-03-09T12:00:00.000Z' }
    const agreed = async (places: readonly (readonly [place: number, record: BetRecord])[]) => {
      const book = await aBookOf([aSlip('a', taxed)])
      await writeRows(
        book,
        places.map(([place, record]) => toRow({ ...record, ...yesterday }, place)),
      )
      const { tables, slips } = (await settled(book)).result
      expect(slips).toBe(1)
      return tables.map(({ settings, slips: agreeing }) => [settings, agreeing])
    }
    const yes = [['commission=0.05', 1]]

    test('each once, and none of the day', async () => {
      const two = await settled(await aBookOf(['a', 'b'].map((slipId) => aSlip(slipId, taxed))))
      expect([two.result.wrong, two.result.tables]).toEqual([2, []])
      const b = aSlip('b', taxed)
      const later = { ...b, rev: 2, status: 'recalculated', delta: '0' } as const
      expect(
        await agreed([
          [2, b],
          [3, later],
        ]),
      ).toEqual([])
    })

    test('up to 200,000 records back', async () => {
      const [b, c, last] = [aSlip('b', taxed), aSlip('c', taxed), tiger('z')]
      const from = (first: number) =>
        agreed([
          [first, b],
          [100_003, c],
          [300_001, last],
        ])
      expect([await from(100_002), await from(100_001)]).toEqual([yes, []])
    })

    test('and the latest 300 of the table', async () => {
      const lost = aSlip('f', {}, {}, 'P2E')
      const behind = (count: number) =>
        agreed([
          ...[2, 3].map((place) => [place, aSlip(`h${place}`, taxed)] as const),
          ...Array.from({ length: count }, (_, i) => [i + 4, { ...lost, slipId: `f${i}` }] as const),
        ])
      expect([await behind(298), await behind(299)]).toEqual([yes, []])
    })
  })
})
