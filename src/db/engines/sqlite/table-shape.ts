import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../schema/index.ts'
import type { TableShape } from '../table-shape.ts'

export async function tableShape(q: Kysely<Tables>, name: string): Promise<TableShape> {
  const { rows } = await sql<{ name: string; pk: number }>`select name, pk from pragma_table_info(${name})`.execute(q)
  const key = rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  return { name, columns: rows.map((row) => row.name).sort(), key: key.map((row) => row.name) }
}
