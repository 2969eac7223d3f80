import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Keeps rounds without bets as long as bets can be read. Rounds dealt before were kept for 7 days only; they get the
 * longest possible retention, because a month is kept whole.
 */
export const emptyRoundsStay: Migration = {
  name: '0097-empty-rounds-stay',
  async up(q) {
    const days = (count: number) => count * 86_400_000
    // 31 days to the end of the month and 400 days after it, or two whole months; less the 7 they had.
    await sql`update casino_rounds set forget_at = forget_at + ${sql.lit(days(31 + 400 - 7))}
      where forget_at is not null and environment = 'live'`.execute(q)
    await sql`update casino_rounds set forget_at = forget_at + ${sql.lit(days(62 - 7))}
      where forget_at is not null and environment = 'sandbox'`.execute(q)
  },
}
