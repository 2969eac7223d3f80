import { describe, expect, test } from 'vitest'
import { type DayRule, dayBases } from '../../../../src/domain/reconcile/day-rules.ts'
import { dayEnd, dayStart } from '../../../../src/domain/time/day.ts'
import type { Book } from '../../../../src/operator/book/book.ts'
import {
  type BoundaryOptions,
  countDay,
  searchBoundary,
} from '../../../../src/operator/reconcile/daily/day-boundary.ts'
import { keepDayRule, rememberedRule, shownRule } from '../../../../src/operator/reconcile/daily/day-rule.ts'
import type { Reconciled } from '../../../../src/operator/reconcile/daily/types.ts'
import { figureTexts } from '../../../../src/operator/reconcile/periods/figures.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aBook, reading, writeSlips } from '../../book-rows.ts'

const date = '2026-03-10'
const rules = dayBases.map((basis): DayRule => ({ basis, zone: 'UTC' }))

/** Counts of the day by each basis, in UTC. */
async function counted(...records: readonly Partial<BetRecord>[]) {
  const book = await aBook()
  await writeSlips(book, ...records)
  return countDay(book, date, rules)
}

describe('a day counted by several rules', () => {
  test('has the slips settled or revised from its first to its last millisecond', async () => {
    const days = await counted(
      { slipId: 'within' },
      { slipId: 'before', settledAt: '2026-03-09T12:00:00.000Z' },
      { slipId: 'before', rev: 2, payout: '5', delta: '5', settledAt: '2026-03-10T00:00:00.000Z' },
      { slipId: 'after', settledAt: '2026-03-10T23:59:59.999Z' },
      { slipId: 'after', rev: 2, payout: '7', delta: '7', settledAt: '2026-03-11T00:00:00.000Z' },
    )
    const figures = days.map(({ slips, players }) => [slips, players.get('amy')?.figures.payout])
    expect(figures).toEqual([
      [2, 70_000n],
      [2, 50_000n],
      [3, 50_000n],
    ])
  })

  test('has each player with the name and currency of the first slip', async () => {
    const [day] = await counted(
      { username: 'Amy' },
      { slipId: 'S2', username: 'Amy' },
      { slipId: 'S3', username: 'bob' },
    )
    expect([...(day?.players ?? [])]).toMatchObject([
      ['amy', { player: 'amy', username: 'Amy', currency: 'USD', figures: { slips: 2n, stake: 200_000n } }],
      ['bob', { player: 'bob', username: 'bob', currency: 'USD', figures: { slips: 1n } }],
    ])
  })

  test('is unknown by each revision if the one before a revision is not in the book', async () => {
    const days = await counted({ rev: 2, payout: '5' })
    expect(days.map(({ rule, slips, isUnknown }) => [rule.basis, slips, isUnknown])).toEqual([
      ['first-settlement', 1, false],
      ['latest-revision', 1, false],
      ['each-revision', 1, true],
    ])
  })
})

test('a slip whose first known revision is of a later day counts on the day it was placed', async () => {
  const days = await counted({ rev: 2, placedAt: '2026-03-10T23:59:30.000Z', settledAt: '2026-03-11T00:10:00.000Z' })
  expect(days.map(({ rule, slips }) => [rule.basis, slips])).toEqual([
    ['first-settlement', 1],
    ['latest-revision', 0],
    ['each-revision', 0],
  ])
})

/** The message for a day whose slip was revised on the next day without another figure, if these figures are reported. */
async function messageOf(reported: BoundaryOptions['reported'], used: DayRule['basis']) {
  const book = await aBook()
  await writeSlips(book, {}, { rev: 2, status: 'recalculated', settledAt: '2026-03-11T12:00:00.000Z' })
  const covered = { from: 0, to: Number.POSITIVE_INFINITY }
  const order = { date, timezone: 'UTC', used: { basis: used, zone: 'UTC' }, reported, reportedZone: 'UTC', covered }
  return (await searchBoundary(book, order)).message
}

