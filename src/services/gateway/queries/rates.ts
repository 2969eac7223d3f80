import type { SetRatesRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'

/** Key of the single row: prices set by hand are one decision on the whole table. */
const only = 1

export function setRatesOf({ q }: Reader): Promise<SetRatesRow | undefined> {
  return q.selectFrom('gateway_set_rates').selectAll().where('id', '=', only).executeTakeFirst()
}

export async function saveSetRates({ q }: Tx, row: Omit<SetRatesRow, 'id'> | undefined): Promise<void> {
  await q.deleteFrom('gateway_set_rates').where('id', '=', only).execute()
  if (row !== undefined)
    await q
      .insertInto('gateway_set_rates')
      .values({ ...row, id: only })
      .execute()
}
