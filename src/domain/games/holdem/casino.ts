/** Casino Hold'em: an ante, the flop, then a call of twice the ante or a fold. The dealer needs a pair of fours to play. */
import assert from 'node:assert/strict'
import type { Settlement } from '../../bets/slip.ts'
import type { Stage } from '../game.ts'
import { lost, push, settleLegs, type Verdict, won } from '../legs.ts'
import { showdown, winnerOf } from './dealer.ts'
import { type Category, categoryOf, isPairOrBetter, strengthOf } from './hands.ts'
import { type DealtWager, type HoldemOutcome, slipResult } from './table.ts'

export const casinoStages: readonly Stage[] = [
  { moment: 'opening', zones: ['ANTE', 'AAB'] },
  { moment: 'flop', zones: ['CALL'], timesAnte: 2 },
]

type Code = 'fold' | 'dealer_not_qualified' | 'player_wins' | 'dealer_wins' | 'tie'

/** Odds to one of the ante by the player's final hand; 1 for categories not listed. */
const antePays: { readonly [category in Category]?: bigint } = {
  'royal flush': 100n,
  'straight flush': 20n,
  'four of a kind': 10n,
  'full house': 3n,
  flush: 2n,
}

/** Odds to one of the AA bet by the player's two cards and the flop; 7 from a pair of aces to a straight. */
const aaPays: { readonly [category in Category]?: bigint } = {
  'royal flush': 100n,
  'straight flush': 50n,
  'four of a kind': 40n,
  'full house': 30n,
  flush: 20n,
}

/** Settles one player's slip. No rake: players do not play against each other. */
export function settleCasino(outcome: HoldemOutcome, wager: DealtWager): Settlement {
  const hands = showdown(outcome, wager.hand.hole)
  const code = codeOf(hands, wager)
  const verdicts: { readonly [zone: string]: Verdict } = {
    ANTE: anteVerdict(code, categoryOf(hands.player)),
    CALL: callVerdict(code),
    // Settled on its own, even after a fold.
    AAB: aaVerdict(strengthOf([...wager.hand.hole, ...outcome.board.slice(0, 3)])),
  }
  const verdictOf = (zone: string) => verdicts[zone] ?? assert.fail(`${zone} is not a zone of Casino Hold'em`)
  return settleLegs(wager.bets, verdictOf, slipResult(outcome, wager.hand, code))
}

function codeOf(hands: { player: number; dealer: number }, wager: DealtWager): Code {
  if (!wager.bets.some((bet) => bet.zone === 'CALL')) return 'fold'
  return isPairOrBetter(hands.dealer, '4') ? winnerOf(hands) : 'dealer_not_qualified'
}

function anteVerdict(code: Code, hand: Category): Verdict {
  if (code === 'tie') return push
  return code === 'player_wins' || code === 'dealer_not_qualified' ? won(antePays[hand] ?? 1n) : lost
}

function callVerdict(code: Code): Verdict {
  if (code === 'tie' || code === 'dealer_not_qualified') return push
  return code === 'player_wins' ? won(1n) : lost
}

function aaVerdict(firstFive: number): Verdict {
  return isPairOrBetter(firstFive, 'A') ? won(aaPays[categoryOf(firstFive)] ?? 7n) : lost
}
