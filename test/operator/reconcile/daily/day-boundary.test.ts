import { describe, expect, test } from 'vitest'
import type { SlipHistory } from '../../../../src/domain/bets/slip-history.ts'
import { byField, type DayFigures, fieldText, noFigures, plus } from '../../../../src/domain/reconcile/daily.ts'
import {
  contributionOf,
  type DayBasis,
  type DayRule,
  parseDayRule,
} from '../../../../src/domain/reconcile/day-rules.ts'
import { dayEnd, dayStart } from '../../../../src/domain/time/day.ts'
import { versionOf } from '../../../../src/operator/bets/slip-versions.ts'
import type { Book } from '../../../../src/operator/book/book.ts'
import { rememberedRule, rememberRule } from '../../../../src/operator/reconcile/daily/day-rule.ts'
import { type Platform, reconcileDay } from '../../../../src/operator/reconcile/daily/reconcile-day.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { aBook, aRecord, toRow, writeRows } from '../../book-rows.ts'
import { aFakePlatform, inWriteOrder } from '../../reconcile-fake.ts'

/** A platform that counts its summary by a rule of its own. */

const now = Date.UTC(2026, 10, 20)

function slipsOf(records: readonly BetRecord[]): SlipHistory[] {
  return [...Map.groupBy(records, ({ slipId }) => slipId)].map(([slipId, own]) => ({
    slipId,
    versions: own.map(versionOf).sort((a, b) => a.rev - b.rev),
  }))
}

/** The sums of a day by a rule, in the format of such a platform. */
function summaryBy(records: readonly BetRecord[], rule: DayRule, date: string) {
  const span = [dayStart(date, rule.zone), dayEnd(date, rule.zone)] as const
  const players = new Map<string, DayFigures>()
  for (const slip of slipsOf(records)) {
    const part = contributionOf(slip, rule.basis, ...span)
    const username = slip.versions[0]?.username ?? ''
    if (part) players.set(username, plus(players.get(username) ?? noFigures, part))
  }
  return [...players].map(([username, figures]) => {
    const { slips, ...amounts } = byField((field) => fieldText(field, figures[field]))
    return { username, slips: Number(slips), ...amounts }
  })
}

async function aRoom(records: readonly BetRecord[], rule: DayRule, timezone: string) {
  const written = inWriteOrder(records)
  const { platform } = aFakePlatform(written, timezone)
  const book = await aBook(() => now)
  await writeRows(
    book,
    written.map((record, i) => toRow(record, i + 1)),
  )
  await book.store.write(({ q }) =>
    q
      .insertInto('book_position')
      .values({
        ...{ id: 'bets', cursor: `202611.${written.at(-1)?.recSeq ?? 0}`, rows: written.length, ahead_ms: null },
        ...{ started_from: Date.UTC(2026, 0, 1), caught_up_at: now - 1 },
      })
      .execute(),
  )
  const odd: Platform = {
    ...platform,
    summary: async ({ query: { date } }) => ({ date, timezone, players: summaryBy(written, rule, date) }),
  } as Platform
  const reconcile = (date: string, given?: DayRule, { trace = false } = {}) =>
    reconcileDay(
      { platform: odd, book, now: () => now },
      {
        date,
        tenant: { companyCode: 'ACME', environment: 'live', timezone },
        ...{ trace, tracePages: 5, rule: given },
      },
    ).then(({ result }) => result)
  return { book, reconcile, remember: (one: DayRule) => remember(book, one, timezone) }
}

const remember = (book: Book, rule: DayRule, timezone: string) =>
  book.store.write((tx) => rememberRule(tx, rule, { date: '2026-03-10', by: 'test', timezone }))

