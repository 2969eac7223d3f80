import { expect } from 'vitest'
import { saveShoe, shoeOf } from '../../../src/services/casino/queries/rounds.ts'
import { refuses } from '../../support/worlds/people.ts'
import { players } from '../round-model.ts'
import { money, unit } from '../slip-reference.ts'
import { chip, choicesAt, clockwise, isAllowed, type SeatAction, toAct } from './no-limit-reference.ts'
import { aPage } from './pages.ts'
import { agreeOnPages, viewOf } from './table-agreement.ts'
import {
  answerForThem,
  callOff,
  type Deck,
  dealBonus,
  dealNoLimit,
  decisions,
  type HandModel,
  type HandReal,
  isGuest,
  open,
  settle,
  type Table,
  type Taken,
  takeTurn,
  times,
  watchNoLimit,
} from './table-model.ts'

/** Steps of the dealer and the players at a table, in the model and in the world. */

/** Reopens the game of players whose session would expire from inactivity. */
const longPauseMs = 50 * 60_000

export async function openPages({ tenant, pages }: HandReal): Promise<void> {
  for (const name of players) pages.set(name, await aPage(tenant, name))
}

/** Advances the clock, until the dealer's next step if no duration is given, and deals the cards that are due. */
export async function pass(model: HandModel, real: HandReal, deck: Deck, ms?: number): Promise<void> {
  const { table } = model
  const { world } = real
  const before = await world.clock.now()
  const now = before + (ms ?? table.dueAt - before)
  const late = now - table.dueAt
  if (table.phase === 'betting' && late >= 0 && late <= times.away) await stackDeck(real, table, deck)
  world.clock.add(`${now - before}ms`)
  if (now - before > longPauseMs) await openPages(real)
  expect(await dealTables(real)).toBe(late >= 0 ? 1 : 0)
  if (late < 0) return
  expect(await dealTables(real)).toBe(0)
  await moveOn(model, real, now, late > times.away)
  real.visited.add(`${table.variant} ${table.phase}${table.round.status === 'void' ? ' void' : ''}`)
}

export async function dealTables({ world }: HandReal): Promise<number> {
  const job = world.liveJobs.find(({ name }) => name === 'casino: deal live tables')
  if (!job) throw new Error('no job deals the tables')
  return job.run(10)
}

/** Returns the next cards of the table. */
async function stackDeck({ world }: HandReal, table: Table, deck: Deck): Promise<void> {
  table.deck = deck
  await world.store.write(async (tx) => {
    const shoe = await shoeOf(tx, 'live', table.round.game.tableId)
    if (!shoe) throw new Error('a table with an open round has cards')
    await saveShoe(tx, { ...shoe, cards: deck.join('') })
  })
}

async function moveOn(model: HandModel, real: HandReal, now: number, isLost: boolean): Promise<void> {
  const { table } = model
  const hasBets = table.round.slips.size > 0
  if (table.phase === 'dealing') settle(model, now)
  else if (table.phase === 'result') await openNext(model, real, now)
  else if (isLost && hasBets) callOff(model, now)
  // No player is affected: the same hand is opened again.
  else if (isLost) table.dueAt = now + times.betting
  else if (table.phase === 'betting') await deal(model, real, now)
  else if (table.variant === 'thbp') {
    real.visited.add(`${decisions[table.decision]?.zone} silent`)
    answerForThem(table, now)
  } else await turnAfterTimeout(model, real, now)
}

async function openNext(model: HandModel, real: HandReal, now: number): Promise<void> {
  const { round } = await viewOf(real.pages, model.table, 'amy')
  if (!round) throw new Error('a table that is dealt has a round')
  expect(model.rounds.map(({ id }) => id)).not.toContain(round.roundId)
  open(model.table, round.roundId, now)
  model.rounds.push(model.table.round)
}

async function deal(model: HandModel, real: HandReal, now: number): Promise<void> {
  const { table } = model
  if (table.variant === 'thbp') return dealBonus(table, now)
  const { round } = await viewOf(real.pages, table, 'amy')
  const shown = round?.seats ?? []
  const button = shown.find(({ hasButton }) => hasButton)?.seat ?? 0
  expect(shown.map(({ seat }) => seat)).toContain(button)
  // Rulebook 5.3: the button moves clockwise every hand.
  if (table.lastButton !== null) expect(button).toBe(clockwise(shown, table.lastButton)[0]?.seat)
  if (round && table.round.slips.size === 0) {
    watchNoLimit(table, asTaken(shown), button, round.board.length, now)
    return expect(round.board).toEqual(table.dealt?.board)
  }
  const seats = shown.map((seat): Taken => {
    const own = table.taken.find(({ name }) => name === seat.name)
    expect(isGuest(seat.name)).toBe(own === undefined)
    return own ?? { seat: seat.seat, name: seat.name, stack: units(seat.stack) + units(seat.street) }
  })
  // Studio guests fill the table up to six seats.
  expect([seats.length, new Set(seats.map(({ seat }) => seat)).size]).toEqual([6, 6])
  dealNoLimit(table, seats, button, now)
  await awaitGuest(model, real, now)
}

