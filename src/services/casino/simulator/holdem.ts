import assert from 'node:assert/strict'
import type { LimitProfileRow, RoundRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import { type Card, deck } from '../../../domain/games/cards.ts'
import { isNo, type Outcome, type Variant } from '../../../domain/games/game.ts'
import { act, choices, type NoLimitHand, nextButton, openHand } from '../../../domain/games/holdem/no-limit.ts'
import { type HoldemOutcome, maxSeats } from '../../../domain/games/holdem/table.ts'
import { drawBelow } from '../../../domain/games/shuffle.ts'
import { formatAmount, larger, parseAmount, smaller } from '../../../domain/money.ts'
import { betsOnStreet, betsToSeeFlop, callsOnFlop, seatAction } from '../live/strategies.ts'
import { lastButton } from '../queries/rounds.ts'
import { placeSlips, type SlipRequest } from '../rounds/place-bets.ts'
import { dealt, type OpenTable, outcomeOf, variantsAt } from '../rounds/rounds.ts'
import { type Guest, placeGuests } from '../rounds/studio-guests.ts'
import type { Casino } from '../service.ts'
import { seatingAt } from './exact.ts'
import { type Bettor, within } from './players.ts'

/** A Hold'em hand whose betting is over and that is ready to settle. */
export interface PlayedHand {
  readonly outcome: Outcome
  readonly slips: number
}

/** Tenant, table and round of a hand. */
export interface HandAt {
  readonly tenant: TenantRow
  readonly table: OpenTable
  readonly round: RoundRow
}

/**
 * Returns the players of a hand: starts with another one each hand, so that all get a seat if there are more players
 * than seats.
 */
export function playersInHand<T>(hand: number, people: readonly T[]): T[] {
  const first = people.length > maxSeats ? (hand * maxSeats) % people.length : 0
  return [...people.slice(first), ...people.slice(0, first)].slice(0, maxSeats)
}

/** Plays the betting of a hand; each seat decides by its cards. Without players a hand is dealt too. */
export async function playHand(app: Casino, tx: Tx, at: HandAt, seated: readonly Bettor[]): Promise<PlayedHand> {
  const isNoLimit = variantsAt(at.table)[0] === 'nlhe'
  if (seated.length === 0) {
    const options = isNoLimit ? { hands: 2, button: await buttonFor(tx, at, 2) } : { hands: 1 }
    const { outcome } = await dealt(tx, at.table, seatingAt(at.table, options))
    return { outcome, slips: 0 }
  }
  return isNoLimit ? playEachOther(app, tx, at, seated) : playDealer(app, tx, at, seated)
}

const antes = ['5', '10', '25', '50'].map(parseAmount)
const sideBet = parseAmount('5')

/** Against the dealer: returns each player's slip with all bets of the hand. */
async function playDealer(app: Casino, tx: Tx, at: HandAt, seated: readonly Bettor[]): Promise<PlayedHand> {
  const { table } = at
  const variant = variantsAt(table)[0]
  const hand = await dealt(tx, table, seatingAt(table, { hands: seated.length }))
  const { board } = holdemOutcome(hand.outcome)
  const requests = seated.map(({ player, limits }, i): SlipRequest => {
    const hole = hand.holes[i] ?? []
    const ante = antes[drawBelow(antes.length, app.random)] ?? sideBet
    const isSideBet = drawBelow(4, app.random) === 0
    const bets = dealerBets(variant, { hole, board, isSideBet, ...stakesOf(ante, limits) })
    return { player, variant, bets, hand: { hole, folded: !('CALL' in bets || 'FLOP' in bets), seat: i + 1 } }
  })
  await placeSlips(app, tx, at, requests)
  return { outcome: hand.outcome, slips: requests.length }
}

interface Stakes {
  readonly ante: bigint
  readonly side: bigint
  /** True if the limits allow a bet of twice the ante. */
  readonly mayRaise: boolean
}

function stakesOf(ante: bigint, limits: LimitProfileRow | undefined): Stakes {
  if (!limits) return { ante, side: sideBet, mayRaise: true }
  const maxBet = parseAmount(limits.max_bet)
  const chosen = larger(parseAmount(limits.min_bet), smaller(within(ante, limits), maxBet / 2n))
  return { ante: chosen, side: within(sideBet, limits), mayRaise: 2n * chosen <= maxBet }
}

function dealerBets(
  variant: Variant,
  {
    hole,
    board,
    isSideBet,
    ante,
    side,
    mayRaise,
  }: Stakes & {
    readonly hole: readonly Card[]
    readonly board: readonly Card[]
    readonly isSideBet: boolean
  },
): Record<string, string> {
  const once = formatAmount(ante)
  const twice = formatAmount(2n * ante)
  const bets: Record<string, string> = { ANTE: once }
  if (isSideBet) bets[variant === 'casino' ? 'AAB' : 'BONUS'] = formatAmount(side)
  if (!mayRaise) return bets
  if (variant === 'casino') {
    if (callsOnFlop(hole, board.slice(0, 3))) bets['CALL'] = twice
    return bets
  }
  if (!betsToSeeFlop(hole)) return bets
  bets['FLOP'] = twice
  if (betsOnStreet(hole, board.slice(0, 3))) bets['TURN'] = once
  if (betsOnStreet(hole, board.slice(0, 4))) bets['RIVER'] = once
  return bets
}

/** Maximum big blinds of a seat. */
const maxBlinds = 100n

/** Player against player: in one currency, with a studio guest now and then and when a seat would be alone. */
async function playEachOther(app: Casino, tx: Tx, at: HandAt, seated: readonly Bettor[]): Promise<PlayedHand> {
  const { tenant, table, round } = at
  const currency = seated[0]?.player.currency ?? tenant.currency
  const players = seated.filter(({ player }) => player.currency === currency)
  const isGuestIn = players.length < 2 || (players.length < maxSeats && drawBelow(8, app.random) === 0)
  const count = players.length + (isGuestIn ? 1 : 0)
  const button = await buttonFor(tx, at, count)
  const { outcome, holes: inTurn } = await dealt(tx, table, seatingAt(table, { hands: count, button }))
  const { board } = holdemOutcome(outcome)
  const opened = openHand(stacksOf(players, count, table), button, table.settings)
  assert(!isNo(opened), 'these seats can play a hand')
  const holes = new Map(opened.players.map(({ seat }, i) => [seat, inTurn[i] ?? []]))
  const hand = playOut(opened, holes, board, (below) => drawBelow(below, app.random))
  const requests: SlipRequest[] = []
  const guests: Guest[] = []
  for (const { seat, put, hasFolded } of hand.players) {
    if (put === 0n) continue
    const held = { hole: holes.get(seat) ?? [], folded: hasFolded, seat }
    const player = players[seat - 1]?.player
    if (player) requests.push({ player, variant: 'nlhe', bets: { POT: formatAmount(put) }, hand: held })
    else guests.push({ tenant: tenant.code, currency, username: `guest-${seat}`, put, hand: held })
  }
  await placeSlips(app, tx, at, requests)
  await placeGuests(app, tx, round, guests)
  const report = { cardInfo: board.slice(0, hand.boardSize).join(' '), button }
  return { outcome: outcomeOf(table, report, seatingAt(table)), slips: requests.length + guests.length }
}

/** Seats 1 to `count` play: the button moves on from the table's last hand. */
async function buttonFor(tx: Tx, { round }: HandAt, count: number): Promise<number> {
  const otherSeats = Array.from({ length: count - 1 }, (_, i) => i + 2)
  return nextButton([1, ...otherSeats], await lastButton(tx, round.environment, round.table_id))
}

/** Returns the chips of each seat: what wallet and limits allow, up to 100 big blinds, and at least one chip. */
function stacksOf(players: readonly Bettor[], count: number, { settings }: OpenTable) {
  const blind = parseAmount(settings.bigBlind ?? '2')
  const unit = parseAmount(settings.unit ?? '0.01')
  return Array.from({ length: count }, (_, i) => {
    const maxStack = maxBlinds * blind
    const { player, limits } = players[i] ?? {}
    const has = player ? smaller(parseAmount(player.balance), maxStack) : maxStack
    const budget = limits ? smaller(has, parseAmount(limits.max_bet)) : has
    return { seat: i + 1, stack: larger(unit, budget - (budget % unit)) }
  })
}

/** A hand of nine seats ends long before: every action puts chips in, passes or folds. */
const maxActions = 1000

/** Lets every seat decide until the betting is over. */
function playOut(
  opened: NoLimitHand,
  holes: ReadonlyMap<number, readonly Card[]>,
  board: readonly Card[],
  draw: (below: number) => number,
): NoLimitHand {
  let hand = opened
  for (let i = 0; i < maxActions; i++) {
    const may = choices(hand)
    if (!may) return hand
    const next = act(hand, seatAction(hand, holes.get(may.seat) ?? [], board.slice(0, hand.boardSize), draw))
    assert(!isNo(next), 'an action must be legal')
    hand = next
  }
  assert.fail('the betting of a hand comes to an end')
}

function holdemOutcome(outcome: Outcome): HoldemOutcome {
  assert(outcome.game === 'holdem', 'a hand of Hold’em was dealt')
  // An outcome's game determines its type.
  return outcome as HoldemOutcome
}

/** Returns the public cards with another river that is in no hand. Without a river nothing changes. */
export function misreadRiver(cardInfo: string, holes: readonly (readonly Card[])[], draw: (below: number) => number) {
  const [board = '', ...rest] = cardInfo.split('|')
  const cards = board.split(' ')
  if (cards.length < 5) return cardInfo
  const seen = new Set([...cards, ...rest.flatMap((group) => group.split(' ')), ...holes.flat()])
  const free = deck.filter((card) => !seen.has(card))
  const river = free[draw(free.length)] ?? assert.fail('a deck has cards that nobody holds')
  return [[...cards.slice(0, 4), river].join(' '), ...rest].join('|')
}
