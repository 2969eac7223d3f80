import type { Kysely } from 'kysely'
import type { Migration, Migrations } from '../../src/db/migrate.ts'
import { world } from '../../src/db/migrations/world/index.ts'
import type { Reader, StoreOptions } from '../../src/db/store.ts'

/** Tables for tests of a store, similar to real ones. */
export interface ProbeTables {
  probe_accounts: { id: string; balance: string }
  probe_records: { seq: number; account: string; half: number; at: number }
  probe_tickets: { id: string; state: string }
  probe_mails: { id: string; ticket: string }
  probe_values: { id: string; words: string | null; amount: number | null }
}

const probeTables: Migration = {
  name: '9000-probe',
  async up(q) {
    await q.schema
      .createTable('probe_accounts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('balance', 'text', (column) => column.notNull())
      .execute()
    await q.schema
      .createTable('probe_records')
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('account', 'text', (column) => column.notNull().references('probe_accounts.id'))
      .addColumn('half', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('probe_records_key', ['seq', 'half'])
      .execute()
    await q.schema
      .createTable('probe_tickets')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('state', 'text', (column) => column.notNull())
      .execute()
    await q.schema
      .createTable('probe_mails')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('ticket', 'text', (column) => column.notNull())
      .execute()
    await q.schema
      .createTable('probe_values')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('words', 'text')
      .addColumn('amount', 'integer')
      .execute()
  },
}

export const probeMigrations: Migrations = { ...world, steps: [...world.steps, probeTables] }

/** Options that open a store with the probe's tables, at a fixed time. */
export const probeOptions: StoreOptions = { migrations: probeMigrations, now: () => 1_700_000_000_000 }

/** The transaction, typed for the probe's tables. */
export function probe({ q }: Reader) {
  return q as Kysely<unknown> as unknown as Kysely<ProbeTables>
}

/** Adds an account and returns its id. */
export async function anAccount(tx: Reader, id: string, balance = '0'): Promise<string> {
  await probe(tx).insertInto('probe_accounts').values({ id, balance }).execute()
  return id
}

export async function balanceOf(reader: Reader, id: string): Promise<string> {
  const row = await probe(reader)
    .selectFrom('probe_accounts')
    .select('balance')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return row.balance
}

export async function saveBalance(tx: Reader, id: string, balance: string): Promise<void> {
  await probe(tx).updateTable('probe_accounts').set({ balance }).where('id', '=', id).execute()
}

/** Returns all ids of the accounts, in order. */
export async function accounts(reader: Reader): Promise<string[]> {
  const rows = await probe(reader).selectFrom('probe_accounts').select('id').orderBy('id').execute()
  return rows.map((row) => row.id)
}

/** A record in two halves, which are written together or not at all. */
export async function insertRecord(tx: Reader, seq: number, account: string): Promise<void> {
  for (const half of [1, 2])
    await probe(tx).insertInto('probe_records').values({ seq, account, half, at: tx.now }).execute()
}
