/** Texas Hold'em: one deck, three variants, each with its own bets and settlement. */
import assert from 'node:assert/strict'
import { type Game, isNo, no, type Stage, type Variant, variantsOf } from '../game.ts'
import { accepted, acceptLegs } from '../legs.ts'
import { bonusStages, settleBonus } from './bonus.ts'
import { casinoStages, settleCasino } from './casino.ts'
import { acceptAgainstDealer } from './dealer.ts'
import { settlePots, stakesOf, trustedStakes } from './pots.ts'
import { dealHand, type HoldemOutcome, type HoldemVariant, handsOf, readTable } from './table.ts'

const stages = {
  casino: casinoStages,
  thbp: bonusStages,
  // Not a placed bet: the total the seat put in over the hand, which the betting rules decide.
  nlhe: [{ moment: 'opening', zones: ['POT'] }],
} as const satisfies Record<HoldemVariant, readonly Stage[]>

function isHoldem(variant: Variant): variant is HoldemVariant {
  return variant in stages
}

const unknownVariant = (variant: Variant) => no('variant-unknown', `holdem has no variant ${variant}`)

export const holdem: Game<HoldemOutcome> = {
  name: 'holdem',
  variants: variantsOf.holdem,
  shoe: { decks: 1, freshBelow: 52, roundsPerShoe: null, isNumbered: false },
  refuseSettings(settings) {
    const stakes = stakesOf(settings)
    return isNo(stakes) ? stakes : null
  },
  stages: (variant) => (isHoldem(variant) ? stages[variant] : []),
  accept(request, settings) {
    if (!isHoldem(request.variant)) return unknownVariant(request.variant)
    if (request.variant !== 'nlhe') return acceptAgainstDealer(request, stages[request.variant])
    const bets = acceptLegs(request, 'holdem', ['POT'])
    if (isNo(bets)) return bets
    const { unit } = trustedStakes(settings)
    return bets.every((bet) => bet.amount % unit === 0n)
      ? accepted(bets)
      : no('multiple-wrong', 'A seat must put in whole chips')
  },
  deal(cards, seating) {
    assert(isHoldem(seating.variant), 'a table has a variant of its own game')
    return dealHand(seating.variant, cards, seating)
  },
  read(report, seating) {
    return isHoldem(seating.variant) ? readTable(seating.variant, report) : unknownVariant(seating.variant)
  },
  settle(outcome, wagers, settings) {
    assert(outcome.game === 'holdem', 'an outcome is settled by its own game')
    const dealt = handsOf(outcome, wagers)
    if (isNo(dealt)) return dealt
    if (outcome.variant === 'nlhe') return settlePots(outcome, dealt, settings)
    const settle = outcome.variant === 'casino' ? settleCasino : settleBonus
    return dealt.map((wager) => settle(outcome, wager))
  },
}