const asTaken = (seats: readonly { seat: number; name: string; stack: string | null }[]) =>
  seats.map(({ seat, name, stack }): Taken => ({ seat, name, stack: units(stack) }))
const units = (amount: string | null) => Math.round(Number(amount ?? '0') * unit)

/** The studio sets the time of a guest, at most that of a player. */
async function awaitGuest({ table }: HandModel, { pages }: HandReal, now: number): Promise<void> {
  if (!isGuestsTurn(table)) return
  const { round } = await viewOf(pages, table, 'amy')
  expect(round?.dueAt).toBeGreaterThan(now)
  expect(round?.dueAt).toBeLessThanOrEqual(now + times.turn)
  table.dueAt = round?.dueAt ?? 0
}

export const seatToAct = ({ hand, phase }: Table) => (hand && phase === 'deciding' ? toAct(hand) : undefined)
const isGuestsTurn = (table: Table) => isGuest(seatToAct(table)?.name ?? '')

/** A guest acts as shown on the page, within the rules; a silent player checks or folds. */
async function turnAfterTimeout(model: HandModel, real: HandReal, now: number): Promise<void> {
  const { table } = model
  const seat = seatToAct(table)
  if (!seat || !table.hand) throw new Error('a seat was to act')
  const isSilent = !isGuest(seat.name)
  real.visited.add(isSilent ? 'a player is silent' : 'a guest acts')
  const passive = choicesAt(table.hand)?.canCheck ? 'check' : 'fold'
  const action: SeatAction = isSilent ? { does: passive } : await shownAction(model, real, seat.seat)
  expect([action, isAllowed(table.hand, action)]).toEqual([action, true])
  takeTurn(table, action, now)
  await awaitGuest(model, real, now)
}

async function shownAction({ table }: HandModel, { pages }: HandReal, no: number): Promise<SeatAction> {
  const { round } = await viewOf(pages, table, 'amy')
  const [does, amount] = (round?.seats.find(({ seat }) => seat === no)?.last ?? '').split(' ')
  if (does === 'raise' || does === 'bet') return { does: 'raise', to: units(amount ?? null) }
  if (does === 'fold' || does === 'check' || does === 'call') return { does }
  throw new Error(`seat ${no} did "${does}"`)
}

/** Tries an action of a player on their turn: a raise is named by its place among the possible ones. */
export interface Wish {
  readonly does: SeatAction['does']
  readonly size: 'below' | 'least' | 'some' | 'all' | 'above' | 'broken'
  /** Tried first by the other player, and under the number of another action. */
  readonly isTriedOutOfTurn: boolean
}

/** Plays the betting of a no-limit hand to its end; invalid actions are refused and replaced. */
export async function playOut(model: HandModel, real: HandReal, deck: Deck, wishes: readonly Wish[]): Promise<void> {
  const { table } = model
  for (let turns = 0; seatToAct(table); ) {
    const wish = isGuestsTurn(table) ? undefined : wishes[turns++ % Math.max(1, wishes.length)]
    if (wish) await tryTurn(model, real, wish)
    else await pass(model, real, deck)
    await agreeOnPages(model, real)
  }
}

/** Takes the turn of a player with the given action, or with an allowed one. */
export async function tryTurn(model: HandModel, real: HandReal, wish: Wish): Promise<void> {
  const { table } = model
  const { hand, actions } = table
  const seat = seatToAct(table)
  if (!hand || !seat || isGuest(seat.name)) return
  const now = await real.world.clock.now()
  const wished: SeatAction = wish.does === 'raise' ? { does: 'raise', to: sizeOf(table, wish) } : { does: wish.does }
  if (wish.isTriedOutOfTurn) {
    const other = players.find((name) => name !== seat.name) ?? 'amy'
    await refuses('DECISION_CLOSED', turn(table, real, other, wished, actions))
    await refuses('DECISION_CLOSED', turn(table, real, seat.name, wished, actions + 1))
  }
  if (!isAllowed(hand, wished)) {
    await refuses('BET_REFUSED', turn(table, real, seat.name, wished, actions))
    real.visited.add(`${wish.does} refused`)
  }
  const instead: SeatAction = { does: choicesAt(hand)?.canCheck ? 'check' : 'call' }
  const action = isAllowed(hand, wished) ? wished : instead
  await turn(table, real, seat.name, action, actions)
  real.visited.add(action.does)
  takeTurn(table, action, now)
  await awaitGuest(model, real, now)
}

export function turn({ round }: Table, { pages }: HandReal, name: string, { does, to }: SeatAction, action: number) {
  const page = pages.get(name)
  if (!page) throw new Error(`${name} has no page`)
  const body = { roundId: round.id, action, does, ...(to === undefined ? {} : { to: money(to) }) }
  return page.turn({ params: { tableId: round.game.tableId }, body })
}

function sizeOf({ hand }: Table, { size }: Wish): number {
  const may = hand && choicesAt(hand)
  const { from, to } = may?.raise ?? { from: (hand?.bet ?? 0) + chip, to: (hand?.bet ?? 0) + unit }
  const some = Math.floor((2 * from + to) / 3 / chip) * chip
  return { below: from - chip, least: from, some: Math.max(from, some), all: to, above: to + chip, broken: from + 1 }[
    size
  ]
}
