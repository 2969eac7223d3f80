import type { Migration } from '../../migrate.ts'

/** Breaks that a person wants to see later. */
export const bookSnoozedBreaks: Migration = {
  name: '0020-book-snoozed-breaks',
  async up(q) {
    await q.schema.alterTable('book_breaks').addColumn('snoozed_until', 'bigint').execute()
  },
}
