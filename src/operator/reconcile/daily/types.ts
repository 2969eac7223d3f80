import type { Environment } from '../../../domain/account/state.ts'
import type { PlayerLine, ReportedPlayer } from '../../../domain/reconcile/daily.ts'
import type { DayRule } from '../../../domain/reconcile/day-rules.ts'
import type { Day } from '../../../domain/time/day.ts'
import type { Span } from '../../bets/slips-by-day.ts'
import type { PositionCheck } from '../../bets/sync/position.ts'
import type { Book } from '../../book/book.ts'
import type { BookDay } from './book-side.ts'
import type { Platform } from './compare-records.ts'
import type { DayResult } from './schema.ts'

/** Dependencies of the reconciliation, which is read-only on both sides. */
export interface Reconciling {
  readonly platform: Platform
  readonly book: Book
  /** Epoch milliseconds, to decide whether the day is over and what the platform still keeps. */
  now(): number
  readonly signal?: AbortSignal
  /** Called with the current step. */
  readonly onStep?: (step: string) => void
}

/** Checks whether the platform has the book's last record. Runs once per run. */
export type AskPosition = (retentionDays: number) => Promise<PositionCheck>

/** Tenant of the profile. */
export interface Tenancy {
  readonly companyCode: string
  readonly environment: Environment
  readonly timezone: string
  /** Name of the remote profile that states the zone, for the command that corrects it. */
  readonly profile?: string
}

export interface DayOptions {
  readonly date: Day
  readonly tenant: Tenancy
  /** True to read the platform's records again if figures differ. */
  readonly trace: boolean
  /** Maximum number of pages of 1,000 records. */
  readonly tracePages: number
  /** Rule by which slips count; default: the remembered one, else the documented. */
  readonly rule?: DayRule | undefined
}

/** The rule of a day, and where it is from. */
export interface UsedRule extends DayRule {
  readonly from: 'documented' | 'remembered' | 'given'
  /** Day that showed it, if it is remembered. */
  readonly date: string | null
}

/** Result of a day, and every compared figure for the files. */
export interface Reconciled {
  readonly result: DayResult
  readonly lines: readonly PlayerLine[]
  /** Last row of the book when it was compared. */
  readonly lastPlace: number
}

/** Both sides of a day. */
export interface ComparedDay {
  readonly options: DayOptions
  readonly rule: UsedRule
  readonly span: Span
  readonly booked: BookDay
  readonly reported: readonly ReportedPlayer[]
  readonly lines: readonly PlayerLine[]
  readonly now: number
}

/** The platform's summary and account. */
export interface PlatformFacts {
  readonly reportedDate: string
  readonly reportedZone: string
  readonly plan: 'free' | 'paid'
  readonly position: PositionCheck
}
