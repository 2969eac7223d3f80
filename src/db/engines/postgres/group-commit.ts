import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { isProblem } from '../../../kit/problem.ts'
import type { Work } from '../engine.ts'

/** The most writes that share one commit: enough to make the disk's part in each small, few enough not to keep the first waiting. */
const groupSize = 50

/**
 * Writes that would be in each other's way, one lane for each kind of them. A serializable transaction that has read a
 * page of an index gives way to one that wrote there, whichever rows the two were after; so writers of different rows
 * make each other start again, several times for every write that succeeds. In a lane they take turns instead, and
 * those that wait together are one transaction with one commit. How each ended it hears after the commit: also one that
 * was refused, since it may have been refused for what its neighbours did.
 */
export interface Lanes {
  add<T>(lane: string, work: Work<T>): Promise<T>
  /** Resolves when nothing runs or waits any more. */
  idle(): Promise<void>
}

/** How a work ended that shared its transaction: done, failed with an error of its own, or with a key that is taken. */
export type Ending = 'done' | 'twin' | { readonly error: unknown }

/**
 * What a lane does its writes with: all of them in one transaction, which is committed when this resolves, or none of them.
 * One that is alone throws instead of telling how it ended.
 */
export type Together = (lane: string, works: readonly Work<void>[]) => Promise<readonly Ending[]>

/** A write that waits for its turn. */
interface Job {
  readonly work: Work<void>
  /** Answers with what the last run of the work came to. */
  resolve(): void
  reject(error: unknown): void
}

export function createLanes(together: Together): Lanes {
  const lanes = new Map<string, Job[]>()
  const running = new Set<Promise<void>>()

  async function drain(lane: string, jobs: Job[]): Promise<void> {
    while (jobs.length > 0) await settle((works) => together(lane, works), jobs.splice(0, groupSize))
    lanes.delete(lane)
  }

  return {
    add: (lane, work) =>
      new Promise((resolve, reject) => {
        // The work belongs to its caller, whoever happens to have started the group it is done in.
        const inContext = AsyncLocalStorage.snapshot()
        const { keep, value } = kept(work)
        const job: Job = { work: (q, one) => inContext(() => keep(q, one)), resolve: () => resolve(value()), reject }
        const waiting = lanes.get(lane)
        if (waiting) return void waiting.push(job)
        const jobs = [job]
        lanes.set(lane, jobs)
        const drained = drain(lane, jobs).finally(() => running.delete(drained))
        running.add(drained)
      }),
    async idle() {
      while (running.size > 0) await Promise.all(running)
    },
  }
}

/** Does a group of writes, and tells each how it ended; never throws. */
async function settle(
  together: (works: readonly Work<void>[]) => Promise<readonly Ending[]>,
  group: readonly Job[],
): Promise<void> {
  let endings: readonly Ending[] = []
  if (group.length > 1) {
    try {
      endings = await together(group.map(({ work }) => work))
    } catch (error) {
      // Without a database none of them can be done. Anything else may be the fault of one of them: apart they show whose.
      if (isProblem(error) && error.code === 'STORE_UNAVAILABLE') {
        for (const job of group) job.reject(error)
        return
      }
    }
  }
  for (const [i, { work, resolve, reject }] of group.entries()) {
    const ending = endings[i]
    if (ending === 'done') resolve()
    // A twin is seen on the next run.
    else if (ending === undefined || ending === 'twin') await together([work]).then(resolve, reject)
    else reject(ending.error)
  }
}

/** A work whose outcome is fetched afterwards, so that works of every kind can share a transaction. */
export function kept<T>(work: Work<T>): { keep: Work<void>; value(): T } {
  let outcome: { value: T } | undefined
  return {
    async keep(q, together) {
      outcome = { value: await work(q, together) }
    },
    value() {
      assert(outcome, 'a work has come to an end before its outcome is wanted')
      return outcome.value
    },
  }
}
