/** Niu Niu: a banker and three player hands of five cards, each player hand against the banker alone. There are no ties. */
import assert from 'node:assert/strict'
import {
  type NiuniuHand,
  type NiuniuRanks,
  type NiuniuWinners,
  niuniuHands,
  type SettledLeg,
  type Settlement,
  settlementOf,
} from '../bets/slip.ts'
import { isWithinAmount, type Ratio, ratioOf, sum, times } from '../money.ts'
import { type Card, rankNumber, type Suit, spacedCards, suitOf, surplusCard } from './cards.ts'
import {
  type Dealt,
  type Game,
  isNo,
  type NiuniuResult,
  type No,
  no,
  type Outcome,
  type Report,
  type TableSettings,
  variantsOf,
  type Wager,
  type Zone,
} from './game.ts'
import { accepted, acceptLegs } from './legs.ts'

/** Facts that slips are settled by: the known winners and ranks. Legs that depend on unknown facts are returned. */
export interface NiuniuOutcome extends Outcome {
  readonly game: 'niuniu'
  readonly code: string
  readonly result: NiuniuResult
}

const players = ['P1', 'P2', 'P3'] as const
type Player = (typeof players)[number]
type Hands = { readonly [hand in NiuniuHand]: readonly Card[] }

const zones: readonly Zone[] = ['P1E', 'P2E', 'P3E', 'P1D', 'P2D', 'P3D']

const [niuNiu, fiveFace, bomb, fiveSmall] = [10, 11, 12, 13]

const point = (card: Card) => Math.min(rankNumber(card), 10)
const isFace = (card: Card) => rankNumber(card) > 10
const points = (cards: readonly Card[]) => cards.reduce((total, card) => total + point(card), 0)

/** Returns the rank number of four equal cards, or `null`. */
function bombOf(cards: readonly Card[]): number | null {
  const ranks = cards.map(rankNumber)
  return ranks.find((rank) => ranks.filter((each) => each === rank).length === 4) ?? null
}

/** Returns the indexes of three of five cards that sum to a multiple of ten; none without a bull. */
export function tensIn(cards: readonly Card[]): readonly number[] {
  const total = points(cards)
  for (const [i, one] of cards.entries())
    for (const [j, other] of cards.entries())
      if (j > i && (total - point(one) - point(other)) % 10 === 0)
        return [...cards.keys()].filter((index) => index !== i && index !== j)
  return []
}

/**
 * Returns the rank: 0 without a bull, 1 to 10 by the last digit of all points, above 10 for special hands if enabled.
 * The last digit is that of the two cards outside of the triple.
 */
export function bullRank(cards: readonly Card[], specialHands: boolean): number {
  if (specialHands) {
    if (cards.every((card) => rankNumber(card) <= 4) && points(cards) <= 10) return fiveSmall
    if (bombOf(cards) !== null) return bomb
    if (cards.every(isFace)) return fiveFace
  }
  return tensIn(cards).length > 0 ? points(cards) % 10 || niuNiu : 0
}

/** Suit order of the rulebook: spade > heart > club > diamond. Not the order in which the deck lists its suits. */
const suitOrder: Readonly<Record<Suit, number>> = { S: 3, H: 2, C: 1, D: 0 }

/**
 * Returns the position of a card in comparisons: by rank, king high and ace low, then by suit. No two cards are equal.
 */
function cardOrder(card: Card): number {
  return rankNumber(card) * 4 + suitOrder[suitOf(card)]
}

/**
 * Returns whether the first hand beats the second. Equal ranks are decided by the bomb or the highest card, so with one
 * deck there is no tie.
 */
export function beats(hand: readonly Card[], other: readonly Card[], specialHands: boolean): boolean {
  const rank = bullRank(hand, specialHands)
  const otherRank = bullRank(other, specialHands)
  if (rank !== otherRank) return rank > otherRank
  const [four, otherFour] = [bombOf(hand), bombOf(other)]
  if (rank === bomb && four !== null && otherFour !== null) return four > otherFour
  return Math.max(...hand.map(cardOrder)) > Math.max(...other.map(cardOrder))
}

/** Returns the multiplier of a double bet for a rank. */
export function multiplierOf(rank: number): number {
  if (rank > niuNiu) return 5
  if (rank === niuNiu) return 3
  return rank >= 7 ? 2 : 1
}

const largestMultiplier = (settings: TableSettings) => (settings.specialHands ? 5 : 3)
const holdFactor = (settings: TableSettings) => settings.holdFactor ?? largestMultiplier(settings) - 1
const commission = (settings: TableSettings) => ratioOf(settings.commission ?? '0')

const rankCodes = '0123456789ABCD'
const rankCode = (rank: number | undefined) => (rank === undefined ? '-' : rankCodes.charAt(rank))
const maskBit = { P1: 1, P2: 2, P3: 4 } as const satisfies Record<Player, number>

