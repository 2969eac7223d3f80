import assert from 'node:assert/strict'
import type { Reader, Tx } from './store.ts'

/**
 * Returns the next number of a series, starting with 1. Taken from a row in the same transaction, not from a sequence:
 * numbers become visible in order and without gaps, so no reader's cursor skips one.
 */
export function nextOf(tx: Tx, series: string): Promise<number> {
  return nextRunOf(tx, series, 1)
}

/** Takes `count` consecutive numbers of a series and returns the first. */
export async function nextRunOf({ q }: Tx, series: string, count: number): Promise<number> {
  assert(Number.isSafeInteger(count) && count >= 1, 'count must be at least 1')
  const row = await q
    .insertInto('store_counters')
    .values({ series, value: count })
    .onConflict((conflict) =>
      conflict.column('series').doUpdateSet((eb) => ({ value: eb('store_counters.value', '+', count) })),
    )
    .returning('value')
    .executeTakeFirstOrThrow()
  return row.value - count + 1
}

/** Returns the last number taken from a series, or 0. */
export async function lastOf({ q }: Reader, series: string): Promise<number> {
  const row = await q.selectFrom('store_counters').select('value').where('series', '=', series).executeTakeFirst()
  return row?.value ?? 0
}
