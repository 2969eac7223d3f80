/**
 * Betting in no-limit Hold'em: turn order, allowed actions and the state of the hand. A hand is a value and every
 * action returns the next one. Cards do not matter until the betting is over, so this file has none.
 */
import assert from 'node:assert/strict'
import { larger, smaller } from '../../money.ts'
import { type No, no, type TableSettings } from '../game.ts'
import { trustedStakes } from './pots.ts'
import { isSeat, maxSeats } from './table.ts'

export const streets = ['preflop', 'flop', 'turn', 'river'] as const
export type Street = (typeof streets)[number]

/** A dealt-in seat. Stacks are fixed when the hand begins: chips bought later count from the next hand. */
export interface Player {
  readonly seat: number
  /** Remaining stack. 0 is all in. */
  readonly stack: bigint
  /** Total put in over the hand: the amount of the seat's POT leg. */
  readonly put: bigint
  /** Amount put in on this street. */
  readonly street: bigint
  readonly hasFolded: boolean
  /** True if the seat has acted since the last full bet or raise. Only seats that have not may raise. */
  readonly hasActed: boolean
}

/** A hand in play. `players` are in dealing order, clockwise from the left of the button. */
export interface NoLimitHand {
  readonly button: number
  readonly players: readonly Player[]
  readonly street: Street
  /** Number of board cards; when the hand is over, the final number. */
  readonly boardSize: 0 | 3 | 4 | 5
  /** Amount a seat must have put in on this street to stay. */
  readonly bet: bigint
  /** Size of the last full bet or raise on this street: the minimum of the next raise. */
  readonly raise: bigint
  readonly bigBlind: bigint
  readonly unit: bigint
  /** The seat to act; `null` when the hand is over. */
  readonly turn: number | null
}

export type Action =
  | { readonly kind: 'fold' }
  | { readonly kind: 'check' }
  | { readonly kind: 'call' }
  /** Bets or raises to this total on the street. All in is always allowed where a raise is. */
  | { readonly kind: 'raise'; readonly to: bigint }

/** Allowed actions of the seat to act. `call` is the amount to add; all in when the stack is smaller. */
export interface Choices {
  readonly seat: number
  readonly canCheck: boolean
  readonly call: bigint | null
  /** Minimum and maximum totals of a raise; equal when only all in is possible. */
  readonly raise: { readonly from: bigint; readonly to: bigint } | null
}

const boardSizes = { preflop: 0, flop: 3, turn: 4, river: 5 } as const satisfies Record<Street, number>

/** Returns the button of the next hand: the next playing seat clockwise; the lowest seat in a table's first hand. */
export function nextButton(seats: readonly [number, ...number[]], last: number | null): number {
  const clockwise = seats.toSorted((a, b) => a - b)
  return clockwise.find((seat) => last !== null && seat > last) ?? clockwise[0] ?? seats[0]
}

/** Posts the blinds and gives the turn to the first seat. Refuses seats that cannot play a hand. */
export function openHand(
  seats: readonly { readonly seat: number; readonly stack: bigint }[],
  button: number,
  settings: TableSettings,
): NoLimitHand | No {
  const stakes = trustedStakes(settings)
  if (seats.length < 2 || seats.length > maxSeats) return no('seat-impossible', `A hand needs 2 to ${maxSeats} seats`)
  if (new Set(seats.map(({ seat }) => seat)).size < seats.length || !seats.every(({ seat }) => isSeat(seat))) {
    return no('seat-impossible', `Seats must be different numbers from 1 to ${maxSeats}`)
  }
  if (!seats.some(({ seat }) => seat === button)) return no('seat-impossible', 'The button must be at a playing seat')
  if (!seats.every(({ stack }) => stack > 0n && stack % stakes.unit === 0n)) {
    return no('amount-not-positive', 'Every seat must have a stack of whole chips')
  }
  const seatsAfterButton = (seat: number) => (seat - button - 1 + maxSeats) % maxSeats
  const players = seats
    .toSorted((a, b) => seatsAfterButton(a.seat) - seatsAfterButton(b.seat))
    .map(({ seat, stack }) => ({ seat, stack, put: 0n, street: 0n, hasFolded: false, hasActed: false }))
  // The seat left of the button comes first. With two seats the button, last in order, has the small blind.
  const small = players.length === 2 ? 1 : 0
  const big = players.length === 2 ? 0 : 1
  const posted = players.map((player, index) =>
    index === small ? putIn(player, stakes.smallBlind) : index === big ? putIn(player, stakes.bigBlind) : player,
  )
  const hand: NoLimitHand = {
    button,
    players: posted,
    street: 'preflop',
    boardSize: 0,
    // The whole big blind, even when the seat that posted it had less.
    bet: stakes.bigBlind,
    raise: stakes.bigBlind,
    bigBlind: stakes.bigBlind,
    unit: stakes.unit,
    turn: null,
  }
  return passTurn(hand, big)
}

/** Adds an amount to the player's bet, or all in when the stack is smaller. */
function putIn(player: Player, amount: bigint): Player {
  const added = smaller(amount, player.stack)
  return { ...player, stack: player.stack - added, put: player.put + added, street: player.street + added }
}

const isIn = (player: Player) => !player.hasFolded
const canBet = (player: Player) => !player.hasFolded && player.stack > 0n

/**
 * Returns the amount a player has to match: the bet, but at most what the others put in when all of them are all in for
 * less.
 */
function dueFrom(hand: NoLimitHand, player: Player): bigint {
  const opponents = hand.players.filter((other) => other.seat !== player.seat && isIn(other))
  if (opponents.some(canBet)) return hand.bet
  const maxStreet = opponents.map((other) => other.street).reduce(larger, 0n)
  return smaller(maxStreet, hand.bet)
}

