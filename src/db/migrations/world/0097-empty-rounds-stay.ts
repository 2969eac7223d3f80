import { sql } from 'kysely'
import type { Migration } from '../../migrate.ts'

/**
 * Rounds that nobody bet in stay as long as bets can be read. Those dealt before were to go after 7 days: they get the
 * longest it can take from then, since a month begun is kept whole.
 */
export const emptyRoundsStay: Migration = {
  name: '0097-empty-rounds-stay',
  async up(q) {
    const days = (count: number) => count * 86_400_000
    // 31 days to the end of the month and 400 days after it, or two whole months; less the 7 that were given.
    await sql`update casino_rounds set forget_at = forget_at + ${sql.lit(days(31 + 400 - 7))}
      where forget_at is not null and environment = 'live'`.execute(q)
    await sql`update casino_rounds set forget_at = forget_at + ${sql.lit(days(62 - 7))}
      where forget_at is not null and environment = 'sandbox'`.execute(q)
  },
}
