import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Running sums of the days of GET /bets/summary. A day without a row in `casino_summaries` has none yet: its slips are
 * counted in pages, by a periodic job for the days from before this step, or by the first request for the day.
 */
export const daySummaries: Migration = {
  name: '0107-day-summaries',
  async up(q) {
    await q.schema
      .createTable('casino_summaries')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('starts_at', 'bigint', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .addColumn('timezone', 'text', (column) => column.notNull())
      .addColumn('counted_at', 'bigint')
      .addColumn('counted_slip', 'text')
      .addPrimaryKeyConstraint('casino_summaries_key', ['tenant', 'starts_at', 'ends_at'])
      .execute()
    await q.schema
      .createTable('casino_summary_players')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('starts_at', 'bigint', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .addColumn('username', 'text', (column) => column.notNull())
      .addColumn('rank', 'text', (column) => column.notNull())
      .addColumn('slips', 'integer', (column) => column.notNull())
      .addColumn('stake', 'text', (column) => column.notNull())
      .addColumn('valid_stake', 'text', (column) => column.notNull())
      .addColumn('rolling', 'text', (column) => column.notNull())
      .addColumn('payout', 'text', (column) => column.notNull())
      .addColumn('win_loss', 'text', (column) => column.notNull())
      .addColumn('rake', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('casino_summary_players_key', ['tenant', 'starts_at', 'ends_at', 'username'])
      .execute()
    await q.schema
      .createIndex('casino_summary_players_by_rank')
      .on('casino_summary_players')
      .columns(['tenant', 'starts_at', 'ends_at', 'rank', 'username'])
      .execute()
    await q.schema
      .createTable('casino_summary_backlogs')
      .addColumn('tenant', 'text', (column) => column.notNull().primaryKey())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .execute()
    await sql`insert into casino_summary_backlogs (tenant, since) select code, 0 from casino_tenants`.execute(q)
  },
}
