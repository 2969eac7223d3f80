import type { Reader } from './store.ts'

/**
 * A periodic job: one run of what is due. The scheduler decides when it runs. Defined here and not in a service,
 * because one scheduler runs the jobs of all of them.
 */
export interface PeriodicJob {
  readonly name: string
  /**
   * True if runs may overlap: for jobs that wait for slow remote servers. Such a job skips what its earlier run is
   * still working on.
   */
  readonly overlaps?: boolean
  /** True for the deletion of old rows: nothing waits for it, and no other job depends on it. */
  readonly isCleanup?: boolean
  /** Returns the time of the next work, or undefined; absent for jobs that are never waited for. */
  nextRun?(reader: Reader): Promise<number | undefined>
  /**
   * Processes at most `limit` items and returns their number. A further run has less to do. When `stop` is aborted,
   * leased items are released.
   */
  run(limit: number, stop?: AbortSignal): Promise<number>
}
