/**
 * No-limit Hold'em, written only from the rulebook (5.3): the betting of a hand of three seats or more, and its pots.
 */
import { type SeatResult, unit } from '../slip-reference.ts'
import { bestOf, compare } from './poker-reference.ts'

const smallBlind = unit
export const bigBlind = 2 * unit
/** The smallest chip, 0.01. */
export const chip = unit / 100
const maxSeats = 9

export interface HandSeat {
  readonly seat: number
  readonly name: string
  /** Remaining chips; a seat without any is all in. */
  stack: number
  /** Contribution to the hand, and to this street. */
  put: number
  street: number
  hasFolded: boolean
  /** Since the last full bet or raise. */
  hasActed: boolean
}

/** A hand in progress. */
export interface BettingHand {
  /** Clockwise from the left of the button. */
  readonly seats: readonly HandSeat[]
  readonly button: number
  board: 0 | 3 | 4 | 5
  /** Amount that a seat must have contributed on this street to stay, and the size of the last full bet or raise. */
  bet: number
  raise: number
  /** Index of the seat to act; null when the betting is over. */
  turn: number | null
}

export interface SeatAction {
  readonly does: 'fold' | 'check' | 'call' | 'raise'
  /** Total on the street. */
  readonly to?: number
}

/** Returns seats in the order that starts left of the button. */
export function clockwise<T extends { readonly seat: number }>(seats: readonly T[], button: number): T[] {
  const steps = ({ seat }: T) => (seat - button - 1 + maxSeats) % maxSeats
  return seats.toSorted((a, b) => steps(a) - steps(b))
}

/** Small blind left of the button, big blind next, and left of it the first to act. */
export function openBetting(
  seats: readonly { readonly seat: number; readonly name: string; readonly stack: number }[],
  button: number,
): BettingHand {
  if (seats.length < 3) throw new Error('the rules of two seats are others')
  const hand: BettingHand = {
    seats: clockwise(seats, button).map((seat) => ({ ...seat, put: 0, street: 0, hasFolded: false, hasActed: false })),
    button,
    board: 0,
    bet: bigBlind,
    raise: bigBlind,
    turn: null,
  }
  const [small, big] = hand.seats
  if (small) putIn(small, smallBlind)
  if (big) putIn(big, bigBlind)
  passOn(hand, 1)
  return hand
}

function putIn(seat: HandSeat, amount: number): void {
  seat.stack -= amount
  seat.put += amount
  seat.street += amount
}

const isIn = ({ hasFolded }: HandSeat) => !hasFolded
const canBet = (seat: HandSeat) => isIn(seat) && seat.stack > 0
export const toAct = ({ seats, turn }: BettingHand) => (turn === null ? undefined : seats[turn])

/** Passes the turn to the next seat with a decision, otherwise opens the next street, otherwise ends the betting. */
function passOn(hand: BettingHand, from: number): void {
  const { seats } = hand
  hand.turn = null
  if (seats.filter(isIn).length === 1) return
  const next = seats
    .map((_, i) => (from + 1 + i) % seats.length)
    .find((i) => {
      const seat = seats[i]
      if (!seat || !canBet(seat)) return false
      // Without an opponent who can respond no bet can be opened.
      const isAnswered = seats.some((other) => other !== seat && canBet(other))
      return seat.street < hand.bet || (!seat.hasActed && isAnswered)
    })
  if (next !== undefined) hand.turn = next
  else if (hand.board === 5 || seats.filter(canBet).length < 2) hand.board = 5
  else openStreet(hand)
}

function openStreet(hand: BettingHand): void {
  hand.board = hand.board === 0 ? 3 : hand.board === 3 ? 4 : 5
  hand.bet = 0
  hand.raise = bigBlind
  for (const seat of hand.seats) Object.assign(seat, { street: 0, hasActed: false })
  passOn(hand, hand.seats.length - 1)
}

/** Returns the choices of the seat to act. */
export function choicesAt(hand: BettingHand) {
  const seat = toAct(hand)
  if (!seat) return null
  const due = hand.bet - seat.street
  const all = seat.street + seat.stack
  const isAnswered = hand.seats.some((other) => other !== seat && canBet(other))
  // An all-in for less does not reopen the betting to a seat that already acted.
  const mayRaise = !seat.hasActed && isAnswered && all > hand.bet
  return {
    canCheck: due <= 0,
    call: due <= 0 ? null : Math.min(due, seat.stack),
    raise: mayRaise ? { from: Math.min(hand.bet + hand.raise, all), to: all } : null,
  }
}

