/**
 * Settles a hand of no-limit Hold'em again, as far as its records allow. A record states what a seat put in, its cards
 * and what it received. It does not state the other seats, the button, or the table's blinds, chip and rake.
 */

import type { Settlement } from '../../bets/slip.ts'
import { type Card, spacedCards } from '../../games/cards.ts'
import { isNo, type TableSettings, type Wager } from '../../games/game.ts'
import { strengthOf } from '../../games/holdem/hands.ts'
import { uncalledOf } from '../../games/holdem/pots.ts'
import { maxSeats } from '../../games/holdem/table.ts'
import { games } from '../../games/index.ts'
import { sum } from '../../money.ts'
import { asTheRules, type RecordedRevision, type Settled, type SettlementDifference } from './recorded.ts'
import { amount, differencesFrom, fact, type Previous } from './settle.ts'

/** A seat of a hand. All seats of a hand have the same round and revision. */
export interface RecordedSeat {
  readonly revision: RecordedRevision
  readonly previous: Previous
}

/** Outcome of a hand: one per seat, in the given order. */
export interface SettledHand {
  readonly seats: readonly Settled[]
  /**
   * `whole`: every figure follows from the records and the stakes. `stakes`: only rake, payout and what follows from them
   * differ, and `seats` has those differences. `open`: the pots are unknown.
   */
  readonly kind: 'whole' | 'stakes' | 'open'
}

/** A seat with its cards. */
interface Shown extends RecordedSeat {
  readonly put: bigint
  readonly hole: readonly Card[]
  readonly board: readonly Card[]
  readonly isIn: boolean
  readonly strength: number
}

/** Settles the known seats of a hand that was not voided. */
export function settleHand(seats: readonly RecordedSeat[], settings: TableSettings): SettledHand {
  const read = seats.map(shownOf)
  const shown = read.filter((each) => 'put' in each)
  const own = read.map((each) =>
    'put' in each ? ownDifferences(each) : { impossible: each.impossible, differences: [] },
  )
  const isSound = own.every(({ differences, impossible }) => differences.length === 0 && impossible === null)
  const disagree = boardsOf(shown).size > 1
  if (isSound && !disagree && shown.length === seats.length && isClosed(shown)) {
    const whole = wholeHand(shown, settings)
    if (whole) return whole
  }
  const beaten = disagree ? new Map<string, SettlementDifference[]>() : beatenSeats(shown)
  const settled = own.map(({ differences, impossible }, i): Settled => {
    const all = [...differences, ...(beaten.get(seats[i]?.revision.slipId ?? '') ?? [])]
    if (all.length > 0 || impossible !== null) return { differences: all, impossible, unchecked: null }
    return { ...asTheRules, unchecked: disagree ? 'CARDS_DISAGREE' : 'SEATS_UNKNOWN' }
  })
  return { seats: settled, kind: 'open' }
}

function shownOf(seat: RecordedSeat): Shown | { impossible: string } {
  const { cardInfo, code, legs } = seat.revision
  const [boardText = '', own = '', ...more] = cardInfo.split('|')
  const [board, hole] = [spacedCards(boardText), spacedCards(own)]
  if (!board || hole?.length !== 2 || more.length > 0)
    return { impossible: `"${cardInfo.slice(0, 60)}" is not a board and two own cards` }
  const [leg, ...others] = legs
  if (leg?.zone !== 'POT' || others.length > 0) return { impossible: 'A seat of no-limit Hold’em has one leg, POT' }
  if (leg.amount <= 0n) return { impossible: 'A seat with a slip must have put something in' }
  if (![0, 3, 4, 5].includes(board.length)) return { impossible: 'A board must have 0, 3, 4 or 5 cards' }
  const isIn = code !== 'fold'
  return {
    ...seat,
    put: leg.amount,
    hole,
    board,
    isIn,
    strength: board.length === 5 ? strengthOf([...board, ...hole]) : 0,
  }
}

const boardsOf = (seats: readonly Shown[]) => new Set(seats.map(({ board }) => board.join(' ')))

/** Returns the contradictions within a seat's own record, for any records of the other seats. */
function ownDifferences({ revision, previous, put, board }: Shown) {
  const differences: SettlementDifference[] = []
  const check = (field: 'stake' | 'hold' | 'validStake' | 'rolling' | 'payout' | 'winLoss' | 'rake', rules: bigint) => {
    if (revision[field] !== rules) differences.push(amount(field, revision[field], rules))
  }
  const uncalled = revision.legs[0]?.return ?? 0n
  check('stake', put)
  check('hold', 0n)
  check('validStake', put - uncalled)
  check('winLoss', revision.payout - put)
  const { code, isOnsite } = revision
  if (code === 'fold' || code === 'lose') {
    check('payout', uncalled)
    check('rolling', put - uncalled)
    check('rake', 0n)
  } else if (code === 'win' || code === 'split') {
    if (revision.payout <= uncalled) differences.push(fact('result.code', code, 'lose'))
    if (revision.rolling > put - uncalled) check('rolling', put - uncalled)
    // No flop, no drop.
    if (board.length === 0) check('rake', 0n)
  } else differences.push(fact('result.code', code, 'win, split, lose or fold'))
  if (previous !== 'unknown' && !isOnsite) {
    const delta = revision.payout - (previous?.payout ?? 0n)
    if (revision.delta !== delta) differences.push(amount('delta', revision.delta, delta))
  }
  return { differences, impossible: null as string | null }
}

