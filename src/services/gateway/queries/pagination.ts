import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from 'kysely'
import type { Tables } from '../../../db/schema/index.ts'

/** A page of a list, from its beginning or its end. */
export interface Pagination {
  readonly offset: number
  readonly limit: number
  readonly isDescending: boolean
}

type Fitting<Table extends keyof Tables> = SelectQueryBuilder<Tables, Table, object>

/**
 * Returns one page of matching rows, without reading the others. Both engines must sort the columns of `order` alike.
 */
export async function pageOf<Table extends keyof Tables>(
  baseQuery: Fitting<Table>,
  order: readonly ((keyof Tables[Table] & string) | RawBuilder<unknown>)[],
  { offset, limit, isDescending }: Pagination,
): Promise<Selectable<Tables[Table]>[]> {
  let query = baseQuery.selectAll()
  for (const key of order)
    query = query.orderBy(typeof key === 'string' ? sql.ref(key) : key, isDescending ? 'desc' : 'asc')
  return (await query.limit(limit).offset(offset).execute()) as Selectable<Tables[Table]>[]
}

/** Counts matching rows. */
export async function countOf<Table extends keyof Tables>(baseQuery: Fitting<Table>): Promise<number> {
  const { count } = await baseQuery.select(sql<number>`count(*)`.as('count')).executeTakeFirstOrThrow()
  return Number(count)
}
