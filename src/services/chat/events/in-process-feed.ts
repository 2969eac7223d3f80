import { momentText } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import { chatTenantOf } from '../queries/tenants.ts'
import type { Chat } from '../service.ts'
import type { PushedEvent } from './pushed-events.ts'
import { tenantSource } from './subscriptions.ts'

/**
 * Subscribes to a tenant's events within this process, until the signal aborts. They are the events of the agents'
 * stream with the same cursors, for a program that opens the database itself.
 */
export async function subscribeToTenant(
  app: Chat,
  code: string,
  {
    after,
    take,
    signal,
  }: { readonly after: string | undefined; readonly take: (event: PushedEvent) => void; readonly signal: AbortSignal },
): Promise<void> {
  // The broadcaster's timers do not keep a process alive; this subscription must.
  const stay = setInterval(() => {}, 60_000)
  let cursor = after
  try {
    while (!signal.aborted)
      await subscribeOnce(app, code, {
        after: cursor,
        signal,
        take: (event) => {
          cursor = event.id ?? cursor
          take(event)
        },
      })
  } finally {
    clearInterval(stay)
  }
}

type Feed = Parameters<typeof subscribeToTenant>[2]

/** Subscribes until the signal aborts or the content of the database is replaced. */
async function subscribeOnce(app: Chat, code: string, { after, take, signal }: Feed): Promise<void> {
  const tenant = await app.store.read((reader) => chatTenantOf(reader, code))
  if (!tenant) throw refuse('UNAUTHORIZED', 'The tenant was deleted')
  const source = await tenantSource(app, tenant)
  const { promise: ended, resolve } = Promise.withResolvers<void>()
  const takeAll = (events: readonly PushedEvent[]) => {
    for (const event of events) take(event)
  }
  const leave = await app.broadcaster.listen(
    source,
    after,
    { audience: 'agent', at: 0, take: takeAll, restart: resolve },
    (start) => {
      const eventCursor = source.cursor(start.at)
      const replayed = start.resumed ? start.replayed : 0
      const ready = { eventCursor, serverTime: momentText(app.machineNow()), resumed: start.resumed, replayed }
      take({ id: eventCursor, event: 'ready', data: JSON.stringify(ready) })
      if (!start.resumed && start.resync)
        take({ id: eventCursor, event: 'resync', data: JSON.stringify({ reason: start.resync, eventCursor }) })
    },
  )
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  await ended
  leave()
}