function codeOf(ranks: NiuniuRanks, winners: NiuniuWinners): string {
  const mask = players.reduce((total, player) => total + (winners[player] === 'P' ? maskBit[player] : 0), 0)
  return `${mask}${niuniuHands.map((hand) => rankCode(ranks[hand])).join('')}`
}

function outcomeOf(first: Card, hands: Hands, specialHands: boolean): NiuniuOutcome {
  const rankIn = (hand: NiuniuHand) => bullRank(hands[hand], specialHands)
  const winnerIn = (player: Player) => (beats(hands[player], hands.B, specialHands) ? 'P' : 'B')
  const ranks = { B: rankIn('B'), P1: rankIn('P1'), P2: rankIn('P2'), P3: rankIn('P3') }
  const winners = { P1: winnerIn('P1'), P2: winnerIn('P2'), P3: winnerIn('P3') } as const
  const slots = niuniuHands.flatMap((hand) => hands[hand].map((card, i) => [`${hand}-${i + 1}`, card] as const))
  return {
    game: 'niuniu',
    code: codeOf(ranks, winners),
    cardInfo: [first, ...niuniuHands.map((hand) => hands[hand].join(' '))].join('|'),
    result: { cards: Object.fromEntries([['F', first], ...slots]), hands: ranks, winners },
    complete: true,
  }
}

/**
 * Returns the dealing order. The rank of the first card names the hand that is dealt first; the others follow in the
 * cycle.
 */
function dealingOrder(first: Card): readonly NiuniuHand[] {
  const start = (rankNumber(first) - 1) % niuniuHands.length
  return niuniuHands.map((_, i) => niuniuHands[(start + i) % niuniuHands.length] ?? 'B')
}

/** Deals the first card, then five cards to each hand. */
function dealRound(cards: readonly Card[], specialHands: boolean): Dealt<NiuniuOutcome> {
  const [first, ...rest] = cards
  const used = 1 + 5 * niuniuHands.length
  assert(first && cards.length >= used, `a round of Niu Niu needs ${used} cards`)
  const order = dealingOrder(first)
  const handOf = (hand: NiuniuHand) => rest.slice(5 * order.indexOf(hand), 5 * order.indexOf(hand) + 5)
  const hands = { B: handOf('B'), P1: handOf('P1'), P2: handOf('P2'), P3: handOf('P3') }
  return { outcome: outcomeOf(first, hands, specialHands), holes: [], used }
}

function readCards(cardInfo: string, specialHands: boolean): NiuniuOutcome | No {
  const groups = cardInfo.split('|').map(spacedCards)
  const [[first, ...more] = [], B, P1, P2, P3] = groups.map((group) => group ?? [])
  const hands = [B, P1, P2, P3]
  if (!first || more.length > 0 || groups.length !== 5 || !hands.every((hand) => hand?.length === 5)) {
    return no('cards-malformed', `"${cardInfo}" is not a first card and four hands of five`)
  }
  assert(B && P1 && P2 && P3, 'five groups were read')
  const twice = surplusCard([first, ...B, ...P1, ...P2, ...P3], 1)
  return twice ? no('cards-impossible', `${twice} occurs twice`) : outcomeOf(first, { B, P1, P2, P3 }, specialHands)
}

type CodeReport = Exclude<Report, { cardInfo: string }>

/** Reads a result without cards: the mask of winning player hands, and the ranks that the source knows. */
function readCode(report: CodeReport, specialHands: boolean): NiuniuOutcome | No {
  const form = specialHands ? /^[0-7][0-9A-D-]{4}$/ : /^[0-7][0-9A-]{4}$/
  if (!form.test(report.code)) {
    return no(
      'code-impossible',
      'A Niu Niu code is a mask 0 to 7 and four ranks: 0 to 9, A (B to D only with special hands) or -',
    )
  }
  const ranks = Object.fromEntries(
    niuniuHands.flatMap((hand, i) => {
      const rank = rankCodes.indexOf(report.code.charAt(i + 1))
      return rank < 0 ? [] : [[hand, rank]]
    }),
  ) as NiuniuRanks // Keys come from the same list.
  const winners = winnersOf(report)
  const code = codeOf(ranks, winners)
  if (code !== report.code) return no('code-impossible', `Code ${report.code} contradicts the winners of the source`)
  const against = players.find((player) => !canBe(winners[player], ranks[player], ranks.B))
  if (against) return no('code-impossible', `The result of ${against} contradicts the banker's rank`)
  return { game: 'niuniu', code, cardInfo: null, result: { cards: {}, hands: ranks, winners }, complete: false }
}

/** Returns the winners. The mask gives all three, unless the source lists those it knows. */
function winnersOf(report: CodeReport): NiuniuWinners {
  if (report.winners) return report.winners
  const mask = Number(report.code.charAt(0))
  const winner = (player: Player) => (mask & maskBit[player] ? 'P' : 'B')
  return { P1: winner('P1'), P2: winner('P2'), P3: winner('P3') }
}

