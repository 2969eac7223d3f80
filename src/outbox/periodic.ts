import type { PeriodicJob } from '../db/periodic-job.ts'
import { dayMs } from '../domain/time/calendar.ts'
import { type BusyUrls, deliverDue } from './deliver.ts'
import type { Outbox } from './outbox.ts'
import { deleteEnded, nextDueAt } from './queries.ts'

/** Days that delivered and failed deliveries stay in the log. */
export const logDays = 30

/** Periodic jobs of the outbox: send what is due, delete old log entries. */
export function outboxJobs(outbox: Outbox): PeriodicJob[] {
  const busyUrls: BusyUrls = new Set()
  return [
    {
      name: 'send deliveries',
      overlaps: true,
      // Deliveries being sent must not advance a moved clock: their sender records the result.
      nextRun: (reader) => nextDueAt(reader, [...busyUrls]),
      run: (limit, stop) => deliverDue(outbox, busyUrls, limit, stop),
    },
    {
      name: 'delete old deliveries',
      isCleanup: true,
      run: (limit) => outbox.store.write((tx) => deleteEnded(tx, tx.now - logDays * dayMs, limit)),
    },
  ]
}
