import { type CreateTableBuilder, type Kysely, sql } from 'kysely'
import type { KeyedTable } from '../keyed-table.ts'

/** SQLite cannot change the key of a table, so the rows are copied to a new one, in the order of the key. */
export async function storeByKey(q: Kysely<unknown>, table: KeyedTable): Promise<void> {
  const copy = `${table.name}_copy`
  await createTable(q, copy, table)
  const columns = sql.join(table.columns.map(([name]) => sql.ref(name)))
  const order = sql.join(table.key.map((name) => sql.ref(name)))
  await sql`insert into ${sql.table(copy)} (${columns})
    select ${columns} from ${sql.table(table.name)} order by ${order}`.execute(q)
  await q.schema.dropTable(table.name).execute()
  await q.schema.alterTable(copy).renameTo(table.name).execute()
}

async function createTable(q: Kysely<unknown>, copy: string, { name, columns, key }: KeyedTable): Promise<void> {
  let builder: CreateTableBuilder<string, string> = q.schema.createTable(copy)
  for (const [column, type] of columns) builder = builder.addColumn(column, type, (definition) => definition.notNull())
  await builder
    .addPrimaryKeyConstraint(`${name}_key`, key as never)
    .modifyEnd(sql`without rowid`)
    .execute()
}
