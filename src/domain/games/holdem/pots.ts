/**
 * The end of a no-limit hand. Uncalled chips are returned, the rest is layered into pots, and each pot is raked and
 * goes to its best eligible hand. Amounts put in equal amounts paid out plus rake, to the last unit.
 */
import assert from 'node:assert/strict'
import { type Settlement, settlementOf } from '../../bets/slip.ts'
import { compareUnits, larger, playerScale, type Ratio, ratioOf, smaller, sum, times, unitsOf } from '../../money.ts'
import { isNo, type No, no, type TableSettings } from '../game.ts'
import { strengthOf } from './hands.ts'
import { type DealtWager, type HoldemOutcome, isSeat, maxSeats, slipResult } from './table.ts'

/** Limits of a no-limit table, in units. */
export interface Stakes {
  readonly smallBlind: bigint
  readonly bigBlind: bigint
  /** Smallest chip. All amounts put in are multiples of it. */
  readonly unit: bigint
  readonly rakeRate: Ratio
  /** Maximum rake of one hand. */
  readonly rakeCap: bigint
}

/** Returns the limits from a table's settings, or why the settings are invalid. */
export function stakesOf(settings: TableSettings): Stakes | No {
  const smallBlind = unitsOf(settings.smallBlind ?? '1', playerScale)
  const bigBlind = unitsOf(settings.bigBlind ?? '2', playerScale)
  const unit = unitsOf(settings.unit ?? '0.01', playerScale)
  const rakeRate = ratioOf(settings.rakeRate ?? '0.05')
  const capBlinds = settings.rakeCapBlinds ?? 3
  if (!smallBlind || !bigBlind || !unit || unit < 0n || smallBlind < 0n || bigBlind < smallBlind) {
    return no('settings-impossible', 'Blinds and unit must be above zero, and the big blind not below the small blind')
  }
  if (smallBlind % unit !== 0n || bigBlind % unit !== 0n) {
    return no('settings-impossible', 'Blinds must be whole numbers of the smallest chip')
  }
  if (!rakeRate || rakeRate.numerator < 0n || rakeRate.numerator >= rakeRate.denominator) {
    return no('settings-impossible', 'The rake rate must be at least 0 and below 1')
  }
  if (!Number.isInteger(capBlinds) || capBlinds < 0) {
    return no('settings-impossible', 'The rake cap must be a whole number of big blinds')
  }
  return { smallBlind, bigBlind, unit, rakeRate, rakeCap: bigBlind * BigInt(capBlinds) }
}

/** Returns the limits from settings that passed. */
export function trustedStakes(settings: TableSettings): Stakes {
  const stakes = stakesOf(settings)
  assert(!isNo(stakes), 'settings are checked before a table plays by them')
  return stakes
}

/** One seat at the end of a hand, in the order that decides odd chips: clockwise from the left of the button. */
interface Seat {
  readonly wager: DealtWager
  readonly put: bigint
  readonly isIn: boolean
  /** 0 when no hands are compared. */
  readonly strength: number
}

interface Pot {
  readonly amount: bigint
  /** Contribution of each seat. */
  readonly parts: readonly bigint[]
  /** Indexes of the seats that can win it. */
  readonly eligible: readonly number[]
}

/** Winnings of a seat from one pot, before and after rake. */
interface Share {
  readonly before: bigint
  readonly after: bigint
  readonly isAlone: boolean
}

/** Settles all seats of a hand. Refuses seats that cannot belong to one hand. */
export function settlePots(
  outcome: HoldemOutcome,
  wagers: readonly DealtWager[],
  settings: TableSettings,
): readonly Settlement[] | No {
  const stakes = trustedStakes(settings)
  const refused = refuseSeats(outcome, wagers, stakes)
  if (refused) return refused
  const seats = inOrder(outcome, wagers)
  const uncalled = uncalledOf(seats.map((seat) => seat.put))
  const pots = potsOf(seats, uncalled)
  const rakes = rakesOf(
    pots.map((pot) => pot.amount),
    stakes,
    outcome.board.length > 0,
  )
  const shares = pots.map((pot, i) => sharesOf(pot, rakes[i] ?? 0n, seats, stakes.unit))
  const settled = new Map(
    seats.map((seat, index) => [seat.wager, settleSeat(outcome, seat, index, uncalled[index] ?? 0n, pots, shares)]),
  )
  return wagers.map((wager) => settled.get(wager) ?? assert.fail('every wager has its seat'))
}

function refuseSeats(outcome: HoldemOutcome, wagers: readonly DealtWager[], stakes: Stakes): No | null {
  const seats = new Set(wagers.map((wager) => wager.hand.seat))
  if (wagers.length < 2) return no('seat-impossible', 'A hand needs at least two seats')
  if (seats.size < wagers.length || ![...seats].every(isSeat)) {
    return no('seat-impossible', `Each slip must have its own seat, 1 to ${maxSeats}`)
  }
  for (const { bets } of wagers) {
    assert(bets.length === 1 && bets[0]?.zone === 'POT', 'a seat has one leg, the pot')
    if (bets[0].amount % stakes.unit !== 0n) return no('multiple-wrong', 'A seat must put in whole chips')
  }
  const isIn = wagers.filter((wager) => !wager.hand.folded)
  if (isIn.length === 0) return no('seat-impossible', 'At least one seat must not have folded')
  if (isIn.length > 1 && outcome.board.length < 5) {
    return no('hand-unfinished', 'With two seats left in the hand the board must have five cards')
  }
  const maxPut = isIn.map(putOf).reduce(larger)
  if (wagers.some((wager) => putOf(wager) > maxPut)) {
    return no('seat-impossible', 'A folded seat cannot have put in more than every remaining seat')
  }
  return null
}

