import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/** Partitions the bet records by month on PostgreSQL. SQLite has no partitions. */
export const betPartitions: Migration = {
  name: '0124-bet-partitions',
  async up() {},
  partitioned: [
    {
      name: 'casino_bet_records',
      column: 'month',
      async latestMonth(q) {
        const { rows } = await sql<{ month: string }>`
          select to_char(greatest(
            to_timestamp(extract(epoch from now()) + coalesce((select max(clock_offset) from store_world), 0) / 1000),
            (select max(to_date(month || '01', 'YYYYMMDD')) from casino_bet_months)
          ) at time zone 'UTC', 'YYYYMM') as month`.execute(q)
        return rows[0]?.month ?? ''
      },
    },
  ],
}
