import type { Chat, Customer } from '../service.ts'
import type { Broadcaster } from './broadcaster.ts'
import { type PushedEvent, withLinks } from './pushed-events.ts'
import { roomSource } from './subscriptions.ts'

/** Minimum timeout for reading existing events, for a client that does not wait for new ones. */
const readMs = 5_000

/**
 * Long polling for clients behind a proxy that blocks streaming. Responds with the first events, or with none after a
 * timeout.
 */
export async function pollEvents(
  app: Chat,
  broadcaster: Broadcaster,
  { tenant, room }: Customer,
  { after, waitMs = 25_000 }: { after?: string | undefined; waitMs?: number | undefined },
) {
  const publicUrl = app.config.publicUrl()
  const source = await roomSource(app, tenant.code, room.id)
  const { promise, resolve } = Promise.withResolvers<readonly PushedEvent[]>()
  let resync: string | undefined
  let at = 0
  let timer: NodeJS.Timeout | undefined
  const end = await broadcaster.listen(
    source,
    after,
    { audience: 'customer', at: 0, take: resolve },
    (start) => {
      at = start.at
      const hasBacklog = start.resumed && start.replayed > 0
      timer = setTimeout(() => resolve([]), hasBacklog ? Math.max(waitMs, readMs) : waitMs)
      if (!start.resumed && start.resync) {
        resync = start.resync
        resolve([])
      } else if (after === undefined) resolve([])
    },
    {
      tenantKey: tenant.tenant_key,
      roomId: room.id,
      roomEpoch: room.token_epoch,
      leave: () => resolve([]),
      beat: () => {},
    },
  )
  try {
    const pushed = await promise
    const eventCursor = pushed.at(-1)?.id ?? source.cursor(at)
    const events = pushed.map(({ id, event, data }) => ({
      id: id ?? null,
      event,
      data: JSON.parse(withLinks(data, publicUrl)),
    }))
    return {
      events: resync === undefined ? events : [{ id: null, event: 'resync', data: { reason: resync, eventCursor } }],
      eventCursor,
    }
  } finally {
    clearTimeout(timer)
    end()
  }
}
