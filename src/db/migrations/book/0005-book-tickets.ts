import type { Migration } from '../../migrate.ts'

/** Bulk actions on tickets and their progress, so that no comment is written twice. */
export const bookTickets: Migration = {
  name: '0005-book-tickets',
  async up(q) {
    await q.schema
      .createTable('book_ticket_plans')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('order_text', 'text', (column) => column.notNull())
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('plan', 'text', (column) => column.notNull())
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute()
    await q.schema
      .createIndex('book_ticket_plans_by_target')
      .on('book_ticket_plans')
      .columns(['target', 'state', 'made_at'])
      .execute()
    await q.schema
      .createTable('book_ticket_actions')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('plan_id', 'text', (column) => column.notNull())
      .addColumn('ticket_id', 'text', (column) => column.notNull())
      .addColumn('action', 'text', (column) => column.notNull())
      .addColumn('before', 'text')
      .addColumn('state', 'text', (column) => column.notNull())
      .addColumn('reason', 'text')
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .execute()
    await q.schema.createIndex('book_ticket_actions_by_plan').on('book_ticket_actions').columns(['plan_id']).execute()
  },
}
