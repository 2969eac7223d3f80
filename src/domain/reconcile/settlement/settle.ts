/** Settles one recorded revision again by the rules of its game, and compares every figure. */

import {
  type Bet,
  niuniuHands,
  type Settlement,
  type SlipResult,
  type SlipStatus,
  voidSettlement,
} from '../../bets/slip.ts'
import { type Card, spacedCards } from '../../games/cards.ts'
import { isNo, type Report, type TableSettings, type Wager } from '../../games/game.ts'
import { games } from '../../games/index.ts'
import { formatUnits, playerScale } from '../../money.ts'
import { asTheRules, type RecordedRevision, type Settled, type SettlementDifference } from './recorded.ts'

/** The revision before; `unknown` if the book does not have it, null for the first. */
export type Previous = RecordedRevision | 'unknown' | null

/** Settles a revision of any game but no-limit Hold'em, of which only a voided hand can be settled by itself. */
export function settleAgain(revision: RecordedRevision, previous: Previous, settings: TableSettings): Settled {
  const differencesOf = (report?: Report): readonly SettlementDifference[] | Impossible => {
    const expected =
      revision.status === 'void' ? voided(revision, previous, settings) : settledByResult(revision, settings, report)
    return 'impossible' in expected ? expected : differencesFrom(revision, expected, previous)
  }
  const order = orderDifferences(revision, previous)
  const found = differencesOf()
  if ('impossible' in found) return { differences: order, impossible: found.impossible, unchecked: null }
  if (order.length > 0) return { ...asTheRules, differences: [...order, ...found] }
  if (isUndecided(revision) && knownResults(revision).some((report) => isSame(differencesOf(report))))
    return { ...asTheRules, unchecked: 'CARDS_UNKNOWN' }
  if (found.length > 0) return { ...asTheRules, differences: found }
  return previous === 'unknown' ? { ...asTheRules, unchecked: 'REVISION_MISSING' } : asTheRules
}

const isSame = (found: readonly SettlementDifference[] | Impossible) => !('impossible' in found) && found.length === 0

interface Impossible {
  readonly impossible: string
}

/** Returns the bets as the table takes them, with the hold by its settings. */
function placedBets({ game, variant, legs }: RecordedRevision, settings: TableSettings) {
  const bets = legs.map(({ zone, amount }) => ({ zone, amount }))
  // Big, small, odd and even are offered where the tenant turned them on; the record shows that the bet was taken.
  return games[game].accept({ variant, bets }, { ...settings, sideBets: true })
}

function settledByResult(
  revision: RecordedRevision,
  settings: TableSettings,
  known: Report | undefined,
): Settlement | Impossible {
  const game = games[revision.game]
  const placed = placedBets(revision, settings)
  if (isNo(placed)) return { impossible: placed.because }
  const reported = known === undefined ? reportOf(revision) : { report: known }
  if ('impossible' in reported) return reported
  const { variant } = revision
  const outcome = game.read(reported.report, { variant, settings })
  if (isNo(outcome)) return { impossible: outcome.because }
  const hand = reported.hole === undefined ? {} : { hand: { hole: reported.hole, ...noSeat } }
  const wager: Wager = { variant, bets: placed.bets, ...hand }
  const settled = game.settle(outcome, [wager], settings)
  if (isNo(settled)) return { impossible: settled.because }
  return settled[0] ?? { impossible: 'The game settled no slip' }
}

/** Seats matter in no-limit only, and a hand against the dealer is folded when it has no further leg. */
const noSeat = { folded: false, seat: 1 }

interface Reported {
  readonly report: Report
  readonly hole?: readonly Card[]
}

/** Returns the result as a source would report it: the cards, or the code where the record has no cards. */
function reportOf({ game, code, cardInfo, winners }: RecordedRevision): Reported | Impossible {
  if (game === 'holdem') {
    const [board = '', own = '', dealer = '', ...more] = cardInfo.split('|')
    const hole = spacedCards(own)
    if (hole?.length !== 2 || more.length > 0)
      return { impossible: `"${cardInfo.slice(0, 60)}" is not a board, two own cards and the dealer's cards` }
    return { report: { cardInfo: `${board}||${dealer}` }, hole }
  }
  if (cardInfo !== '') return { report: { cardInfo } }
  return { report: { code, ...(winners === undefined ? {} : { winners }) } }
}

function voided(revision: RecordedRevision, previous: Previous, settings: TableSettings): Settlement | Impossible {
  const placed = revision.variant === 'nlhe' ? { bets: plainBets(revision) } : placedBets(revision, settings)
  if (isNo(placed)) return { impossible: placed.because }
  return voidSettlement(placed.bets, voidResult(revision, previous))
}

const plainBets = ({ legs }: RecordedRevision): Bet[] => legs.map(({ zone, amount }) => ({ zone, amount }))

/** A void keeps the last code and cards; a voided Hold'em hand has the code `void`. */
function voidResult(revision: RecordedRevision, previous: Previous): SlipResult {
  const last = previous === 'unknown' ? revision : (previous ?? { code: '', cardInfo: '' })
  return { code: revision.game === 'holdem' ? 'void' : last.code, cardInfo: last.cardInfo }
}

