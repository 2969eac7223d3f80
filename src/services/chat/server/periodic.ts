import { forgetExpired } from '../../../db/idempotency-keys.ts'
import type { PeriodicJob } from '../../../db/periodic-job.ts'
import { bucketMemoryMs } from '../auth/rate-limits.ts'
import { endUploads } from '../media/uploads.ts'
import { forgetBuckets } from '../queries/buckets.ts'
import { forgetEvents } from '../queries/events.ts'
import { forgetTickets } from '../queries/tenants.ts'
import type { Chat } from '../service.ts'

/** Lifetime of an event. Streams cannot resume from an older one. */
const eventLifeMs = 7 * 86_400_000

/** Returns the periodic jobs of the chat. */
export function chatJobs(app: Chat): PeriodicJob[] {
  return [
    {
      name: 'chat: number events',
      run: () => app.broadcaster.sequenceAll(),
    },
    {
      name: 'chat: delete old events',
      isCleanup: true,
      run: (limit) => app.store.write((tx) => forgetEvents(tx, tx.now - eventLifeMs, limit)),
    },
    {
      name: 'chat: delete used stream tickets',
      isCleanup: true,
      run: (limit) => app.store.write((tx) => forgetTickets(tx, app.machineNow(), limit)),
    },
    {
      name: 'chat: delete old rate limit buckets',
      run: (limit) => app.store.write((tx) => forgetBuckets(tx, app.machineNow() - bucketMemoryMs, limit)),
    },
    {
      name: 'chat: expire uploads',
      run: (limit) => endUploads(app, limit),
    },
    {
      name: 'chat: delete old idempotency keys',
      isCleanup: true,
      run: (limit) => app.store.write((tx) => forgetExpired(tx, limit)),
    },
  ]
}
