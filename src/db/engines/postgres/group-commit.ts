import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { isProblem } from '../../../kit/problem.ts'
import type { Work } from '../engine.ts'

/** Maximum number of writes per commit: enough to share the disk's cost, few enough not to delay the first. */
const groupSize = 50

/**
 * Group commit by write group. A serializable transaction that has read an index page conflicts with any write to that
 * page, even of another row. So concurrent writers of different rows restart each other, several times per successful
 * write. Writes of one group run one at a time instead, and those that wait together share one transaction and one
 * commit. Each result, also a refusal, is reported after the commit, because it may depend on the other writes in the
 * transaction.
 */
export interface WriteGroups {
  add<T>(writeGroup: string, work: Work<T>): Promise<T>
  /** Resolves when no write runs or waits. */
  idle(): Promise<void>
}

/** Result of a work that shared its transaction: done, failed with its own error, or a duplicate key. */
export type WorkResult = 'done' | 'duplicate-key' | { readonly error: unknown }

/**
 * Runs the writes of a group in one transaction. Resolves after the commit, or throws when none was made. A single work
 * throws its own error instead of reporting it.
 */
export type RunGroup = (writeGroup: string, works: readonly Work<void>[]) => Promise<readonly WorkResult[]>

/** A write in the queue. */
interface Job {
  readonly work: Work<void>
  /** Resolves with the result of the work's last run. */
  resolve(): void
  reject(error: unknown): void
}

export function createWriteGroups(runGroup: RunGroup): WriteGroups {
  const writeGroups = new Map<string, Job[]>()
  const running = new Set<Promise<void>>()

  async function drain(writeGroup: string, jobs: Job[]): Promise<void> {
    while (jobs.length > 0) await settle((works) => runGroup(writeGroup, works), jobs.splice(0, groupSize))
    writeGroups.delete(writeGroup)
  }

  return {
    add: (writeGroup, work) =>
      new Promise((resolve, reject) => {
        // The work keeps its caller's async context, not that of the call that started the group.
        const inContext = AsyncLocalStorage.snapshot()
        const { keep, value } = captureResult(work)
        const job: Job = { work: (q, one) => inContext(() => keep(q, one)), resolve: () => resolve(value()), reject }
        const waiting = writeGroups.get(writeGroup)
        if (waiting) return void waiting.push(job)
        const jobs = [job]
        writeGroups.set(writeGroup, jobs)
        const drained = drain(writeGroup, jobs).finally(() => running.delete(drained))
        running.add(drained)
      }),
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** Runs a group of writes and reports each result; never throws. */
async function settle(
  runGroup: (works: readonly Work<void>[]) => Promise<readonly WorkResult[]>,
  group: readonly Job[],
): Promise<void> {
  let results: readonly WorkResult[] = []
  if (group.length > 1) {
    try {
      results = await runGroup(group.map(({ work }) => work))
    } catch (error) {
      // Without a database none can succeed. Any other failure may be caused by one of them: running them one by one
      // shows which.
      if (isProblem(error) && error.code === 'STORE_UNAVAILABLE') {
        for (const job of group) job.reject(error)
        return
      }
    }
  }
  for (const [i, { work, resolve, reject }] of group.entries()) {
    const result = results[i]
    if (result === 'done') resolve()
    // After a duplicate key, the next run sees the other row.
    else if (result === undefined || result === 'duplicate-key') await runGroup([work]).then(resolve, reject)
    else reject(result.error)
  }
}

/** Wraps a work so that its result is read afterwards: works of all types can then share a transaction. */
export function captureResult<T>(work: Work<T>): { keep: Work<void>; value(): T } {
  let outcome: { value: T } | undefined
  return {
    async keep(q, transaction) {
      outcome = { value: await work(q, transaction) }
    },
    value() {
      assert(outcome, 'the work has not ended yet')
      return outcome.value
    },
  }
}
