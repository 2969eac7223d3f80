import { setTimeout as wait } from 'node:timers/promises'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { type Month, monthAfter } from '../../../domain/bets/cursor.ts'
import { isProblem } from '../../../kit/problem.ts'
import type { Tables } from '../../schema/index.ts'
import type { Work } from '../engine.ts'
import type { KeptMonths, MonthlyTable, MonthPartitions } from '../month-partitions.ts'
import { limitLockWaits, lockMs } from './online-changes.ts'

const maxAttempts = 200
/** Longest statement with a lock that readers and writers wait for. */
const exclusiveMs = 800

/** Time for which nothing is looked up again if the same months are to be kept. */
const checkedMs = 600_000

/** Ending of the name of a partition that is detached and not dropped yet. */
export const detachedEnding = '_detached'

interface Partition {
  readonly name: string
  /** The month that follows its last one; undefined for the partition of all other months. */
  readonly until: string | undefined
  readonly from: string | undefined
}

/** Range partitions by month. `alone` runs a transaction while no other process changes the schema. */
export function monthPartitions(
  alone: <T>(work: Work<T>) => Promise<T>,
  plain: <T>(work: Work<T>) => Promise<T>,
): MonthPartitions {
  /** Months whose rows are among the others, so that no partition can be created. */
  const unavailable = new Set<string>()
  const finished = new Map<string, { readonly kept: string; readonly at: number }>()
  return {
    async prepare(table) {
      await patiently(() => alone((q) => addBound(untyped(q), table)))
      await plain(async (q) => {
        await sql`set local statement_timeout = 0`.execute(q)
        const bound = await boundOf(untyped(q), table)
        // Reads all rows with a lock that readers and writers do not wait for.
        if (bound) await sql`alter table ${sql.table(table.name)} validate constraint ${sql.id(bound.name)}`.execute(q)
      })
    },
    divide,
    async keep(table, kept) {
      const last = finished.get(table)
      if (last?.kept === JSON.stringify(kept) && performance.now() - last.at < checkedMs) return 0
      const partitions = await plain((q) => partitionsOf(q, table))
      if (partitions.length === 0) return 0
      let isFinished = true
      for (const month of missing(partitions, kept.months)) {
        if (unavailable.has(month)) continue
        const isCreated = await whenFree(() => alone((q) => createMonth(q, table, month)))
        if (isCreated === false) unavailable.add(month)
        isFinished &&= isCreated !== undefined
      }
      const { before } = kept
      const old = partitions.filter(({ until }) => before !== undefined && until !== undefined && until <= before)
      let dropped = 0
      for (const { name } of old) if (await whenFree(() => alone((q) => detach(q, table, name)))) dropped += 1
      await plain((q) => dropDetached(q, table))
      isFinished &&= dropped === old.length
      if (isFinished) finished.set(table, { kept: JSON.stringify(kept), at: performance.now() })
      return dropped
    },
  }
}

const untyped = (q: Kysely<Tables>) => q as unknown as Kysely<unknown>

/** Repeats a change of the schema that could not get its lock. */
async function patiently(change: () => Promise<void>): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await change()
    } catch (error) {
      if (!isProblem(error, 'STORE_BUSY') || attempt >= maxAttempts) throw error
    }
    await wait(lockMs)
  }
}

/** Returns undefined if the lock is not available now: the next run tries again. */
async function whenFree<T>(change: () => Promise<T>): Promise<T | undefined> {
  try {
    return await change()
  } catch (error) {
    if (isProblem(error, 'STORE_BUSY')) return undefined
    throw error
  }
}

async function limitLocks(q: Kysely<unknown>): Promise<void> {
  await limitLockWaits(q)
  await sql`set local statement_timeout = ${sql.lit(exclusiveMs)}`.execute(q)
}

const text = (value: string): RawBuilder<unknown> => sql.lit(value)

/** Adds the condition that all rows are before a month; existing rows are not read. */
async function addBound(q: Kysely<unknown>, table: MonthlyTable): Promise<void> {
  if (await boundOf(q, table)) return
  await limitLocks(q)
  const until = monthAfter((await table.latestMonth(q)) as Month, 2)
  await sql`alter table ${sql.table(table.name)}
    add constraint ${sql.id(`${table.name}_before_${until}`)}
    check (${sql.ref(table.column)} < ${text(until)}) not valid`.execute(q)
}

/** Returns the condition, and the month that it names. */
async function boundOf(q: Kysely<unknown>, { name }: MonthlyTable) {
  const { rows } = await sql<{ name: string }>`
    select conname as name from pg_constraint
    where conrelid = to_regclass(quote_ident(${name})) and starts_with(conname, ${`${name}_before_`})`.execute(q)
  const [row] = rows
  return row && { name: row.name, until: row.name.slice(-6) }
}

