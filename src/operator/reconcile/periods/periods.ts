import type { Reader } from '../../../db/store.ts'
import { isMonth, type Period, periodIn, refusal } from '../../../domain/reconcile/periods.ts'
import { dayOf } from '../../../domain/time/day.ts'
import { canonicalJson } from '../../../kit/canonical-json.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { momentText } from '../../../kit/moment.ts'
import { Problem } from '../../../kit/problem.ts'
import { type ApprovalCommand, approvalCommand } from '../../approvers/second-person.ts'
import { exportsBetween } from '../../bets/export-state.ts'
import { bookState } from '../../bets/slips-by-day.ts'
import type { Book } from '../../book/book.ts'
import type { Person } from '../../transfers/batch-decisions.ts'
import { toBreakView } from '../breaks/record.ts'
import { type ReconciliationRun, recordBreaks } from '../breaks/store.ts'
import { reconciledDays } from '../daily/closed-days.ts'
import { countPeriod, lineOf, sumBy } from './figures.ts'
import { breakIdOf, changesSince, isAbout, recordRestatedPeriods } from './restated.ts'
import type { PeriodDetails, PeriodLine, PeriodShown } from './schema.ts'
import { type Standing, standingOf } from './standing.ts'
import { periodEvents, periodRow, periodRows, saveApproval, saveClose, saveReopening } from './store.ts'

/** Closing, approving and reopening of periods, and what is known about them. */

export interface PeriodWork {
  readonly book: Book
  readonly companyCode: string
  readonly environment: string
  readonly timezone: string
  /** The platform's time. */
  readonly now: number
  readonly run: ReconciliationRun
}

/** Returns the period, or throws INVALID_PARAMETER. */
export function periodNamed(text: string, zone: string): Period {
  const period = periodIn(text, zone)
  if (period) return period
  throw new Problem(
    'INVALID_PARAMETER',
    `"${text.slice(0, 40)}" is not a period; expected a day YYYY-MM-DD or a month YYYY-MM`,
    { remoteCode: null },
  )
}

/** A change of a period, or why it cannot be made. */
export interface PeriodChanged {
  readonly shown: PeriodShown
  /** Days that keep it open; the change was then not made. */
  readonly open: Standing['open']
}

/** Maximum number of counts, when rows arrive between counting and storing. */
const maxCounts = 5

/** Closes a period, if no day of it is open. Everything is stored in one transaction, or nothing. */
export async function closePeriod(
  work: PeriodWork,
  period: Period,
  by: Person,
  isDryRun: boolean,
): Promise<PeriodChanged> {
  const check = async (reader: Reader): Promise<PeriodChanged> => {
    const { shown, open } = await standingFor(reader, work, period)
    refuse(refusal('close', { name: period.name, ...shown }, by.name), period)
    return { shown, open }
  }
  for (let count = 1; count <= maxCounts; count++) {
    // Counted in a snapshot: a month takes long, and would keep a sync from writing.
    const counted = await work.book.store.read(async (reader) => {
      const checked = await check(reader)
      if (isDryRun || checked.open.length > 0) return checked
      const { lastPlace } = await bookState(reader)
      return { ...checked, lastPlace, booked: await countPeriod(reader, period, work.timezone) }
    })
    if (!('booked' in counted)) return counted
    const { booked, lastPlace } = counted
    const closed = await work.book.store.write(async (tx) => {
      const checked = await check(tx)
      if (checked.open.length > 0) return checked
      if ((await bookState(tx)).lastPlace !== lastPlace) return undefined
      await saveClose(tx, period.name, booked, { timezone: work.timezone, place: lastPlace, by })
      return { shown: (await standingFor(tx, work, period)).shown, open: [] }
    })
    if (closed) return closed
  }
  throw busy(period)
}

