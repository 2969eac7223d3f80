import { oldestReadableMonth } from '../../domain/account/plan-limits.ts'
import { cursorOf, type Month, monthStart } from '../../domain/bets/cursor.ts'
import type { OutOfOrderRecord } from '../../domain/bets/months.ts'
import type { ReadBet } from '../../domain/bets/record-text.ts'
import type { Alarm } from '../book/alarms.ts'
import type { SyncSummary } from './schema.ts'

/** Alarms of a sync, which a person has to check. */

export function outOfOrderAlarm({ month, recSeq, before }: OutOfOrderRecord, bet: ReadBet | undefined): Alarm {
  return {
    id: `step-back ${month} ${before} ${recSeq} ${bet?.slipId} ${bet?.rev}`,
    kind: 'step-back',
    slip_id: bet?.slipId ?? null,
    rev: bet?.rev ?? null,
    message: `In ${shownMonth(month)} record ${recSeq} arrived after record ${before}; it is kept`,
    detail: JSON.stringify({ month, recSeq, before }),
  }
}

/**
 * Finds records that may be lost: an old cursor still works at the platform but skips deleted records. Records that existed at
 * the last read and are deleted by now may never have been read.
 */
export function gapAlarm(state: {
  /** Position of the book, and time of the last read. */
  readonly cursor: string | null
  readonly readAt: number | undefined
  /** Current month at the platform. */
  readonly currentMonth: Month
  readonly retentionDays: number
}): Alarm | undefined {
  const { cursor, readAt, currentMonth, retentionDays } = state
  const month = cursor === null ? undefined : cursorOf(cursor)?.month
  if (month === undefined || readAt === undefined) return undefined
  const oldest = oldestReadableMonth(monthStart(currentMonth), retentionDays)
  if (month >= oldest || oldestReadableMonth(readAt, retentionDays) >= oldest) return undefined
  return {
    id: `gap ${cursor}`,
    kind: 'gap',
    slip_id: null,
    rev: null,
    message: `The book was at ${shownMonth(month)}, but the platform keeps bets only since ${shownMonth(oldest)}; bets in between may be missing`,
    detail: JSON.stringify({ cursor, oldest }),
  }
}

/** Returns the alarms of revisions that arrived again with different content. */
export function contradictionsIn({ alarms }: Pick<SyncSummary, 'alarms'>): SyncSummary['alarms'] {
  return alarms.filter(({ kind }) => kind === 'contradiction')
}

/** Formats a month as YYYY-MM. */
export function shownMonth(month: Month): string {
  return `${month.slice(0, 4)}-${month.slice(4)}`
}