/** Equal ranks can go either way: the cards decide, and they are unknown. */
function canBe(winner: 'P' | 'B' | undefined, rank: number | undefined, banker: number | undefined): boolean {
  if (winner === undefined || rank === undefined || banker === undefined || rank === banker) return true
  return (winner === 'P') === rank > banker
}

/** A settled leg with its effective and lost amounts. */
interface Measured {
  readonly leg: SettledLeg
  readonly validStake: bigint
  readonly rolling: bigint
}

/** Returns the share of a win that the player keeps. */
function keptShare(settings: TableSettings): Ratio {
  const rate = commission(settings)
  assert(rate, 'settings are checked before a table plays by them')
  return { numerator: rate.denominator - rate.numerator, denominator: rate.denominator }
}

function settleSlip(outcome: NiuniuOutcome, wager: Wager, settings: TableSettings): Settlement {
  const { hands, winners } = outcome.result
  const netRatio = keptShare(settings)
  const measured = wager.bets.map((bet): Measured => {
    const player = players.find((each) => bet.zone.startsWith(each))
    assert(player, `${bet.zone} is not a zone of Niu Niu`)
    const winner = winners[player]
    if (bet.hold === undefined) return equalLeg(bet, winner, netRatio)
    const deciding = winner === undefined ? undefined : hands[winner === 'P' ? player : 'B']
    return doubleLeg({ ...bet, hold: bet.hold }, winner, deciding, netRatio)
  })
  return settlementOf(
    measured.map(({ leg }) => leg),
    { validStake: sum(measured.map((each) => each.validStake)), rolling: sum(measured.map((each) => each.rolling)) },
    { code: outcome.code, cardInfo: outcome.cardInfo ?? '', hands, winners },
  )
}

function equalLeg(bet: { zone: string; amount: bigint }, winner: 'P' | 'B' | undefined, netRatio: Ratio): Measured {
  const { amount } = bet
  if (winner === undefined) return { leg: { ...bet, return: amount }, validStake: 0n, rolling: 0n }
  if (winner === 'B') return { leg: { ...bet, return: 0n }, validStake: amount, rolling: amount }
  return { leg: { ...bet, return: amount + times(amount, netRatio) }, validStake: amount, rolling: 0n }
}

/**
 * Settles a double leg by the winning hand's rank. If the rank is unknown, stake and hold are returned and nothing
 * counts.
 */
function doubleLeg(
  bet: { zone: string; amount: bigint; hold: bigint },
  winner: 'P' | 'B' | undefined,
  deciding: number | undefined,
  netRatio: Ratio,
): Measured {
  const held = bet.amount + bet.hold
  if (winner === undefined || deciding === undefined) {
    return { leg: { ...bet, return: held, mult: 0 }, validStake: 0n, rolling: 0n }
  }
  const mult = multiplierOf(deciding)
  const staked = bet.amount * BigInt(mult)
  if (winner === 'P') {
    return { leg: { ...bet, return: held + times(staked, netRatio), mult }, validStake: staked, rolling: 0n }
  }
  assert(staked <= held, 'the hold covers the largest loss')
  return { leg: { ...bet, return: held - staked, mult }, validStake: staked, rolling: staked }
}

const isSpecial = (settings: TableSettings) => settings.specialHands ?? false

export const niuniu: Game<NiuniuOutcome> = {
  name: 'niuniu',
  variants: variantsOf.niuniu,
  shoe: { decks: 1, freshBelow: 52, roundsPerShoe: 60, isNumbered: true },
  refuseSettings(settings) {
    const factor = holdFactor(settings)
    const minHold = largestMultiplier(settings) - 1
    if (!Number.isInteger(factor) || factor < minHold) {
      return no(
        'settings-impossible',
        `The hold factor must be at least ${minHold}: a double bet could lose more than its hold`,
      )
    }
    return /^0([.][0-9]{1,4})?$/.test(settings.commission ?? '0')
      ? null
      : no('settings-impossible', 'A commission must be a rate from 0 to below 1 with at most 4 decimals, such as 0.05')
  },
  stages: () => [{ moment: 'opening', zones }],
  accept(request, settings) {
    const bets = acceptLegs(request, 'niuniu', zones)
    if (isNo(bets)) return bets
    const factor = BigInt(holdFactor(settings))
    const held = accepted(bets.map((bet) => (bet.zone.endsWith('D') ? { ...bet, hold: bet.amount * factor } : bet)))
    return isWithinAmount(held.stake + held.hold)
      ? held
      : no('amount-too-large', 'Stake and hold together exceed the largest possible amount')
  },
  deal: (cards, { settings }) => dealRound(cards, isSpecial(settings)),
  read(report, { settings }) {
    return 'cardInfo' in report
      ? readCards(report.cardInfo, isSpecial(settings))
      : readCode(report, isSpecial(settings))
  },
  settle(outcome, wagers, settings) {
    assert(outcome.game === 'niuniu', 'an outcome is settled by its own game')
    return wagers.map((wager) => settleSlip(outcome, wager, settings))
  },
}