/** Approves a closed period by another person, if its figures and days are still as they were closed. */
export async function approvePeriod(
  work: PeriodWork,
  period: Period,
  by: Person,
  isDryRun: boolean,
): Promise<PeriodChanged> {
  const check = async (reader: Reader): Promise<PeriodChanged> => {
    const { shown, open } = await standingFor(reader, work, period)
    const message = refusal('approve', { name: period.name, ...shown }, by.name)
    const nextStep = message !== null && shown.state === 'closed' ? `. ${(await approval(reader, shown)).text}` : ''
    refuse(message && `${message}${nextStep}`, period)
    return { shown, open }
  }
  if (isDryRun) return work.book.store.read(check)
  for (let count = 1; count <= maxCounts; count++) {
    const { place } = await recordRestatedPeriods(work.book, work.run, [period.name])
    const approved = await work.book.store.write(async (tx) => {
      const checked = await check(tx)
      if (checked.open.length > 0) return checked
      if ((await bookState(tx)).lastPlace !== place) return undefined
      const row = await periodRow(tx, period.name)
      if (row) await saveApproval(tx, row, by)
      return { shown: (await standingFor(tx, work, period)).shown, open: [] }
    })
    if (approved) return approved
  }
  throw busy(period)
}

/** Returns the command by which a person other than the one who closed a period approves it. */
function approval(reader: Reader, { period, closedBy }: PeriodShown): Promise<ApprovalCommand> {
  const words = 'reconcile periods approve'
  return approvalCommand(reader, { words, args: [period], flags: {}, first: closedBy })
}

/** Returns the command that approves a closed period. */
export function approvalOf({ book }: PeriodWork, shown: PeriodShown): Promise<ApprovalCommand> {
  return book.store.read((reader) => approval(reader, shown))
}

const busy = ({ name }: Period) =>
  new Problem(
    'CONFLICT',
    `Period ${name} was not changed: bets arrived during each of ${maxCounts} counts. Run it after the sync`,
    {
      period: name,
      remoteCode: null,
    },
  )

/** Reopens a period: its sign-offs become invalid, and its changes are no longer breaks. */
export function reopenPeriod(
  work: PeriodWork,
  period: Period,
  by: Person,
  reason: string,
  isDryRun: boolean,
): Promise<PeriodChanged> {
  const check = async (reader: Reader): Promise<PeriodChanged> => {
    const { shown } = await standingFor(reader, work, period)
    refuse(refusal('reopen', { name: period.name, ...shown }, by.name), period)
    return { shown, open: [] }
  }
  if (isDryRun) return work.book.store.read(check)
  return work.book.store.write(async (tx) => {
    await check(tx)
    await saveReopening(tx, period.name, by, reason)
    await recordBreaks(tx, work.run, { detected: [], looked: [{ kind: 'period', covers: isAbout(period.name) }] })
    return { shown: (await standingFor(tx, work, period)).shown, open: [] }
  })
}

const standingFor = (reader: Reader, { timezone, now }: PeriodWork, period: Period): Promise<Standing> =>
  standingOf(reader, period, { timezone, now })

function refuse(message: string | null, { name }: Period): void {
  if (message !== null) throw new Problem('CONFLICT', message, { period: name, remoteCode: null })
}

/** Returns the months from the first reconciled day on, and all periods that were closed once, newest first. */
export async function listPeriods(work: PeriodWork): Promise<PeriodShown[]> {
  await recordRestatedPeriods(work.book, work.run)
  return work.book.store.read(async (tx) => {
    const known = (await periodRows(tx)).map(({ period }) => period)
    const names = new Set([...known, ...(await monthsOf(tx, work))])
    const shown: PeriodShown[] = []
    for (const name of [...names].sort().reverse()) {
      const period = periodIn(name, work.timezone)
      if (period) shown.push((await standingFor(tx, work, period)).shown)
    }
    return shown
  })
}

/** Maximum number of months that are listed without having been closed. */
const maxMonths = 36

