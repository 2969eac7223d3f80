import type { Kysely } from 'kysely'
import type { KeyedTable } from '../keyed-table.ts'

/** PostgreSQL stores rows in no order, so only the constraint and its index are replaced. */
export async function storeByKey(q: Kysely<unknown>, { name, key }: KeyedTable): Promise<void> {
  await q.schema.alterTable(name).dropConstraint(`${name}_key`).execute()
  await q.schema
    .alterTable(name)
    .addPrimaryKeyConstraint(`${name}_key`, [...key] as never)
    .execute()
}