/** All chips are accounted for: what was put in equals what was paid out and raked, so no seat is missing. */
function isClosed(seats: readonly Shown[]): boolean {
  const puts = sum(seats.map(({ put }) => put))
  const out = sum(seats.map(({ revision }) => revision.payout + revision.rake))
  return seats.length > 1 && puts === out
}

/** Fields that depend on the stakes of the table; all others follow from the puts and the cards. */
const byStakes: ReadonlySet<string> = new Set(['payout', 'winLoss', 'rake', 'delta'])

/** Settles a hand of which every seat is known; undefined if it cannot be one hand. */
function wholeHand(seats: readonly Shown[], settings: TableSettings): SettledHand | undefined {
  let closest: readonly Settled[] | undefined
  for (const order of ordersOf(seats)) {
    const settled = settledInOrder(order, settings)
    if (!settled) return undefined
    const found = seats.map((seat): Settled => {
      const expected = settled.get(seat)
      const differences = expected ? differencesFrom(seat.revision, expected, seat.previous) : []
      const isPartly = differences.length === 0 && seat.previous === 'unknown'
      return { ...asTheRules, differences, unchecked: isPartly ? 'REVISION_MISSING' : null }
    })
    if (found.every(({ differences }) => differences.length === 0)) return { seats: found, kind: 'whole' }
    closest ??= found
  }
  if (!closest) return undefined
  const isByStakes = closest.every(({ differences }) => differences.every(({ field }) => byStakes.has(field)))
  return { seats: closest, kind: isByStakes ? 'stakes' : 'whole' }
}

function settledInOrder(seats: readonly Shown[], settings: TableSettings): Map<Shown, Settlement> | undefined {
  const [first] = seats
  if (!first) return undefined
  const report = { cardInfo: first.board.join(' '), button: maxSeats }
  const outcome = games.holdem.read(report, { variant: 'nlhe', settings })
  if (isNo(outcome)) return undefined
  const wagers = seats.map(
    ({ put, hole, isIn }, i): Wager => ({
      variant: 'nlhe',
      bets: [{ zone: 'POT', amount: put }],
      hand: { hole, folded: !isIn, seat: i + 1 },
    }),
  )
  const settled = games.holdem.settle(outcome, wagers, settings)
  if (isNo(settled)) return undefined
  return new Map(seats.flatMap((seat, i): [Shown, Settlement][] => (settled[i] ? [[seat, settled[i]]] : [])))
}

/** Maximum number of equal hands whose orders are tried: 120 orders. */
const maxTied = 5

/**
 * Returns the orders of the seats to try. The order decides only who gets the odd chips of a shared pot, so only seats
 * with equal hands change places.
 */
function* ordersOf(seats: readonly Shown[]): Generator<readonly Shown[]> {
  const tied = seats.filter(
    (seat) => seat.isIn && seats.some((other) => other !== seat && other.isIn && other.strength === seat.strength),
  )
  if (tied.length > maxTied || tied.length === 0) {
    yield seats
    return
  }
  const rest = seats.filter((seat) => !tied.includes(seat))
  for (const order of permutations(tied)) yield [...order, ...rest]
}

function* permutations<T>(items: readonly T[]): Generator<readonly T[]> {
  if (items.length < 2) yield items
  for (const [i, item] of items.entries())
    for (const rest of items.length < 2 ? [] : permutations(items.toSpliced(i, 1))) yield [item, ...rest]
}

/**
 * Returns seats that received from a pot although a better hand of the book could win every pot that they could. That
 * holds for any other seats in the hand.
 */
function beatenSeats(seats: readonly Shown[]): Map<string, SettlementDifference[]> {
  const found = new Map<string, SettlementDifference[]>()
  const called = ({ put, revision }: Shown) => put - (revision.legs[0]?.return ?? 0n)
  const puts = seats.map(({ put }) => put)
  const uncalled = puts.length > 1 ? uncalledOf(puts) : []
  for (const [i, seat] of seats.entries()) {
    const { revision } = seat
    const differences: SettlementDifference[] = []
    const returned = revision.legs[0]?.return ?? 0n
    // Another seat of the book called it, so it cannot have been returned.
    const most = uncalled[i] ?? seat.put
    if (returned > most) differences.push(amount('POT.return', returned, most))
    const better = seats.some(
      (other) =>
        other.isIn &&
        seat.isIn &&
        seat.board.length === 5 &&
        other.strength > seat.strength &&
        called(other) >= called(seat),
    )
    const isPaid = revision.payout > returned
    if (better && isPaid)
      differences.push(fact('result.code', revision.code, 'lose'), amount('payout', revision.payout, returned))
    if (differences.length > 0) found.set(revision.slipId, differences)
  }
  return found
}
