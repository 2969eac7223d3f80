import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Button of a no-limit hand, which later corrections and the next hand need; and the time until which a round without
 * bets is kept.
 */
export const roundAfterlife: Migration = {
  name: '0081-round-afterlife',
  async up(q) {
    await q.schema.alterTable('casino_shoes').addColumn('button', 'integer').execute()
    await q.schema.alterTable('casino_rounds').addColumn('button', 'integer').execute()
    await q.schema.alterTable('casino_rounds').addColumn('forget_at', 'bigint').execute()
    await q.schema
      .createIndex('casino_rounds_by_table_forget_at')
      .on('casino_rounds')
      .columns(['environment', 'table_id', 'forget_at'] as never)
      .execute()
    // Rounds dealt before are kept as long as new ones: 7 days.
    await sql`update casino_rounds set forget_at = opened_at + 604800000 where status <> 'open'
      and not exists (select 1 from casino_slips where casino_slips.round_id = casino_rounds.id)`.execute(q)
  },
}
