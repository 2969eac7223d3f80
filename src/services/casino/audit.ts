import { formatAmount, parseAmount, sum } from '../../domain/money.ts'
import { allMovements } from './queries/audit.ts'
import type { Casino } from './service.ts'

/** Compares every player's balance with what moved it, and looks for transfer ids that were done twice. */
export async function auditCasino({
  store,
}: Casino): Promise<{ players: number; transfers: number; balances: string[]; repeated: string[] }> {
  const { players, transfers, slips } = await store.read(allMovements)
  const moved = Map.groupBy(transfers, ({ player_id }) => player_id)
  const played = Map.groupBy(slips, ({ player_id }) => player_id)
  const balances = players.flatMap(({ id, tenant, username, balance }) => {
    const due =
      sum((moved.get(id) ?? []).map(({ change }) => parseAmount(change))) +
      sum(
        (played.get(id) ?? []).map(
          ({ payout, stake, hold }) => parseAmount(payout) - parseAmount(stake) - parseAmount(hold),
        ),
      )
    return parseAmount(balance) === due
      ? []
      : [`${tenant} ${username} has ${balance}, its movements give ${formatAmount(due)}`]
  })
  const repeated = [...Map.groupBy(transfers, ({ tenant, txn_id }) => `${tenant} ${txn_id}`)].flatMap(([name, rows]) =>
    rows.length > 1 ? [`${name} was done ${rows.length} times`] : [],
  )
  return { players: players.length, transfers: transfers.length, balances, repeated }
}
