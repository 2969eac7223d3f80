import type { PeriodicJob } from '../db/periodic-job.ts'
import type { Log } from '../kit/log.ts'
import { isProblem } from '../kit/problem.ts'

/** Maximum items per run of a job: short enough that requests are served in between. */
const itemsPerRun = 100
/** Maximum rounds of `runJobs`; more mean that jobs never end. */
const maxRounds = 10_000

/** Runs the jobs until none finds work; returns how much they did. Bounded: endless work is a bug. */
export async function runJobs(jobs: readonly PeriodicJob[]): Promise<number> {
  let total = 0
  for (let round = 0; round < maxRounds; round++) {
    let done = 0
    for (const job of jobs) done += await job.run(itemsPerRun)
    if (done === 0) return total
    total += done
  }
  throw new Error(`the jobs found work ${maxRounds} times in a row`)
}

/** Gets the figures of each run of a job. */
export type JobObserver = (run: {
  readonly name: string
  readonly ms: number
  readonly items: number
  readonly failed: boolean
}) => void

/** Time for running work to end when the scheduler stops, before it is aborted. */
const stopWithinMs = 400

/**
 * Runs the jobs repeatedly until stopped; stopping waits for the current round. A job that may overlap is started without
 * waiting for it, and continues as long as it finds work.
 */
export function startScheduler(
  jobs: readonly PeriodicJob[],
  log: Log,
  everyMs = 1000,
  observe?: JobObserver,
): { stop(): Promise<void> } {
  const abandoned = new AbortController()
  const aside = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  let isStopped = false
  const attempt = async (job: PeriodicJob) => {
    const startedMs = performance.now()
    try {
      const items = await job.run(itemsPerRun, abandoned.signal)
      observe?.({ name: job.name, items, ms: performance.now() - startedMs, failed: false })
      return items
    } catch (error) {
      observe?.({ name: job.name, items: 0, ms: performance.now() - startedMs, failed: true })
      // The next round retries; a database outage must not end the process.
      log.warn(
        { job: job.name, code: isProblem(error) ? error.code : undefined, error: String(error) },
        'A periodic job failed',
      )
      return 0
    }
  }
  const untilDone = async (job: PeriodicJob) => {
    while (!isStopped && (await attempt(job)) > 0);
  }
  const turn = async () => {
    for (const job of jobs) {
      if (isStopped) return
      if (!job.overlaps) {
        await attempt(job)
        continue
      }
      const run = untilDone(job).finally(() => aside.delete(run))
      aside.add(run)
    }
  }
  const next = () => {
    timer = setTimeout(() => {
      round = turn().then(() => {
        if (!isStopped) next()
      })
    }, everyMs)
  }
  next()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      const timeout = setTimeout(() => abandoned.abort(), stopWithinMs)
      await round
      await Promise.all(aside)
      clearTimeout(timeout)
    },
  }
}
