import { describe, expect, test } from 'vitest'
import { recordedOf } from '../../../../src/operator/reconcile/settlement/recorded-row.ts'
import { readSlip, settleRound } from '../../../../src/operator/reconcile/settlement/rounds.ts'
import { DayTally, namesOfSlip } from '../../../../src/operator/reconcile/settlement/tally.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aRecord, toRow } from '../../book-rows.ts'

/** Stored rows as input of the settlement, round by round. */

const units = (amount: number) => BigInt(amount) * 10_000n

describe('a stored row', () => {
  const row = (over: object = {}) => toRow({ ...aRecord(), ...over } as BetRecord, 1)
  const read = (over: object) => recordedOf(row(over))

  test('is read with its figures, its result and what its legs lack', () => {
    const bets = [
      { zone: 'P1E', amount: '1', return: '2' },
      { zone: 'P1D', amount: '1', return: '0', hold: '2', mult: 3 },
    ]
    const result = { code: '05000', cardInfo: 'x', hands: { B: 1 }, winners: { P1: 'P' } }
    const figures = {
      stake: '2',
      hold: '2',
      validStake: '3',
      rolling: '4',
      payout: '5',
      winLoss: '6',
      delta: '7',
      rake: '8',
    }
    expect(read({ ...figures, game: 'niuniu', variant: 'standard', bets, result, onsite: true })).toEqual({
      ...{
        slipId: 'S1',
        rev: 1,
        status: 'settled',
        username: 'amy',
        currency: 'USD',
        tableId: 'BAC-01',
        roundId: 'R1',
      },
      ...{ settledAt: Date.UTC(2026, 2, 10, 12), isOnsite: true, game: 'niuniu', variant: 'standard', ...result },
      ...Object.fromEntries(Object.entries(figures).map(([name, amount]) => [name, units(Number(amount))])),
      legs: [
        { zone: 'P1E', amount: units(1), return: units(2), hold: null, mult: null },
        { zone: 'P1D', amount: units(1), return: 0n, hold: units(2), mult: 3 },
      ],
    })
  })

  test.each([
    ['a result that is no object', { result: 'none' }],
    ['no result', { result: null }],
    ['a code that is no text', { result: { code: 1, cardInfo: '' } }],
    ['no cards', { result: { code: '' } }],
    ['an unreadable amount', { stake: 'x' }],
    ['an unknown status', { status: 'paused' }],
  ])('with %s is unreadable', (_, over) => {
    expect(read(over)).toEqual({ unreadable: 'RECORD_UNREADABLE' })
  })

  test('with a record of another key, or of no record, is unreadable', () => {
    for (const change of [{ slip_id: 'S2' }, { rev: 2 }, { record: '{' }])
      expect(recordedOf({ ...row(), ...change })).toEqual({ unreadable: 'RECORD_UNREADABLE' })
  })

  test.each([{ game: 'roulette' }, { variant: 'standard' }])('of %j has no rules', (over) => {
    expect(read(over)).toEqual({ unreadable: 'GAME_UNKNOWN' })
  })

  test('that cannot be read has the names of its record for the lists', () => {
    const bad = { ...row(), rev: 2 }
    expect(namesOfSlip(readSlip([bad, { ...row({ game: 'niuniu', variant: 'standard' }) }]))).toMatchObject({
      game: 'niuniu',
    })
    expect(namesOfSlip(readSlip([bad]))).toEqual({ game: 'baccarat', variant: 'classic', tableId: 'BAC-01' })
    expect(namesOfSlip(readSlip([{ ...row(), record: '{' }]))).toEqual({ game: '', variant: '', tableId: '' })
    expect([readSlip([]).slipId, namesOfSlip(readSlip([]))]).toEqual(['', { game: '', variant: '', tableId: '' }])
  })
})

