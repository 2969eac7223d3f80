import type { Reader } from '../../../db/store.ts'

/** All movements of balances, to prove that they add up. */
export async function allMovements({ q }: Reader) {
  return {
    players: await q
      .selectFrom('casino_players')
      .select(['id', 'tenant', 'username', 'balance'])
      .orderBy('tenant')
      .orderBy('username')
      .execute(),
    transfers: await q.selectFrom('casino_transfers').select(['tenant', 'txn_id', 'player_id', 'change']).execute(),
    slips: await q
      .selectFrom('casino_slips')
      .select(['player_id', 'payout', 'stake', 'hold'])
      .where('onsite', '=', 0)
      .execute(),
  }
}

/** Counts all slips. */
export async function slipCount({ q }: Reader): Promise<number> {
  const row = await q
    .selectFrom('casino_slips')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** Counts the players of all tenants. */
export async function playerCount({ q }: Reader): Promise<number> {
  const row = await q
    .selectFrom('casino_players')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}
