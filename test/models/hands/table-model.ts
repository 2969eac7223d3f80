import type fc from 'fast-check'
import { apply, type Model, type ModelRound, pay, type Real } from '../round-model.ts'
import type { Bets, Game, Outcome } from '../slip-reference.ts'
import {
  act,
  type BettingHand,
  clockwise,
  openBetting,
  type SeatAction,
  settleSeats,
  toAct,
} from './no-limit-reference.ts'
import type { Page } from './pages.ts'
import { bonusHolding, wholeDeck } from './poker-reference.ts'

/**
 * A model of a dealt Hold'em table. Bets or seats are taken, the players decide, the hand is settled or voided, and the
 * next one begins. Play and results follow rulebook 4, 5.2 and 5.3. Times, and hands that were never dealt, follow
 * docs/decisions.md, "Live tables". Changes after a result are in round-model.ts.
 */

export type Deck = readonly string[]

/** The decisions at Bonus Poker, with the bet of each: rulebook 5.2, 3 to 5. */
export const decisions = [
  { moment: 'hole', zone: 'FLOP', timesAnte: 2, board: 0 },
  { moment: 'flop', zone: 'TURN', timesAnte: 1, board: 3 },
  { moment: 'turn', zone: 'RIVER', timesAnte: 1, board: 4 },
] as const

/** A seat with its chips at the start of a no-limit hand. */
export interface Taken {
  readonly seat: number
  readonly name: string
  readonly stack: number
}

export interface Table {
  readonly variant: 'thbp' | 'nlhe'
  round: ModelRound
  no: number
  phase: 'betting' | 'deciding' | 'dealing' | 'result'
  dueAt: number
  deck: Deck
  /** Set when the cards are dealt. */
  dealt: { readonly board: readonly string[]; readonly dealer: readonly string[] } | null
  /** Bonus Poker: players in the order of their cards, the decision, and the players who have made it or are out. */
  dealtIn: readonly string[]
  decision: number
  readonly decided: Set<string>
  readonly folded: Set<string>
  /** No-limit: seats in the order in which they were taken, the hand, its actions, and the last button. */
  taken: readonly Taken[]
  hand: BettingHand | null
  actions: number
  lastButton: number | null
}

export interface HandModel extends Model {
  readonly table: Table
}

export interface HandReal extends Real {
  readonly pages: Map<string, Page>
}

export type HandCommand = fc.AsyncCommand<HandModel, HandReal>

/** Docs/decisions.md, "Live tables", Times; the table's betting time is a setting of the platform. */
export const times = { betting: 20_000, decision: 15_000, turn: 20_000, reveal: 5_000, result: 6_000, away: 60_000 }

export const bonusPoker: Game = { tableId: 'HE-02', variant: 'thbp', zones: ['ANTE', 'BONUS'], holes: {}, outcomes: [] }
export const noLimit: Game = { tableId: 'HE-03', variant: 'nlhe', zones: ['POT'], holes: {}, outcomes: [] }

/** A report of the source on a hand that has no result to correct yet. */
const early: Readonly<Record<Table['variant'], Outcome>> = {
  thbp: { code: null, cardInfo: 'KC 9H 6D 4S 2C||AD AC' },
  nlhe: { code: null, cardInfo: 'KC 9H 6D 4S 2C', button: 1 },
}

/** A table that opens its first hand. */
export function aTable(variant: Table['variant'], roundId: string, now: number): Table {
  const table: Table = {
    ...{ variant, no: 0, phase: 'betting', dueAt: 0, deck: wholeDeck, dealt: null, dealtIn: [], decision: 0 },
    ...{ decided: new Set(), folded: new Set(), taken: [], hand: null, actions: 0, lastButton: null },
    round: newRound(variant, roundId),
  }
  open(table, roundId, now)
  return table
}

function newRound(variant: Table['variant'], id: string): ModelRound {
  const game = { ...(variant === 'thbp' ? bonusPoker : noLimit), outcomes: [early[variant]] }
  return { id, game, slips: new Map(), status: 'open', revisions: [] }
}

export function open(table: Table, roundId: string, now: number): void {
  table.round = newRound(table.variant, roundId)
  table.no += 1
  table.dealt = table.hand = null
  table.taken = table.dealtIn = []
  table.decided.clear()
  table.folded.clear()
  goTo(table, 'betting', now + times.betting)
}

