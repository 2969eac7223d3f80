/** Baccarat from eight decks, in two variants that differ only in the payout of a banker win. */
import assert from 'node:assert/strict'
import type { Settlement } from '../bets/slip.ts'
import { type Card, knownCards, notDealt, rankNumber, rankOf, surplusCard } from './cards.ts'
import {
  type BaccaratResult,
  type Dealt,
  type Game,
  isNo,
  type No,
  no,
  type Outcome,
  type Report,
  type Variant,
  variantsOf,
  type Wager,
  type Zone,
} from './game.ts'
import { accepted, acceptLegs, lost, type Opposites, push, settleLegs, type Verdict, won, wonIf } from './legs.ts'

/** Facts that slips are settled by. The code holds all of them; points matter only for the banker's six. */
export interface BaccaratOutcome extends Outcome {
  readonly game: 'baccarat'
  readonly code: string
  readonly winner: 'B' | 'P' | 'T'
  readonly bankerWonWithSix: boolean
  readonly playerPair: boolean
  readonly bankerPair: boolean
}

const deckCount = 8
const slots = ['P1', 'B1', 'P2', 'B2', 'P3', 'B3'] as const
const opposites: Opposites = [['B', 'P']]

/** Returns the points of a card: ace 1, two to nine their number, ten and faces 0. */
export function pointsOf(card: Card): number {
  return Math.min(rankNumber(card), 10) % 10
}

/** Returns the total of a hand: the last digit of the sum. */
export function totalOf(cards: readonly Card[]): number {
  return cards.reduce((total, card) => total + pointsOf(card), 0) % 10
}

/** Returns whether two cards make a natural, eight or nine. With one on either side no further card is drawn. */
export function isNatural(points: number): boolean {
  return points >= 8
}

/** Returns whether a card string shows a natural on either side; false if it is unknown. */
export function naturalIn(cardInfo: string | null): boolean {
  const [p1, b1, p2, b2] = knownCards(cardInfo?.slice(0, 8).match(/../g) ?? []) ?? []
  return p1 && b1 && p2 && b2 ? isNatural(totalOf([p1, p2])) || isNatural(totalOf([b1, b2])) : false
}

/** Returns whether the player draws a third card when neither side has a natural. */
export function playerDraws(points: number): boolean {
  return points <= 5
}

/** Player's third cards on which the banker draws, by the banker's points, as in the rulebook's table. */
const drawsOn: { readonly [banker: number]: readonly number[] } = {
  3: [0, 1, 2, 3, 4, 5, 6, 7, 9],
  4: [2, 3, 4, 5, 6, 7],
  5: [4, 5, 6, 7],
  6: [6, 7],
}

/**
 * Returns whether the banker draws a third card when neither side has a natural. `third` is null when the player stood.
 */
export function bankerDraws(points: number, third: number | null): boolean {
  if (third === null) return points <= 5
  return points <= 2 || (drawsOn[points]?.includes(third) ?? false)
}

/** Returns which third cards the rules require, given the first four cards and the card that the player would draw. */
function thirdCards(player: readonly Card[], banker: readonly Card[], next: Card | undefined) {
  const playerPoints = totalOf(player)
  const bankerPoints = totalOf(banker)
  if (isNatural(playerPoints) || isNatural(bankerPoints)) return { player: false, banker: false }
  if (!playerDraws(playerPoints)) return { player: false, banker: bankerDraws(bankerPoints, null) }
  return { player: true, banker: next !== undefined && bankerDraws(bankerPoints, pointsOf(next)) }
}

/** One card per slot in dealing order; thirds are absent when not dealt. */
interface Layout {
  readonly first: readonly [Card, Card, Card, Card]
  readonly player3: Card | undefined
  readonly banker3: Card | undefined
}

const deckOf = (layout: Layout) => [...layout.first, layout.player3, layout.banker3]
const dealtCards = (layout: Layout) => deckOf(layout).filter((card) => card !== undefined)

function handsOf({ first: [p1, b1, p2, b2], player3, banker3 }: Layout) {
  return {
    player: player3 ? [p1, p2, player3] : [p1, p2],
    banker: banker3 ? [b1, b2, banker3] : [b1, b2],
  }
}