/** Returns whether the rules let the seat to act do it. */
export function isAllowed(hand: BettingHand, { does, to = 0 }: SeatAction): boolean {
  const may = choicesAt(hand)
  if (!may) return false
  // A seat may not fold when it can check.
  if (does === 'fold') return !may.canCheck
  if (does === 'check') return may.canCheck
  if (does === 'call') return may.call !== null
  return may.raise !== null && to >= may.raise.from && to <= may.raise.to && to % chip === 0
}

/** Performs an allowed action. */
export function act(hand: BettingHand, action: SeatAction): void {
  const seat = toAct(hand)
  if (!seat || hand.turn === null || !isAllowed(hand, action)) throw new Error(`${action.does} is against the rules`)
  const { does, to = 0 } = action
  if (does === 'fold') seat.hasFolded = true
  if (does === 'call') putIn(seat, choicesAt(hand)?.call ?? 0)
  if (does === 'raise') {
    putIn(seat, to - seat.street)
    const by = to - hand.bet
    hand.bet = to
    if (by >= hand.raise) {
      hand.raise = by
      for (const other of hand.seats) other.hasActed = false
    }
  }
  seat.hasActed = true
  passOn(hand, hand.turn)
}

/** A seat with its contribution, at the end of its hand. */
export interface Contribution {
  readonly seat: number
  readonly name: string
  readonly put: number
  readonly hasFolded: boolean
  readonly hole: readonly string[]
}

const sum = (amounts: readonly number[]) => amounts.reduce((all, amount) => all + amount, 0)
const toChips = (amount: number) => amount - (amount % chip)

/**
 * The end of a hand, in the order of rulebook 5.3: uncalled bet, pots, rake, award, and the players whose rake is
 * counted.
 */
export function settleSeats(
  seats: readonly Contribution[],
  board: readonly string[],
  button: number,
): Record<string, SeatResult> {
  const order = clockwise(
    seats.filter(({ put }) => put > 0),
    button,
  )
  const [largest = 0, second = 0] = order.map(({ put }) => put).toSorted((a, b) => b - a)
  const uncalledOf = ({ put }: Contribution) => (put === largest ? largest - second : 0)
  const called = new Map(order.map((each) => [each, each.put - uncalledOf(each)]))
  const calledBy = (each: Contribution) => called.get(each) ?? 0
  const inHand = order.filter(({ hasFolded }) => !hasFolded)
  const levels = [...new Set(inHand.map(calledBy))].filter((level) => level > 0).toSorted((a, b) => a - b)
  let rakeLeft = board.length === 0 ? 0 : 3 * bigBlind
  const pots = levels.map((level, i) => {
    const below = levels[i - 1] ?? 0
    const partOf = (each: Contribution) => Math.max(0, Math.min(calledBy(each), level) - below)
    const amount = sum(order.map(partOf))
    const rake = Math.min(rakeLeft, toChips(Math.floor(amount / 20)))
    rakeLeft -= rake
    const winners = bestSeats(
      inHand.filter((each) => calledBy(each) >= level),
      board,
    )
    return { partOf, winners, before: shares(amount, winners.length), after: shares(amount - rake, winners.length) }
  })
  const resultOf = (each: Contribution): SeatResult => {
    const taken = pots.flatMap(({ winners, before, after }) => {
      const at = winners.indexOf(each)
      return at < 0 ? [] : [{ before: before[at] ?? 0, after: after[at] ?? 0, isAlone: winners.length === 1 }]
    })
    const won = taken.some(({ isAlone }) => isAlone) ? 'win' : taken.length > 0 ? 'split' : 'lose'
    return {
      code: each.hasFolded ? 'fold' : won,
      uncalled: uncalledOf(each),
      validStake: calledBy(each),
      rolling: sum(pots.filter(({ winners }) => !winners.includes(each)).map(({ partOf }) => partOf(each))),
      payout: uncalledOf(each) + sum(taken.map(({ after }) => after)),
      rake: sum(taken.map(({ before, after }) => before - after)),
    }
  }
  return Object.fromEntries(order.map((each) => [each.name, resultOf(each)]))
}

function bestSeats(eligible: readonly Contribution[], board: readonly string[]): Contribution[] {
  if (eligible.length === 1) return [...eligible]
  const hands = eligible.map(({ hole }) => bestOf([...board, ...hole]))
  const best = hands.reduce((top, each) => (compare(each, top) > 0 ? each : top))
  return eligible.filter((_, i) => compare(hands[i] ?? [], best) === 0)
}

/** Returns equal shares in whole chips; the rest goes one each to the first, from the left of the button. */
function shares(amount: number, count: number): number[] {
  const each = toChips(Math.floor(amount / count))
  return Array.from({ length: count }, (_, i) => each + (i * chip < amount - each * count ? chip : 0))
}
