import type { Environment } from '../../../domain/account/state.ts'
import type { PlayerLine, StatedPlayer } from '../../../domain/reconcile/daily.ts'
import type { Day } from '../../../domain/time/day.ts'
import type { Span } from '../../bets/slips-by-day.ts'
import type { PositionCheck } from '../../bets/sync/position.ts'
import type { Book } from '../../book/book.ts'
import type { BookDay } from './book-side.ts'
import type { Platform } from './compare-records.ts'
import type { DayResult } from './schema.ts'

/** What reconciliation works with. It reads both sides and changes neither. */
export interface Reconciling {
  readonly platform: Platform
  readonly book: Book
  /** Epoch milliseconds: whether the day is over, and what the platform still keeps. */
  now(): number
  readonly signal?: AbortSignal
  /** What is at hand, for people who wait. */
  readonly onStep?: (step: string) => void
}

/** Whether the platform still has what the book read last, asked once for all days of a run. */
export type AskPosition = (retentionDays: number) => Promise<PositionCheck>

/** Whose day is reconciled: what the profile says of the tenant. */
export interface Tenancy {
  readonly companyCode: string
  readonly environment: Environment
  readonly timezone: string
}

export interface DayOrder {
  readonly date: Day
  readonly tenant: Tenancy
  /** Whether the platform's records are read again when the figures differ. */
  readonly trace: boolean
  /** How many pages of a thousand records that may take. */
  readonly tracePages: number
}

/** A day's result, and every figure compared, for the files. */
export interface Reconciled {
  readonly result: DayResult
  readonly lines: readonly PlayerLine[]
  /** The book's last row when it was compared. */
  readonly lastPlace: number
}

/** Both sides of a day, compared. */
export interface ComparedDay {
  readonly order: DayOrder
  readonly span: Span
  readonly booked: BookDay
  readonly stated: readonly StatedPlayer[]
  readonly lines: readonly PlayerLine[]
  readonly now: number
}

/** What the platform says of itself and of its summary. */
export interface PlatformFacts {
  readonly statedDate: string
  readonly statedZone: string
  readonly plan: 'free' | 'paid'
  readonly position: PositionCheck
}
