import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import type { TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { monthStart } from '../../../domain/bets/cursor.ts'
import type { Outcome } from '../../../domain/games/game.ts'
import { drawBelow } from '../../../domain/games/shuffle.ts'
import { theTenant } from '../account/tenants.ts'
import { latestRecordAt, openMonthOf, slipsOfRound } from '../queries/bets.ts'
import { inBlocks } from '../random.ts'
import { placeSlips } from '../rounds/place-bets.ts'
import { wagerOf } from '../rounds/placed-bets-column.ts'
import { dealt, freshCards, type OpenTable, openRound, outcomeOf, theRound } from '../rounds/rounds.ts'
import { correctRound, settleRound, voidRound } from '../rounds/settlement.ts'
import type { Casino } from '../service.ts'
import { changingPlayers } from '../write-groups.ts'
import { buttonOf, seatingAt } from './exact.ts'
import { misreadRiver, playersInHand, playHand } from './holdem.ts'
import { bettorsOf, playersToPlay, slipRequest } from './players.ts'
import { tablesToPlay } from './tables.ts'

/** Rounds to play. */
export interface Play {
  readonly tenant: string
  /** Table ids; empty for every enabled table. */
  readonly tables: readonly string[]
  readonly rounds: number
  readonly players: number
  /** Number of past days the rounds are spread over; 0 deals them all now. */
  readonly days: number
  /** Number of rounds in 10,000 that are corrected or voided later. */
  readonly corrected: number
  readonly voided: number
}

/** Progress; the last three count slips. */
export interface Played {
  readonly rounds: number
  readonly slips: number
  readonly corrected: number
  readonly voided: number
}

/** Players, tables and time of a run. */
interface Scene {
  readonly tenant: TenantRow
  readonly tables: readonly OpenTable[]
  readonly playerIds: readonly string[]
  readonly from: number
  readonly to: number
}

/** A played round that will be corrected or voided. */
interface ScheduledChange extends PlayedRound {
  readonly table: OpenTable
  readonly change: 'corrected' | 'voided'
  readonly at: number
}

/** Parts of a played round that its later change needs. */
interface PlayedRound {
  readonly roundId: string
  readonly slips: number
}

/** Progress, and pending changes of played rounds. */
interface State {
  readonly played: Played
  readonly scheduled: readonly ScheduledChange[]
}

/** Delay of a correction in a simulated world. */
const changeDelayMs = 20_000
/**
 * Approximate slips per transaction, and maximum rounds. Deposits wait for its end: fewer slips on a database of several
 * processes, where each takes longer.
 */
const slipsPerWrite = { own: 100, shared: 25 } as const
const roundsPerWrite = 25
/** Pause between two transactions, in which others of the same players run. */
const pauseMs = 2

/**
 * Deals whole rounds in which every player bets, spread evenly over the time, and yields its progress. A round is
 * written as a whole, so a stopped run leaves none half dealt. Later writes have later times, never before the last
 * record, so no reader's cursor is passed. Writes take turns with those of the players' money: on PostgreSQL, a deposit
 * during a transaction of many rounds would make it start again.
 */
export async function* play(casino: Casino, input: Play): AsyncGenerator<Played> {
  const app: Casino = { ...casino, random: inBlocks(casino.random) }
  const scene = await app.store.write((tx) => setScene(app, tx, input))
  let state: State = { played: { rounds: 0, slips: 0, corrected: 0, voided: 0 }, scheduled: [] }
  while (state.played.rounds < input.rounds) {
    const before = state
    state = await changingPlayers(app, scene.tenant, (tx) => playOn(app, tx, scene, input, before))
    yield state.played
    if (state.played.rounds < input.rounds) await setTimeout(pauseMs)
  }
}

/** Checks that rounds can be played, without playing any. */
export async function rehearsePlay(app: Casino, input: Play): Promise<void> {
  await app.store.write((tx) => setScene(app, tx, input))
}

/** Plays the rounds of one transaction, with due changes of earlier ones. */
async function playOn(app: Casino, tx: Tx, scene: Scene, input: Play, before: State): Promise<State> {
  const played = { ...before.played }
  const scheduled = [...before.scheduled]
  const bringDown = async (until: number) => {
    for (let next = scheduled[0]; next && next.at <= until; next = scheduled[0]) {
      scheduled.shift()
      played[next.change] += await applyChange(app, { ...tx, now: next.at }, next)
    }
  }
  const lastRound = Math.min(input.rounds, before.played.rounds + roundsPerWrite)
  const lastSlip = before.played.slips + slipsPerWrite[app.store.isShared ? 'shared' : 'own']
  while (played.rounds < lastRound && played.slips < lastSlip) {
    const table = scene.tables[played.rounds % scene.tables.length]
    assert(table, 'there is a table to play at')
    played.rounds += 1
    const at = scene.from + Math.floor(((scene.to - scene.from) * played.rounds) / input.rounds)
    await bringDown(at)
    const round = await playRound(app, { ...tx, now: at }, scene, table)
    played.slips += round.slips
    const change = changeFor(input, drawBelow(10_000, app.random))
    if (change) scheduled.push({ ...round, table, change, at: Math.min(scene.to, at + changeDelayMs) })
  }
  if (played.rounds === input.rounds) await bringDown(scene.to)
  return { played, scheduled }
}

function changeFor({ corrected, voided }: Play, drawn: number): ScheduledChange['change'] | undefined {
  if (drawn < corrected) return 'corrected'
  return drawn < corrected + voided ? 'voided' : undefined
}

/**
 * Plays a whole round, settled at the transaction's time; its bets came in during the betting time before, as far as
 * that exists.
 */
async function playRound(
  app: Casino,
  tx: Tx,
  { tenant, from, playerIds }: Scene,
  table: OpenTable,
): Promise<PlayedRound> {
  const opening = { ...tx, now: Math.max(from, tx.now - table.row.bet_seconds * 1000) }
  const round = await openRound(app, opening, table)
  if (table.row.game === 'holdem') {
    const seated = await bettorsOf(app, opening, tenant, table, playersInHand(round.round, playerIds))
    const { outcome, ...hand } = await playHand(app, opening, { tenant, table, round }, seated)
    await settleRound(tx, table, round.id, outcome)
    return { roundId: round.id, ...hand }
  }
  const bettors = await bettorsOf(app, opening, tenant, table, playerIds)
  const requests = bettors.map((bettor) => slipRequest(app, table, bettor))
  if (requests.length > 0) await placeSlips(app, opening, { tenant, table, round }, requests)
  await settleRound(tx, table, round.id, (await dealt(tx, table, seatingAt(table))).outcome)
  return { roundId: round.id, slips: requests.length }
}

/** Voids a round, or corrects it as after misread cards. Returns the number of revised slips. */
async function applyChange(app: Casino, tx: Tx, scheduled: ScheduledChange): Promise<number> {
  const { table, roundId, change } = scheduled
  if (change === 'voided') return (await voidRound(tx, roundId)).records.length
  const outcome = await misread(app, tx, scheduled)
  return (await correctRound(tx, table, roundId, outcome)).records.length
}

/** Returns the corrected outcome: in Hold'em, where players' cards stay, another river; otherwise other cards. */
async function misread(app: Casino, tx: Tx, { table, roundId }: ScheduledChange): Promise<Outcome> {
  if (table.row.game !== 'holdem') return table.game.deal(freshCards(app, table.game), seatingAt(table)).outcome
  const round = await theRound(tx, roundId)
  const holes = (await slipsOfRound(tx, roundId)).map((slip) => wagerOf(slip).hand?.hole ?? [])
  const cardInfo = misreadRiver(round.card_info ?? '', holes, (below) => drawBelow(below, app.random))
  return outcomeOf(table, { cardInfo, ...buttonOf(round) }, seatingAt(table))
}

async function setScene(app: Casino, tx: Tx, input: Play): Promise<Scene> {
  const tenant = await theTenant(tx, input.tenant)
  return {
    tenant,
    tables: await tablesToPlay(tx, tenant, input.tables),
    playerIds: await playersToPlay(app, tx, tenant, input.players),
    ...(await spanToPlay(tx, tenant, input.days)),
  }
}

async function spanToPlay(reader: Reader, tenant: TenantRow, days: number): Promise<{ from: number; to: number }> {
  const to = reader.now
  const open = await openMonthOf(reader, tenant.code)
  const latest = Math.max((await latestRecordAt(reader, tenant.code)) ?? 0, open === undefined ? 0 : monthStart(open))
  return { from: Math.min(to, Math.max(to - days * 86_400_000, latest)), to }
}