/** A slip that lost 10 on the tiger: the dragon has a king, the tiger a seven. */
const aSlip = (over: Partial<BetRecord> = {}): BetRecord =>
  aRecord({
    ...{ game: 'dragontiger', variant: 'standard', tableId: 'DT-01', rolling: '10', validStake: '10' },
    ...{ bets: [{ zone: 'TG', amount: '10', return: '0' }], result: { code: '1', cardInfo: 'KS7H' } },
    ...over,
  })

const slipOf = (...records: readonly BetRecord[]) => readSlip(records.map((record) => toRow(record, 1)))
const cards = (cardInfo: string) => ({ result: { code: '1', cardInfo } })

/** The outcome of each revision of each slip: why it is unchecked, or which fields differ. */
const outcomesOf = (...slips: readonly ReturnType<typeof slipOf>[]) =>
  settleRound(slips, {}).map(({ outcomes }) =>
    outcomes.map(({ differences, unchecked }) => unchecked ?? differences.map(({ field }) => field).join()),
  )

describe('the slips of a round', () => {
  test('are settled each with all its revisions', () => {
    const other = aSlip({ slipId: 'S2', rev: 2, status: 'recalculated', rolling: '9', delta: '0' })
    expect(outcomesOf(slipOf(aSlip()), slipOf(aSlip({ slipId: 'S2' }), other))).toEqual([[''], ['', 'rolling']])
  })

  test.each([
    ['is not in the book', [aSlip({ rev: 3, status: 'recalculated' })], ['REVISION_MISSING']],
    ['is an earlier one', [aSlip(), aSlip({ rev: 3, status: 'recalculated' })], ['', 'REVISION_MISSING']],
  ])('are not proven if the revision before %s', (_, revisions, outcomes) => {
    expect(outcomesOf(slipOf(...revisions))).toEqual([outcomes])
  })

  test('are not proven if the revision before, or they themselves, cannot be read', () => {
    const [bad, second] = [toRow(aSlip(), 1), toRow(aSlip({ rev: 2, status: 'recalculated' }), 2)]
    expect(outcomesOf(readSlip([{ ...bad, record: '{' }, second]))).toEqual([['RECORD_UNREADABLE', 'REVISION_MISSING']])
  })

  test('have the cards of the majority, and others are different', () => {
    const [one, two, other] = ['S1', 'S2', 'S3'].map((slipId) => aSlip({ slipId }))
    const wrong = { ...(other as BetRecord), ...cards('KS8H') }
    expect(outcomesOf(...[one, two, wrong].map((each) => slipOf(each as BetRecord)))).toEqual([
      [''],
      [''],
      ['result.cardInfo'],
    ])
    expect(outcomesOf(...[wrong, two, one].map((each) => slipOf(each as BetRecord)))[0]).toEqual(['result.cardInfo'])
  })

  test('that cannot be read have no cards to compare', () => {
    const bad = readSlip([{ ...toRow(aSlip({ slipId: 'S3' }), 3), record: '{' }])
    expect(outcomesOf(slipOf(aSlip()), slipOf(aSlip({ slipId: 'S2' })), bad)).toEqual([
      [''],
      [''],
      ['RECORD_UNREADABLE'],
    ])
  })

  test('have no cards for certain without a majority', () => {
    const slips = ['KS7H', 'KS8H', 'KS9H', 'KS7H'].map((cardInfo, i) =>
      slipOf(aSlip({ slipId: `S${i}`, ...cards(cardInfo) })),
    )
    expect(outcomesOf(...slips)).toEqual(Array(4).fill(['CARDS_DISAGREE']))
    expect(outcomesOf(...slips.slice(0, 2))).toEqual(Array(2).fill(['CARDS_DISAGREE']))
  })

  test('that are wrong in other figures stay wrong in those', () => {
    const wrong = slipOf(aSlip({ slipId: 'S3', rolling: '9', ...cards('KS8H') }))
    expect(outcomesOf(slipOf(aSlip()), slipOf(aSlip({ slipId: 'S2' })), wrong)[2]).toEqual(['rolling'])
  })

  test('that are voided have no cards to compare', () => {
    const voided: Partial<BetRecord> = { status: 'void', rev: 2, bets: [{ zone: 'TG', amount: '10', return: '10' }] }
    const back = { payout: '10', winLoss: '0', validStake: '0', rolling: '0', delta: '10' }
    const slip = slipOf(aSlip({ slipId: 'S2' }), aSlip({ slipId: 'S2', ...voided, ...back }))
    const corrected = aSlip({ rev: 2, status: 'recalculated', delta: '0', ...cards('KS8H') })
    expect(outcomesOf(slipOf(aSlip(), corrected), slip)).toEqual([
      ['', ''],
      ['', ''],
    ])
  })
})