async function monthsOf(reader: Reader, { timezone, now }: PeriodWork): Promise<string[]> {
  const [first] = await reconciledDays(reader)
  if (!first) return []
  const months: string[] = []
  for (let month = dayOf(now, timezone).slice(0, 7); month >= first.date.slice(0, 7) && months.length < maxMonths; ) {
    if (isMonth(month)) months.push(month)
    month = monthBefore(month)
  }
  return months
}

function monthBefore(month: string): string {
  const [year = 0, number = 0] = month.split('-').map(Number)
  return number === 1
    ? `${String(year - 1).padStart(4, '0')}-12`
    : `${String(year).padStart(4, '0')}-${String(number - 1).padStart(2, '0')}`
}

export interface PeriodReport {
  readonly details: PeriodDetails
  /** Figures by day, game, table and currency: those at the close, or the current ones of an open period. */
  readonly lines: readonly PeriodLine[]
}

/** Returns a period with figures, changes, breaks and history. Changes since the close are recorded first. */
export async function showPeriod(work: PeriodWork, period: Period): Promise<PeriodReport> {
  await recordRestatedPeriods(work.book, work.run, [period.name])
  return work.book.store.read(async (tx) => {
    const { shown, breaks, open } = await standingFor(tx, work, period)
    const row = await periodRow(tx, period.name)
    const lines: PeriodLine[] = row?.totals
      ? JSON.parse(row.totals)
      : (await countPeriod(tx, period, work.timezone)).tables.map(lineOf)
    const states = new Map(breaks.map(({ id, state }) => [id, state]))
    const restated = (row ? await changesSince(tx, row) : []).map((change) => {
      const id = breakIdOf(period.name, change)
      const { username, currency, fields } = change
      const breakState = states.get(id) ?? null
      return { breakId: breakState === null ? null : id, breakState, player: username, currency, fields: [...fields] }
    })
    const history = (await periodEvents(tx, period.name)).map(({ seq, at, who, os_user, host, what, text }) => ({
      ...{ seq, by: who, osUser: os_user, host, at: momentText(at), what, text },
    }))
    const parts = {
      ...shown,
      companyCode: work.companyCode,
      environment: work.environment,
      totals: sumBy(lines, ['currency']),
      restated,
      breakList: breaks.map((each) => toBreakView(each, work.now)),
      bookFiles: await filesOf(tx, period),
      history,
    }
    return { details: { ...parts, reportId: reportIdOf(parts, lines), next: await nextSteps(tx, shown, open) }, lines }
  })
}

/** Equal content has an equal ID. Ages and other times of the run are no content. */
function reportIdOf(parts: Omit<PeriodDetails, 'reportId' | 'next'>, lines: readonly PeriodLine[]): string {
  const { breakList, restated, ...rest } = parts
  const breaks = breakList.map(({ id, state, reason, message, owner }) => [id, state, reason, message, owner])
  return sha256Hex(canonicalJson([rest, lines, restated, breaks]))
    .slice(0, 16)
    .toUpperCase()
}

async function filesOf(reader: Reader, { from, to }: Period): Promise<PeriodDetails['bookFiles']> {
  const rows = await exportsBetween(reader, from, to)
  return rows.map(({ folder, file, rows, bytes, sha256 }) => ({ folder, file, rows, bytes, sha256 }))
}

async function nextSteps(reader: Reader, shown: PeriodShown, open: Standing['open']): Promise<string[]> {
  const { period, state } = shown
  if (state === 'open')
    return open.length > 0
      ? [`Settle the open days, then close it: countroom reconcile periods close ${period}`]
      : [`Close it: countroom reconcile periods close ${period}`]
  if (state === 'closed') return [`Another person must approve it. ${(await approval(reader, shown)).text}`]
  if (state === 'restated')
    return [
      `List the changes: countroom reconcile breaks list --kind period --date ${period}`,
      `Reopen it to sign the new figures: countroom reconcile periods reopen ${period} --reason "corrected after the close"`,
    ]
  return [
    `Write the report: countroom reconcile periods show ${period} --report period-${period}.html --csv period-${period}.csv`,
  ]
}
