import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/** Ratings of ended conversations. */
export const chatRatings: Migration = {
  name: '0131-chat-ratings',
  async up(q) {
    for (const column of ['closed_seq', 'rated_seq', 'rating', 'rated_at'])
      await q.schema.alterTable('chat_rooms').addColumn(column, 'bigint').execute()
    await q.schema.alterTable('chat_rooms').addColumn('rating_comment', 'text').execute()
    // A conversation that ended before there were ratings is not rated afterwards.
    await sql`update chat_rooms set closed_seq = last_seq, rated_seq = last_seq where status = 'closed'`.execute(q)
  },
}
