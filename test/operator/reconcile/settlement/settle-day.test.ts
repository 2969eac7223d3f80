import { describe, expect, test } from 'vitest'
import type { TableSettings } from '../../../../src/domain/games/game.ts'
import { formatUnits, parseAmount, playerScale } from '../../../../src/domain/money.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { playedRecords } from './played-records.ts'
import { aBookOf, date, settled, settledDays } from './settled-days.ts'

const timeoutMs = 240_000

let records: BetRecord[] = []
/** A test on the played days. They are played in the first test, because a world closes with its test. */
const testDay = (title: string, work: () => Promise<void>) =>
  test(
    title,
    async () => {
      records = await playedRecords()
      await work()
    },
    timeoutMs,
  )

const plus = (text: string, by: bigint) => formatUnits(parseAmount(text) + by * 10_000n, playerScale)
const isOfDay = (record: BetRecord) => record.settledAt.startsWith(date) && record.rev === 1

/** Stated settings of the tables that do not have the defaults. */
const stated = new Map<string, TableSettings>([
  ['NN-02', { specialHands: true }],
  ['NN-05', { commission: '0.05' }],
  ['NN-06', { holdFactor: 3 }],
])

/** Changes the payout of a leg, with every dependent figure, so that the slip does not contradict itself. */
function repaid(record: BetRecord, zone: string, by: bigint): BetRecord {
  return {
    ...record,
    bets: record.bets.map((leg) => (leg.zone === zone ? { ...leg, return: plus(leg.return, by) } : leg)),
    payout: plus(record.payout, by),
    winLoss: plus(record.winLoss, by),
    delta: plus(record.delta, by),
  }
}

type Plant = readonly [name: string, find: (record: BetRecord) => boolean, change: (record: BetRecord) => BetRecord]

const won = (record: BetRecord, zone: string) =>
  record.bets.some((leg) => leg.zone === zone && parseAmount(leg.return) > parseAmount(leg.amount))
const lost = (record: BetRecord, zone: string) => record.bets.some((leg) => leg.zone === zone && leg.return === '0')
const is = (record: BetRecord, variant: string, tableId?: string) =>
  record.variant === variant && record.status === 'settled' && (tableId === undefined || record.tableId === tableId)
const legOf = (record: BetRecord, zone: RegExp) => record.bets.find((leg) => zone.test(leg.zone))

