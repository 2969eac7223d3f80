import type { Migration } from '../../migrate.ts'

/** Transfer batches, their approvals and their transfers. */
export const bookWalletPlans: Migration = {
  name: '0006-book-wallet-plans',
  async up(q) {
    await q.schema
      .createTable('book_wallet_plans')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('company_code', 'text', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('source_sha256', 'text', (column) => column.notNull())
      .addColumn('movements', 'text', (column) => column.notNull())
      .addColumn('note', 'text')
      .addColumn('creates', 'integer', (column) => column.notNull())
      .addColumn('rows', 'integer', (column) => column.notNull())
      .addColumn('players', 'integer', (column) => column.notNull())
      .addColumn('totals', 'text', (column) => column.notNull())
      .addColumn('made_by', 'text', (column) => column.notNull())
      .addColumn('made_os_user', 'text', (column) => column.notNull())
      .addColumn('made_host', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('begun_at', 'bigint')
      .addColumn('cancelled_at', 'bigint')
      .addColumn('cancelled_by', 'text')
      .execute()
    await q.schema
      .createIndex('book_wallet_plans_by_source')
      .on('book_wallet_plans')
      .columns(['source_sha256'])
      .execute()
    await q.schema
      .createIndex('book_wallet_plans_by_movements')
      .on('book_wallet_plans')
      .columns(['movements'])
      .execute()
    await q.schema
      .createTable('book_wallet_plan_rows')
      .addColumn('plan_id', 'text', (column) => column.notNull())
      .addColumn('place', 'integer', (column) => column.notNull())
      .addColumn('line', 'integer', (column) => column.notNull())
      .addColumn('txn_id', 'text', (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('dir', 'text', (column) => column.notNull())
      .addColumn('amount', 'text', (column) => column.notNull())
      .addColumn('currency', 'text', (column) => column.notNull())
      .addColumn('note', 'text')
      .addPrimaryKeyConstraint('book_wallet_plan_rows_key', ['plan_id', 'place'])
      .execute()
    // Not unique: ids of a canceled batch that were never sent may be used in the next one.
    await q.schema.createIndex('book_wallet_plan_rows_by_txn').on('book_wallet_plan_rows').columns(['txn_id']).execute()
    await q.schema
      .createTable('book_wallet_approvals')
      .addColumn('plan_id', 'text', (column) => column.notNull())
      .addColumn('name_key', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('os_user', 'text', (column) => column.notNull())
      .addColumn('host', 'text', (column) => column.notNull())
      .addColumn('digest', 'text', (column) => column.notNull())
      .addColumn('approved_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('book_wallet_approvals_key', ['plan_id', 'name_key'])
      .execute()
    await q.schema.alterTable('book_transfers').addColumn('plan_id', 'text').execute()
    await q.schema.createIndex('book_transfers_by_plan').on('book_transfers').columns(['plan_id']).execute()
  },
}
