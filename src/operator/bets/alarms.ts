import { oldestReadableMonth } from '../../domain/account/plan-limits.ts'
import { cursorOf, type Month, monthStart } from '../../domain/bets/cursor.ts'
import type { StepBack } from '../../domain/bets/months.ts'
import type { PulledBet } from '../../domain/bets/record.ts'
import type { Alarm } from '../book/alarms.ts'

/** What a sync finds that a person has to look at, in words. */

export function stepBackAlarm({ month, recSeq, before }: StepBack, bet: PulledBet | undefined): Alarm {
  return {
    id: `step-back ${month} ${before} ${recSeq} ${bet?.slipId} ${bet?.rev}`,
    kind: 'step-back',
    slip_id: bet?.slipId ?? null,
    rev: bet?.rev ?? null,
    message: `In ${shownMonth(month)} record ${recSeq} came after record ${before}; it is kept`,
    detail: JSON.stringify({ month, recSeq, before }),
  }
}

/**
 * A cursor that is older than what the platform keeps still works, and passes over what was removed without a word. What
 * had not been removed when the book was read last, and is now, may never have been read.
 */
export function gapAlarm(state: {
  /** Where the book stood, and when it was read last. */
  readonly cursor: string | null
  readonly readAt: number | undefined
  /** The platform's own month by now. */
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
    message: `The book stood at ${shownMonth(month)}, and the platform keeps bets since ${shownMonth(oldest)} only: bets between may never have been read`,
    detail: JSON.stringify({ cursor, oldest }),
  }
}

/** A month as people write it. */
export function shownMonth(month: Month): string {
  return `${month.slice(0, 4)}-${month.slice(4)}`
}