test('a voided seat of a no-limit hand is settled by itself', () => {
  const hand = {
    game: 'holdem',
    variant: 'nlhe',
    tableId: 'HE-03',
    rake: '0',
    result: { code: 'lose', cardInfo: '' },
  } as const
  const bets = (back: string) => [{ zone: 'POT', amount: '10', return: back }]
  const back = { payout: '10', winLoss: '0', validStake: '0', delta: '10', status: 'void', rev: 2 } as const
  const voided = (rolling: string) =>
    outcomesOf(
      slipOf(aSlip({ ...hand, bets: bets('0') }), aSlip({ ...hand, ...back, rolling, bets: bets('10') })),
    )[0]?.[1]
  expect([voided('0'), voided('1')].map((fields) => fields?.includes('rolling'))).toEqual([false, true])
})

describe('the tally of a day', () => {
  const tallyOf = (watched: readonly string[], ...slips: readonly ReturnType<typeof slipOf>[]) => {
    const tally = new DayTally(new Map([['DT-02', { commission: '0.05' }]]), new Set(watched))
    for (const slip of slips) for (const settled of settleRound([slip], {})) tally.add(settled)
    tally.conclude()
    return tally
  }
  const wrong = { rolling: '9' }
  const headless = { rev: 2, status: 'recalculated' } as const

  test('counts slips and revisions by game, and the wrong ones once', () => {
    const revised = aSlip({ slipId: 'S2', rev: 2, status: 'recalculated', ...wrong, delta: '0' })
    const tally = tallyOf(
      [],
      ...[
        slipOf(aSlip()),
        slipOf(aSlip({ slipId: 'S2', ...wrong }), revised),
        slipOf(aSlip({ slipId: 'S3', ...headless })),
      ],
    )
    expect([tally.slips, tally.revisions, tally.wrong.map(({ slip }) => slip.slipId)]).toEqual([3, 4, ['S2']])
    expect([...tally.games.values()]).toEqual([
      { game: 'dragontiger', variant: 'standard', slips: 3, revisions: 4, wrong: 1, unchecked: 1 },
    ])
  })

  test('names 20 slips of a reason, and counts all', () => {
    const tally = tallyOf([], ...Array.from({ length: 21 }, (_, i) => slipOf(aSlip({ slipId: `S${i}`, ...headless }))))
    const reason = tally.unchecked.get('REVISION_MISSING')
    expect(reason).toMatchObject({ slips: 21, examples: Array.from({ length: 20 }, (_, i) => `S${i}`) })
    expect([...(reason?.tables ?? [])]).toEqual(['DT-01'])
  })

  test('clears the watched slips that were checked completely', () => {
    const slips = [
      aSlip(),
      aSlip({ slipId: 'S2' }),
      aSlip({ slipId: 'S3', ...headless }),
      aSlip({ slipId: 'S4', ...wrong }),
    ]
    expect([...tallyOf(['S1', 'S3'], ...slips.map((each) => slipOf(each))).cleared]).toEqual(['S1'])
  })

  test('names the stated settings of a table once', () => {
    const slips = ['S1', 'S2'].map((slipId) => slipOf(aSlip({ slipId, tableId: 'DT-02' })))
    expect(tallyOf([], ...slips).tables).toEqual([
      { tableId: 'DT-02', settings: { commission: '0.05' }, from: 'stated', slips: 0 },
    ])
  })
})