/** The rows are not copied: the table becomes a partition under another name. */
async function divide(q: Kysely<unknown>, table: MonthlyTable): Promise<void> {
  const { name, column } = table
  await limitLocks(q)
  const bound = await boundOf(q, table)
  const first = (bound?.until ?? (await table.latestMonth(q))) as Month
  const before = `${name}_before_${first}`
  const indexes = await indexesOf(q, name)
  await sql`alter table ${sql.table(name)} rename to ${sql.id(before)}`.execute(q)
  for (const [i, index] of indexes.entries())
    await sql`alter index ${sql.id(index.name)} rename to ${sql.id(`${before}_${i}`)}`.execute(q)
  await sql`create table ${sql.table(name)} (like ${sql.table(before)} including defaults)
    partition by range (${sql.ref(column)})`.execute(q)
  for (const { definition } of indexes) await sql.raw(definition).execute(q)
  if (bound) {
    await sql`alter table ${sql.table(name)} attach partition ${sql.table(before)}
      for values from (minvalue) to (${text(first)})`.execute(q)
    await sql`alter table ${sql.table(before)} drop constraint ${sql.id(bound.name)}`.execute(q)
  } else await sql`drop table ${sql.table(before)}`.execute(q)
  for (const month of [first, monthAfter(first, 1), monthAfter(first, 2)])
    await sql`create table ${sql.table(partitionName(name, month))} partition of ${sql.table(name)}
      ${rangeOf(month)}`.execute(q)
  await sql`create table ${sql.table(`${name}_other`)} partition of ${sql.table(name)} default`.execute(q)
}

const partitionName = (table: string, month: string) => `${table}_${month}`

const rangeOf = (month: string) => sql`for values from (${text(month)}) to (${text(monthAfter(month as Month, 1))})`

/** Returns the indexes of a table, each with the statement that makes it: the primary key as a constraint. */
async function indexesOf(q: Kysely<unknown>, table: string) {
  const { rows } = await sql<{ name: string; definition: string }>`
    select c.relname as name,
      case when k.oid is null then replace(pg_get_indexdef(i.indexrelid), format(' ON %I.', n.nspname), ' ON ')
      else format('alter table %I add constraint %I %s', t.relname, k.conname, pg_get_constraintdef(k.oid)) end as definition
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_class t on t.oid = i.indrelid
    join pg_namespace n on n.oid = t.relnamespace
    left join pg_constraint k on k.conindid = i.indexrelid and k.contype in ('p', 'u')
    where i.indrelid = to_regclass(quote_ident(${table})) order by i.indexrelid`.execute(q)
  return rows
}

async function partitionsOf(q: Kysely<Tables>, table: string): Promise<Partition[]> {
  const { rows } = await sql<{ name: string; bound: string }>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = to_regclass(quote_ident(${table})) order by c.relname`.execute(q)
  return rows.map(({ name, bound }) => ({
    name,
    from: /FROM \('(\d{6})'\)/.exec(bound)?.[1],
    until: /TO \('(\d{6})'\)/.exec(bound)?.[1],
  }))
}

function missing(partitions: readonly Partition[], months: readonly KeptMonths['months'][number][]): string[] {
  const covers = ({ from = '', until }: Partition, month: string) =>
    until !== undefined && from <= month && month < until
  return months.filter((month) => !partitions.some((each) => covers(each, month)))
}

/**
 * Attaches an empty table as the partition of a month: writers of the others do not wait. Returns false if there are
 * rows of the month among those without a partition; they stay there.
 */
async function createMonth(q: Kysely<Tables>, table: string, month: string): Promise<boolean> {
  await limitLocks(untyped(q))
  if ((await partitionsOf(q, table)).some(({ from }) => from === month)) return true
  const [name, other] = [partitionName(table, month), `${table}_other`]
  const rows = await sql`select 1 from ${sql.table(other)} where month = ${text(month)} limit 1`.execute(q)
  if (rows.rows.length > 0) return false
  await sql`create table ${sql.table(name)} (like ${sql.table(table)} including defaults including constraints)`.execute(
    q,
  )
  await sql`alter table ${sql.table(table)} attach partition ${sql.table(name)} ${rangeOf(month)}`.execute(q)
  return true
}

async function detach(q: Kysely<Tables>, table: string, name: string): Promise<true> {
  await limitLocks(untyped(q))
  await sql`alter table ${sql.table(table)} detach partition ${sql.table(name)}`.execute(q)
  await sql`alter table ${sql.table(name)} rename to ${sql.id(`${name}${detachedEnding}`)}`.execute(q)
  return true
}

/** Removing the files of a large table takes time, so it is not done with the lock of the others. */
async function dropDetached(q: Kysely<Tables>, table: string): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select tablename as name from pg_tables where schemaname = current_schema()
      and starts_with(tablename, ${`${table}_`}) and tablename like ${`%\\${detachedEnding}`}`.execute(q)
  for (const { name } of rows) await sql`drop table if exists ${sql.table(name)}`.execute(q)
}
