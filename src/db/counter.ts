import assert from 'node:assert/strict'
import type { Reader, Tx } from './store.ts'

/**
 * The next number of a series, the first being 1. Taken from a row in the same transaction and not from a sequence, so
 * that numbers become visible in their order, none is missing, and no reader's cursor passes one over.
 */
export function nextOf(tx: Tx, series: string): Promise<number> {
  return nextRunOf(tx, series, 1)
}

/** Takes `count` consecutive numbers of a series and answers with the first of them. */
export async function nextRunOf({ q }: Tx, series: string, count: number): Promise<number> {
  assert(Number.isSafeInteger(count) && count >= 1, 'a run of numbers has at least one')
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

/** The last number of a series that was given out, or 0. */
export async function lastOf({ q }: Reader, series: string): Promise<number> {
  const row = await q.selectFrom('store_counters').select('value').where('series', '=', series).executeTakeFirst()
  return row?.value ?? 0
}
