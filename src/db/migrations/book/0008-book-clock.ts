import type { Migration } from '../../migrate.ts'

/** How far the platform's clock was ahead of this machine's when the bets were read last: the book tells days and ages without asking. */
export const bookClock: Migration = {
  name: '0008-book-clock',
  async up(q) {
    await q.schema.alterTable('book_position').addColumn('ahead_ms', 'bigint').execute()
  },
}
