/** Shared parts of accepting and settling single legs. */

import { type Bet, costOf, type SettledLeg, type Settlement, type SlipResult, settlementOf } from '../bets/slip.ts'
import { isWithinAmount, type Ratio, sum, times } from '../money.ts'
import { type Accepted, type GameName, type No, no, type SlipRequest, variantsOf } from './game.ts'

/** Result of a leg. `odds` are net: at 8 to 1 a winning stake of 10 returns 90. */
export type Verdict = { readonly kind: 'won'; readonly odds: Ratio } | { readonly kind: 'lost' | 'push' | 'half' }

export const lost: Verdict = { kind: 'lost' }
/** The stake is returned: a tie, or a leg whose deciding fact is unknown. */
export const push: Verdict = { kind: 'push' }
export const half: Verdict = { kind: 'half' }

/** Returns a win at `numerator` to `denominator`. */
export function won(numerator: bigint, denominator = 1n): Verdict {
  return { kind: 'won', odds: { numerator, denominator } }
}

/** Returns a win at these odds if `isWon`, else a loss. */
export function wonIf(isWon: boolean, numerator: bigint, denominator = 1n): Verdict {
  return isWon ? won(numerator, denominator) : lost
}

const returns = {
  lost: () => 0n,
  push: (amount: bigint) => amount,
  half: (amount: bigint) => amount / 2n,
} as const

/** Returns the return of a leg; the net win is truncated to the scale. */
export function returnOf(amount: bigint, verdict: Verdict): bigint {
  return verdict.kind === 'won' ? amount + times(amount, verdict.odds) : returns[verdict.kind](amount)
}

/**
 * Returns the effective part of an amount: none for a push, the lost part of a half loss, otherwise all of it
 * regardless of odds.
 */
export function effective(amount: bigint, verdict: Verdict): bigint {
  if (verdict.kind === 'push') return 0n
  return verdict.kind === 'half' ? amount - returnOf(amount, verdict) : amount
}

/** Two opposite zones of one proposition: only the difference is effective. */
export type Opposites = readonly (readonly [string, string])[]

/** Settles the legs of a slip by their verdicts, with `validStake` and `rolling` by the rules that all games share. */
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

/** Opposite legs hedge each other; the larger leg decides the result of their difference. */
function validStake(bets: readonly Bet[], verdictOf: (zone: string) => Verdict, opposites: Opposites): bigint {
  const amounts = new Map(bets.map((bet) => [bet.zone, bet.amount]))
  const countOf = (bet: Bet): bigint => {
    const opposite = opposites.find((pair) => pair.includes(bet.zone))?.find((zone) => zone !== bet.zone)
    const opposed = (opposite && amounts.get(opposite)) || 0n
    return bet.amount > opposed ? effective(bet.amount - opposed, verdictOf(bet.zone)) : 0n
  }
  return sum(bets.map(countOf))
}

/** Returns the legs of a wanted slip if each names a different offered zone and a valid amount, else a refusal. */
export function acceptLegs(request: SlipRequest, game: GameName, offered: readonly string[]): readonly Bet[] | No {
  const variants: readonly string[] = variantsOf[game]
  if (!variants.includes(request.variant)) return no('variant-unknown', `${game} has no variant ${request.variant}`)
  if (request.bets.length === 0) return no('bets-missing', 'A slip needs at least one bet')
  const seen = new Set<string>()
  for (const { zone, amount } of request.bets) {
    if (!offered.includes(zone))
      return no('zone-not-offered', `${zone} cannot be bet on at this moment (${request.variant})`)
    if (seen.has(zone)) return no('zone-twice', `${zone} occurs twice`)
    if (amount <= 0n) return no('amount-not-positive', `The bet on ${zone} must be above zero`)
    seen.add(zone)
  }
  if (!isWithinAmount(costOf(request.bets).stake))
    return no('amount-too-large', 'The stake exceeds the largest possible amount')
  return request.bets.map(({ zone, amount }) => ({ zone, amount }))
}

/** Returns an accepted slip with its cost. */
export function accepted(bets: readonly Bet[]): Accepted {
  return { bets, ...costOf(bets) }
}
