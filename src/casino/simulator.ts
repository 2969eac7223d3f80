import { isCard } from '../domain/cards.ts'
import { monthStart } from '../domain/cursor.ts'
import type { Hand, Report, Seating, Variant, Zone } from '../domain/games/game.ts'
import { variantsOf } from '../domain/games/game.ts'
import { parseAmount } from '../domain/money.ts'
import { drawBelow } from '../domain/shuffle.ts'
import { Problem } from '../kit/problem.ts'
import type { Reader, Tx } from '../store/store.ts'
import type { PlayerRow, RoundRow, TableRow, TenantRow } from '../store/tables/casino.ts'
import type { Casino } from './casino.ts'
import { theTenant } from './console.ts'
import { refuse } from './contract.ts'
import { createPlayer, thePlayer } from './players.ts'
import { latestRecordAt, openMonthOf } from './queries/bets.ts'
import { activePlayers, playerNamed } from './queries/players.ts'
import { enabledTables, tablesOf } from './queries/tables.ts'
import {
  correctRound,
  dealt,
  type OpenTable,
  openRound,
  openTable,
  outcomeOf,
  type RoundChange,
  readable,
  settleRound,
  voidRound,
} from './rounds.ts'
import type { BetRecord, Round } from './shapes.ts'
import { placeSlip } from './slips.ts'
import { toRound } from './views.ts'
import { putMoney } from './wallets.ts'

/** Makes the world of the tables move: one exact round from a file, or many rounds with betting players. */

// ── One exact round ──

/** A round to be played exactly, as developers write it down. */
export interface ExactRound {
  readonly tableId: string
  readonly variant?: string
  /** All cards of the round; the form is the game's own. Absent where `code` is given or the round is voided. */
  readonly cardInfo?: string
  /** What a source without cards reports. */
  readonly code?: string
  readonly points?: Readonly<Record<string, number>>
  readonly suitedTie?: boolean
  readonly button?: number
  /** Voids the round before any result. */
  readonly void?: boolean
  readonly slips: readonly ExactSlip[]
  /** What happens afterwards, in order. */
  readonly then?: readonly ({ readonly correct: ExactResult } | { readonly void: true })[]
}

type ExactResult = Pick<ExactRound, 'cardInfo' | 'code' | 'points' | 'suitedTie' | 'button'>

export interface ExactSlip {
  readonly username: string
  readonly variant?: string
  readonly bets: Readonly<Record<string, string>>
  /** Hold'em: the player's two cards, separated by a space. */
  readonly hole?: string
  readonly folded?: boolean
  readonly seat?: number
}

/** One revision of a round with the bet records it wrote, each as GET /bets gives it. */
export interface PlayedRevision {
  readonly round: Round
  readonly bets: readonly BetRecord[]
  /** Why a correction or void was not let through. */
  readonly disputed?: string
}

/** Plays one exact round with its afterlife: whole, or not at all. */
export function dealExactly(app: Casino, code: string, exact: ExactRound) {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const table = await openTable(tx, tenant.environment, exact.tableId)
    const round = await openRound(app, tx, table)
    for (const slip of exact.slips) {
      const player = await thePlayer(tx, tenant, slip.username)
      const hand = handOf(slip)
      const variant = slip.variant ?? exact.variant ?? firstVariant(table)
      await placeSlip(app, tx, table, round, player, { variant, bets: slip.bets, ...(hand ? { hand } : {}) })
    }
    const seating = seatingOf(table, exact)
    const revisions: PlayedRevision[] = []
    const first = exact.void
      ? await voidRound(app, tx, round.id)
      : await settleRound(app, tx, table, round.id, outcomeOf(table, reportOf(exact), seating))
    revisions.push(toPlayed(first))
    for (const step of exact.then ?? []) {
      const change =
        'correct' in step
          ? await correctRound(app, tx, table, round.id, outcomeOf(table, reportOf(step.correct), seating))
          : await voidRound(app, tx, round.id)
      revisions.push(toPlayed(change))
    }
    return { roundId: round.id, revisions }
  })
}

function reportOf(exact: ExactResult): Report {
  if (exact.cardInfo !== undefined)
    return { cardInfo: exact.cardInfo, ...(exact.button === undefined ? {} : { button: exact.button }) }
  if (exact.code === undefined) throw refuse('INVALID_PARAMETER', 'A round needs cardInfo, or a code, or void')
  return {
    code: exact.code,
    ...(exact.points === undefined ? {} : { points: exact.points }),
    ...(exact.suitedTie === undefined ? {} : { suitedTie: exact.suitedTie }),
  }
}

