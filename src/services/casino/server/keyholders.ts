import { setImmediate as nextTurn } from 'node:timers/promises'
import { partsOf } from '../../../db/chunks.ts'
import { currentTimeline } from '../../../db/timeline.ts'
import { type KeyWithTenant, keysWithTenants } from '../queries/tenants.ts'
import type { Casino, Tenant } from '../service.ts'

/** An active key with its tenant. */
export interface Keyholder {
  readonly secret: string
  readonly tenant: Tenant
  /** Allowed IP addresses and networks; empty for any address. */
  readonly allowlist: readonly string[]
  /** Time of the snapshot. */
  readonly now: number
}

/** Returns the holder of a key, or undefined for one that is not active. */
export type FindKeyholder = (keyId: string) => Promise<Keyholder | undefined>

interface Batch {
  readonly timeline: ReturnType<typeof currentTimeline>
  readonly keyIds: Set<string>
  readonly keyholders: Promise<ReadonlyMap<string, Keyholder>>
}

/**
 * Reads keys in batches: the requests of one turn of the event loop, and those that arrive during a read, share the next
 * snapshot, and requests with the same key its rows. No request gets a snapshot older than itself, so a revoked key is
 * refused from the next request on.
 */
export function openKeyholders(app: Casino): FindKeyholder {
  let next: Batch | undefined
  let last: Promise<unknown> = Promise.resolve()
  const openBatch = (timeline: Batch['timeline']): Batch => {
    const keyIds = new Set<string>()
    const before = last
    const read = async () => {
      await before
      await nextTurn()
      if (next?.keyIds === keyIds) next = undefined
      return activeAmong(app, [...keyIds])
    }
    const keyholders = read()
    last = keyholders.catch(() => {})
    return { timeline, keyIds, keyholders }
  }
  return async (keyId) => {
    const timeline = currentTimeline()
    if (next?.timeline !== timeline) next = undefined
    next ??= openBatch(timeline)
    next.keyIds.add(keyId)
    return (await next.keyholders).get(keyId)
  }
}

async function activeAmong({ store }: Casino, keyIds: readonly string[]): Promise<Map<string, Keyholder>> {
  const { now, results } = await store.readTogether(partsOf(keyIds).map((part) => (on) => keysWithTenants(on, part)))
  const isActive = ({ key }: KeyWithTenant) =>
    key.revoked_at === null && (key.retires_at === null || key.retires_at > now)
  return new Map(
    results
      .flat()
      .filter(isActive)
      .map(({ key, tenant, allowlist }) => {
        const keyholder = { secret: key.secret, tenant: { ...tenant, keyId: key.key_id }, allowlist, now }
        return [key.key_id, keyholder]
      }),
  )
}
