import type { Migration } from '../../migrate.ts'

/** Failed attempts at passwords and codes, by counter. */
export const loginAttempts: Migration = {
  name: '0099-login-attempts',
  async up(q) {
    await q.schema
      .createTable('store_login_attempts')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('credential', 'text', (column) => column.notNull())
      .addColumn('counter', 'text', (column) => column.notNull())
      .addColumn('merchant', 'text')
      .addColumn('user_email', 'text')
      .addColumn('address', 'text')
      .addColumn('failures', 'bigint', (column) => column.notNull())
      .addColumn('refused', 'bigint', (column) => column.notNull())
      .addColumn('last_failure_at', 'bigint')
      .addColumn('last_success_at', 'bigint')
      .execute()
    await q.schema
      .createIndex('store_login_attempts_by_failure')
      .on('store_login_attempts')
      .column('last_failure_at')
      .execute()
  },
}