const putOf = (wager: DealtWager) => wager.bets[0]?.amount ?? 0n

function inOrder(outcome: HoldemOutcome, wagers: readonly DealtWager[]): readonly Seat[] {
  const button = outcome.button ?? assert.fail('a no-limit hand has a button')
  const seatsAfterButton = (wager: DealtWager) => (wager.hand.seat - button - 1 + maxSeats) % maxSeats
  const isShowdown = wagers.filter((wager) => !wager.hand.folded).length > 1
  return wagers
    .toSorted((a, b) => seatsAfterButton(a) - seatsAfterButton(b))
    .map((wager) => ({
      wager,
      put: putOf(wager),
      isIn: !wager.hand.folded,
      strength: isShowdown && !wager.hand.folded ? strengthOf([...outcome.board, ...wager.hand.hole]) : 0,
    }))
}

/**
 * Returns, per seat, the part of the largest contribution above the second largest. No seat called it, so it was never
 * in a pot.
 */
export function uncalledOf(contributions: readonly bigint[]): readonly bigint[] {
  const largest = contributions.reduce(larger)
  const owner = contributions.indexOf(largest)
  const second = contributions.filter((_, index) => index !== owner).reduce(larger, 0n)
  return contributions.map((put, index) => (index === owner ? put - second : 0n))
}

/**
 * Returns one pot per distinct contribution of a remaining seat, main pot first. Each takes from every seat, folded
 * ones included, its contribution between the previous level and this one. Seats that reached the level can win it.
 */
function potsOf(seats: readonly Seat[], uncalled: readonly bigint[]): readonly Pot[] {
  const called = seats.map((seat, index) => seat.put - (uncalled[index] ?? 0n))
  const inHand = called.filter((_, index) => seats[index]?.isIn)
  const levels = [...new Set(inHand)].filter((level) => level > 0n).sort(compareUnits)
  return levels.map((level, i) => {
    const from = levels[i - 1] ?? 0n
    const parts = called.map((put) => larger(0n, smaller(put, level) - from))
    const eligible = seats.flatMap((seat, index) => (seat.isIn && (called[index] ?? 0n) >= level ? [index] : []))
    return { amount: sum(parts), parts, eligible }
  })
}

/** Returns the rake of each pot, main pot first until the cap is reached. No flop, no drop. */
function rakesOf(pots: readonly bigint[], stakes: Stakes, hasFlop: boolean): readonly bigint[] {
  let left = hasFlop ? toUnit(stakes.rakeCap, stakes.unit) : 0n
  return pots.map((amount) => {
    const due = toUnit(times(amount, stakes.rakeRate), stakes.unit)
    const rake = smaller(due, left)
    left -= rake
    return rake
  })
}

const toUnit = (amount: bigint, unit: bigint) => amount - (amount % unit)

/**
 * Returns the winnings of each seat from a pot. A winner's rake is the difference between its share before and after
 * rake, both split alike.
 */
function sharesOf(pot: Pot, rake: bigint, seats: readonly Seat[], unit: bigint): ReadonlyMap<number, Share> {
  const best = Math.max(...pot.eligible.map((index) => seats[index]?.strength ?? 0))
  const winners = pot.eligible.filter((index) => seats[index]?.strength === best)
  const before = split(pot.amount, winners.length, unit)
  const after = split(pot.amount - rake, winners.length, unit)
  return new Map(
    winners.map((index, i) => [
      index,
      { before: before[i] ?? 0n, after: after[i] ?? 0n, isAlone: winners.length === 1 },
    ]),
  )
}

/**
 * Splits an amount into equal shares of whole chips. Leftover chips go one each to the first seats, nearest the left of
 * the button.
 */
export function split(amount: bigint, shares: number, unit: bigint): readonly bigint[] {
  const chips = amount / unit
  assert(chips * unit === amount, 'a pot is a whole number of chips')
  const each = chips / BigInt(shares)
  const odd = Number(chips % BigInt(shares))
  return Array.from({ length: shares }, (_, i) => (each + (i < odd ? 1n : 0n)) * unit)
}

function settleSeat(
  outcome: HoldemOutcome,
  seat: Seat,
  index: number,
  uncalled: bigint,
  pots: readonly Pot[],
  shares: readonly ReadonlyMap<number, Share>[],
): Settlement {
  const wonShares = shares.flatMap((share) => share.get(index) ?? [])
  const code = seat.isIn ? codeOf(wonShares) : 'fold'
  const lost = sum(pots.map((pot, i) => (shares[i]?.has(index) ? 0n : (pot.parts[index] ?? 0n))))
  const measures = {
    validStake: seat.put - uncalled,
    rolling: lost,
    rake: sum(wonShares.map((share) => share.before - share.after)),
    payout: uncalled + sum(wonShares.map((share) => share.after)),
  }
  const legs = [{ zone: 'POT', amount: seat.put, return: uncalled }]
  return settlementOf(legs, measures, slipResult(outcome, seat.wager.hand, code))
}

function codeOf(wonShares: readonly Share[]): 'win' | 'split' | 'lose' {
  if (wonShares.some((share) => share.isAlone)) return 'win'
  return wonShares.length > 0 ? 'split' : 'lose'
}
