import type { PeriodicJob } from '../db/periodic-job.ts'
import { dayMs } from '../domain/time/calendar.ts'
import { type BusyUrls, deliverDue } from './deliver.ts'
import type { Outbox } from './outbox.ts'
import { deleteEnded, nextDueAt } from './queries.ts'

/** Days that ended deliveries stay in the log. */
export const logDays = 30

/** Returns the periodic jobs of the outbox: send due deliveries, delete old ones. */
export function outboxJobs(outbox: Outbox): PeriodicJob[] {
  const busyUrls: BusyUrls = new Set()
  return [
    {
      name: 'send deliveries',
      overlaps: true,
      // Without URLs being sent to: a moved clock must not jump to the expiry of their leases.
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