function goTo(table: Table, phase: Table['phase'], dueAt: number): void {
  table.phase = phase
  table.dueAt = dueAt
}

export function putSlip(table: Table, name: string, bets: Bets | null, keepsPlace = false): void {
  const slips = new Map(table.round.slips)
  if (!keepsPlace) slips.delete(name)
  if (bets) slips.set(name, bets)
  table.round.slips = slips
}

/** Rulebook 4: one card at a time, twice; the house's dealer has the last of each; then the board. */
function deal({ deck }: Table, count: number) {
  const holes = Array.from({ length: count }, (_, i) => [deck[i] ?? '', deck[count + i] ?? ''])
  return { holes, board: deck.slice(2 * count, 2 * count + 5), rest: deck.slice(2 * count + 5) }
}

/** Ends the betting at Bonus Poker: cards are dealt, also without players. */
export function dealBonus(table: Table, now: number): void {
  table.dealtIn = [...table.round.slips.keys()]
  const players = Math.max(1, table.dealtIn.length)
  const { holes, board, rest } = deal(table, players + 1)
  const dealer = holes[players] ?? []
  const held = new Map(table.dealtIn.map((name, i) => [name, holes[i] ?? []]))
  table.dealt = { board, dealer }
  table.decision = 0
  const outcome = (cards: readonly string[], by: readonly string[]): Outcome => ({
    code: null,
    cardInfo: `${cards.join(' ')}||${by.join(' ')}`,
    holdings: Object.fromEntries([...held].map(([name, hole]) => [name, bonusHolding(hole, cards, by)])),
  })
  table.round.game = {
    ...bonusPoker,
    holes: Object.fromEntries([...held].map(([name, hole]) => [name, hole.join(' ')])),
    outcomes: [
      outcome(board, dealer),
      outcome([...board.slice(0, 4), ...rest.slice(0, 1)], dealer),
      outcome(rest.slice(1, 6), dealer),
      outcome(board, rest.slice(6, 8)),
    ],
  }
  if (players > table.dealtIn.length) goTo(table, 'dealing', now + times.reveal)
  else goTo(table, 'deciding', now + times.decision)
}

export const stillIn = ({ dealtIn, folded }: Table) => dealtIn.filter((name) => !folded.has(name))

/** Applies a player's decision; the last one shows the next cards. */
export function answer(table: Table, name: string, does: 'bet' | 'pass', now: number): void {
  const { zone, timesAnte } = decisions[table.decision] ?? decisions[0]
  const bets = table.round.slips.get(name) ?? {}
  if (does === 'bet') putSlip(table, name, { ...bets, [zone]: timesAnte * (bets['ANTE'] ?? 0) }, true)
  else if (table.decision === 0) table.folded.add(name)
  table.decided.add(name)
  if (stillIn(table).every((each) => table.decided.has(each))) askNext(table, now)
}

/** Rulebook 5.2: a missing action is a fold at first and a check later. */
export function answerForThem(table: Table, now: number): void {
  if (table.decision === 0) for (const name of table.dealtIn) if (!table.decided.has(name)) table.folded.add(name)
  askNext(table, now)
}

function askNext(table: Table, now: number): void {
  table.decided.clear()
  table.decision += 1
  if (table.decision === decisions.length || stillIn(table).length === 0) goTo(table, 'dealing', now + times.reveal)
  else goTo(table, 'deciding', now + times.decision)
}

/** The chips of a no-limit seat: a bet of all of them until the hand ends. */
export function sit({ table }: HandModel, { seat, name, stack }: Taken): void {
  table.taken = [...table.taken.filter((each) => each.name !== name), { seat, name, stack }]
  putSlip(table, name, { POT: stack })
}

export function standUp({ table }: HandModel, name: string): void {
  table.taken = table.taken.filter((each) => each.name !== name)
  putSlip(table, name, null)
}

/** The seats are full and the button is at the place shown on the page; cards are dealt and blinds posted. */
export function dealNoLimit(table: Table, seats: readonly Taken[], button: number, now: number): void {
  const order = clockwise(seats, button)
  const { holes, board, rest } = deal(table, order.length)
  table.taken = seats
  table.dealt = { board, dealer: [] }
  table.round.game = {
    ...noLimit,
    outcomes: [early.nlhe],
    holes: Object.fromEntries(order.map(({ name }, i) => [name, (holes[i] ?? []).join(' ')])),
  }
  table.deck = rest
  table.hand = openBetting(seats, button)
  table.actions = 0
  waitForSeat(table, now)
}

