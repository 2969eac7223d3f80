/** What the games share in taking and settling single legs. */

import { type Bet, costOf, type SettledLeg, type Settlement, type SlipResult, settlementOf } from '../bets/slip.ts'
import { isWithinAmount, type Ratio, sum, times } from '../money.ts'
import { type Accepted, type GameName, type No, no, variantsOf, type Wanted } from './game.ts'

/** What becomes of one leg. `odds` are net: at 8 to 1 a winning stake of 10 returns 90. */
export type Verdict = { readonly kind: 'won'; readonly odds: Ratio } | { readonly kind: 'lost' | 'push' | 'half' }

export const lost: Verdict = { kind: 'lost' }
/** The stake comes back: a tie, or a leg whose deciding fact nobody knows. */
export const push: Verdict = { kind: 'push' }
export const half: Verdict = { kind: 'half' }

/** Won at so many to one, or at `numerator` to `denominator`. */
export function won(numerator: bigint, denominator = 1n): Verdict {
  return { kind: 'won', odds: { numerator, denominator } }
}

/** Won at these odds when it is so, else lost. */
export function wonIf(isWon: boolean, numerator: bigint, denominator = 1n): Verdict {
  return isWon ? won(numerator, denominator) : lost
}

const returns = {
  lost: () => 0n,
  push: (amount: bigint) => amount,
  half: (amount: bigint) => amount / 2n,
} as const

/** What a leg returns, the net win cut to the scale. */
export function returnOf(amount: bigint, verdict: Verdict): bigint {
  return verdict.kind === 'won' ? amount + times(amount, verdict.odds) : returns[verdict.kind](amount)
}

/** How much of an amount was effective: nothing of a push, the lost part of a half, else all of it whatever the odds. */
export function effective(amount: bigint, verdict: Verdict): bigint {
  if (verdict.kind === 'push') return 0n
  return verdict.kind === 'half' ? amount - returnOf(amount, verdict) : amount
}

/** Two zones of one proposition, of which only the difference is effective. */
export type Opposites = readonly (readonly [string, string])[]

/** The legs of a slip settled by their verdicts, with `validStake` and `rolling` by the rules that all games share. */
export function settleLegs(
  bets: readonly Bet[],
  verdictOf: (zone: string) => Verdict,
  result: SlipResult,
  rules: { opposites?: Opposites; notRolling?: string } = {},
): Settlement {
  const legs = bets.map((bet): SettledLeg => ({ ...bet, return: returnOf(bet.amount, verdictOf(bet.zone)) }))
  const rolling = sum(
    legs.map((leg) => (leg.return < leg.amount && leg.zone !== rules.notRolling ? leg.amount - leg.return : 0n)),
  )
  return settlementOf(legs, { validStake: validStake(bets, verdictOf, rules.opposites ?? []), rolling }, result)
}

/** Opposite legs first hedge each other; what their difference came to is then decided by the larger leg. */
function validStake(bets: readonly Bet[], verdictOf: (zone: string) => Verdict, opposites: Opposites): bigint {
  const amounts = new Map(bets.map((bet) => [bet.zone, bet.amount]))
  const countOf = (bet: Bet): bigint => {
    const opposite = opposites.find((pair) => pair.includes(bet.zone))?.find((zone) => zone !== bet.zone)
    const hedged = (opposite && amounts.get(opposite)) || 0n
    return bet.amount > hedged ? effective(bet.amount - hedged, verdictOf(bet.zone)) : 0n
  }
  return sum(bets.map(countOf))
}

/** The legs of a wanted slip when each names an offered zone once and an amount that can be, or why not. */
export function acceptLegs(wanted: Wanted, game: GameName, offered: readonly string[]): readonly Bet[] | No {
  const variants: readonly string[] = variantsOf[game]
  if (!variants.includes(wanted.variant)) return no('variant-unknown', `${game} has no variant ${wanted.variant}`)
  if (wanted.bets.length === 0) return no('bets-missing', 'A slip has at least one bet')
  const seen = new Set<string>()
  for (const { zone, amount } of wanted.bets) {
    if (!offered.includes(zone)) return no('zone-not-offered', `${zone} cannot be bet here (${wanted.variant})`)
    if (seen.has(zone)) return no('zone-twice', `${zone} is named twice`)
    if (amount <= 0n) return no('amount-not-positive', `The bet on ${zone} is not above zero`)
    seen.add(zone)
  }
  if (!isWithinAmount(costOf(wanted.bets).stake)) return no('amount-too-large', 'The stake is beyond any amount')
  return wanted.bets.map(({ zone, amount }) => ({ zone, amount }))
}

/** An accepted slip with what it costs. */
export function accepted(bets: readonly Bet[]): Accepted {
  return { bets, ...costOf(bets) }
}
