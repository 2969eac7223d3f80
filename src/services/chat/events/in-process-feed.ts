import { momentText } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import { chatTenantOf } from '../queries/tenants.ts'
import type { Chat } from '../service.ts'
import type { Frame } from './sse-frames.ts'
import { tenantSource } from './subscriptions.ts'

/**
 * Subscribes to a tenant's events within this process, until the signal aborts: the events of the agents' stream, with
 * the same cursors, for a program that has the database itself.
 */
export async function subscribeToTenant(
  app: Chat,
  code: string,
  {
    after,
    take,
    signal,
  }: { readonly after: string | undefined; readonly take: (event: Frame) => void; readonly signal: AbortSignal },
): Promise<void> {
  const tenant = await app.store.read((reader) => chatTenantOf(reader, code))
  if (!tenant) throw refuse('UNAUTHORIZED', 'The tenant was deleted')
  const source = await tenantSource(app, tenant)
  const { promise: stopped, resolve } = Promise.withResolvers<void>()
  const leave = await app.broadcaster.listen(
    source,
    after,
    {
      audience: 'agent',
      at: 0,
      take: (frames) => {
        for (const frame of frames) take(frame)
      },
    },
    (start) => {
      const eventCursor = source.cursor(start.at)
      const replayed = start.resumed ? start.replayed : 0
      const ready = { eventCursor, serverTime: momentText(app.machineNow()), resumed: start.resumed, replayed }
      take({ id: eventCursor, event: 'ready', data: JSON.stringify(ready) })
      if (!start.resumed && start.resync)
        take({ id: eventCursor, event: 'resync', data: JSON.stringify({ reason: start.resync, eventCursor }) })
    },
  )
  // The broadcaster's own timers do not keep a process alive; this subscription must.
  const stay = setInterval(() => {}, 60_000)
  signal.addEventListener('abort', () => resolve(), { once: true })
  if (signal.aborted) resolve()
  await stopped
  clearInterval(stay)
  leave()
}
