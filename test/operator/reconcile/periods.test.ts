import { describe, expect, test } from 'vitest'
import { daysBetween } from '../../../src/domain/time/day.ts'
import type { Book } from '../../../src/operator/book/book.ts'
import { applyToBreaks } from '../../../src/operator/reconcile/breaks/actions.ts'
import { keepDays } from '../../../src/operator/reconcile/breaks/record.ts'
import { listBreaks } from '../../../src/operator/reconcile/breaks/store.ts'
import { reconcileDays } from '../../../src/operator/reconcile/daily/reconcile-day.ts'
import { explainBreak } from '../../../src/operator/reconcile/explain/explain-break.ts'
import {
  approvePeriod,
  closePeriod,
  listPeriods,
  type PeriodWork,
  periodNamed,
  reopenPeriod,
  showPeriod,
} from '../../../src/operator/reconcile/periods/periods.ts'
import { recordRestatedPeriods } from '../../../src/operator/reconcile/periods/restated.ts'
import { aCountRoom, type CountRoom, inSummary } from '../reconcile-support.ts'

const timezone = 'Europe/Berlin'
const person = (name: string) => ({ name, osUser: name, host: 'here' })
let runs = 0
const workOf = (room: CountRoom, book: Book = room.book): PeriodWork => ({
  ...{ book, companyCode: 'ACME', environment: 'live', timezone, now: room.now() },
  run: { id: `run-${++runs}`, who: 'a test' },
})

/** March 2026 in Berlin, which has a day of 23 hours, with slips on some days and all bets synced. */
async function aMonth(): Promise<CountRoom> {
  const room = await aCountRoom({ start: '2026-03-01T10:00:00.000Z', timezone })
  await room.fund('amy', 'bob')
  for (const moment of ['2026-03-01T10:00', '2026-03-10T10:00', '2026-03-29T10:00', '2026-03-31T21:59']) {
    room.goTo(`${moment}:00.000Z`)
    await room.bet({ amy: '10', bob: '4' })
  }
  room.goTo('2026-03-31T22:00:00.000Z')
  await room.bet({ amy: '1000' })
  room.goTo('2026-04-02T10:00:00.000Z')
  await room.sync('2026-02-27T00:00:00.000Z')
  return room
}

async function reconcileAll(room: CountRoom, days = daysBetween('2026-03-01', '2026-03-31')): Promise<void> {
  const orders = days.map((date) => ({ date, tenant: { ...room.access }, trace: true, tracePages: 5 }))
  const results = await reconcileDays({ platform: room.client, book: room.book, now: room.now }, orders)
  await keepDays(room.book, { id: `run-${++runs}`, who: 'reconcile daily', exit: 0 }, results)
}

const march = periodNamed('2026-03', timezone)