/** Plays a hand of guests at once, for viewers: their actions are read from the page. */
export function watchNoLimit(table: Table, seats: readonly Taken[], button: number, shown: number, now: number): void {
  const board = deal(table, seats.length).board.slice(0, shown)
  table.dealt = { board, dealer: [] }
  table.round.game = { ...noLimit, outcomes: [{ code: null, cardInfo: board.join(' '), button }] }
  goTo(table, 'dealing', now + times.reveal)
}

export function waitForSeat(table: Table, now: number): void {
  const isOver = !table.hand || toAct(table.hand) === undefined
  goTo(table, isOver ? 'dealing' : 'deciding', now + (isOver ? times.reveal : times.turn))
}

export function takeTurn(table: Table, action: SeatAction, now: number): void {
  if (!table.hand) throw new Error('no hand is in play')
  act(table.hand, action)
  table.actions += 1
  waitForSeat(table, now)
}

/** Rulebook 5.3: the contribution becomes the bet of each seat, and unused chips are returned. */
function cashOut(model: HandModel): void {
  const { table } = model
  if (!table.hand) {
    for (const [name, { POT: chips = 0 }] of table.round.slips) pay(model, name, chips)
    table.round.slips = new Map()
    return
  }
  for (const { name, put, stack } of table.hand.seats) {
    if (!table.round.slips.has(name)) continue
    pay(model, name, stack)
    // A seat without a contribution has no slip.
    if (put === 0) putSlip(table, name, null)
    else putSlip(table, name, { POT: put }, true)
  }
  // A studio guest's seat is visible to the tenant of the first player, and to no tenant without a bet.
  if (table.round.slips.size === 0) return
  const seats = table.hand.seats.toSorted((a, b) => a.seat - b.seat)
  const guests = seats.filter(({ name, put }) => put > 0 && isGuest(name))
  for (const { name, put } of guests) putSlip(table, name, { POT: put })
  table.round.guests = new Set(guests.map(({ name }) => name))
}

export const isGuest = (name: string) => name.startsWith('guest-')

/** Returns results of a no-limit hand: as dealt, with other cards on the board, with another button. */
function noLimitOutcomes({ dealt, hand, round, deck }: Table): Outcome[] {
  if (!dealt || !hand) return [early.nlhe]
  const outcome = (cards: readonly string[], button: number): Outcome => {
    const seats = hand.seats.map((seat) => ({ ...seat, hole: (round.game.holes?.[seat.name] ?? '').split(' ') }))
    return { code: null, cardInfo: cards.join(' '), button, seats: settleSeats(seats, cards, button) }
  }
  const board = dealt.board.slice(0, hand.board)
  const river = board.length === 5 ? [...board.slice(0, 4), ...deck.slice(0, 1)] : board
  const next = hand.seats[0]?.seat ?? hand.button
  return [
    outcome(board, hand.button),
    outcome(river, hand.button),
    outcome(deck.slice(1, 1 + board.length), hand.button),
    outcome(board, next),
  ]
}

/** The hand is over and its cards were shown. */
export function settle(model: HandModel, now: number): void {
  const { table } = model
  if (table.hand) table.round.game = { ...table.round.game, outcomes: noLimitOutcomes(table) }
  if (table.variant === 'nlhe') cashOut(model)
  const outcome = table.round.game.outcomes[0] ?? null
  table.lastButton = outcome?.button ?? table.lastButton
  apply(model, table.round, { at: now, status: 'settled', outcome, rev: 1 })
  goTo(table, 'result', now + times.result)
}

/** Before a void: only the bets on the table count. */
export function beforeVoid(model: HandModel): void {
  if (model.table.variant === 'nlhe') cashOut(model)
}

export function showResult({ table }: HandModel, now: number): void {
  goTo(table, 'result', now + times.result)
}

/** A hand with an open decision when no card was dealt for more than a minute. */
export function callOff(model: HandModel, now: number): void {
  beforeVoid(model)
  apply(model, model.table.round, { at: now, status: 'void', outcome: null, rev: 1 })
  showResult(model, now)
}
