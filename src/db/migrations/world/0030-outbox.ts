import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Deliveries with the log of their attempts, tenants' webhooks, and the addresses a world may send to. The gateway's
 * earlier deliveries are moved into it.
 */
export const outbox: Migration = {
  name: '0030-outbox',
  async up(q) {
    await q.schema
      .createTable('outbox_deliveries')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('channel', 'text', (column) => column.notNull())
      .addColumn('owner', 'text', (column) => column.notNull())
      .addColumn('event', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('body', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('claim', 'text')
      .addColumn('tries', 'integer', (column) => column.notNull())
      .addColumn('most_tries', 'integer')
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addColumn('last_status', 'integer')
      .addColumn('last_error', 'text')
      .addColumn('revived_by', 'text')
      .execute()
    await q.schema
      .createIndex('outbox_deliveries_due')
      .on('outbox_deliveries')
      .columns(['state', 'url', 'due_at'])
      .execute()
    await q.schema.createIndex('outbox_deliveries_next').on('outbox_deliveries').columns(['state', 'due_at']).execute()
    await q.schema
      .createIndex('outbox_deliveries_of')
      .on('outbox_deliveries')
      .columns(['owner', 'created_at'])
      .execute()
    await q.schema
      .createIndex('outbox_deliveries_about')
      .on('outbox_deliveries')
      .columns(['owner', 'subject'])
      .execute()
    await q.schema.createIndex('outbox_deliveries_ended').on('outbox_deliveries').column('ended_at').execute()
    await q.schema
      .createTable('outbox_attempts')
      .addColumn('delivery_id', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('took_ms', 'integer', (column) => column.notNull())
      .addColumn('status', 'integer')
      .addColumn('error', 'text')
      .addPrimaryKeyConstraint('outbox_attempts_key', ['delivery_id', 'number'])
      .execute()
    await q.schema
      .createTable('casino_webhooks')
      .addColumn('tenant', 'text', (column) => column.primaryKey())
      .addColumn('url', 'text')
      .addColumn('events', 'text', (column) => column.notNull())
      .addColumn('enabled', 'integer', (column) => column.notNull())
      .addColumn('secret', 'text')
      .addColumn('billing_contact', 'text')
      .addColumn('alert_days', 'integer', (column) => column.notNull())
      .addColumn('alert_checked', 'text')
      .addColumn('alerted_on', 'text')
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute()
    await q.schema.alterTable('gateway_merchants').addColumn('ipn_attempts', 'integer').execute()
    await sql`insert into outbox_deliveries
      (id, channel, owner, event, subject, url, body, state, due_at, tries, attempts, created_at)
      select id, 'merchant-ipn', merchant, event, subject, url, body, 'owed', created_at, 0, 0, created_at
      from gateway_ipns`.execute(q)
    await q.schema.dropTable('gateway_ipns').execute()
    await q.schema.alterTable('store_world').addColumn('public_callbacks', 'integer').execute()
  },
}
