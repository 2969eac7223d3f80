import type { BookBreakRow } from '../../../db/schema/book.ts'
import type { Reader } from '../../../db/store.ts'
import {
  type DayStanding,
  type OpenReason,
  openReasons,
  type Period,
  shownState,
} from '../../../domain/reconcile/periods.ts'
import { type Day, dayEnd } from '../../../domain/time/day.ts'
import { momentText } from '../../../kit/moment.ts'
import { piecesOf } from '../../../kit/pieces.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { reconciledDays } from '../daily/closed-days.ts'
import { restatementViews } from '../restated.ts'
import { isAbout } from './restated.ts'
import type { PeriodShown } from './schema.ts'
import { periodRow } from './store.ts'

/** State of a period's days and breaks. */

export interface Standing {
  readonly shown: PeriodShown
  /** Breaks of its days, of the month, and of changes after its close. */
  readonly breaks: readonly BookBreakRow[]
  /** Days that keep it open, with the reasons. */
  readonly open: readonly { readonly date: string; readonly reasons: readonly string[] }[]
}

export async function standingOf(
  reader: Reader,
  period: Period,
  about: { timezone: string; now: number },
): Promise<Standing> {
  const { timezone, now } = about
  const breaks = await breaksOf(reader, period)
  // Changes after the close are decided with the period itself.
  const own = breaks.filter((row) => row.kind === 'period' && isAbout(period.name)(row))
  const others = breaks.filter((row) => !own.includes(row))
  const byDate = Map.groupBy(others, ({ date }) => date ?? '')
  const first = period.days[0]
  const reconciled = (await reconciledDays(reader, first)).filter((row) => row.timezone === timezone)
  const verdicts = new Map(reconciled.map(({ date, latest_verdict }) => [date, latest_verdict]))
  const restated = new Set(
    (await restatementViews(reader, { dates: period.days, since: first })).map(({ date }) => date),
  )
  const days = period.days.map((date) => dayOf(date, { timezone, now, byDate, verdicts, restated }))
  const month = (byDate.get(period.name) ?? []).filter(
    ({ state }) => state === 'open' && !period.days.includes(period.name),
  )
  const open = [
    ...days.flatMap(({ date, reasons }) => (reasons.length > 0 ? [{ date, reasons }] : [])),
    ...(month.length > 0 ? [{ date: period.name, reasons: [breaksText(month.map(({ id }) => id))] }] : []),
  ]
  const row = await periodRow(reader, period.name)
  const count = (state: BookBreakRow['state']) => breaks.filter((each) => each.state === state).length
  const shown: PeriodShown = {
    period: period.name,
    state: shownState(row?.state ?? 'open', own.filter(({ state }) => state === 'open').length),
    timezone,
    start: momentText(period.from),
    end: momentText(period.to),
    days,
    breaks: { open: count('open'), closed: count('closed'), cleared: count('cleared') },
    closedBy: row?.closed_by ?? null,
    closedAt: row?.closed_at ? momentText(row.closed_at) : null,
    approvedBy: row?.approved_by ?? null,
    approvedAt: row?.approved_at ? momentText(row.approved_at) : null,
    digest: row?.digest ?? null,
  }
  return { shown, breaks, open }
}

interface Facts {
  readonly timezone: string
  readonly now: number
  readonly byDate: ReadonlyMap<string, readonly BookBreakRow[]>
  readonly verdicts: ReadonlyMap<string, 'balanced' | 'differences'>
  readonly restated: ReadonlySet<string>
}

function dayOf(date: Day, { timezone, now, byDate, verdicts, restated }: Facts): PeriodShown['days'][number] {
  const breaks = byDate.get(date) ?? []
  const day: DayStanding = {
    date,
    isOver: now >= dayEnd(date, timezone),
    verdict: verdicts.get(date) ?? null,
    openBreaks: breaks.filter(({ state }) => state === 'open').map(({ id }) => id),
    closedBreaks: breaks.filter(({ state }) => state === 'closed').length,
    isRestated: restated.has(date),
  }
  const verdict = !day.isOver ? 'not-over' : (day.verdict ?? 'not-reconciled')
  return { date, verdict, reasons: openReasons(day).map((reason) => reasonText(reason, date)) }
}

function reasonText(reason: OpenReason, date: Day): string {
  if (reason.code === 'BREAKS_OPEN') return breaksText(reason.breaks)
  if (reason.code === 'NOT_OVER') return 'not over'
  if (reason.code === 'NOT_RECONCILED') return `not reconciled: countroom reconcile daily ${date}`
  if (reason.code === 'RESTATED') return `changed after it was reconciled: countroom reconcile restated --day ${date}`
  return `differences without a break: countroom reconcile daily ${date}`
}

function breaksText(ids: readonly string[]): string {
  const more = ids.length > 3 ? ` and ${ids.length - 3} more` : ''
  return `${countText(ids.length, 'open break')}: ${ids.slice(0, 3).join(', ')}${more}`
}

async function breaksOf({ q }: Reader, { name, days }: Period): Promise<BookBreakRow[]> {
  const rows: BookBreakRow[] = []
  for (const dates of piecesOf([...new Set([name, ...days])], 200))
    rows.push(...(await q.selectFrom('book_breaks').selectAll().where('date', 'in', dates).orderBy('id').execute()))
  return rows
}
