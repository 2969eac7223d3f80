import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * The first record of each minute in which the records of a month went past all earlier ones, to find the first record
 * settled at or after a time.
 */
export const betMinutes: Migration = {
  name: '0108-bet-minutes',
  async up(q) {
    await q.schema
      .createTable('casino_bet_minutes')
      .addColumn('tenant', 'text', (column) => column.notNull())
      .addColumn('month', 'text', (column) => column.notNull())
      .addColumn('minute', 'bigint', (column) => column.notNull())
      .addColumn('rec_seq', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('casino_bet_minutes_key', ['tenant', 'month', 'minute'])
      .execute()
    // A minute whose first record is behind a record of a later minute was written with the clock set back.
    await sql`
      insert into casino_bet_minutes (tenant, month, minute, rec_seq)
      select tenant, month, minute, rec_seq from (
        select tenant, month, minute, rec_seq, min(rec_seq) over (
          partition by tenant, month order by minute desc rows between unbounded preceding and 1 preceding
        ) as later
        from (
          select tenant, month, settled_at / 60000 as minute, min(rec_seq) as rec_seq
          from casino_bet_records group by tenant, month, settled_at / 60000
        ) as minutes
      ) as ordered
      where later is null or rec_seq < later`.execute(q)
  },
}