test('the rules that give the figures are named, with those that differ more from the document', async () => {
  const [day] = await counted({})
  const reported = [...(day?.players.values() ?? [])].map(({ username, figures }) => {
    return { username, figures, texts: figureTexts(figures) as BoundaryOptions['reported'][number]['texts'] }
  })
  expect(await messageOf(reported, 'latest-revision')).toBe(
    "every figure is the platform's if slips count by first settlement, in UTC (24 hours), not by latest revision, in UTC; so do by each revision, in UTC, which differ more from the document",
  )
  expect(await messageOf([], 'first-settlement')).toBe(
    "every figure is the platform's if slips count by latest revision, in UTC (24 hours), not by first settlement, in UTC",
  )
})

test('a day that begins and ends where the book does is complete, and every rule that fits is named', async () => {
  const book = await aBook()
  const span = { from: dayStart(date, 'UTC'), to: dayEnd(date, 'UTC') }
  const order = { date, timezone: 'UTC', used: { basis: 'each-revision', zone: 'Asia/Taipei' }, reported: [] } as const
  const { candidates, match, message } = await searchBoundary(book, { ...order, reportedZone: 'UTC', covered: span })
  expect(candidates.map(({ basis, timezone, isComplete, matches }) => [basis, timezone, isComplete, matches])).toEqual([
    ...dayBases.map((basis) => [basis, 'UTC', true, true]),
    ...dayBases.map((basis) => [basis, 'Asia/Taipei', false, false]),
  ])
  expect(match).toEqual({ basis: 'first-settlement', timezone: 'UTC' })
  expect(message).toBe(
    "every figure is the platform's if slips count by first settlement, in UTC (24 hours), not by each revision, in Asia/Taipei; so do by latest revision, in UTC, and by each revision, in UTC, which differ more from the document",
  )
  for (const covered of [
    { ...span, from: span.from + 1 },
    { ...span, to: span.to - 1 },
  ])
    expect((await searchBoundary(book, { ...order, reportedZone: 'UTC', covered })).match).toBeNull()
})

test('a day whose change is unknown is not complete by each revision', async () => {
  const book = await aBook()
  await writeSlips(book, { rev: 2 })
  const covered = { from: 0, to: Number.POSITIVE_INFINITY }
  const used = { basis: 'first-settlement', zone: 'UTC' } as const
  const order = { date, timezone: 'UTC', used, reported: [], reportedZone: 'UTC', covered }
  const { candidates } = await searchBoundary(book, order)
  expect(candidates.map(({ isComplete }) => isComplete)).toEqual([true, true, false])
})

describe('the rule that is remembered after a run', () => {
  const utc: DayRule = { basis: 'each-revision', zone: 'UTC' }
  const ofDay = (day: string, match: { basis: DayRule['basis']; timezone: string } | null) =>
    ({ result: { date: day, boundary: { match } }, lines: [], lastPlace: 0 }) as unknown as Reconciled
  const timezone = 'Asia/Taipei'
  const matched = { basis: utc.basis, timezone: utc.zone }
  const keepShown = async (book: Book, days: readonly Reconciled[], rule?: DayRule) => {
    const shown = shownRule(days, rule)
    return shown && keepDayRule(book, shown, { by: 'dana', timezone })
  }

  test('is the one that the run was given, with its first day', async () => {
    const book = await aBook()
    const keep = (rule: DayRule, ...days: Reconciled[]) => keepShown(book, days, rule)
    const days = [ofDay('2026-03-10', null), ofDay('2026-03-11', { basis: 'latest-revision', timezone })]
    expect(await keep(utc)).toBeNull()
    expect(await keep(utc, ...days)).toBe('each-revision@UTC')
    expect(await reading(book, rememberedRule)).toMatchObject({ ...matched, date: '2026-03-10', decided_by: 'dana' })
    expect(await keep(utc, ...days)).toBeNull()
    expect(await keep({ basis: 'first-settlement', zone: timezone }, ...days)).toBe('documented')
    expect(await reading(book, rememberedRule)).toBeUndefined()
  })

  test('is otherwise the one of the last day that showed one', async () => {
    const book = await aBook()
    const keep = (...days: Reconciled[]) => keepShown(book, days)
    expect(await keep(ofDay('2026-03-10', null))).toBeNull()
    const shown = [ofDay('2026-03-10', { basis: 'latest-revision', timezone }), ofDay('2026-03-11', matched)]
    expect(await keep(...shown, ofDay('2026-03-12', null))).toBe('each-revision@UTC')
    expect(await reading(book, rememberedRule)).toMatchObject({ ...matched, date: '2026-03-11' })
  })
})
