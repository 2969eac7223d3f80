import { formatUnits, parseUnits, playerScale, sum } from '../../domain/money.ts'
import { type AmountField, amountFields } from '../../domain/reconcile/daily.ts'

/** Amounts of a day as decimal text. */
export type Amounts = Readonly<Record<AmountField, string>>

/** Figures of a player, with the currency if it was looked up. */
export interface PlayerFigures extends Amounts {
  readonly username: string
  readonly slips: number
  readonly currency: string | null
}

/** Sums over the players of a currency. */
export interface CurrencyTotal extends Amounts {
  readonly currency: string | null
  readonly players: number
  readonly slips: number
}

/** Adds up the figures of the players of each currency, sorted by currency. Players of unknown currency come first. */
export function totalsByCurrency(players: readonly PlayerFigures[]): CurrencyTotal[] {
  return [...Map.groupBy(players, ({ currency }) => currency)]
    .sort(([a], [b]) => ((a ?? '') < (b ?? '') ? -1 : 1))
    .map(([currency, group]) => ({
      currency,
      players: group.length,
      slips: group.reduce((total, { slips }) => total + slips, 0),
      ...sumsOf(group),
    }))
}

function sumsOf(group: readonly Amounts[]): Amounts {
  const total = (field: AmountField) =>
    formatUnits(sum(group.map((player) => parseUnits(player[field], playerScale))), playerScale)
  // Every field gets a sum, which Object.fromEntries cannot express.
  return Object.fromEntries(amountFields.map((field) => [field, total(field)])) as Record<AmountField, string>
}
