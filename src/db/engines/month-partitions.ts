import type { Kysely } from 'kysely'

/** A table whose rows belong to months, a text such as `202603` in a column of its primary key. */
export interface MonthlyTable {
  readonly name: string
  readonly column: string
  /** Returns the latest month that has rows or may get them now. */
  latestMonth(q: Kysely<unknown>): Promise<string>
}

/** Months of a table with partitions that are kept. */
export interface KeptMonths {
  /** Months before this one are dropped; undefined for none. */
  readonly before: string | undefined
  /** The months that need a partition. */
  readonly months: readonly string[]
}

/**
 * Tables with one partition for each month, where the engine supports it. A row of a month without a partition goes into
 * a partition of its own kind, so that no insert fails.
 */
export interface MonthPartitions {
  /** Prepares a table with rows to become a partition. It may be written to all the time, and may be called again. */
  prepare(table: MonthlyTable): Promise<void>
  /** Replaces the table by a partitioned one, whose first partition are its rows. Within a migration. */
  divide(q: Kysely<unknown>, table: MonthlyTable): Promise<void>
  /** Creates missing partitions and drops old ones. Returns the number of dropped ones. */
  keep(table: string, kept: KeptMonths): Promise<number>
}
