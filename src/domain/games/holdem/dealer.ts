/**
 * Shared parts of the two variants against the dealer: bets in multiples of the ante, and the comparison with the
 * dealer's hand.
 */

import type { Bet } from '../../bets/slip.ts'
import type { Card } from '../cards.ts'
import { type Accepted, isNo, type No, no, type SlipRequest, type Stage } from '../game.ts'
import { accepted, acceptLegs } from '../legs.ts'
import { strengthOf } from './hands.ts'
import type { HoldemOutcome } from './table.ts'

/** Both hands of a showdown. */
export interface Showdown {
  readonly player: number
  readonly dealer: number
}

export function showdown(outcome: HoldemOutcome, hole: readonly Card[]): Showdown {
  return {
    player: strengthOf([...outcome.board, ...hole]),
    dealer: strengthOf([...outcome.board, ...outcome.dealer]),
  }
}

/** Returns the winner in the words of a result code. */
export function winnerOf({ player, dealer }: Showdown): 'player_wins' | 'dealer_wins' | 'tie' {
  return player === dealer ? 'tie' : player > dealer ? 'player_wins' : 'dealer_wins'
}

/**
 * Accepts a slip with an ante whose later bets are the exact multiples of it. Without the first later bet the hand is
 * folded and can have no other.
 */
export function acceptAgainstDealer(request: SlipRequest, stages: readonly Stage[]): Accepted | No {
  const bets = acceptLegs(
    request,
    'holdem',
    stages.flatMap((stage) => stage.zones),
  )
  if (isNo(bets)) return bets
  const amounts = new Map(bets.map((bet) => [bet.zone, bet.amount]))
  const ante = amounts.get('ANTE')
  if (ante === undefined) return no('leg-missing', 'Every hand needs an ante')
  return refuseMultiples(bets, ante, stages) ?? refuseAfterFold(amounts, request, stages) ?? accepted(bets)
}

function refuseMultiples(bets: readonly Bet[], ante: bigint, stages: readonly Stage[]): No | null {
  for (const { zone, amount } of bets) {
    const times = stages.find((stage) => stage.zones.some((each) => each === zone))?.timesAnte
    if (times !== undefined && amount !== ante * BigInt(times)) {
      return no('multiple-wrong', `${zone} must be exactly ${times} times the ante`)
    }
  }
  return null
}

function refuseAfterFold(
  amounts: ReadonlyMap<string, bigint>,
  request: SlipRequest,
  stages: readonly Stage[],
): No | null {
  const [first, ...later] = stages.filter((stage) => stage.timesAnte !== undefined).flatMap((stage) => stage.zones)
  if (first === undefined) return null
  if (request.folded && amounts.has(first)) return no('leg-after-fold', `A folded hand cannot have a bet on ${first}`)
  const orphan = later.find((zone) => amounts.has(zone))
  return orphan && !amounts.has(first) ? no('leg-after-fold', `${orphan} cannot be bet without ${first}`) : null
}
