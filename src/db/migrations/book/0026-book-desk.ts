import type { Migration } from '../../migrate.ts'

/** The agent's screen: unsent texts, snoozed rooms, and answers on their way, so that none is lost or sent twice. */
export const bookDesk: Migration = {
  name: '0026-book-desk',
  async up(q) {
    await q.schema
      .createTable('book_desk_rooms')
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('agent', 'text', (column) => column.notNull())
      .addColumn('room_id', 'text', (column) => column.notNull())
      .addColumn('draft', 'text', (column) => column.notNull())
      .addColumn('snoozed_until', 'bigint')
      .addColumn('snoozed_seq', 'bigint')
      .addColumn('changed_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('book_desk_rooms_key', ['target', 'agent', 'room_id'])
      .execute()
    await q.schema
      .createTable('book_desk_answers')
      .addColumn('key', 'text', (column) => column.primaryKey())
      .addColumn('target', 'text', (column) => column.notNull())
      .addColumn('agent', 'text', (column) => column.notNull())
      .addColumn('room_id', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('file', 'text')
      .addColumn('seen_seq', 'bigint', (column) => column.notNull())
      .addColumn('expected_seq', 'bigint')
      .addColumn('made_at', 'bigint', (column) => column.notNull())
      .execute()
    await q.schema
      .createIndex('book_desk_answers_by_agent')
      .on('book_desk_answers')
      .columns(['target', 'agent', 'made_at'])
      .execute()
  },
}
