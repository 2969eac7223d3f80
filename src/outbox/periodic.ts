import type { Pass } from '../db/periodic-job.ts'
import { dayMs } from '../domain/time/calendar.ts'
import { deliverDue, type Lanes } from './deliver.ts'
import type { Outbox } from './outbox.ts'
import { forgetEnded, nextDueAt } from './queries.ts'

/** How long the log keeps what was delivered or given up. */
export const logDays = 30

/** What time does to the outbox: what is owed is sent, what ended long ago is forgotten. */
export function outboxPasses(outbox: Outbox): Pass[] {
  const lanes: Lanes = new Set()
  return [
    {
      name: 'deliveries are sent',
      overlaps: true,
      // What is on its way is no reason to move the clock: its sender will say what came of it.
      nextDue: (reader) => nextDueAt(reader, [...lanes]),
      run: (limit, stop) => deliverDue(outbox, lanes, limit, stop),
    },
    {
      name: 'old deliveries are forgotten',
      run: (limit) => outbox.store.write((tx) => forgetEnded(tx, tx.now - logDays * dayMs, limit)),
    },
  ]
}