let numbers = 0
/** A slip at a time, with later revisions and their returns. */
function aSlip(
  settledAt: string,
  stake: string,
  later: readonly (readonly [settledAt: string, payout: string])[] = [],
): BetRecord[] {
  const slipId = `S${String(++numbers).padStart(4, '0')}`
  const first = aRecord({ slipId, stake, settledAt, placedAt: settledAt, payout: '0' })
  let paid = 0
  return [
    first,
    ...later.map(([at, payout], i) => {
      const delta = String(Number(payout) - paid)
      paid = Number(payout)
      return aRecord({
        slipId,
        stake,
        settledAt: at,
        placedAt: settledAt,
        payout,
        rev: i + 2,
        status: 'recalculated',
        delta,
      })
    }),
  ]
}

const zones = {
  /** Clocks change on 2026-03-29 (23 hours) and 2026-10-25 (25 hours). */
  'Europe/Berlin': [
    { date: '2026-03-29', hours: 23 },
    { date: '2026-10-25', hours: 25 },
    { date: '2026-03-10', hours: 24 },
  ],
  /** 2026-03-08 (23 hours) and 2026-11-01 (25 hours). */
  'America/New_York': [
    { date: '2026-03-08', hours: 23 },
    { date: '2026-11-01', hours: 25 },
  ],
} as const

/** Slips on both sides of every boundary of a day, and corrections across it. */
function daysAround(date: string, zone: string): BetRecord[] {
  const hour = 3_600_000
  const at = (moment: number) => new Date(moment).toISOString()
  const [from, to] = [dayStart(date, zone), dayEnd(date, zone)]
  const [utcFrom, utcTo] = [dayStart(date, 'UTC'), dayEnd(date, 'UTC')]
  return [
    ...aSlip(at(from - 1), '1'),
    ...aSlip(at(from), '2'),
    ...aSlip(at(to - 1), '4'),
    ...aSlip(at(to), '8'),
    ...aSlip(at(utcFrom - 1), '16'),
    ...aSlip(at(utcFrom), '32'),
    ...aSlip(at(utcTo - 1), '64'),
    ...aSlip(at(utcTo), '128'),
    // Settled before the day, corrected on it, and the other way round.
    ...aSlip(at(from - 30 * hour), '256', [[at((from + to) / 2), '300']]),
    ...aSlip(at((from + to) / 2), '512', [[at(to + 30 * hour), '600']]),
    ...aSlip(at((from + to) / 2 + 1), '1024', [
      [at(to - 2), '10'],
      [at(to + 31 * hour), '20'],
    ]),
  ]
}

const bases: readonly DayBasis[] = ['first-settlement', 'latest-revision', 'each-revision']
const cases = Object.entries(zones).flatMap(([zone, days]) =>
  days.flatMap(({ date, hours }) =>
    bases.flatMap((basis) =>
      [zone, 'UTC'].map((ruleZone) => [`${basis}@${ruleZone}`, zone, date, hours, basis, ruleZone] as const),
    ),
  ),
)

describe('a platform that counts days by another rule', () => {
  test.each(cases)('%s is found in %s on %s with %i hours', async (_name, zone, date, hours, basis, ruleZone) => {
    const rule = { basis, zone: ruleZone }
    const { reconcile, remember } = await aRoom(daysAround(date, zone), rule, zone)
    const day = await reconcile(date)
    expect(day.dayRule).toMatchObject({ basis: 'first-settlement', timezone: zone, from: 'documented' })
    if (basis === 'first-settlement' && ruleZone === zone) {
      expect(day).toMatchObject({ verdict: 'balanced', boundary: null, hours })
      return
    }
    expect(day.verdict).toBe('differences')
    expect(day.boundary?.match).toEqual({ basis, timezone: ruleZone })
    const matching = day.boundary?.candidates.filter(({ matches }) => matches) ?? []
    expect(matching).toMatchObject([
      { basis, timezone: ruleZone, hours: ruleZone === 'UTC' ? 24 : hours, differing: 0 },
    ])
    expect(day.explanations[0]).toMatchObject({ code: 'OTHER_DAY_BOUNDARY', balances: true })

    await remember(rule)
    const again = await reconcile(date)
    expect(again).toMatchObject({ verdict: 'balanced', boundary: null })
    expect(again.dayRule).toMatchObject({ basis, timezone: ruleZone, from: 'remembered', date: '2026-03-10' })
    expect(again.dayRule.message).toContain(`countroom reconcile daily ${date} --day-rule documented`)
    expect(await reconcile(date, { basis: 'first-settlement', zone })).toMatchObject({ verdict: 'differences' })
  })
})

