import type { FaultRow } from '../db/schema/store.ts'
import type { Reader, Tx } from '../db/store.ts'
import type { Fault } from '../domain/faults.ts'

export function toFault(row: FaultRow): Fault {
  const { kind, service, endpoint, status, code, times, every, chance, until, seed, met, hits } = row
  const { retry_after_seconds: retryAfterSeconds, for_ms: forMs } = row
  return {
    kind,
    service,
    endpoint,
    status,
    code,
    retryAfterSeconds,
    forMs,
    times,
    every,
    chance,
    until,
    seed,
    met,
    hits,
  }
}

export function faultsOf({ q }: Reader): Promise<FaultRow[]> {
  return q.selectFrom('store_faults').selectAll().orderBy('id').execute()
}

export function faultOf({ q }: Reader, id: number): Promise<FaultRow | undefined> {
  return q.selectFrom('store_faults').selectAll().where('id', '=', id).executeTakeFirst()
}

export async function saveFault({ q }: Tx, id: number, change: Partial<FaultRow>): Promise<void> {
  await q.updateTable('store_faults').set(change).where('id', '=', id).execute()
}

export async function markTakenUp({ q }: Tx, ids: readonly number[]): Promise<void> {
  await q.updateTable('store_faults').set({ taken_up: 1 }).where('id', 'in', ids).execute()
}

/** Deletes the faults with these ids, or all. Returns their number. */
export async function deleteFaults({ q }: Tx, ids: readonly number[] | undefined): Promise<number> {
  const rows = await q
    .deleteFrom('store_faults')
    .$if(ids !== undefined, (query) => query.where('id', 'in', ids ?? []))
    .returning('id')
    .execute()
  return rows.length
}