function seatingOf(table: OpenTable, exact: ExactRound): Seating {
  const asked = exact.variant ?? firstVariant(table)
  const known: readonly Variant[] = variantsOf[table.row.game]
  return {
    variant: known.find((variant) => variant === asked) ?? known[0] ?? 'standard',
    settings: table.settings,
    hands: exact.slips.length,
    ...(exact.button === undefined ? {} : { button: exact.button }),
  }
}

function firstVariant(table: OpenTable): string {
  const [first = 'standard'] = JSON.parse(table.row.variants) as string[]
  return first
}

function handOf(slip: ExactSlip): Hand | undefined {
  if (slip.hole === undefined) return undefined
  const hole = slip.hole.split(' ')
  if (hole.length !== 2 || !hole.every(isCard))
    throw refuse('INVALID_PARAMETER', `The hole cards of ${slip.username} must be two cards such as "AS KD"`)
  return { hole, folded: slip.folded ?? false, seat: slip.seat ?? 1 }
}

function toPlayed(change: RoundChange): PlayedRevision {
  return {
    round: toRound(readable(change.round)),
    bets: change.records.map((record): BetRecord => JSON.parse(record)),
    ...(change.disputed === undefined ? {} : { disputed: change.disputed }),
  }
}

// ── Many rounds ──

export interface Play {
  readonly tenant: string
  /** Table ids; none means every enabled table whose game is dealt. */
  readonly tables: readonly string[]
  readonly rounds: number
  readonly players: number
  /** Over how many past days the rounds are spread; 0 deals them all now. */
  readonly days: number
  /** How many of the slips are to be corrected or voided afterwards, as a share of 10,000. */
  readonly corrected: number
  readonly voided: number
}

/** How far the playing has come. */
export interface Played {
  readonly rounds: number
  readonly slips: number
  readonly corrected: number
  readonly voided: number
}

interface Plan {
  readonly tenant: TenantRow
  readonly tables: readonly OpenTable[]
  readonly players: readonly string[]
  readonly from: number
  readonly to: number
}

/** How long a correction takes to arrive in a played world. */
const afterlifeMs = 20_000

/**
 * Deals whole rounds in which every player bets, spread evenly over the time asked for, and yields after each round.
 * Never before the last record there is: what is written later is also later, so no reader's cursor is passed.
 */
export async function* play(app: Casino, order: Play): AsyncGenerator<Played> {
  const plan = await preparedPlay(app, order)
  let slips = 0
  let corrected = 0
  let voided = 0
  for (let i = 0; i < order.rounds; i++) {
    const table = plan.tables[i % plan.tables.length]
    if (!table) return
    // Bets come in before the result does; a played round takes as long as the table's betting time, or less where time is short.
    const settledAt = plan.from + Math.floor(((plan.to - plan.from) * (i + 1)) / order.rounds)
    const openedAt = Math.max(plan.from, settledAt - table.row.bet_seconds * 1000)
    const round = await betting(app, plan, table, openedAt)
    await app.store.write(
      async (tx) => {
        const outcome = await dealt(tx, table, { variant: variantOf(table), settings: table.settings })
        return settleRound(app, tx, table, round.id, outcome)
      },
      { at: settledAt },
    )
    slips += plan.players.length
    const fate = drawBelow(10_000, app.random)
    const later = Math.min(plan.to, settledAt + afterlifeMs)
    if (fate < order.corrected) {
      await app.store.write(async (tx) => correctWithNewCards(app, tx, table, round.id), { at: later })
      corrected += plan.players.length
    } else if (fate < order.corrected + order.voided) {
      await app.store.write((tx) => voidRound(app, tx, round.id), { at: later })
      voided += plan.players.length
    }
    yield { rounds: i + 1, slips, corrected, voided }
  }
}

/** Checks that rounds could be played, and plays none. */
export async function rehearsePlay(app: Casino, order: Play): Promise<void> {
  await preparedPlay(app, order)
}

function variantOf(table: OpenTable): Variant {
  const known: readonly Variant[] = variantsOf[table.row.game]
  return known.find((variant) => variant === firstVariant(table)) ?? 'standard'
}

