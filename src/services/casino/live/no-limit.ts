import assert from 'node:assert/strict'
import type { SlipRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import type { Card } from '../../../domain/games/cards.ts'
import { isNo, type Outcome } from '../../../domain/games/game.ts'
import {
  type Action,
  act,
  actionInstead,
  choices,
  type NoLimitHand,
  nextButton,
  openHand,
} from '../../../domain/games/holdem/no-limit.ts'
import type { HoldemOutcome } from '../../../domain/games/holdem/table.ts'
import { drawBelow } from '../../../domain/games/shuffle.ts'
import { formatAmount, parseAmount } from '../../../domain/money.ts'
import { slipsOfRound } from '../queries/bets.ts'
import { lastButton, roundOf } from '../queries/rounds.ts'
import { dealt, type OpenTable, outcomeOf } from '../rounds/rounds.ts'
import { placeGuests } from '../rounds/studio-guests.ts'
import type { Casino } from '../service.ts'
import type { LiveSeat, LiveState } from './state.ts'
import { seatAction } from './strategies.ts'
import { type LiveTable, roundIdOf, save } from './table.ts'
import { guestMs, revealMs, turnMs } from './timing.ts'
import { cashOut } from './uncommitted-chips.ts'

/** A live no-limit hand: players against each other and studio guests, who fill the empty seats. */

/** Number of playing seats; guests fill them up. */
export const defaultSeats = 6

/** Returns the big blind of a table, in units. */
export function bigBlindOf({ settings }: OpenTable): bigint {
  return parseAmount(settings.bigBlind ?? '2')
}

/** Fills the seats with guests, deals, posts the blinds. A hand without players is played at once, for the viewers. */
export async function dealSeats(app: Casino, tx: Tx, live: LiveTable): Promise<void> {
  const { table, state } = live
  const draw = (below: number) => drawBelow(below, app.random)
  const seats = withGuests(state.seats, table, draw)
  const [first, ...rest] = seats.map(({ seat }) => seat)
  assert(first !== undefined, 'a hand has seats')
  const button = nextButton([first, ...rest], await lastButton(tx, table.row.environment, table.row.table_id))
  const opened = openHand(
    seats.map(({ seat, stack }) => ({ seat, stack: parseAmount(stack ?? '0') })),
    button,
    table.settings,
  )
  assert(!isNo(opened), 'a seat needs playable chips')
  const seating = { variant: 'nlhe', settings: table.settings, hands: seats.length, button } as const
  const { outcome, holes } = await dealt(tx, table, seating)
  const holding = new Map(opened.players.map(({ seat }, i) => [seat, holes[i] ?? []]))
  const begun: LiveState = {
    seats: seats.map((seat) => ({ ...seat, hole: holding.get(seat.seat) ?? [] })),
    outcome,
    button,
    hand: opened,
    lastActions: {},
    actions: 0,
  }
  const isWatched = seats.every(({ playerId }) => playerId === null)
  await continueHand(tx, live, isWatched ? playedAlone(begun, draw) : begun)
}

function withGuests(playerSeats: readonly LiveSeat[], table: OpenTable, draw: (below: number) => number): LiveSeat[] {
  const seats = [...playerSeats]
  for (let seat = 1; seats.length < defaultSeats; seat++) {
    if (seats.some((each) => each.seat === seat)) continue
    const stack = formatAmount(bigBlindOf(table) * BigInt(60 + draw(80)))
    seats.push({ seat, playerId: null, name: `guest-${seat}`, stack })
  }
  return seats.toSorted((a, b) => a.seat - b.seat)
}

/** A hand of guests ends long before: every action puts chips in, passes or folds. */
const maxActions = 1000

function playedAlone(begun: LiveState, draw: (below: number) => number): LiveState {
  let state = begun
  for (let i = 0; i < maxActions && state.hand?.turn; i++) state = after(state, guestAction(state, draw))
  return state
}

/** Chooses the action of the guest to act. */
function guestAction(state: LiveState, draw: (below: number) => number): Action {
  const { hand } = state
  assert(hand, 'a hand is in play')
  const hole = state.seats.find(({ seat }) => seat === hand.turn)?.hole ?? []
  return seatAction(hand, hole, boardOf(state).slice(0, hand.boardSize), draw)
}

/** Returns the dealt part of the board. */
export function boardOf({ outcome }: LiveState): readonly Card[] {
  // A Hold'em table has Hold'em outcomes.
  return (outcome as HoldemOutcome | undefined)?.board ?? []
}

/** Returns the state after an action of the seat to act. An illegal action is a bug here: it was refused before. */
export function after(state: LiveState, action: Action): LiveState {
  const { hand } = state
  assert(hand && hand.turn !== null, 'somebody has to act')
  const next = act(hand, action)
  assert(!isNo(next), 'an action must be legal')
  const lastActions = {
    ...(next.street === hand.street ? state.lastActions : {}),
    [hand.turn]: actionText(hand, action),
  }
  return { ...state, hand: next, lastActions, actions: (state.actions ?? 0) + 1 }
}

/** Describes an action: `raise 12`, `call 4`, `check`, `fold`; a raise without a bet is a `bet`. */
function actionText(hand: NoLimitHand, action: Action): string {
  if (action.kind === 'raise') return `${hand.bet === 0n ? 'bet' : 'raise'} ${formatAmount(action.to)}`
  if (action.kind === 'call') return `call ${formatAmount(choices(hand)?.call ?? 0n)}`
  return action.kind
}

/** Handles a timeout of the seat to act: a guest acts now, a player checks or folds. */
export async function afterTimeout(app: Casino, tx: Tx, live: LiveTable): Promise<void> {
  const { state } = live
  const { hand } = state
  assert(hand, 'a hand is in play')
  const isGuest = seatToAct(state)?.playerId === null
  const instead = isGuest ? guestAction(state, (below) => drawBelow(below, app.random)) : actionInstead(hand)
  assert(instead, 'somebody has to act')
  await continueHand(tx, live, after(state, instead))
}

export function seatToAct({ hand, seats }: LiveState): LiveSeat | undefined {
  return seats.find(({ seat }) => seat === hand?.turn)
}

/** Waits for the next seat, or shows the cards when the betting is over. */
export async function continueHand(tx: Tx, live: LiveTable, state: LiveState): Promise<void> {
  const next = seatToAct(state)
  if (!next) return save(tx, live, 'dealing', tx.now + revealMs.holdem, state)
  await save(tx, live, 'deciding', tx.now + (next.playerId === null ? guestMs : turnMs), state)
}

/**
 * Turns the chips of a hand into slips: the amount put in becomes the bet, the rest returns to the wallet. Guests'
 * slips belong to the tenant of the first player who put anything in; without one they are not stored.
 */
export async function endHand(app: Casino, tx: Tx, live: LiveTable): Promise<Outcome> {
  const { table, state } = live
  const { hand, seats, button } = state
  assert(hand && button !== undefined, 'a hand was played')
  const slips = new Map((await slipsOfRound(tx, roundIdOf(live))).map((slip) => [slip.player_id, slip]))
  let host: SlipRow | undefined
  for (const { seat, playerId, hole = [] } of seats) {
    const slip = playerId === null ? undefined : slips.get(playerId)
    if (!slip) continue
    const { put, hasFolded } = playerAt(hand, seat)
    await cashOut(tx, slip, put, { hole, folded: hasFolded, seat })
    if (put > 0n) host ??= slip
  }
  if (host) await writeGuests(app, tx, live, host)
  const report = { cardInfo: boardOf(state).slice(0, hand.boardSize).join(' '), button }
  return outcomeOf(table, report, { variant: 'nlhe', settings: table.settings })
}

async function writeGuests(app: Casino, tx: Tx, live: LiveTable, { tenant, currency }: SlipRow): Promise<void> {
  const { hand, seats } = live.state
  const round = await roundOf(tx, roundIdOf(live))
  assert(hand && round, 'a hand was played in a round')
  const guests = seats.flatMap(({ seat, playerId, name, hole = [] }) => {
    const { put, hasFolded } = playerAt(hand, seat)
    if (playerId !== null || put === 0n) return []
    return [{ tenant, currency, username: name, put, hand: { hole, folded: hasFolded, seat } }]
  })
  await placeGuests(app, tx, round, guests)
}

/** Returns what a seat has put in and done. */
export function playerAt(hand: NoLimitHand, seat: number) {
  const player = hand.players.find((each) => each.seat === seat)
  assert(player, 'a dealt-in seat plays')
  return player
}
