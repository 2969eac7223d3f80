import type { Migration } from '../../migrate.ts'

/**
 * Lead of the platform's clock over this machine's at the last sync, so that the book can compute days and ages
 * offline.
 */
export const bookClock: Migration = {
  name: '0008-book-clock',
  async up(q) {
    await q.schema.alterTable('book_position').addColumn('ahead_ms', 'bigint').execute()
  },
}