/** One error of every kind, each in the figures of one slip. */
const plants: readonly Plant[] = [
  [
    'a banker win without commission',
    (record) => is(record, 'classic') && won(record, 'B'),
    (record) => {
      const amount = parseAmount(legOf(record, /^B$/)?.amount ?? '0')
      const units = amount - (amount * 95n) / 100n
      const more = (text: string) => formatUnits(parseAmount(text) + units, playerScale)
      return {
        ...record,
        bets: record.bets.map((leg) => (leg.zone === 'B' ? { ...leg, return: more(leg.return) } : leg)),
        payout: more(record.payout),
        winLoss: more(record.winLoss),
        delta: more(record.delta),
      }
    },
  ],
  [
    'a banker win of the no-commission game',
    (record) => is(record, 'nocomm') && won(record, 'B'),
    (record) => repaid(record, 'B', -1n),
  ],
  [
    'a pair that is not paid',
    (record) => record.game === 'baccarat' && record.status === 'settled' && (won(record, 'PP') || won(record, 'BP')),
    (record) => {
      const zone = won(record, 'PP') ? 'PP' : 'BP'
      const returned = parseAmount(legOf(record, new RegExp(`^${zone}$`))?.return ?? '0')
      return repaid(record, zone, -returned / 10_000n)
    },
  ],
  [
    'a valid stake',
    (record) => is(record, 'classic'),
    (record) => ({ ...record, validStake: plus(record.validStake, 1n) }),
  ],
  [
    'a dragon win',
    (record) => is(record, 'standard', 'DT-01') && won(record, 'D'),
    (record) => repaid(record, 'D', 1n),
  ],
  [
    'a rolling',
    (record) => is(record, 'standard', 'DT-02'),
    (record) => ({ ...record, rolling: plus(record.rolling, 1n) }),
  ],
  ['an ante', (record) => is(record, 'casino') && won(record, 'ANTE'), (record) => repaid(record, 'ANTE', 1n)],
  [
    'a call that is kept',
    (record) => is(record, 'casino') && won(record, 'CALL'),
    (record) => repaid(record, 'CALL', -1n),
  ],
  ['an AA bet', (record) => is(record, 'casino') && lost(record, 'AAB'), (record) => repaid(record, 'AAB', 8n)],
  ['a bonus bet', (record) => is(record, 'thbp') && lost(record, 'BONUS'), (record) => repaid(record, 'BONUS', 4n)],
  ['a flop bet', (record) => is(record, 'thbp') && won(record, 'FLOP'), (record) => repaid(record, 'FLOP', -2n)],
  [
    'a hold',
    (record) => is(record, 'standard', 'NN-01') && legOf(record, /D$/) !== undefined,
    (record) => {
      const leg = legOf(record, /D$/)
      const [amount, hold] = [leg?.amount ?? '0', parseAmount(leg?.hold ?? '0')]
      const less = (text: string) => formatUnits(parseAmount(text) - hold + parseAmount(amount), playerScale)
      return {
        ...record,
        bets: record.bets.map((each) => (each === leg ? { ...each, hold: amount, return: less(each.return) } : each)),
        hold: less(record.hold ?? '0'),
        payout: less(record.payout),
        delta: less(record.delta),
      }
    },
  ],
  [
    'a multiplier',
    (record) => is(record, 'standard', 'NN-01') && record.bets.some((leg) => leg.mult === 1 && leg.return > leg.amount),
    (record) => {
      const leg = record.bets.find((each) => each.mult === 1)
      const changed = repaid(record, leg?.zone ?? '', 1n)
      return { ...changed, bets: changed.bets.map((each) => (each.zone === leg?.zone ? { ...each, mult: 2 } : each)) }
    },
  ],
  [
    'a commission of Niu Niu',
    (record) =>
      is(record, 'standard', 'NN-05') &&
      record.bets.some((leg) => /E$/.test(leg.zone) && parseAmount(leg.return) > parseAmount(leg.amount)),
    (record) => {
      const leg = record.bets.find(
        (each) => /E$/.test(each.zone) && parseAmount(each.return) > parseAmount(each.amount),
      )
      return repaid(record, leg?.zone ?? '', 1n)
    },
  ],
  [
    'a commission at a table without',
    (record) =>
      is(record, 'standard', 'NN-01') &&
      record.bets.some((leg) => /E$/.test(leg.zone) && parseAmount(leg.return) > parseAmount(leg.amount)),
    (record) => {
      const leg = record.bets.find(
        (each) => /E$/.test(each.zone) && parseAmount(each.return) > parseAmount(each.amount),
      )
      return repaid(record, leg?.zone ?? '', -1n)
    },
  ],
  [
    'a code',
    (record) => is(record, 'nocomm'),
    (record) => ({ ...record, result: { ...record.result, code: record.result.code === '2' ? '1' : '2' } }),
  ],
  [
    'a void that returns too little',
    (record) => record.status === 'void' && record.game === 'dragontiger',
    (record) => repaid(record, record.bets[0]?.zone ?? '', -1n),
  ],
  [
    'a void that keeps the hold',
    (record) => record.status === 'void' && record.game === 'niuniu' && (record.hold ?? '0') !== '0',
    (record) => {
      const leg = legOf(record, /D$/)
      return repaid(record, leg?.zone ?? '', -parseAmount(leg?.hold ?? '0') / 10_000n)
    },
  ],
  ['a void that counts', (record) => record.status === 'void', (record) => ({ ...record, rolling: '1' })],
  [
    'a correction that changes the wrong amount',
    (record) => record.status === 'recalculated',
    (record) => ({ ...record, delta: plus(record.delta, 1n) }),
  ],
  [
    'the rolling of a lost no-limit hand',
    (record) => is(record, 'nlhe') && record.result.code === 'lose',
    (record) => ({ ...record, rolling: plus(record.rolling, -1n) }),
  ],
]

/** Applies each error to a different slip, and returns their IDs by error. */
function planted(some: readonly Plant[]) {
  const taken = new Map<string, string>()
  const changed = new Map<BetRecord, BetRecord>()
  // A slip with later revisions would be wrong in those too.
  const latest = new Map(records.map((record) => [record.slipId, record.rev]))
  for (const [name, find, change] of some) {
    const record = records.find((each) => latest.get(each.slipId) === each.rev && !taken.has(each.slipId) && find(each))
    if (!record) throw new Error(`no slip for ${name}`)
    taken.set(record.slipId, name)
    changed.set(record, change(record))
  }
  return { taken, all: records.map((record) => changed.get(record) ?? record) }
}

testDay('the played days have slips of every status', async () => {
  expect(new Set(records.map(({ status }) => status))).toEqual(new Set(['settled', 'recalculated', 'void']))
})

