import type { SlipRow } from '../../../db/schema/casino.ts'
import type { Bet } from '../../../domain/bets/slip.ts'
import { type Hand, type Variant, variantsOf, type Wager } from '../../../domain/games/game.ts'
import { formatAmount, parseAmount } from '../../../domain/money.ts'

/** Format of a slip's bets until they are settled. */
interface PlacedBets {
  readonly bets: readonly { zone: string; amount: string; hold?: string }[]
  readonly hand?: Hand
}

/** Serializes a slip's bets and their hand for the slip's row. */
export function placedText(bets: readonly Bet[], hand: Hand | undefined): string {
  const placed: PlacedBets = {
    bets: bets.map((bet) => ({
      zone: bet.zone,
      amount: formatAmount(bet.amount),
      ...(bet.hold === undefined ? {} : { hold: formatAmount(bet.hold) }),
    })),
    ...(hand === undefined ? {} : { hand }),
  }
  return JSON.stringify(placed)
}

/** Returns a slip's bets for the rules. */
export function wagerOf(slip: SlipRow): Wager {
  const placed: PlacedBets = JSON.parse(slip.placed)
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