/**
 * Returns whether the player has a decision: a bet to answer, or a first action on this street with an opponent who can
 * answer.
 */
function mustAct(hand: NoLimitHand, player: Player): boolean {
  if (!canBet(player)) return false
  if (player.street < dueFrom(hand, player)) return true
  return !player.hasActed && hand.players.some((other) => other.seat !== player.seat && canBet(other))
}

/** Passes the turn to the next seat clockwise that must act, else to the next street, else ends the hand. */
function passTurn(hand: NoLimitHand, after: number): NoLimitHand {
  if (hand.players.filter(isIn).length === 1) return { ...hand, turn: null }
  for (let step = 1; step <= hand.players.length; step++) {
    const player = hand.players[(after + step) % hand.players.length]
    if (player && mustAct(hand, player)) return { ...hand, turn: player.seat }
  }
  return nextStreet(hand)
}

/**
 * Starts a new betting round from the left of the button. With fewer than two seats able to bet, the rest of the board
 * is dealt.
 */
function nextStreet(hand: NoLimitHand): NoLimitHand {
  const street = streets[streets.indexOf(hand.street) + 1]
  const isRunOut = hand.players.filter(canBet).length < 2
  if (street === undefined || isRunOut) return { ...hand, boardSize: 5, turn: null }
  const players = hand.players.map((player) => ({ ...player, street: 0n, hasActed: false }))
  const opened = { ...hand, players, street, boardSize: boardSizes[street], bet: 0n, raise: hand.bigBlind }
  return passTurn(opened, players.length - 1)
}

/** Returns the allowed actions of the seat to act, or `null` when the hand is over. */
export function choices(hand: NoLimitHand): Choices | null {
  const player = hand.players.find((each) => each.seat === hand.turn)
  if (!player) return null
  const due = dueFrom(hand, player) - player.street
  const canCheck = due <= 0n
  const call = canCheck ? null : smaller(due, player.stack)
  return { seat: player.seat, canCheck, call, raise: raiseOf(hand, player) }
}

/**
 * A raise is at least as large as the last full one. Seats that have acted since may not raise, and an opponent must be
 * able to answer.
 */
function raiseOf(hand: NoLimitHand, player: Player): Choices['raise'] {
  const all = player.street + player.stack
  const isAnswered = hand.players.some((other) => other.seat !== player.seat && canBet(other))
  if (player.hasActed || !isAnswered || all <= hand.bet) return null
  const minRaiseTo = hand.bet + hand.raise
  return { from: smaller(minRaiseTo, all), to: all }
}

/** Applies an action of the seat to act, or refuses it. */
export function act(hand: NoLimitHand, action: Action): NoLimitHand | No {
  const may = choices(hand)
  if (!may) return no('action-not-open', 'The betting is over')
  const refused = refuseAction(hand, may, action)
  if (refused) return refused
  const index = hand.players.findIndex((player) => player.seat === may.seat)
  const player = hand.players[index] ?? assert.fail('the seat to act exists')
  switch (action.kind) {
    case 'fold':
      return passTurn(withPlayer(hand, index, { ...player, hasFolded: true, hasActed: true }), index)
    case 'check':
      return passTurn(withPlayer(hand, index, { ...player, hasActed: true }), index)
    case 'call':
      return passTurn(withPlayer(hand, index, { ...putIn(player, may.call ?? 0n), hasActed: true }), index)
    case 'raise':
      return passTurn(raised(hand, index, player, action.to), index)
  }
}

function refuseAction(hand: NoLimitHand, may: Choices, action: Action): No | null {
  switch (action.kind) {
    case 'fold':
      return may.canCheck ? no('action-not-open', 'A seat cannot fold when it can check') : null
    case 'check':
      return may.canCheck ? null : no('action-not-open', 'There is a bet to answer: a check is not possible')
    case 'call':
      return may.call === null ? no('action-not-open', 'There is no bet to call') : null
    case 'raise':
      return refuseRaise(hand, may, action.to)
  }
}

function refuseRaise(hand: NoLimitHand, may: Choices, to: bigint): No | null {
  if (!may.raise) return no('action-not-open', 'The betting was not reopened to this seat')
  if (to < may.raise.from) return no('raise-too-small', 'A raise must be at least as large as the previous one')
  if (to > may.raise.to) return no('amount-too-large', 'A seat cannot bet more than its stack')
  return to % hand.unit === 0n ? null : no('multiple-wrong', 'A seat must put in whole chips')
}

/** A full raise reopens the betting for all others; an all-in for less only has to be answered. */
function raised(hand: NoLimitHand, index: number, player: Player, to: bigint): NoLimitHand {
  const by = to - hand.bet
  const isFull = by >= hand.raise
  const players = hand.players.map((other) => (isFull ? { ...other, hasActed: false } : other))
  const better = { ...putIn(player, to - player.street), hasActed: true }
  return { ...withPlayer({ ...hand, players }, index, better), bet: to, raise: isFull ? by : hand.raise }
}

function withPlayer(hand: NoLimitHand, index: number, player: Player): NoLimitHand {
  return { ...hand, players: hand.players.map((each, i) => (i === index ? player : each)) }
}

/** Returns the action taken for a seat that timed out: check if possible, otherwise fold. */
export function actionInstead(hand: NoLimitHand): Action | null {
  const may = choices(hand)
  if (!may) return null
  return may.canCheck ? { kind: 'check' } : { kind: 'fold' }
}
