import assert from 'node:assert/strict'
import { setTimeout } from 'node:timers/promises'
import { monthStart } from '../../domain/cursor.ts'
import type { Outcome } from '../../domain/games/game.ts'
import { compareUnits, formatAmount, parseAmount } from '../../domain/money.ts'
import { drawBelow } from '../../domain/shuffle.ts'
import type { Reader, Tx } from '../../store/store.ts'
import type { LimitProfileRow, PlayerRow, TenantRow } from '../../store/tables/casino.ts'
import type { Casino } from '../casino.ts'
import { inBlocks } from '../chance.ts'
import { isDayOver } from '../day-bets.ts'
import { createPlayer } from '../players.ts'
import { latestRecordAt, openMonthOf } from '../queries/bets.ts'
import { limitProfilesOf } from '../queries/limits.ts'
import { activePlayers, playerNamed, playersOf } from '../queries/players.ts'
import { dealt, type OpenTable, openRound } from '../rounds.ts'
import { correctRound, settleRound, voidRound } from '../settling.ts'
import { placeSlips, type WantedSlip } from '../slips.ts'
import { theTenant } from '../tenants.ts'
import { book } from '../wallets.ts'
import { firstVariant, knownVariant } from './exact.ts'
import { tablesToPlay } from './tables.ts'

/** What is to be played. */
export interface Play {
  readonly tenant: string
  /** Table ids; none means every enabled table whose game is played. */
  readonly tables: readonly string[]
  readonly rounds: number
  readonly players: number
  /** Over how many past days the rounds are spread; 0 deals them all now. */
  readonly days: number
  /** How many of 10,000 rounds are corrected or voided afterwards. */
  readonly corrected: number
  readonly voided: number
}

/** How far the playing has come; the last three count slips. */
export interface Played {
  readonly rounds: number
  readonly slips: number
  readonly corrected: number
  readonly voided: number
}

/** Who plays, where and when. */
interface Scene {
  readonly tenant: TenantRow
  readonly tables: readonly OpenTable[]
  readonly playerIds: readonly string[]
  readonly from: number
  readonly to: number
}

/** A played round that is going to be corrected or voided. */
interface Doomed {
  readonly table: OpenTable
  readonly roundId: string
  readonly slips: number
  readonly fate: 'corrected' | 'voided'
  readonly at: number
}

/** How far it has come, and what is still to happen to what was played. */
interface State {
  readonly played: Played
  readonly doomed: readonly Doomed[]
}

/** How long a correction takes to arrive in a played world. */
const afterlifeMs = 20_000
/** About how many slips are written in one transaction, and how many rounds at most. */
const slipsPerWrite = 100
const roundsPerWrite = 25
/** How long others get between two of them. Without it, whoever moves money of the same players waits in vain where transactions run side by side. */
const pauseMs = 2

/**
 * Deals whole rounds in which every player bets, spread evenly over the time asked for, and yields now and then how far
 * it has come. A round is written as a whole, from its opening to the payouts, so a play that is stopped leaves none half
 * dealt. What is written later is also later, and never before the last record there is: no reader's cursor is passed.
 */
export async function* play(casino: Casino, order: Play): AsyncGenerator<Played> {
  const app: Casino = { ...casino, random: inBlocks(casino.random) }
  const scene = await app.store.write((tx) => setScene(app, tx, order))
  let state: State = { played: { rounds: 0, slips: 0, corrected: 0, voided: 0 }, doomed: [] }
  while (state.played.rounds < order.rounds) {
    const before = state
    state = await app.store.write((tx) => playOn(app, tx, scene, order, before))
    yield state.played
    if (state.played.rounds < order.rounds) await setTimeout(pauseMs)
  }
}

/** Plays the next rounds, as many as one transaction should hold, and what becomes of earlier ones meanwhile. */
async function playOn(app: Casino, tx: Tx, scene: Scene, order: Play, before: State): Promise<State> {
  const played = { ...before.played }
  const doomed = [...before.doomed]
  const bringDown = async (until: number) => {
    for (let next = doomed[0]; next && next.at <= until; next = doomed[0]) {
      doomed.shift()
      await meetFate({ ...tx, now: next.at }, next)
      played[next.fate] += next.slips
    }
  }
  const lastRound = Math.min(order.rounds, before.played.rounds + roundsPerWrite)
  while (played.rounds < lastRound && played.slips - before.played.slips < slipsPerWrite) {
    const table = scene.tables[played.rounds % scene.tables.length]
    assert(table, 'there is a table to play at')
    played.rounds += 1
    const at = scene.from + Math.floor(((scene.to - scene.from) * played.rounds) / order.rounds)
    await bringDown(at)
    const { roundId, slips } = await playRound(app, { ...tx, now: at }, scene, table)
    played.slips += slips
    const fate = fateOf(order, drawBelow(10_000, app.random))
    if (fate) doomed.push({ table, roundId, slips, fate, at: Math.min(scene.to, at + afterlifeMs) })
  }
  if (played.rounds === order.rounds) await bringDown(scene.to)
  return { played, doomed }
}

function fateOf({ corrected, voided }: Play, drawn: number): Doomed['fate'] | undefined {
  if (drawn < corrected) return 'corrected'
  return drawn < corrected + voided ? 'voided' : undefined
}