/** A correction such as a misread card brings: the round settled again with the next cards of the shoe. */
async function correctWithNewCards(app: Casino, tx: Tx, table: OpenTable, roundId: string) {
  const outcome = await dealt(tx, table, { variant: variantOf(table), settings: table.settings })
  return correctRound(app, tx, table, roundId, outcome)
}

async function preparedPlay(app: Casino, order: Play): Promise<Plan> {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, order.tenant)
    const tables = await tablesToPlay(tx, tenant, order.tables)
    const players = await playersToPlay(app, tx, tenant, order.players)
    const { from, to } = await spanToPlay(tx, tenant, order.days)
    return { tenant, tables, players, from, to }
  })
}

/** Whether the simulator knows how players bet at a table. */
function isPlayed(table: TableRow): boolean {
  return table.game === 'baccarat' || table.game === 'dragontiger'
}

async function tablesToPlay(reader: Reader, tenant: TenantRow, asked: readonly string[]): Promise<OpenTable[]> {
  const enabled = await enabledTables(reader, tenant.code)
  const rows = await tablesOf(reader, tenant.environment)
  const chosen =
    asked.length > 0
      ? asked
      : rows.filter((row) => enabled.has(row.table_id) && isPlayed(row)).map((row) => row.table_id)
  const closed = chosen.find((id) => !enabled.has(id))
  if (closed !== undefined) throw refuse('NOT_FOUND', `Table ${closed} is not enabled for ${tenant.code}`)
  if (chosen.length === 0) throw new Problem('CONFLICT', `${tenant.code} has no table enabled to play at`)
  return Promise.all(chosen.map((id) => openTable(reader, tenant.environment, id)))
}

/** The tenant's first players that may bet, and new ones where there are too few. */
async function playersToPlay(app: Casino, tx: Tx, tenant: TenantRow, count: number): Promise<string[]> {
  const known = (await activePlayers(tx, tenant.code, count)).map((player) => player.username)
  for (let i = 1; known.length < count; i++) {
    const username = `sim-${String(i).padStart(3, '0')}`
    if (await playerNamed(tx, tenant.code, username)) continue
    await createPlayer(app, tx, tenant, { username, currency: tenant.currency })
    known.push(username)
  }
  return known
}

async function spanToPlay(reader: Reader, tenant: TenantRow, days: number): Promise<{ from: number; to: number }> {
  const to = reader.now
  const open = await openMonthOf(reader, tenant.code)
  const latest = Math.max((await latestRecordAt(reader, tenant.code)) ?? 0, open === undefined ? 0 : monthStart(open))
  return { from: Math.min(to, Math.max(to - days * 86_400_000, latest)), to }
}

/** Opens a round and lets every player bet in it, putting money into the wallets that need it. */
function betting(app: Casino, plan: Plan, table: OpenTable, at: number): Promise<RoundRow> {
  return app.store.write(
    async (tx) => {
      const round = await openRound(app, tx, table)
      for (const username of plan.players) {
        const player = await withMoney(app, tx, await thePlayer(tx, plan.tenant, username))
        await placeSlip(app, tx, table, round, player, chosenBets(app, table))
      }
      return round
    },
    { at },
  )
}

/** What a played player is given when the wallet runs low. */
const allowance = '100000'
const lowBalance = parseAmount('10000')

async function withMoney(app: Casino, tx: Tx, player: PlayerRow): Promise<PlayerRow> {
  if (parseAmount(player.balance) >= lowBalance) return player
  return putMoney(app, tx, player, `sim-${app.id()}`, allowance)
}

const chips = ['5', '10', '25', '50', '100', '250', '0.5', '12.75'] as const

/** A slip as players place them: a main zone, now and then a side zone or two. */
function chosenBets(app: Casino, table: OpenTable) {
  const offered: string[] = JSON.parse(table.row.variants)
  const variant = offered[drawBelow(offered.length, app.random)] ?? 'standard'
  const known: readonly Variant[] = variantsOf[table.row.game]
  const stages = table.game.stages(known.find((each) => each === variant) ?? 'standard', table.settings)
  const zones = stages.find((stage) => stage.moment === 'opening')?.zones ?? []
  const bets: Record<string, string> = {}
  const put = (zone: Zone | undefined) => {
    if (zone) bets[zone] = chips[drawBelow(chips.length, app.random)] ?? '5'
  }
  put(zones[drawBelow(Math.min(2, zones.length), app.random)])
  while (drawBelow(4, app.random) === 0) put(zones[drawBelow(zones.length, app.random)])
  return { variant, bets }
}
