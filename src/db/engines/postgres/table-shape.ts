import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../schema/index.ts'
import type { TableShape } from '../table-shape.ts'

export async function tableShape(q: Kysely<Tables>, name: string): Promise<TableShape> {
  const columns = await sql<{ name: string }>`
    select attname as name from pg_attribute
    where attrelid = to_regclass(quote_ident(current_schema()) || '.' || quote_ident(${name}))
      and attnum > 0 and not attisdropped`.execute(q)
  const key = await sql<{ name: string }>`
    select a.attname as name
    from pg_index i
    cross join lateral unnest(i.indkey) with ordinality as part (attnum, position)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = part.attnum
    where i.indrelid = to_regclass(quote_ident(current_schema()) || '.' || quote_ident(${name})) and i.indisprimary
    order by part.position`.execute(q)
  return { name, columns: columns.rows.map((row) => row.name).sort(), key: key.rows.map((row) => row.name) }
}
