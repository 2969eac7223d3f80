import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import type { PeriodicJob } from '../../src/db/periodic-job.ts'
import { silentLog } from '../../src/kit/log.ts'
import { Problem } from '../../src/kit/problem.ts'
import { runJobs, startScheduler } from '../../src/world/scheduler.ts'

/** A job with this much work, at most `limit` of it in one round. */
function aPass(name: string, toDo: number, log: string[] = []): PeriodicJob {
  let left = toDo
  return {
    name,
    async run(limit) {
      const done = Math.min(limit, left)
      left -= done
      if (done > 0) log.push(`${name} ${done}`)
      return done
    },
  }
}

test('jobs run in their order, and again until none finds work', async () => {
  const log: string[] = []
  expect(await runJobs([aPass('a', 150, log), aPass('b', 1, log)])).toBe(151)
  expect(log).toEqual(['a 100', 'b 1', 'a 50'])
})

test('jobs that never finish are reported as a bug', async () => {
  await expect(runJobs([{ name: 'endless', run: async () => 1 }])).rejects.toThrow(/in a row/)
})

test('the scheduler continues when a job fails, and reports it', async () => {
  const warnings: object[] = []
  const log = { ...silentLog, warn: (detail: object) => void warnings.push(detail) }
  let others = 0
  const failing: PeriodicJob = { name: 'failing', run: () => Promise.reject(new Problem('STORE_UNAVAILABLE', 'away')) }
  const other: PeriodicJob = { name: 'other', run: async () => ++others }
  const scheduler = startScheduler([failing, other], log, 1)
  while (others < 3) await setTimeout(1)
  await scheduler.stop()
  expect(warnings[0]).toMatchObject({ job: 'failing', code: 'STORE_UNAVAILABLE' })
})

test('stopping the scheduler waits for the current round, and no other begins', async () => {
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  let rounds = 0
  const slow: PeriodicJob = {
    name: 'slow',
    async run() {
      rounds++
      begun.resolve()
      await gate.promise
      return 0
    },
  }
  const scheduler = startScheduler([slow], silentLog, 1)
  await begun.promise
  let isStopped = false
  const stopping = scheduler.stop().then(() => {
    isStopped = true
  })
  await setTimeout(5)
  expect(isStopped).toBe(false)
  gate.resolve()
  await stopping
  await setTimeout(5)
  expect(rounds).toBe(1)
})