function outcomeOf(layout: Layout): BaccaratOutcome {
  const { player, banker } = handsOf(layout)
  const [p1, b1, p2, b2] = layout.first
  const points = { player: totalOf(player), banker: totalOf(banker) }
  const facts = factsOf(points, rankOf(p1) === rankOf(p2), rankOf(b1) === rankOf(b2))
  const dealt = deckOf(layout)
  const cards = Object.fromEntries(slots.flatMap((slot, i) => (dealt[i] ? [[slot, dealt[i]]] : [])))
  return {
    game: 'baccarat',
    code: codeOf(facts),
    cardInfo: dealt.map((card) => card ?? notDealt).join(''),
    result: resultOf(facts, points, cards),
    complete: true,
    ...facts,
  }
}

type Facts = Pick<BaccaratOutcome, 'winner' | 'bankerWonWithSix' | 'playerPair' | 'bankerPair'>
type Points = Pick<BaccaratResult, 'player' | 'banker'>

function factsOf({ player, banker }: Points, playerPair: boolean, bankerPair: boolean): Facts {
  const winner = player === banker ? 'T' : banker > player ? 'B' : 'P'
  return { winner, bankerWonWithSix: winner === 'B' && banker === 6, playerPair, bankerPair }
}

function resultOf(facts: Facts, points: Points, cards: BaccaratResult['cards']): BaccaratResult {
  return {
    cards,
    player: points.player,
    banker: points.banker,
    winner: facts.winner,
    playerPair: facts.playerPair,
    bankerPair: facts.bankerPair,
  }
}

/** Returns the code: 0 tie, 1 banker, 2 player, 3 banker with six; plus 4 for a banker pair and 8 for a player pair. */
function codeOf(facts: Facts): string {
  const winner = { T: 0, B: facts.bankerWonWithSix ? 3 : 1, P: 2 }[facts.winner]
  const value = winner + (facts.bankerPair ? 4 : 0) + (facts.playerPair ? 8 : 0)
  return value.toString(16).toUpperCase()
}

function factsOfCode(code: string): Facts {
  const value = Number.parseInt(code, 16)
  const winner = (['T', 'B', 'P', 'B'] as const)[value & 3] ?? 'T'
  return { winner, bankerWonWithSix: (value & 3) === 3, bankerPair: (value & 4) !== 0, playerPair: (value & 8) !== 0 }
}

function readCards(cardInfo: string): BaccaratOutcome | No {
  if (cardInfo.length !== 12) return no('cards-malformed', 'A baccarat card string has 12 characters')
  const codes = slots.map((_, i) => cardInfo.slice(2 * i, 2 * i + 2))
  const first = knownCards(codes.slice(0, 4))
  const thirds = codes.slice(4).map((code) => (code === notDealt ? [] : knownCards([code])))
  const [p1, b1, p2, b2] = first ?? []
  const [player3, banker3] = thirds
  if (!p1 || !b1 || !p2 || !b2 || !player3 || !banker3) {
    return no('cards-malformed', `"${cardInfo}" contains an unknown card`)
  }
  const layout: Layout = { first: [p1, b1, p2, b2], player3: player3[0], banker3: banker3[0] }
  const surplus = surplusCard(dealtCards(layout), deckCount)
  if (surplus) return no('cards-impossible', `${surplus} occurs more than ${deckCount} times`)
  return refuseThirds(layout) ?? outcomeOf(layout)
}

/** Third cards follow from the rules: a card string with one too many or too few was misread. */
function refuseThirds(layout: Layout): No | null {
  const [p1, b1, p2, b2] = layout.first
  const due = thirdCards([p1, p2], [b1, b2], layout.player3)
  if (due.player !== (layout.player3 !== undefined)) {
    return no('cards-impossible', `The player ${due.player ? 'must draw' : 'must not draw'} a third card`)
  }
  if (due.banker !== (layout.banker3 !== undefined)) {
    return no('cards-impossible', `The banker ${due.banker ? 'must draw' : 'must not draw'} a third card`)
  }
  return null
}

/**
 * Reads a result without cards. The code includes the pairs. Without points there is no result object, but every slip
 * can be settled.
 */
