import type { Settlement } from '../../../src/domain/bets/slip.ts'
import { type Card, deck } from '../../../src/domain/games/cards.ts'
import {
  type Game,
  isNo,
  type Outcome,
  type Report,
  type TableSettings,
  type Variant,
  type Wager,
} from '../../../src/domain/games/game.ts'
import { formatAmount, parseAmount } from '../../../src/domain/money.ts'

/** Questions to the rules: one round, one slip, in the texts of the tables. */

export type Bets = Readonly<Record<string, string>>
export interface Slip {
  readonly variant: Variant
  readonly bets: Bets
  readonly settings?: TableSettings
  readonly hand?: Wager['hand']
}

/** The round of a report. */
export function outcomeOf<O extends Outcome>(
  game: Game<O>,
  report: Report,
  variant: Variant,
  settings: TableSettings = {},
) {
  const outcome = game.read(report, { variant, settings })
  if (isNo(outcome)) throw new Error(`${JSON.stringify(report)}: ${outcome.because}`)
  return outcome
}

/** Result of one slip in a round by the rules. */
export function settled(game: Game, report: Report, { variant, bets, settings = {}, hand }: Slip): Settlement {
  const legs = Object.entries(bets).map(([zone, amount]) => ({ zone, amount: parseAmount(amount) }))
  const accepted = game.accept({ variant, bets: legs }, settings)
  if (isNo(accepted)) throw new Error(`${JSON.stringify(bets)}: ${accepted.because}`)
  const wager = { variant, bets: accepted.bets, ...(hand ? { hand } : {}) }
  const answer = game.settle(outcomeOf(game, report, variant, settings), [wager], settings)
  if (isNo(answer) || !answer[0]) throw new Error(`${JSON.stringify(bets)} is not settled`)
  return answer[0]
}

/** Return of a stake of 100 on one zone. */
export function returnOf(
  game: Game,
  report: Report,
  zone: string,
  slip: Partial<Slip> & Pick<Slip, 'variant'>,
): string {
  const { legs } = settled(game, report, { ...slip, bets: { ...slip.bets, [zone]: '100' } })
  return formatAmount(legs.find((leg) => leg.zone === zone)?.return ?? -1n)
}

/** Returns whether a table accepts a bet on a zone. */
export function takes(game: Game, zone: string, variant: Variant, settings: TableSettings = {}): boolean {
  return game.stages(variant, settings).some((stage) => stage.zones.some((each) => each === zone))
}

/** The cards of a text, separated by spaces. */
export const cardsIn = (text: string): Card[] => text.split(' ').map(cardNamed)

export function cardNamed(code: string): Card {
  const card = deck.find((each) => each === code)
  if (card === undefined) throw new Error(`${code} is no card`)
  return card
}

/** A stake and its net win at odds to one, as text: `100 + 100 x numerator / denominator`. */
export const wonAt = (numerator: number, denominator = 1): string => String(100 + (100 * numerator) / denominator)
