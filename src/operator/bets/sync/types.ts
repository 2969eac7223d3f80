import type { BookHolderRow } from '../../../db/schema/book.ts'
import type { Environment } from '../../../domain/account/state.ts'
import type { Retry } from '../../../http/client/retry.ts'
import type { Sleep } from '../../../http/client/sleep.ts'
import type { Transport } from '../../../http/contract/wire-types.ts'
import type { Book } from '../../book/book.ts'
import type { Me } from '../../book/lock.ts'
import type { CsvDesk } from '../files/csv-writer.ts'
import type { Disk } from '../files/disk.ts'
import type { SyncSummary } from '../schema.ts'

/** What a sync of bets is given, what it tells on the way, and what it answers with. */

/** What a run has to do with the world. */
export interface SyncParts {
  readonly book: Book
  /** The book's own address, beside which its lock is kept. */
  readonly bookUrl: string
  readonly disk: Disk
  /** Where the files are written; closed by the run. */
  readonly openDesk: () => CsvDesk
  /** Signed, and nothing else: patience and pace are added here. */
  readonly transport: Transport
  readonly tenant: { readonly companyCode: string; readonly environment: Environment; readonly timezone: string }
  /** This machine's time, in epoch milliseconds. */
  readonly now: () => number
  /** The platform's time, as its responses have told it. */
  readonly platformNow: () => number
  readonly sleep: Sleep
  /** From 0 up to 1. */
  readonly random: () => number
  /** How often a page is asked for before the platform is given up; the job's own number when not given. */
  readonly attempts?: number | undefined
  /** A name for the run, later ones sorting after earlier ones. */
  readonly runId: string
  readonly me: Me
  /** The command that reads the platform into a book and folder of its own,. */
  readonly anew: string
  /** The program and its version, for the manifest. */
  readonly tool: string
  /** Aborted by the first signal: the page at hand is finished, and that is all. */
  readonly stop: AbortSignal
  readonly report: SyncReport
  /** The exit code that the command will end in, for the history. */
  readonly exitOf: (end: { value: SyncSummary } | { error: unknown }) => number
}

export interface SyncOptions {
  /** The folder of the CSV files. */
  readonly out: string
  /** Where a new book begins; without it, with the oldest bets that the platform can still have. */
  readonly from?: number | undefined
  /** Whether to go on when all is read, asking again every so often. */
  readonly followEveryMs?: number | undefined
  /** The percentage of the tenant's request rate to use. */
  readonly rateShare: number
  /** The tenant's requests per second, where the platform has set another rate than its plan has. */
  readonly rate?: number | undefined
  /** How long to wait for another run to end. */
  readonly waitMs?: number | undefined
  /** After this time no further page is begun. */
  readonly deadlineMs?: number | undefined
  /** Whether files that are not of this book are written over. */
  readonly force?: boolean | undefined
  /** Records per page; the API has at most 1,000. */
  readonly pageSize?: number | undefined
}

/** Told what happens. A progress that answers `false` has no reader any more, and the run ends. */
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
  /** YYYY-MM of the latest record. */
  readonly month: string
}