function readCode(code: string, points: { readonly [hand: string]: number } | undefined): BaccaratOutcome | No {
  if (!/^[0-9A-F]$/.test(code)) return no('code-impossible', 'A baccarat code is one upper-case hexadecimal character')
  const facts = factsOfCode(code)
  const unknown = { game: 'baccarat', code, cardInfo: null, complete: false, ...facts } as const
  if (!points) return { ...unknown, result: null }
  const { player, banker } = points
  if (!isPoint(player) || !isPoint(banker)) return no('result-unclear', 'Points are player and banker, 0 to 9')
  if (codeOf(factsOf({ player, banker }, facts.playerPair, facts.bankerPair)) !== code) {
    return no('code-impossible', `Points ${player} and ${banker} do not match code ${code}`)
  }
  return { ...unknown, result: resultOf(facts, { player, banker }, {}) }
}

function isPoint(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 0 && value <= 9
}

function verdictOf(zone: string, outcome: BaccaratOutcome, variant: Variant): Verdict {
  switch (zone) {
    case 'B':
      return bankerVerdict(outcome, variant)
    case 'P':
      return outcome.winner === 'T' ? push : wonIf(outcome.winner === 'P', 1n)
    case 'T':
      return wonIf(outcome.winner === 'T', 8n)
    case 'BP':
      return wonIf(outcome.bankerPair, 11n)
    case 'PP':
      return wonIf(outcome.playerPair, 11n)
    case 'S6':
      return wonIf(outcome.bankerWonWithSix, 12n)
    default:
      assert.fail(`${zone} is not a zone of baccarat`)
  }
}

function bankerVerdict(outcome: BaccaratOutcome, variant: Variant): Verdict {
  if (outcome.winner === 'T') return push
  if (outcome.winner === 'P') return lost
  if (variant === 'classic') return won(95n, 100n)
  return outcome.bankerWonWithSix ? won(1n, 2n) : won(1n)
}

function settleSlip(outcome: BaccaratOutcome, wager: Wager): Settlement {
  const result = { code: outcome.code, cardInfo: outcome.cardInfo ?? '' }
  const verdict = (zone: string) => verdictOf(zone, outcome, wager.variant)
  return settleLegs(wager.bets, verdict, result, { opposites, notRolling: 'S6' })
}

function dealRound(cards: readonly Card[]): Dealt<BaccaratOutcome> {
  const [p1, b1, p2, b2, ...rest] = cards
  assert(p1 && b1 && p2 && b2 && rest.length >= 2, 'a round of baccarat needs six cards')
  const [next, after] = rest
  const due = thirdCards([p1, p2], [b1, b2], next)
  const layout: Layout = {
    first: [p1, b1, p2, b2],
    player3: due.player ? next : undefined,
    banker3: due.banker ? (due.player ? after : next) : undefined,
  }
  return { outcome: outcomeOf(layout), holes: [], used: dealtCards(layout).length }
}

const zones: { readonly [variant: string]: readonly Zone[] } = {
  classic: ['B', 'P', 'T', 'BP', 'PP'],
  nocomm: ['B', 'P', 'T', 'BP', 'PP', 'S6'],
}

const zonesFor = (variant: Variant) => zones[variant] ?? []

export const baccarat: Game<BaccaratOutcome> = {
  name: 'baccarat',
  variants: variantsOf.baccarat,
  shoe: { decks: deckCount, freshBelow: 52, roundsPerShoe: null, isNumbered: true },
  refuseSettings: () => null,
  stages: (variant) => [{ moment: 'opening', zones: zonesFor(variant) }],
  accept(request) {
    const bets = acceptLegs(request, 'baccarat', zonesFor(request.variant))
    return isNo(bets) ? bets : accepted(bets)
  },
  deal: dealRound,
  read(report: Report) {
    return 'cardInfo' in report ? readCards(report.cardInfo) : readCode(report.code, report.points)
  },
  settle(outcome, wagers) {
    assert(outcome.game === 'baccarat', 'an outcome is settled by its own game')
    return wagers.map((wager) => settleSlip(outcome, wager))
  },
}
