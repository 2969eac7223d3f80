import type { BookHolderRow } from '../../../db/schema/book.ts'
import type { Environment } from '../../../domain/account/state.ts'
import type { Retry } from '../../../http/client/retry.ts'
import type { Sleep } from '../../../http/client/sleep.ts'
import type { Transport } from '../../../http/contract/wire-types.ts'
import type { Book } from '../../book/book.ts'
import type { Me } from '../../book/lock.ts'
import type { Disk } from '../files/disk.ts'
import type { SyncSummary } from '../schema.ts'

/** Inputs, events and result of a bet sync. */

/** Dependencies of a run. */
export interface SyncDependencies {
  readonly book: Book
  /** Address of the book; its lock file is next to it. */
  readonly bookUrl: string
  readonly disk: Disk
  /** Signs requests; retries and throttling are added by the run. */
  readonly transport: Transport
  readonly tenant: { readonly companyCode: string; readonly environment: Environment; readonly timezone: string }
  /** The machine's time in epoch milliseconds. */
  readonly now: () => number
  /** The platform's time, by its responses. */
  readonly platformNow: () => number
  readonly sleep: Sleep
  /** Random number from 0 to below 1. */
  readonly random: () => number
  /** Maximum number of attempts per page (default: that of the job). */
  readonly attempts?: number | undefined
  /** Creates the run ID; later ones sort after earlier ones. */
  readonly runId: string
  readonly me: Me
  /** Command that syncs the platform into a new book and folder. */
  readonly newBookCommand: string
  /** Program and version, for the manifest. */
  readonly tool: string
  /** Aborted by the first signal: the current page is finished. */
  readonly stop: AbortSignal
  readonly report: SyncReport
  /** Returns the exit code of the command, for the history. */
  readonly exitOf: (end: { value: SyncSummary } | { error: unknown }) => number
}

export interface SyncOptions {
  /** Folder of the CSV files. */
  readonly out: string
  /** Start of a new book (default: the oldest bets that the platform can have). */
  readonly from?: number | undefined
  /** Interval of polling after all bets are read; undefined ends the run then. */
  readonly followEveryMs?: number | undefined
  /** Percentage of the tenant's rate limit to use. */
  readonly rateShare: number
  /** Requests per second of the tenant, if the platform set another limit than the plan. */
  readonly rate?: number | undefined
  /** Maximum time to wait for another run. */
  readonly waitMs?: number | undefined
  /** Time from the start after which no more pages are requested. */
  readonly deadlineMs?: number | undefined
  /** True to overwrite files that do not belong to this book. */
  readonly force?: boolean | undefined
  /** Records per page, at most 1,000. */
  readonly pageSize?: number | undefined
}

/** Called with events. If `progress` returns `false`, the reader has disconnected and the run ends. */
export interface SyncReport {
  progress(state: SyncProgress): Promise<boolean> | boolean
  retry(retry: Retry): void
  waiting(holder: BookHolderRow | undefined): void
  warn(text: string): void
  note(text: string): void
}

export interface SyncProgress {
  readonly event: 'page' | 'caught-up'
  readonly added: number
  readonly rows: number
  readonly cursor: string
  /** Month of the latest record, as YYYY-MM. */
  readonly month: string
}
