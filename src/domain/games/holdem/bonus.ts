/**
 * Texas Hold'em Bonus Poker: an ante, a bet of twice the ante to see the flop, and optional bets before the turn and
 * the river. The dealer always plays.
 */
import assert from 'node:assert/strict'
import type { Settlement } from '../../bets/slip.ts'
import { type Card, rankOf, suitOf } from '../cards.ts'
import type { Stage } from '../game.ts'
import { lost, push, settleLegs, type Verdict, won } from '../legs.ts'
import { showdown, winnerOf } from './dealer.ts'
import { isAtLeast, rankBit } from './hands.ts'
import { type DealtWager, type HoldemOutcome, slipResult } from './table.ts'

export const bonusStages: readonly Stage[] = [
  { moment: 'opening', zones: ['ANTE', 'BONUS'] },
  { moment: 'hole', zones: ['FLOP'], timesAnte: 2 },
  { moment: 'flop', zones: ['TURN'], timesAnte: 1 },
  { moment: 'turn', zones: ['RIVER'], timesAnte: 1 },
]

type Code = 'fold' | 'player_wins' | 'dealer_wins' | 'tie'

/** Settles one player's slip. No rake: players do not play against each other. */
export function settleBonus(outcome: HoldemOutcome, wager: DealtWager): Settlement {
  const hands = showdown(outcome, wager.hand.hole)
  const code: Code = wager.bets.some((bet) => bet.zone === 'FLOP') ? winnerOf(hands) : 'fold'
  const street = streetVerdict(code)
  const verdicts: { readonly [zone: string]: Verdict } = {
    ANTE: anteVerdict(code, hands.player),
    FLOP: street,
    TURN: street,
    RIVER: street,
    // Settled by the cards alone, even after a fold.
    BONUS: bonusVerdict(wager.hand.hole, outcome.dealer),
  }
  const verdictOf = (zone: string) => verdicts[zone] ?? assert.fail(`${zone} is not a zone of Bonus Poker`)
  return settleLegs(wager.bets, verdictOf, slipResult(outcome, wager.hand, code))
}

/** A winning ante pays from a straight upward; otherwise it is returned. */
function anteVerdict(code: Code, hand: number): Verdict {
  if (code === 'tie') return push
  if (code !== 'player_wins') return lost
  return isAtLeast(hand, 'straight') ? won(1n) : push
}

function streetVerdict(code: Code): Verdict {
  if (code === 'tie') return push
  return code === 'player_wins' ? won(1n) : lost
}

function bonusVerdict(hole: readonly Card[], dealer: readonly Card[]): Verdict {
  const pays = bonusPays(hole, dealer)
  return pays === 0n ? lost : won(pays)
}

const isAces = (cards: readonly Card[]) => cards.every((card) => rankOf(card) === 'A')

/** Returns the bonus odds to one for two cards; 0 when it loses. */
function bonusPays(hole: readonly Card[], dealer: readonly Card[]): bigint {
  const [high, low] = hole.toSorted((a, b) => rankBit(b) - rankBit(a))
  assert(high && low, 'a player has two cards')
  const [first, second] = [rankOf(high), rankOf(low)]
  if (first === second) return pairPays(hole, first, dealer)
  if (first !== 'A') return 0n
  const isSuited = suitOf(high) === suitOf(low)
  if (second === 'K') return isSuited ? 25n : 15n
  if (second === 'Q' || second === 'J') return isSuited ? 20n : 5n
  return 0n
}

function pairPays(hole: readonly Card[], rank: string, dealer: readonly Card[]): bigint {
  if (isAces(hole)) return isAces(dealer) ? 1000n : 30n
  return ['K', 'Q', 'J'].includes(rank) ? 10n : 3n
}
