import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Reader } from '../../../db/store.ts'
import { currentLine } from '../../../db/timeline.ts'
import { allowlistOf, keyOf, tenantOf } from '../queries/tenants.ts'
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
  readonly line: ReturnType<typeof currentLine>
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
  const openBatch = (line: Batch['line']): Batch => {
    const keyIds = new Set<string>()
    const before = last
    const read = async () => {
      await before
      await nextTurn()
      if (next?.keyIds === keyIds) next = undefined
      return app.store.read((reader) => activeAmong(reader, keyIds))
    }
    const keyholders = read()
    last = keyholders.catch(() => {})
    return { line, keyIds, keyholders }
  }
  return async (keyId) => {
    const line = currentLine()
    if (next?.line !== line) next = undefined
    next ??= openBatch(line)
    next.keyIds.add(keyId)
    return (await next.keyholders).get(keyId)
  }
}

async function activeAmong(reader: Reader, keyIds: Iterable<string>): Promise<Map<string, Keyholder>> {
  const active = new Map<string, Keyholder>()
  const read = async (keyId: string) => {
    const keyholder = await activeKeyholder(reader, keyId)
    if (keyholder) active.set(keyId, keyholder)
  }
  await Promise.all([...keyIds].map(read))
  return active
}

async function activeKeyholder(reader: Reader, keyId: string): Promise<Keyholder | undefined> {
  const key = await keyOf(reader, keyId)
  if (!key || key.revoked_at !== null || (key.retires_at !== null && key.retires_at <= reader.now)) return undefined
  const [tenant, allowlist] = await Promise.all([tenantOf(reader, key.tenant), allowlistOf(reader, key.tenant)])
  return tenant && { secret: key.secret, tenant: { ...tenant, keyId }, allowlist, now: reader.now }
}
