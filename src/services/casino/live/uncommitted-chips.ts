import type { PlayerRow, SlipRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import type { Bet } from '../../../domain/bets/slip.ts'
import { type Hand, isNo } from '../../../domain/games/game.ts'
import { formatAmount, formatUnits, parseAmount, playerScale, sum } from '../../../domain/money.ts'
import { debitBalance } from '../../../domain/wallet/balance.ts'
import { Problem } from '../../../kit/problem.ts'
import { countDayBets } from '../account/daily-bet-count.ts'
import { refuse } from '../api/contract.ts'
import { deleteSlip, savePlaced } from '../queries/live.ts'
import { playerOf, savePlayer } from '../queries/players.ts'
import { tenantOf } from '../queries/tenants.ts'
import { placedText, wagerOf } from '../rounds/placed-bets-column.ts'
import type { OpenTable } from '../rounds/rounds.ts'

/** Chips on the table before there is a result. Balance and slip change together, or not at all. */

/** Returns everything on a slip to the player and deletes the slip. */
export async function refundSlip(tx: Tx, slip: SlipRow): Promise<void> {
  await addTo(tx, slip.player_id, parseAmount(slip.stake) + parseAmount(slip.hold))
  await deleteSlip(tx, slip.id)
  await count(tx, slip, -parseAmount(slip.stake))
}

/** Adds a bet to a slip of a current round, paid from the balance; or refuses without changes. */
export async function addBet(tx: Tx, table: OpenTable, slip: SlipRow, player: PlayerRow, bet: Bet): Promise<void> {
  const wager = wagerOf(slip)
  const accepted = table.game.accept({ variant: wager.variant, bets: [...wager.bets, bet] }, table.settings)
  if (isNo(accepted)) throw new Problem('BET_REFUSED', accepted.because, { reason: accepted.no })
  const after = debitBalance(parseAmount(player.balance), bet.amount)
  if (after === 'too-little')
    throw refuse(
      'INSUFFICIENT_BALANCE',
      `The balance of ${player.balance} is lower than the bet of ${formatAmount(bet.amount)}`,
    )
  await savePlayer(tx, player.id, { balance: formatUnits(after, playerScale) })
  await rewrite(tx, slip, accepted.bets, wager.hand)
}

/** Stores a player's cards and actions with the bets. */
export function dealInto(tx: Tx, slip: SlipRow, hand: Hand): Promise<void> {
  return rewrite(tx, slip, wagerOf(slip).bets, hand)
}

/**
 * Ends a seat's part in a no-limit hand: the amount put in becomes its bet, the rest of its chips returns to the
 * wallet.
 */
export async function cashOut(tx: Tx, slip: SlipRow, put: bigint, hand: Hand): Promise<void> {
  if (put === 0n) return refundSlip(tx, slip)
  await addTo(tx, slip.player_id, parseAmount(slip.stake) - put)
  await rewrite(tx, slip, [{ zone: 'POT', amount: put }], hand)
}

async function rewrite(tx: Tx, slip: SlipRow, bets: readonly Bet[], hand: Hand | undefined): Promise<void> {
  const stake = sum(bets.map((bet) => bet.amount))
  await savePlaced(tx, slip.id, { placed: placedText(bets, hand), stake: formatAmount(stake) })
  await count(tx, slip, stake - parseAmount(slip.stake))
}

/** Bets of a demo tenant's players count on the day they were placed, so a change is counted there. */
async function count(tx: Tx, { tenant, currency, placed_at }: SlipRow, change: bigint): Promise<void> {
  const row = change === 0n ? undefined : await tenantOf(tx, tenant)
  if (row) await countDayBets({ ...tx, now: placed_at }, row, [{ currency, stake: formatAmount(change) }])
}

async function addTo(tx: Tx, playerId: string, amount: bigint): Promise<void> {
  if (amount === 0n) return
  const player = await playerOf(tx, playerId)
  if (player)
    await savePlayer(tx, playerId, { balance: formatUnits(parseAmount(player.balance) + amount, playerScale) })
}
