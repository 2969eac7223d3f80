import type { LimitProfileRow, PlayerRow, RoundRow, SlipRow, TableRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { isNo, type Moment } from '../../../domain/games/game.ts'
import { type Action, act, choices } from '../../../domain/games/holdem/no-limit.ts'
import { maxSeats } from '../../../domain/games/holdem/table.ts'
import { compareUnits, formatAmount, isPositiveAmount, larger, parseAmount, smaller } from '../../../domain/money.ts'
import { Problem } from '../../../kit/problem.ts'
import { isDayOver } from '../account/daily-bet-count.ts'
import { statusFor } from '../account/demo-idle.ts'
import { slipsOfRound } from '../queries/bets.ts'
import { liveTableOf, slipOf } from '../queries/live.ts'
import { playerOf } from '../queries/players.ts'
import { isTableEnabled, tableOf } from '../queries/tables.ts'
import { placeSlips } from '../rounds/place-bets.ts'
import { wagerOf } from '../rounds/placed-bets-column.ts'
import { asOffered, type OpenTable, openTable, theRound } from '../rounds/rounds.ts'
import type { Casino } from '../service.ts'
import { changingTable } from '../write-groups.ts'
import { askNext, decisionsOf, stillIn } from './dealer.ts'
import { betLimitsOf } from './limits.ts'
import { after, bigBlindOf, continueHand, seatToAct } from './no-limit.ts'
import { isNoLimit, type LiveTable, liveTable, save } from './table.ts'
import { latenessOf } from './timing.ts'
import { addBet, refundSlip } from './uncommitted-chips.ts'

/** Actions of a player at a live table. Each is one transaction: chips and bets move together, or not at all. */

/** An authenticated player of a tenant. */
export interface Seated {
  readonly tenant: TenantRow
  readonly player: PlayerRow
}

export interface BetInput {
  readonly roundId: string
  readonly variant: string
  /** All of the player's bets in the round; an empty object removes them. */
  readonly bets: Readonly<Record<string, string>>
  /** Refuses the bets if the player has some in the round: a repetition must not replace what another window placed. */
  readonly onlyFirst?: boolean
}

/**
 * Replaces the player's bets in the round; they can be changed until betting closes. Repeating it changes nothing.
 * Throws TABLE_CLOSED, BETTING_CLOSED, MAY_NOT_BET, BET_REFUSED, ALREADY_PLACED, BET_LIMIT, TABLE_FULL, DAY_LIMIT and
 * INSUFFICIENT_BALANCE, without changes.
 */
export function placeBets(app: Casino, caller: Seated, tableId: string, input: BetInput): Promise<void> {
  return changingTable(app, { environment: caller.tenant.environment, tableId }, async (tx) => {
    const { live, round, player, slip } = await bettingAt(tx, caller, tableId, input.roundId)
    if (isNoLimit(live)) throw new Problem('BET_REFUSED', 'This table has seats: take a seat to play')
    if (slip && input.onlyFirst) throw new Problem('ALREADY_PLACED', 'Bets are placed in this round already')
    if (slip) await refundSlip(tx, slip)
    if (Object.keys(input.bets).length > 0) {
      const payer = (await playerOf(tx, player.id)) ?? player
      await checkOpening(tx, caller.tenant, payer, live.table, input)
      if (live.table.row.game === 'holdem' && (await slipsOfRound(tx, round.id)).length >= maxSeats)
        throw new Problem('TABLE_FULL', `All ${maxSeats} seats of this hand are taken`)
      await placeSlips(app, tx, { tenant: caller.tenant, table: live.table, round }, [{ player: payer, ...input }])
    }
    await save(tx, live, 'betting', live.row.due_at, live.state)
  })
}

/** Chips of a seat for one no-limit hand. Null leaves the seat. */
export interface SeatInput {
  readonly roundId: string
  readonly buyIn: string | null
}

/**
 * Takes a seat in the next no-limit hand. The chips leave the wallet, and those not put in return when the hand ends.
 * All seats of a hand play in the currency of the first.
 */
export function takeSeat(app: Casino, caller: Seated, tableId: string, input: SeatInput): Promise<void> {
  return changingTable(app, { environment: caller.tenant.environment, tableId }, async (tx) => {
    const { live, round, player, slip } = await bettingAt(tx, caller, tableId, input.roundId)
    if (!isNoLimit(live)) throw new Problem('BET_REFUSED', 'This table has no seats: place bets to play')
    if (slip) await refundSlip(tx, slip)
    const otherSeats = live.state.seats.filter((seat) => seat.playerId !== player.id)
    if (input.buyIn === null) return save(tx, live, 'betting', live.row.due_at, { ...live.state, seats: otherSeats })
    const payer = (await playerOf(tx, player.id)) ?? player
    checkMayBet(payer)
    await checkDay(tx, caller.tenant)
    await checkBuyIn(tx, caller.tenant, payer, live.table, input.buyIn)
    const seated = (await slipsOfRound(tx, round.id)).find((each) => each.player_id !== player.id)
    if (seated && seated.currency !== payer.currency)
      throw new Problem('BET_REFUSED', `This hand is played in ${seated.currency}`)
    const free = Array.from({ length: maxSeats }, (_, i) => i + 1).find(
      (no) => !otherSeats.some(({ seat }) => seat === no),
    )
    if (free === undefined) throw new Problem('TABLE_FULL', `All ${maxSeats} seats of this hand are taken`)
    const hand = { hole: [], folded: false, seat: free }
    const bets = { POT: input.buyIn }
    await placeSlips(app, tx, { tenant: caller.tenant, table: live.table, round }, [
      { player: payer, variant: 'nlhe', bets, hand },
    ])
    const seat = { seat: free, playerId: player.id, name: payer.nickname ?? payer.username, stack: input.buyIn }
    await save(tx, live, 'betting', live.row.due_at, { ...live.state, seats: [...otherSeats, seat] })
  })
}

/**
 * A player's answer after seeing cards. `moment` names the question, so that a late answer does not count for the next
 * one.
 */
export interface DecisionInput {
  readonly roundId: string
  readonly moment: Moment
  readonly does: 'bet' | 'pass'
}

/**
 * Answers the dealer: bets the multiple of the ante, or passes, which at the first question is a fold. The last answer
 * shows the next cards.
 */
export function decide(app: Casino, caller: Seated, tableId: string, input: DecisionInput): Promise<void> {
  return changingTable(app, { environment: caller.tenant.environment, tableId }, async (tx) => {
    const { live, player, slip } = await decidingAt(tx, caller, tableId, input.roundId)
    const { state, table } = live
    if (state.moment !== input.moment || !slip) throw notOpen()
    if (!stillIn(state).includes(player.id)) throw notOpen('You have folded this hand')
    if (state.decided?.includes(player.id)) throw notOpen('You have already decided')
    const stages = decisionsOf(live)
    const stage = stages.find(({ moment }) => moment === input.moment)
    const zone = stage?.zones[0]
    if (!stage || zone === undefined) throw notOpen()
    if (input.does === 'bet') {
      const ante = wagerOf(slip).bets.find((bet) => bet.zone === 'ANTE')?.amount ?? 0n
      await addBet(tx, table, slip, player, { zone, amount: ante * BigInt(stage.timesAnte ?? 1) })
    }
    const hasFolded = input.does === 'pass' && stage === stages[0]
    const decided = [...(state.decided ?? []), player.id]
    const folded = hasFolded ? [...(state.folded ?? []), player.id] : (state.folded ?? [])
    const answered = { ...state, decided, folded }
    if (stillIn(answered).every((id) => decided.includes(id))) return askNext(tx, live, answered)
    await save(tx, live, 'deciding', live.row.due_at, answered)
  })
}

/** Action of a seat on its turn. `action` counts the actions of the hand, so that none is applied twice. */
export interface ActionInput {
  readonly roundId: string
  readonly action: number
  readonly does: 'fold' | 'check' | 'call' | 'raise'
  /** Total amount of the seat on this street. */
  readonly to?: string
}

/** Applies an action of the player in a no-limit hand, by the rules of the game. */
export function takeTurn(app: Casino, caller: Seated, tableId: string, input: ActionInput): Promise<void> {
  return changingTable(app, { environment: caller.tenant.environment, tableId }, async (tx) => {
    const { live, player } = await decidingAt(tx, caller, tableId, input.roundId)
    const { state } = live
    if (!state.hand || seatToAct(state)?.playerId !== player.id || (state.actions ?? 0) !== input.action)
      throw notOpen()
    const action = actionOf(input)
    const next = act(state.hand, action)
    if (isNo(next)) {
      const raise = choices(state.hand)?.raise
      const range = raise ? { from: formatAmount(raise.from), to: formatAmount(raise.to) } : {}
      throw new Problem('BET_REFUSED', next.because, { reason: next.no, ...range })
    }
    await continueHand(tx, live, after(state, action))
  })
}

function actionOf({ does, to = '' }: ActionInput): Action {
  if (does !== 'raise') return { kind: does }
  if (!isPositiveAmount(to)) throw new Problem('INVALID_AMOUNT', 'A raise needs the total amount on this street')
  return { kind: 'raise', to: parseAmount(to) }
}

/** Returns the table if the player may use it: enabled for their tenant, in its environment. */
export async function tableFor(reader: Reader, { tenant }: Pick<Seated, 'tenant'>, tableId: string): Promise<TableRow> {
  const row = await tableOf(reader, tenant.environment, tableId)
  if (!row || !(await isTableEnabled(reader, tenant.code, tableId)))
    throw new Problem('TABLE_CLOSED', 'This table is not available to you')
  return row
}

interface RoundContext {
  readonly live: LiveTable
  readonly round: RoundRow
  readonly player: PlayerRow
  readonly slip: SlipRow | undefined
}

async function bettingAt(tx: Tx, caller: Seated, tableId: string, roundId: string): Promise<RoundContext> {
  const context = await roundAt(tx, caller, tableId, roundId)
  const { row, table } = context.live
  if (statusFor(table.row, caller.tenant, tx.now) !== 'open')
    throw new Problem('TABLE_CLOSED', 'This table is in maintenance')
  if (row.phase !== 'betting' || isLate(row.due_at, tx.now))
    throw new Problem('BETTING_CLOSED', 'Betting is closed for this round')
  return context
}

async function decidingAt(tx: Tx, caller: Seated, tableId: string, roundId: string): Promise<RoundContext> {
  const context = await roundAt(tx, caller, tableId, roundId)
  const { row } = context.live
  if (row.phase !== 'deciding' || isLate(row.due_at, tx.now)) throw notOpen()
  return context
}

async function roundAt(tx: Tx, caller: Seated, tableId: string, roundId: string): Promise<RoundContext> {
  const { table_id, environment } = await tableFor(tx, caller, tableId)
  const live = liveTable(await openTable(tx, environment, table_id), await liveTableOf(tx, environment, table_id))
  if (live.row.round_id !== roundId) throw new Problem('BETTING_CLOSED', 'This round is over')
  const round = await theRound(tx, roundId)
  const player = await playerOf(tx, caller.player.id)
  if (!player) throw new Problem('TABLE_CLOSED', 'This table is not available to you')
  return { live, round, player, slip: await slipOf(tx, round.id, player.id) }
}

function isLate(dueAt: number | null, now: number): boolean {
  return dueAt === null || latenessOf(dueAt, now) !== 'early'
}

function notOpen(because = 'There is no decision to make at the moment'): Problem {
  return new Problem('DECISION_CLOSED', because)
}

function checkMayBet(player: PlayerRow): void {
  if (player.status !== 'active') throw new Problem('MAY_NOT_BET', 'You can watch but not bet')
}

async function checkDay(reader: Reader, tenant: TenantRow): Promise<void> {
  if (await isDayOver(reader, tenant))
    throw new Problem('DAY_LIMIT', 'The demo has reached its betting limit for today; betting opens again at 00:00 UTC')
}

/**
 * Checks that only apply on the page: permission to bet, the daily limit of a demo, the zones of the first stage, the
 * bet limits.
 */
async function checkOpening(tx: Tx, tenant: TenantRow, player: PlayerRow, at: OpenTable, input: BetInput) {
  const table = asOffered(tenant, at)
  checkMayBet(player)
  await checkDay(tx, tenant)
  const variant = table.game.variants.find((each) => each === input.variant)
  const [opening] = variant ? table.game.stages(variant, table.settings) : []
  const zones: readonly string[] = opening?.zones ?? []
  const limits = await betLimitsOf(tx, tenant, player, table.row.game)
  for (const [zone, amount] of Object.entries(input.bets)) {
    if (!zones.includes(zone)) throw new Problem('BET_REFUSED', `${zone} cannot be bet on at this table`)
    if (!isPositiveAmount(amount)) throw new Problem('INVALID_AMOUNT', `The bet on ${zone} is not a valid amount`)
    if (limits) checkLimit(limits, parseAmount(amount), zone)
  }
}

function checkLimit({ min_bet, max_bet, currency }: LimitProfileRow, amount: bigint, zone: string): void {
  const isWithin = compareUnits(amount, parseAmount(min_bet)) >= 0 && compareUnits(amount, parseAmount(max_bet)) <= 0
  if (isWithin) return
  const detail = { zone, min: min_bet, max: max_bet, currency }
  throw new Problem('BET_LIMIT', `The bet must be from ${min_bet} to ${max_bet} ${currency}`, detail)
}

/** Returns the minimum and maximum chips of a seat: 20 to 200 big blinds, within the player's limits. */
export function buyInRange(table: OpenTable, limits: LimitProfileRow | undefined): { min: bigint; max: bigint } {
  const blind = bigBlindOf(table)
  const max = limits ? smaller(blind * 200n, parseAmount(limits.max_bet)) : blind * 200n
  const minBuyIn = limits ? larger(blind * 20n, parseAmount(limits.min_bet)) : blind * 20n
  return { min: smaller(minBuyIn, max), max }
}

async function checkBuyIn(tx: Tx, tenant: TenantRow, player: PlayerRow, table: OpenTable, buyIn: string) {
  if (!isPositiveAmount(buyIn)) throw new Problem('INVALID_AMOUNT', 'The chips of a seat must be a valid amount')
  const { min, max } = buyInRange(table, await betLimitsOf(tx, tenant, player, table.row.game))
  const amount = parseAmount(buyIn)
  if (compareUnits(amount, min) >= 0 && compareUnits(amount, max) <= 0) return
  const range = { min: formatAmount(min), max: formatAmount(max), currency: player.currency }
  throw new Problem(
    'BET_LIMIT',
    `The chips of a seat must be from ${range.min} to ${range.max} ${range.currency}`,
    range,
  )
}