describe('a month', () => {
  test('refuses to close until every day is reconciled, and names the open ones', async () => {
    const room = await aMonth()
    await reconcileAll(room, daysBetween('2026-03-01', '2026-03-30'))
    const { open, shown } = await closePeriod(workOf(room), march, person('amelia'), false)
    expect(open).toEqual([{ date: '2026-03-31', reasons: ['not reconciled: countroom reconcile daily 2026-03-31'] }])
    expect(shown).toMatchObject({ state: 'open', closedBy: null })
    await reconcileAll(room, ['2026-03-31'])
    room.goTo('2026-03-31T21:59:59.999Z')
    expect((await closePeriod(workOf(room), march, person('amelia'), false)).open).toEqual([
      { date: '2026-03-31', reasons: ['not over'] },
    ])
  })

  test('stores its own slips only, by the zone of the tenant, and is approved by another person', async () => {
    const room = await aMonth()
    await reconcileAll(room)
    expect((await closePeriod(workOf(room), march, person('amelia'), true)).shown.state).toBe('open')
    await closePeriod(workOf(room), march, person('amelia'), false)
    await expect(approvePeriod(workOf(room), march, person('Amelia '), false)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/another user: countroom reconcile periods approve 2026-03\b/),
    })
    await approvePeriod(workOf(room), march, person('bert'), false)
    const { details, lines } = await showPeriod(workOf(room), march)
    expect(details).toMatchObject({ state: 'approved', closedBy: 'amelia', approvedBy: 'bert' })
    // The slip of 2026-04-01 00:00 in Berlin is not one of March; one a minute earlier is.
    expect(details.totals).toMatchObject([{ currency: 'USD', slips: '8', stake: '56', ggr: '56' }])
    expect(lines.map(({ date }) => date)).toEqual(['2026-03-01', '2026-03-10', '2026-03-29', '2026-03-31'])
    expect(details.days).toHaveLength(31)
  })

  test('is restated by a correction that arrives after the close, with old and new figures', async () => {
    const room = await aMonth()
    await reconcileAll(room)
    await closePeriod(workOf(room), march, person('amelia'), false)
    await room.correct('amy')
    await room.sync()
    const { found } = await recordRestatedPeriods(room.book, workOf(room).run)
    expect(found).toMatchObject([{ period: '2026-03', breaks: [{ state: 'open', isNew: true }] }])
    const { details } = await showPeriod(workOf(room), march)
    expect(details.state).toBe('restated')
    expect(details.totals).toMatchObject([{ stake: '56', winLoss: '-56' }])
    expect(details.restated).toMatchObject([{ player: 'amy', currency: 'USD', breakState: 'open' }])
    expect(details.restated[0]?.fields).toContainEqual({ field: 'winLoss', before: '-40', after: '-20', change: '20' })
    await expect(approvePeriod(workOf(room), march, person('bert'), false)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringMatching(/reopen 2026-03 --reason correction$/),
    })
    const [month] = await listPeriods(workOf(room)).then((all) => all.filter(({ period }) => period === '2026-03'))
    expect(month?.state).toBe('restated')

    const { rows } = await listBreaks(room.book, { kinds: ['period'], limit: 10 })
    const explain = () =>
      explainBreak(
        { platform: undefined, book: room.book, tenant: room.access, now: room.now, here: room.now, missing: [] },
        rows[0]?.id ?? '',
        { tracePages: 1 },
      )
    const { period, next } = await explain()
    const [slip] = period?.slips ?? []
    expect(period).toMatchObject({
      ...{ period: '2026-03', state: 'closed', closedBy: 'amelia', player: 'amy', slipsLeftOut: 0 },
      slips: [{ from: { rev: 1, winLoss: '-10' }, to: { rev: 2, winLoss: '10' }, change: '20' }],
    })
    expect(period?.fields).toContainEqual({ field: 'winLoss', before: '-40', after: '-20', change: '20' })
    expect(next[0]).toBe(`Explain a slip that changed: countroom reconcile explain ${slip?.slipId}`)
    await applyToBreaks(
      room.book,
      rows.map(({ id }) => id),
      'amelia',
      { what: 'closed', reason: 'late-correction', note: null },
    )
    const decided = await showPeriod(workOf(room), march)
    expect(decided.details).toMatchObject({ state: 'closed', restated: [{ breakState: 'closed' }] })
    await reopenPeriod(workOf(room), march, person('carl'), 'sign the new figures', false)
    expect((await showPeriod(workOf(room), march)).details).toMatchObject({
      state: 'open',
      closedBy: null,
      restated: [],
    })
    expect((await explain()).period).toMatchObject({ state: 'open', closedBy: null, slips: [] })
  })

  test('stays open while a difference has no decision, and closes once its break is closed', async () => {
    const room = await aMonth()
    room.tamperWith(
      inSummary((players) => players.map((one) => (one['username'] === 'bob' ? { ...one, winLoss: '-3' } : one))),
    )
    await reconcileAll(room)
    const { open } = await closePeriod(workOf(room), march, person('amelia'), false)
    expect(open.map(({ date }) => date)).toEqual(['2026-03-01', '2026-03-10', '2026-03-29', '2026-03-31'])
    expect(open[0]?.reasons[0]).toMatch(/^1 open break: daily-/)
    const { rows } = await listBreaks(room.book, { kinds: ['daily'], limit: 10 })
    await applyToBreaks(
      room.book,
      rows.map(({ id }) => id),
      'amelia',
      { what: 'closed', reason: 'platform-error', note: null },
    )
    expect((await closePeriod(workOf(room), march, person('amelia'), false)).open).toEqual([])
    const { details } = await showPeriod(workOf(room), march)
    expect(details).toMatchObject({ state: 'closed', breaks: { open: 0, closed: 4 } })
    expect(details.breakList.every(({ reason }) => reason === 'platform-error')).toBe(true)
  })

  test('and a day of it are closed separately, and both are restated', async () => {
    const room = await aMonth()
    await reconcileAll(room)
    const first = periodNamed('2026-03-01', timezone)
    await closePeriod(workOf(room), first, person('amelia'), false)
    await closePeriod(workOf(room), march, person('amelia'), false)
    await room.correct('bob')
    await room.sync()
    const { found } = await recordRestatedPeriods(room.book, workOf(room).run)
    expect(found.map(({ period }) => period)).toEqual(['2026-03', '2026-03-01'])
  })
})