/** One whole round, settled at the transaction's moment; its bets came in during the betting time before, as far as that was there. */
async function playRound(app: Casino, tx: Tx, { tenant, from, playerIds }: Scene, table: OpenTable) {
  const opening = { ...tx, now: Math.max(from, tx.now - table.row.bet_seconds * 1000) }
  const round = await openRound(app, opening, table)
  const wanted = await wantedSlips(app, opening, tenant, table, playerIds)
  if (wanted.length > 0) await placeSlips(app, opening, { tenant, table, round }, wanted)
  await settleRound(tx, table, round.id, await nextOutcome(tx, table))
  return { roundId: round.id, slips: wanted.length }
}

/** A void, or a correction such as a misread card brings: the round settled again with the next cards of the shoe. */
async function meetFate(tx: Tx, { table, roundId, fate }: Doomed): Promise<void> {
  if (fate === 'voided') await voidRound(tx, roundId)
  else await correctRound(tx, table, roundId, await nextOutcome(tx, table))
}

function nextOutcome(tx: Tx, table: OpenTable): Promise<Outcome> {
  return dealt(tx, table, { variant: knownVariant(table, firstVariant(table)), settings: table.settings })
}

async function setScene(app: Casino, tx: Tx, order: Play): Promise<Scene> {
  const tenant = await theTenant(tx, order.tenant)
  return {
    tenant,
    tables: await tablesToPlay(tx, tenant, order.tables),
    playerIds: await playersToPlay(app, tx, tenant, order.players),
    ...(await spanToPlay(tx, tenant, order.days)),
  }
}

/** The tenant's first players that may bet, and new ones where there are too few. */
async function playersToPlay(app: Casino, tx: Tx, tenant: TenantRow, count: number): Promise<string[]> {
  const known = (await activePlayers(tx, tenant.code, count)).map((player) => player.id)
  for (let i = 1; known.length < count; i++) {
    const username = `sim-${String(i).padStart(3, '0')}`
    if (await playerNamed(tx, tenant.code, username)) continue
    known.push((await createPlayer(app, tx, tenant, { username, currency: tenant.currency })).id)
  }
  return known
}

async function spanToPlay(reader: Reader, tenant: TenantRow, days: number): Promise<{ from: number; to: number }> {
  const to = reader.now
  const open = await openMonthOf(reader, tenant.code)
  const latest = Math.max((await latestRecordAt(reader, tenant.code)) ?? 0, open === undefined ? 0 : monthStart(open))
  return { from: Math.min(to, Math.max(to - days * 86_400_000, latest)), to }
}

/** What the players want to bet, each with money put into a wallet that runs low. Nobody wants anything once the demo plan's day is over. */
async function wantedSlips(app: Casino, tx: Tx, tenant: TenantRow, table: OpenTable, playerIds: readonly string[]) {
  if (await isDayOver(tx, tenant)) return []
  const players = new Map((await playersOf(tx, playerIds)).map((player) => [player.id, player]))
  const ids = [...players.values()].flatMap(({ limit_profile_id: id }) => (id === null ? [] : [id]))
  const profiles = await limitProfilesOf(tx, ids, table.row.game)
  const wanted: WantedSlip[] = []
  for (const id of playerIds) {
    const player = players.get(id)
    // Somebody may have locked a player since the playing began.
    if (player?.status !== 'active') continue
    const limits = profiles.get(player.limit_profile_id ?? 0)
    wanted.push({ player: await withMoney(app, tx, player), ...chosenBets(app, table, limits) })
  }
  return wanted
}

/** What a played player is given when the wallet runs low. */
const allowance = parseAmount('100000')
const lowBalance = parseAmount('10000')

async function withMoney(app: Casino, tx: Tx, player: PlayerRow): Promise<PlayerRow> {
  const balance = parseAmount(player.balance)
  if (balance >= lowBalance) return player
  const movement = { txnId: `sim-${app.id()}`, dir: 'in', change: allowance } as const
  const transfer = await book(app, tx, player, movement, balance + allowance)
  return { ...player, balance: transfer.balance }
}

const chips = ['5', '10', '25', '50', '100', '250', '0.5', '12.75'].map(parseAmount)

/** A slip as players place them: a main zone, now and then a side zone or two. */
function chosenBets(app: Casino, table: OpenTable, limits: LimitProfileRow | undefined) {
  const offered: string[] = JSON.parse(table.row.variants)
  const variant = offered[drawBelow(offered.length, app.random)] ?? 'standard'
  const stages = table.game.stages(knownVariant(table, variant), table.settings)
  const zones = stages.find((stage) => stage.moment === 'opening')?.zones ?? []
  const bets: Record<string, string> = {}
  const put = (zone: string | undefined) => {
    const chip = chips[drawBelow(chips.length, app.random)] ?? lowBalance
    if (zone) bets[zone] = formatAmount(limits ? within(chip, limits) : chip)
  }
  put(zones[drawBelow(Math.min(2, zones.length), app.random)])
  while (drawBelow(4, app.random) === 0) put(zones[drawBelow(zones.length, app.random)])
  return { variant, bets }
}

/** The amount, or the nearest one that a player may bet. */
function within(amount: bigint, { min_bet, max_bet }: LimitProfileRow): bigint {
  const [min, max] = [parseAmount(min_bet), parseAmount(max_bet)]
  if (compareUnits(amount, min) < 0) return min
  return compareUnits(amount, max) > 0 ? max : amount
}
