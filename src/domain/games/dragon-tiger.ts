/** Dragon tiger from eight decks: one card each, the higher rank wins. Suits matter for one side bet only. */
import assert from 'node:assert/strict'
import type { Settlement } from '../bets/slip.ts'
import { type Card, cardsOf, rankNumber, suitOf } from './cards.ts'
import {
  type Dealt,
  type DragonTigerResult,
  type Game,
  isNo,
  type No,
  no,
  type Outcome,
  type Report,
  type TableSettings,
  variantsOf,
  type Wager,
  type Zone,
} from './game.ts'
import { accepted, acceptLegs, half, type Opposites, push, settleLegs, type Verdict, wonIf } from './legs.ts'

/**
 * Facts that slips are settled by. `null` is unknown because the source had no cards; legs that depend on it are
 * returned.
 */
export interface DragonTigerOutcome extends Outcome {
  readonly game: 'dragontiger'
  readonly code: string
  readonly winner: 'D' | 'TG' | 'T'
  readonly dragon: number | null
  readonly tiger: number | null
  readonly isSuited: boolean | null
}

const mainZones: readonly Zone[] = ['D', 'TG', 'T', 'ST']
const cardZones: readonly Zone[] = ['DB', 'DS', 'DO', 'DE', 'TB', 'TS', 'TO', 'TE']

const opposites: Opposites = [
  ['D', 'TG'],
  ['DB', 'DS'],
  ['DO', 'DE'],
  ['TB', 'TS'],
  ['TO', 'TE'],
]

/** Side bets on a card: big (eight to king), small (ace to six), odd, even. The seven loses all of them. */
const cardBets: { readonly [kind: string]: (rank: number) => boolean } = {
  B: (rank) => rank > 7,
  S: (rank) => rank < 7,
  O: (rank) => rank !== 7 && rank % 2 === 1,
  E: (rank) => rank % 2 === 0,
}

function verdictOf(zone: string, outcome: DragonTigerOutcome): Verdict {
  switch (zone) {
    case 'D':
    case 'TG':
      return outcome.winner === 'T' ? half : wonIf(outcome.winner === zone, 1n)
    case 'T':
      return wonIf(outcome.winner === 'T', 8n)
    case 'ST':
      return outcome.isSuited === null ? push : wonIf(outcome.isSuited, 50n)
    default:
      return cardVerdict(zone, outcome)
  }
}

function cardVerdict(zone: string, outcome: DragonTigerOutcome): Verdict {
  const rank = zone.startsWith('D') ? outcome.dragon : outcome.tiger
  const wins = cardBets[zone.charAt(1)]
  assert(zone.length === 2 && wins, `${zone} is not a zone of dragon tiger`)
  return rank === null ? push : wonIf(wins(rank), 1n)
}

function winnerOf(dragon: number, tiger: number): DragonTigerResult['winner'] {
  return dragon === tiger ? 'T' : dragon > tiger ? 'D' : 'TG'
}

function codeOf(winner: DragonTigerResult['winner'], suitedTie: boolean): string {
  return { D: '1', TG: '2', T: suitedTie ? 'C' : '4' }[winner]
}

function outcomeOf(dragonCard: Card, tigerCard: Card): DragonTigerOutcome {
  const dragon = rankNumber(dragonCard)
  const tiger = rankNumber(tigerCard)
  const winner = winnerOf(dragon, tiger)
  const isSuited = winner === 'T' && suitOf(dragonCard) === suitOf(tigerCard)
  return {
    game: 'dragontiger',
    code: codeOf(winner, isSuited),
    cardInfo: `${dragonCard}${tigerCard}`,
    result: { cards: { D: dragonCard, TG: tigerCard }, dragon, tiger, winner, suitedTie: isSuited },
    complete: true,
    winner,
    dragon,
    tiger,
    isSuited,
  }
}

function readCards(cardInfo: string): DragonTigerOutcome | No {
  const [dragon, tiger, ...more] = cardsOf(cardInfo) ?? []
  if (!dragon || !tiger || more.length > 0) {
    return no('cards-malformed', `"${cardInfo}" is not one dragon card and one tiger card`)
  }
  return outcomeOf(dragon, tiger)
}

const winnersByCode: { readonly [code: string]: DragonTigerResult['winner'] } = { 1: 'D', 2: 'TG', 4: 'T', C: 'T' }

/**
 * Reads a result without cards. Code 4 means a tie of two suits or of unknown suits, so it decides a suited-tie bet
 * only together with `suitedTie`; otherwise those legs are returned.
 */
function readCode(report: Exclude<Report, { cardInfo: string }>): DragonTigerOutcome | No {
  const winner = winnersByCode[report.code]
  if (!winner) return no('code-impossible', 'A dragon tiger code is 1, 2, 4 or C')
  const isReportedSuited = report.code === 'C'
  const isSuited = winner !== 'T' ? false : isReportedSuited ? true : (report.suitedTie ?? null)
  if ((report.suitedTie ?? isSuited) !== isSuited) {
    return no('code-impossible', `suitedTie ${report.suitedTie} contradicts code ${report.code}`)
  }
  const code = codeOf(winner, isSuited === true)
  const unknown = { game: 'dragontiger', code, cardInfo: null, complete: false, winner, isSuited } as const
  if (!report.points) return { ...unknown, result: null, dragon: null, tiger: null }
  const { dragon, tiger } = report.points
  if (!isRank(dragon) || !isRank(tiger)) return no('result-unclear', 'Points are dragon and tiger, 1 to 13')
  if (winnerOf(dragon, tiger) !== winner) {
    return no('code-impossible', `Points ${dragon} and ${tiger} do not match code ${report.code}`)
  }
  return { ...unknown, result: { cards: {}, dragon, tiger, winner, suitedTie: isSuited === true }, dragon, tiger }
}

function isRank(value: number | undefined): value is number {
  return value !== undefined && Number.isInteger(value) && value >= 1 && value <= 13
}

function settleSlip(outcome: DragonTigerOutcome, wager: Wager): Settlement {
  const result = { code: outcome.code, cardInfo: outcome.cardInfo ?? '' }
  return settleLegs(wager.bets, (zone) => verdictOf(zone, outcome), result, { opposites })
}

function dealRound(cards: readonly Card[]): Dealt<DragonTigerOutcome> {
  const [dragon, tiger] = cards
  assert(dragon && tiger, 'a round of dragon tiger needs two cards')
  return { outcome: outcomeOf(dragon, tiger), holes: [], used: 2 }
}

const zonesFor = (settings: TableSettings) => (settings.sideBets ? [...mainZones, ...cardZones] : mainZones)

export const dragonTiger: Game<DragonTigerOutcome> = {
  name: 'dragontiger',
  variants: variantsOf.dragontiger,
  shoe: { decks: 8, freshBelow: 52, roundsPerShoe: null, isNumbered: true },
  refuseSettings: () => null,
  stages: (_, settings) => [{ moment: 'opening', zones: zonesFor(settings) }],
  accept(request, settings) {
    const bets = acceptLegs(request, 'dragontiger', zonesFor(settings))
    return isNo(bets) ? bets : accepted(bets)
  },
  deal: dealRound,
  read(report) {
    return 'cardInfo' in report ? readCards(report.cardInfo) : readCode(report)
  },
  settle(outcome, wagers) {
    assert(outcome.game === 'dragontiger', 'an outcome is settled by its own game')
    return wagers.map((wager) => settleSlip(outcome, wager))
  },
}