describe('the search', () => {
  const zone = 'Europe/Berlin'
  const date = '2026-03-10'

  test('by another basis says that the records cannot be read again, if one of several players differs', async () => {
    const settledAt = '2026-03-10T10:00:00.000Z'
    const bob = aRecord({ slipId: 'B1', username: 'bob', settledAt, placedAt: settledAt })
    const rule = { basis: 'latest-revision', zone } as const
    const { reconcile, book } = await aRoom([...aSlip(settledAt, '2'), bob], rule, zone)
    expect((await reconcile(date, rule)).trace.state).toBe('not-needed')
    await book.store.write(({ q }) => q.deleteFrom('book_revisions').where('slip_id', '=', 'B1').execute())
    expect(await reconcile(date, rule)).toMatchObject({
      ...{ verdict: 'differences', compared: 2, differing: 1 },
      trace: { state: 'impossible', note: expect.stringContaining('--day-rule documented') },
    })
  })

  test('names no rule if none gives the figures of the platform', async () => {
    const records = daysAround(date, zone)
    const { reconcile, book } = await aRoom(records, { basis: 'first-settlement', zone }, zone)
    await book.store.write(({ q }) =>
      q
        .deleteFrom('book_revisions')
        .where('slip_id', '=', records[1]?.slipId ?? '')
        .execute(),
    )
    const day = await reconcile(date)
    expect(day).toMatchObject({ verdict: 'differences', boundary: { match: null } })
    expect(day.boundary?.message).toBe('no other day boundary gives the figures of the platform')
    expect(day.boundary?.candidates).toHaveLength(6)
    expect(day.explanations.map(({ code }) => code)).not.toContain('OTHER_DAY_BOUNDARY')
  })

  test('explains a day whose records were read again by the rule alone', async () => {
    const { reconcile } = await aRoom(daysAround(date, zone), { basis: 'first-settlement', zone: 'UTC' }, zone)
    const day = await reconcile(date, undefined, { trace: true })
    expect(day).toMatchObject({ trace: { state: 'complete' }, boundary: { match: { timezone: 'UTC' } }, slips: [] })
    // By the rule used, the records contradict the summary: that follows from the rule.
    expect(day.explanations.map(({ code }) => code)).toEqual(['OTHER_DAY_BOUNDARY'])
    expect(day.next.join()).toContain('--day-rule first-settlement@UTC')
  })

  test('is no explanation if the records read again prove the book wrong', async () => {
    const [before, after] = ['2026-03-09T23:30:00.000Z', '2026-03-10T23:30:00.000Z']
    const records = [...aSlip('2026-03-10T11:00:00.000Z', '5'), ...aSlip(before, '10'), ...aSlip(after, '10')]
    const { reconcile, book } = await aRoom(records, { basis: 'first-settlement', zone }, zone)
    const slipId = records.find(({ settledAt }) => settledAt === before)?.slipId ?? ''
    await book.store.write(({ q }) => q.deleteFrom('book_revisions').where('slip_id', '=', slipId).execute())
    // By days in UTC, the slip of the next day takes the place of the one that the book lacks.
    expect((await reconcile(date)).boundary?.match).toMatchObject({ timezone: 'UTC' })
    const day = await reconcile(date, undefined, { trace: true })
    expect(day.explanations.map(({ code }) => code)).toContain('BOOK_WRONG')
    expect(day).toMatchObject({ boundary: null, slips: [{ slipId }] })
  })

  test('prefers the documented zone where both fit', async () => {
    const noon = aSlip('2026-03-10T11:00:00.000Z', '10', [['2026-03-12T11:00:00.000Z', '15']])
    const both = await aRoom(noon, { basis: 'each-revision', zone: 'UTC' }, zone)
    expect((await both.reconcile('2026-03-12')).boundary?.match).toEqual({ basis: 'each-revision', timezone: zone })
    const gone = await aRoom(noon, { basis: 'latest-revision', zone: 'UTC' }, zone)
    const day = await gone.reconcile(date)
    expect(day.boundary?.match).toEqual({ basis: 'latest-revision', timezone: zone })
  })

  test('names no rule where two differ alike from the document', async () => {
    const records = [
      ...aSlip('2026-03-09T11:00:00.000Z', '10', [['2026-03-10T11:00:00.000Z', '15']]),
      ...aSlip('2026-03-10T12:00:00.000Z', '10', [['2026-03-12T11:00:00.000Z', '7']]),
    ]
    const { reconcile } = await aRoom(records, { basis: 'latest-revision', zone: 'UTC' }, 'UTC')
    expect((await reconcile(date)).boundary).toMatchObject({
      match: null,
      message:
        "every figure is the platform's if slips count by latest revision, in UTC, or by each revision, in UTC; another day must show which",
    })
  })

  test('does not take a day for complete that the book does not have whole', async () => {
    const { reconcile, book } = await aRoom(
      daysAround(date, 'America/New_York'),
      { basis: 'first-settlement', zone: 'UTC' },
      'America/New_York',
    )
    await book.store.write(({ q }) =>
      q
        .updateTable('book_position')
        .set({ started_from: dayStart(date, 'America/New_York') })
        .execute(),
    )
    const day = await reconcile(date)
    expect(day.boundary?.match).toBeNull()
    expect(day.boundary?.candidates.find(({ timezone }) => timezone === 'UTC')).toMatchObject({
      isComplete: false,
      matches: false,
    })
  })

  test('does not run while the book is behind', async () => {
    const { reconcile, book } = await aRoom(daysAround(date, zone), { basis: 'each-revision', zone }, zone)
    await book.store.write(({ q }) =>
      q.deleteFrom('book_revisions').where('settled_at', '>=', dayEnd(date, zone)).execute(),
    )
    await book.store.write(({ q }) =>
      q
        .updateTable('book_position')
        .set({ caught_up_at: dayStart(date, zone), cursor: '202603.1' })
        .execute(),
    )
    const day = await reconcile(date)
    expect(day.reasons.map(({ code }) => code)).toContain('BOOK_BEHIND')
    expect(day.boundary).toBeNull()
  })
})

test('a stored rule is replaced by another, and removed by the documented one', async () => {
  const book = await aBook()
  const known = () => book.store.read(rememberedRule)
  expect(await remember(book, { basis: 'each-revision', zone: 'UTC' }, 'Asia/Taipei')).toBe(true)
  expect(await remember(book, { basis: 'each-revision', zone: 'UTC' }, 'Asia/Taipei')).toBe(false)
  expect(await known()).toMatchObject({ basis: 'each-revision', timezone: 'UTC', date: '2026-03-10' })
  expect(await remember(book, { basis: 'first-settlement', zone: 'Asia/Taipei' }, 'Asia/Taipei')).toBe(true)
  expect(await known()).toBeUndefined()
})

test('rules are written as basis and zone', () => {
  expect(parseDayRule('each-revision@UTC', 'Asia/Taipei')).toEqual({ basis: 'each-revision', zone: 'UTC' })
  expect(parseDayRule('latest-revision', 'Asia/Taipei')).toEqual({ basis: 'latest-revision', zone: 'Asia/Taipei' })
  for (const text of ['revision', 'each-revision@Nowhere/Land', 'each-revision@UTC@UTC', ''])
    expect(parseDayRule(text, 'UTC')).toBeNull()
})
