import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Scan } from './plans.ts'

/**
 * Reason why a query may read all of a table, or all of it from a position on. Every other such query of a growing
 * table fails `test/db/query-plans.test.ts`.
 */

/** Tables that do not grow with the days, or so little that reading all of one costs almost nothing. */
export const smallTables: Readonly<Record<string, string>> = {
  book_alarms: 'one row per finding of a sync that a person has to check',
  book_approvers: 'one row per approver, whom a person adds',
  book_breaks: 'one row per difference, which people work on: it grows with errors, not with slips',
  book_exports: 'one row per folder and month',
  book_headless: 'one row per revision that has no first one, in an incomplete book',
  book_holders: 'one row per job',
  book_months: 'one row per month',
  book_owner: 'one row',
  book_position: 'one row',
  book_period_events: 'a few rows per closed period',
  book_periods: 'one row per closed period',
  book_reconciled_days: 'one row per reconciled day',
  book_repairs: 'one row per repair of a day',
  book_replaced_revisions: 'one row per revision that a repair replaced or removed',
  book_runs: 'at most 200 rows per job',
  book_ticket_actions:
    'one row per change that a person made to a ticket in bulk or in triage; only commands of persons read it',
  book_wallet_marks: 'at most 50 rows per player',
  book_wallet_plans: 'one row per batch of transfers',
  casino_day_bets: 'one row per tenant and day, until it is charged',
  casino_limit_profiles: 'as many as the platform has made',
  casino_live_tables: 'one row per table',
  casino_summary_backlogs: 'one row per tenant from before there were running sums',
  casino_table_spans: 'one row per time that a table was enabled',
  casino_tables: 'one row per table',
  casino_tenants: 'one row per tenant',
  casino_webhooks: 'one row per tenant',
  chat_life: 'one row',
  chat_tenants: 'one row per tenant',
  gateway_buckets: 'one row per key and address that was used lately; a periodic job deletes the others',
  gateway_environments: 'two rows',
  gateway_chain_txs: 'transactions of simulated chains, of a local world for development',
  gateway_merchants: 'one row per merchant',
  store_counters: 'one row per series of numbers',
  store_login_attempts:
    'one row per user, merchant and address with failures lately; a periodic job deletes the others',
  store_faults: 'as many as a developer has set',
  store_migrations: 'one row per migration',
  store_world: 'one row',
}

export interface Reason {
  /** Start of the query. */
  readonly query: string
  readonly why: string
}

/** Queries that may read all of a growing table. */
export const reasons: readonly Reason[] = [
  {
    query:
      'select "channel", "status", count(*) as "count", min("scheduled_at") as "earliest" from "outbox_deliveries"',
    why: 'the partial index of the open deliveries, of which there are few; for /metrics and the desk',
  },
  {
    query: 'with recursive players (name_key) as ( select min(name_key) from ',
    why: 'min() reads one entry of the index, so this is one search per player',
  },
  {
    query: 'delete from "book_revisions" where "place" > ?',
    why: 'the last rows, which the same transaction has inserted',
  },
  {
    query: 'select "slip_id" from "book_revisions" where "settled_at" >= ? and "rev" > 1 and "place" > ?',
    why: '"reconcile restated" reads the later revisions since the first of its days by an index that has only these, one row of thirty; --since limits it',
  },
  {
    query: 'select "id", "tenant", "room_id", "n" from "chat_events" where "position" is null',
    why: 'the index has only events without a position, which exist for moments',
  },
  {
    query: 'select "scheduled_at" from "outbox_deliveries" where "ended_at" is null',
    why: 'the index has only deliveries that are not ended',
  },
  {
    query: 'select "url" from "outbox_deliveries" where "ended_at" is null',
    why: 'the index has only deliveries that are not ended',
  },
  {
    query: 'update "outbox_deliveries" set "scheduled_at" = "scheduled_at" + ? where "ended_at" is null',
    why: 'the index has only deliveries that are not ended',
  },
]

/** Sources whose work is to read a whole book. People start it; no hourly job does. */
export const wholeBook: Readonly<Record<string, string>> = {
  'src/db/copy-tables.ts': 'a copy has every row',
  'src/operator/audit/':
    'the chain is checked and exported from its first entry; a list by person or time reads it from the end',
  'src/operator/bets/repair/':
    'a repair searches the whole order of arrival for gaps and counts the months it changed again',
  'src/operator/book/copies/': 'a copy has every row',
  'src/operator/book/verify/': 'a verification reads every row',
  'src/world/invariants.ts': 'the check of a small world after a test has run against it',
  'src/world/scenarios/': 'a check of a scenario counts the callbacks of a simulated world',
  'src/world/snapshots/': 'a copy of a world, and a comparison of two, read every row',
  'src/world/metrics/': 'callbacks that are not ended, which exist for moments, by an index that has only these',
}

/** Queries that PostgreSQL answers from a whole index that has only few rows; SQLite finds the rows in another one. */
export const postgresReasons: readonly Reason[] = [
  {
    query: 'update "outbox_deliveries" set "status" = ?, "scheduled_at" = ? where "ended_at" is null',
    why: 'the index has only deliveries that are not ended',
  },
  {
    query: 'update "outbox_deliveries" set "url" = ? where "owner" = ? and "channel" = ? and "ended_at" is null',
    why: 'the index has only deliveries that are not ended',
  },
]

/** Migrations run once per database, so their reads do not matter. Their queries are in their sources. */
export function isOfMigration(query: string): boolean {
  sources ??= ['book', 'world']
    .flatMap((folder) => {
      const path = join(import.meta.dirname, '../../src/db/migrations', folder)
      return readdirSync(path).map((file) => readFileSync(join(path, file), 'utf8'))
    })
    .join(' ')
    .replace(/\s+/g, ' ')
  return sources.includes(query.slice(0, 50)) || madeByMigrations.has(query)
}

let sources: string | undefined

/** Queries of migrations that are composed in their sources. */
const madeByMigrations = new Set(['update outbox_deliveries set held_by = ? where last_error in (?, ?)'])

/**
 * Returns whether a query is one of a test that reads or changes all rows: no command and no service has such a query.
 */
export function isOfTest(query: string): boolean {
  return (
    /^(?:select \*|delete) from "\w+"(?: order by [^()]*)?$/.test(query) ||
    /^update "\w+" set "\w+" = \?$/.test(query) ||
    madeByTests.has(query)
  )
}

const madeByTests = new Set([
  'select "place", "slip_id" from "book_revisions" order by "place"',
  'select "place", "slip_id", "rev" from "book_revisions" order by "place"',
  'delete from "casino_bet_records" where "month" = ? and "rec_seq" > ?',
  'select "body" from "gateway_mails"',
  'select "id" from "casino_slips" where "status" = ?',
  'select "version" from "chat_tickets" where "number" = ?',
  'delete from "chat_ticket_terms" where "term" in (?, ?)',
  'update "chat_ticket_texts" set "text" = ? where "part" = ?',
])

/** Returns the scans without a reason, one text each. */
export function unexplained(query: string, scans: readonly Scan[], known: readonly Reason[] = reasons): string[] {
  const isKnown = known.some((each) => query.startsWith(each.query))
  return scans
    .filter(({ table }) => smallTables[table] === undefined && !isKnown)
    .map(({ table, line }) => `${table}: ${line}\n  ${query}`)
}