/** Returns what is wrong about the place of a revision among those of its slip. */
function orderDifferences(revision: RecordedRevision, previous: Previous): SettlementDifference[] {
  const { rev, status } = revision
  const differences: SettlementDifference[] = []
  const first: SlipStatus = 'settled'
  if (rev === 1 && status === 'recalculated') differences.push(fact('status', status, first))
  if (rev > 1 && status === 'settled') differences.push(fact('status', status, 'recalculated'))
  if (previous === null || previous === 'unknown') return differences
  if (previous.status === 'void') differences.push(fact('status', status, 'none: nothing follows a void'))
  const [was, is] = [betsText(previous), betsText(revision)]
  if (was !== is) differences.push(fact('bets', is, was))
  return differences
}

const betsText = ({ legs }: RecordedRevision): string =>
  legs
    .map(({ zone, amount }) => `${zone} ${unitsText(amount)}`)
    .sort()
    .join(', ')

/** Compares every figure of a revision with its settlement by the rules. */
export function differencesFrom(
  revision: RecordedRevision,
  expected: Settlement,
  previous: Previous,
): SettlementDifference[] {
  const differences = expected.legs.flatMap((leg, i) => legDifferences(revision, leg, i))
  for (const field of ['stake', 'hold', 'validStake', 'rolling', 'payout', 'winLoss', 'rake'] as const)
    if (revision[field] !== expected[field]) differences.push(amount(field, revision[field], expected[field]))
  return [...differences, ...deltaDifference(revision, expected, previous), ...resultDifferences(revision, expected)]
}

function legDifferences(
  revision: RecordedRevision,
  expected: Settlement['legs'][number],
  index: number,
): SettlementDifference[] {
  const leg = revision.legs[index]
  if (!leg) return []
  const { zone } = leg
  const differences: SettlementDifference[] = []
  if (leg.return !== expected.return) differences.push(amount(`${zone}.return`, leg.return, expected.return))
  if ((leg.hold ?? 0n) !== (expected.hold ?? 0n))
    differences.push(amount(`${zone}.hold`, leg.hold ?? 0n, expected.hold ?? 0n))
  const mult = expected.mult ?? null
  if (leg.mult !== mult) differences.push(fact(`${zone}.mult`, shown(leg.mult), shown(mult)))
  return differences
}

/** The change of the balance follows from what was paid before, right or wrong. A seat on site has no balance. */
function deltaDifference(
  revision: RecordedRevision,
  { payout }: Settlement,
  previous: Previous,
): SettlementDifference[] {
  if (previous === 'unknown' || revision.isOnsite) return []
  const delta = payout - (previous?.payout ?? 0n)
  return revision.delta === delta ? [] : [amount('delta', revision.delta, delta)]
}

function resultDifferences(revision: RecordedRevision, { result }: Settlement): SettlementDifference[] {
  const differences: SettlementDifference[] = []
  if (revision.code !== result.code) differences.push(fact('result.code', revision.code, result.code))
  if (revision.cardInfo !== result.cardInfo)
    differences.push(fact('result.cardInfo', revision.cardInfo, result.cardInfo))
  for (const hand of niuniuHands) {
    const [rank, expected] = [revision.hands?.[hand], result.hands?.[hand]]
    if (rank !== expected) differences.push(fact(`result.hands.${hand}`, shown(rank), shown(expected)))
  }
  for (const hand of ['P1', 'P2', 'P3'] as const) {
    const [winner, expected] = [revision.winners?.[hand], result.winners?.[hand]]
    if (winner !== expected) differences.push(fact(`result.winners.${hand}`, shown(winner), shown(expected)))
  }
  return differences
}

/**
 * Returns whether a leg depends on a fact that a dragon tiger record without cards does not state: the ranks of the
 * cards, or whether a tie was suited.
 */
function isUndecided({ game, status, cardInfo, code, legs }: RecordedRevision): boolean {
  if (game !== 'dragontiger' || status === 'void' || cardInfo !== '') return false
  return legs.some(({ zone }) => isCardZone(zone) || (zone === 'ST' && code === '4'))
}

const ranks = Array.from({ length: 13 }, (_, i) => i + 1)

/** Returns every result with this code that a source without cards may have known. */
function knownResults({ code }: RecordedRevision): Report[] {
  const suits = code === '4' ? [{}, { suitedTie: false }] : [{}]
  const points = ranks.flatMap((dragon) => ranks.map((tiger) => ({ points: { dragon, tiger } })))
  return suits.flatMap((suit) => [{}, ...points].map((known) => ({ code, ...suit, ...known })))
}

const isCardZone = (zone: string) => /^[DT][BSOE]$/.test(zone)

export function amount(field: string, platform: bigint, rules: bigint): SettlementDifference {
  return { field, platform: unitsText(platform), rules: unitsText(rules), units: platform - rules }
}

export function fact(field: string, platform: string, rules: string): SettlementDifference {
  return { field, platform: platform === '' ? 'none' : platform, rules: rules === '' ? 'none' : rules, units: null }
}

const shown = (value: number | string | null | undefined): string => `${value ?? 'none'}`
export const unitsText = (units: bigint): string => formatUnits(units, playerScale)
