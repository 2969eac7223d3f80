import { type Entry, type Hand, isNo, type Variant, variantsOf } from '../domain/games/game.ts'
import { formatAmount, formatUnits, isPositiveAmount, parseAmount, playerScale } from '../domain/money.ts'
import type { Bet } from '../domain/slip.ts'
import { takeOut } from '../domain/wallet.ts'
import { Problem } from '../kit/problem.ts'
import type { Tx } from '../store/store.ts'
import type { PlayerRow, RoundRow, SlipRow } from '../store/tables/casino.ts'
import type { Casino } from './casino.ts'
import { refuse } from './contract.ts'
import { insertSlip, slipOf } from './queries/bets.ts'
import { savePlayer } from './queries/players.ts'
import { isTableEnabled } from './queries/tables.ts'
import type { OpenTable } from './rounds.ts'

/** What a player wants to bet in a round: zones with decimal amounts. */
export interface SlipOrder {
  readonly variant: string
  readonly bets: Readonly<Record<string, string>>
  /** Hold'em: the cards the player holds, and what they did. */
  readonly hand?: Hand
}

/** How a slip's bets are kept until they are settled. */
interface Placed {
  readonly bets: readonly { zone: string; amount: string; hold?: string }[]
  readonly hand?: Hand
}

/**
 * Places all of a player's bets in a round and takes what they cost from the balance; or refuses and takes nothing.
 * Codes: BETTING_CLOSED, PLAYER_LOCKED, BET_REFUSED, INSUFFICIENT_BALANCE, INVALID_AMOUNT.
 */
export async function placeSlip(
  app: Casino,
  tx: Tx,
  table: OpenTable,
  round: RoundRow,
  player: PlayerRow,
  order: SlipOrder,
): Promise<SlipRow> {
  if (round.status !== 'open' || (round.closes_at !== null && tx.now > round.closes_at))
    throw new Problem('BETTING_CLOSED', `Round ${round.id} takes no bets any more`)
  if (player.status !== 'active')
    throw refuse('PLAYER_LOCKED', `The player ${player.username} is ${player.status} and may not bet`)
  if (!(await isTableEnabled(tx, player.tenant, table.row.table_id)))
    throw new Problem('BET_REFUSED', `Table ${table.row.table_id} is not enabled for ${player.tenant}`)
  if (await slipOf(tx, round.id, player.id))
    throw new Problem('BET_REFUSED', `${player.username} has bet in round ${round.id} already`)
  const variant = variantAt(table, order.variant)
  const accepted = table.game.accept({ variant, bets: wantedBets(order.bets) }, table.settings)
  if (isNo(accepted)) throw new Problem('BET_REFUSED', accepted.because, { reason: accepted.no })

  const after = takeOut(parseAmount(player.balance), accepted.stake + accepted.hold)
  if (after === 'too-little')
    throw refuse('INSUFFICIENT_BALANCE', `The balance of ${player.username}, ${player.balance}, is lower than the bets`)
  await savePlayer(tx, player.id, { balance: formatUnits(after, playerScale) })
  const slip: SlipRow = {
    id: app.id(),
    tenant: player.tenant,
    player_id: player.id,
    username: player.username,
    currency: player.currency,
    round_id: round.id,
    table_id: round.table_id,
    game: round.game,
    variant,
    placed: JSON.stringify(toPlaced(accepted.bets, order.hand)),
    placed_at: tx.now,
    rev: 0,
    status: 'placed',
    stake: formatAmount(accepted.stake),
    hold: formatAmount(accepted.hold),
    valid_stake: '0',
    rolling: '0',
    payout: '0',
    win_loss: '0',
    rake: '0',
    result: '{}',
    onsite: 0,
    first_settled_at: null,
    settled_at: null,
  }
  await insertSlip(tx, slip)
  return slip
}

/** The variant a slip is of: it must be one the table offers. */
function variantAt(table: OpenTable, asked: string): Variant {
  const offered: string[] = JSON.parse(table.row.variants)
  const known: readonly Variant[] = variantsOf[table.row.game]
  const variant = known.find((each) => each === asked && offered.includes(each))
  if (!variant)
    throw new Problem('BET_REFUSED', `Table ${table.row.table_id} offers ${offered.join(' and ')}, not ${asked}`)
  return variant
}

function wantedBets(bets: Readonly<Record<string, string>>) {
  return Object.entries(bets).map(([zone, amount]) => {
    if (typeof amount !== 'string' || !isPositiveAmount(amount))
      throw refuse('INVALID_AMOUNT', `The bet on ${zone} must be decimal text above 0 with at most 4 decimals`)
    return { zone, amount: parseAmount(amount) }
  })
}

function toPlaced(bets: readonly Bet[], hand: Hand | undefined): Placed {
  return {
    bets: bets.map((bet) => ({
      zone: bet.zone,
      amount: formatAmount(bet.amount),
      ...(bet.hold === undefined ? {} : { hold: formatAmount(bet.hold) }),
    })),
    ...(hand === undefined ? {} : { hand }),
  }
}

/** A slip's bets as the rules take them. */
export function entryOf(slip: SlipRow): Entry {
  const placed: Placed = JSON.parse(slip.placed)
  const known: readonly Variant[] = variantsOf[slip.game]
  return {
    variant: known.find((each) => each === slip.variant) ?? 'standard',
    bets: placed.bets.map((bet) => ({
      zone: bet.zone,
      amount: parseAmount(bet.amount),
      ...(bet.hold === undefined ? {} : { hold: parseAmount(bet.hold) }),
    })),
    ...(placed.hand === undefined ? {} : { hand: placed.hand }),
  }
}
