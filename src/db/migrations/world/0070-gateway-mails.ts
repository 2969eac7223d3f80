import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/** Subscribers by e-mail, who have a bill but no sub-account; and the mails with the bills. */
export const gatewayMails: Migration = {
  name: '0070-gateway-mails',
  async up(q) {
    // A column cannot be made nullable on both engines, so the table is created again and its rows are copied.
    await q.schema
      .createTable('gateway_subscriptions_next')
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('merchant', 'text', (column) => column.notNull())
      .addColumn('plan', 'text', (column) => column.notNull())
      .addColumn('subaccount', 'text')
      .addColumn('email', 'text')
      .addColumn('invoice', 'text')
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('paid_until', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('gateway_subscriptions_pk', ['id'])
      .execute()
    await sql`insert into gateway_subscriptions_next (id, environment, merchant, plan, subaccount, status, paid_until, due_at, created_at, updated_at)
      select id, environment, merchant, plan, subaccount, status, paid_until, due_at, created_at, updated_at from gateway_subscriptions`.execute(
      q,
    )
    await q.schema.dropTable('gateway_subscriptions').execute()
    await q.schema.alterTable('gateway_subscriptions_next').renameTo('gateway_subscriptions').execute()
    for (const column of ['merchant', 'due_at', 'invoice'])
      await q.schema
        .createIndex(`gateway_subscriptions_by_${column}`)
        .on('gateway_subscriptions')
        .column(column)
        .execute()
    await q.schema
      .createTable('gateway_mails')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('merchant', 'text', (column) => column.notNull())
      .addColumn('recipient', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await q.schema
      .createIndex('gateway_mails_by_recipient')
      .on('gateway_mails')
      .columns(['environment', 'recipient'])
      .execute()
  },
}