describe('a day with slips of every game, corrections and voids', () => {
  testDay('is balanced when the platform settled every slip by the rules, and says what it checked', async () => {
    const book = await aBookOf(records)
    const { result } = await settled(book, { stated })
    expect(result.findings).toEqual([])
    expect(result).toMatchObject({ verdict: 'balanced', wrong: 0, unchecked: 0, notChecked: [], reasons: [] })
    expect(result.slips).toBeGreaterThan(1200)
    expect(result.games.map(({ variant }) => variant).sort()).toEqual(
      ['casino', 'classic', 'nlhe', 'nocomm', 'standard', 'standard', 'thbp'].sort(),
    )
  })

  testDay('finds every planted error and no other', async () => {
    const { taken, all } = planted(plants)
    const { days, findings } = await settledDays(await aBookOf(all), { stated })
    const found = [...new Set(findings.map(({ slipId }) => slipId))]
    expect(found.map((slipId) => taken.get(slipId)).sort()).toEqual([...taken.values()].sort())
    expect(days.reduce((sum, { wrong }) => sum + wrong, 0)).toBe(plants.length)
    expect(days.every(({ verdict, wrong }) => (verdict === 'differences') === wrong > 0)).toBe(true)
    for (const { fields, message } of findings) {
      expect(fields.length).toBeGreaterThan(0)
      expect(message).toContain('by the rules')
    }
  })

  testDay('finds them without stated settings too, and leaves only the unstated commission open', async () => {
    const { taken, all } = planted(plants)
    const { days, findings } = await settledDays(await aBookOf(all))
    expect(new Set(findings.map(({ slipId }) => slipId))).toEqual(new Set(taken.keys()))
    const unstated = days.flatMap(({ notChecked }) =>
      notChecked.filter(({ reason }) => reason === 'TABLE_RULES_UNSTATED'),
    )
    expect(new Set(unstated.flatMap(({ tables }) => tables))).toEqual(new Set(['NN-05']))
    expect(new Set(days.flatMap(({ tables }) => tables.map(({ tableId, from }) => `${tableId} ${from}`)))).toEqual(
      new Set(['NN-02 slips', 'NN-05 slips', 'NN-06 slips']),
    )
  })

  testDay('is inconclusive, not balanced, while a commission is not stated', async () => {
    const { result } = await settled(await aBookOf(records))
    expect(result.findings).toEqual([])
    expect(result.verdict).toBe('cannot-conclude')
    expect(result.next).toContain(
      `If NN-05 is agreed to be commission=0.05, state it: countroom reconcile settlement ${date} --rule NN-05:commission=0.05`,
    )
  })

  testDay('is different where the stated commission is another one', async () => {
    const { result } = await settled(await aBookOf(records), {
      stated: new Map([...stated, ['NN-05', { commission: '0.04' }]]),
    })
    expect(result.verdict).toBe('differences')
    expect(new Set(result.findings.map(({ tableId }) => tableId))).toEqual(new Set(['NN-05']))
  })
})

describe('no-limit hands', () => {
  testDay('whose seats are not all in the book are not checked completely', async () => {
    const winner = records.find((record) => isOfDay(record) && is(record, 'nlhe') && record.result.code === 'win')
    const { result } = await settled(await aBookOf(records.filter(({ slipId }) => slipId !== winner?.slipId)), {
      stated,
    })
    expect(result.findings).toEqual([])
    expect(result.verdict).toBe('cannot-conclude')
    expect(result.notChecked.map(({ reason }) => reason)).toEqual(['SEATS_UNKNOWN'])
    expect(result.unchecked).toBe(result.notChecked[0]?.slips)
  })

  testDay('with a rake unlike that of the other hands of the table are different', async () => {
    const winner = records.find(
      (record) =>
        isOfDay(record) && is(record, 'nlhe') && record.result.code === 'win' && parseAmount(record.rake ?? '0') > 0n,
    )
    const all = records.map((record) =>
      record.slipId === winner?.slipId
        ? { ...repaid(record, 'none', -1n), rake: plus(record.rake ?? '0', 1n) }
        : record,
    )
    const { result } = await settled(await aBookOf(all), { stated })
    expect(result.findings.map(({ slipId }) => slipId)).toEqual([winner?.slipId])
    expect(result.findings[0]?.fields.map(({ field }) => field).sort()).toEqual(['delta', 'payout', 'rake', 'winLoss'])
  })

  testDay('are not checked when all of them have another rake, and checked once it is stated', async () => {
    const { result } = await settled(await aBookOf(records), {
      stated: new Map([...stated, ['HE-03', { rakeRate: '0.04' }]]),
    })
    expect(result.verdict).toBe('differences')
    expect(new Set(result.findings.map(({ tableId }) => tableId))).toEqual(new Set(['HE-03']))
  })
})

describe('unreadable and missing records', () => {
  testDay('is counted, and the day is not balanced', async () => {
    const book = await aBookOf(records)
    const slip = records.find((record) => isOfDay(record) && record.game === 'baccarat')
    await book.store.write(({ q }) =>
      q
        .updateTable('book_revisions')
        .set({ record: '{' })
        .where('slip_id', '=', slip?.slipId ?? '')
        .execute(),
    )
    const { result } = await settled(book, { stated })
    expect(result).toMatchObject({ verdict: 'cannot-conclude', unchecked: 1 })
    expect(result.notChecked).toMatchObject([{ reason: 'RECORD_UNREADABLE', slips: 1, examples: [slip?.slipId] }])
  })

  testDay('a day that is not over, or not read past its end, is not balanced', async () => {
    const book = await aBookOf(records.filter(({ settledAt }) => settledAt < '2026-03-10T20'))
    await book.store.write(({ q }) =>
      q
        .updateTable('book_position')
        .set({ cursor: '202603.9', caught_up_at: Date.UTC(2026, 2, 10, 20) })
        .execute(),
    )
    const { result } = await settled(book, { stated, now: Date.UTC(2026, 2, 10, 20) })
    expect(result.verdict).toBe('cannot-conclude')
    expect(result.reasons.map(({ code }) => code)).toEqual(['DAY_NOT_OVER', 'BOOK_BEHIND'])
  })
})
