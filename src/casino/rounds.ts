import assert from 'node:assert/strict'
import { type Card, cardsOf, decks } from '../domain/cards.ts'
import {
  type Entry,
  type Game,
  isNo,
  isSpent,
  type Outcome,
  type Report,
  type Seating,
  type TableSettings,
} from '../domain/games/game.ts'
import { games } from '../domain/games/index.ts'
import { formatAmount, formatUnits, parseAmount, playerScale } from '../domain/money.ts'
import { shuffled } from '../domain/shuffle.ts'
import { firstSettlement, type Revision, recalculation, type Settlement, voiding } from '../domain/slip.ts'
import { nextOf } from '../store/counter.ts'
import type { Reader, Tx } from '../store/store.ts'
import type { RoundRow, SlipRow, TableRow } from '../store/tables/casino.ts'
import type { Casino, Tenant } from './casino.ts'
import { refuse } from './contract.ts'
import { saveSlip, slipsOfRound } from './queries/bets.ts'
import { playerOf, savePlayer } from './queries/players.ts'
import { insertRound, roundOf, saveRound, saveShoe, shoeOf } from './queries/rounds.ts'
import { tableOf } from './queries/tables.ts'
import { appendRecord } from './records.ts'
import type { Round } from './shapes.ts'
import { entryOf } from './slips.ts'
import { toRound } from './views.ts'
import { tellOfRound } from './webhooks.ts'

/** How long after its first settlement a round may still be corrected or voided. Later, the original stands. */
export const guardrailMs = 24 * 3_600_000

/** A table with what its game and its settings are. */
export interface OpenTable {
  readonly row: TableRow
  readonly game: Game
  readonly settings: TableSettings
}

/** The table of that id, ready to be dealt at, or NOT_FOUND. */
export async function openTable(reader: Reader, environment: TableRow['environment'], id: string): Promise<OpenTable> {
  const row = await tableOf(reader, environment, id)
  if (!row) throw refuse('NOT_FOUND', `There is no table ${id}`)
  return { row, game: games[row.game], settings: JSON.parse(row.settings) }
}

/** Opens the next round at a table for bets. The shoe is changed when too little of it is left. */
export async function openRound(app: Casino, tx: Tx, table: OpenTable): Promise<RoundRow> {
  const { row, game } = table
  const last = await shoeOf(tx, row.environment, row.table_id)
  const isFresh = !last || isSpent(game.shoe, last.cards.length / 2) || last.round === game.shoe.roundsPerShoe
  const shoe = isFresh
    ? {
        environment: row.environment,
        table_id: row.table_id,
        shoe: String(await nextOf(tx, `casino/shoes/${row.environment}/${row.table_id}`)),
        round: 1,
        cards: shuffled(decks(game.shoe.decks), app.random).join(''),
      }
    : { ...last, round: last.round + 1 }
  await saveShoe(tx, shoe)
  const round: RoundRow = {
    id: app.id(),
    environment: row.environment,
    table_id: row.table_id,
    game: row.game,
    shoe: game.shoe.isNumbered ? shoe.shoe : '',
    round: shoe.round,
    status: 'open',
    code: null,
    card_info: null,
    result: null,
    complete: null,
    rev: 0,
    opened_at: tx.now,
    closes_at: tx.now + row.bet_seconds * 1000,
    settled_at: null,
  }
  await insertRound(tx, round)
  return round
}

/** Deals the round's cards from the front of the table's shoe. */
export async function dealt(tx: Tx, table: OpenTable, seating: Seating): Promise<Outcome> {
  const shoe = await shoeOf(tx, table.row.environment, table.row.table_id)
  const cards: Card[] | null = shoe ? cardsOf(shoe.cards) : null
  assert(shoe && cards, 'an open round has a shoe')
  const deal = table.game.deal(cards, seating)
  await saveShoe(tx, { ...shoe, cards: cards.slice(deal.used).join('') })
  return deal.outcome
}

/** What a reported result means at a table; INVALID_PARAMETER when it cannot be. */
export function outcomeOf(table: OpenTable, report: Report, seating: Seating): Outcome {
  const outcome = table.game.read(report, seating)
  if (isNo(outcome)) throw refuse('INVALID_PARAMETER', outcome.because, { reason: outcome.no })
  return outcome
}

/** What became of a round: its row, the slips' newest revisions, or why the change was not let through. */
export interface RoundChange {
  readonly round: RoundRow
  readonly records: readonly string[]
  readonly disputed?: string
}

/** Settles an open round: every slip gets its first revision and every player their payout. */
export async function settleRound(
  app: Casino,
  tx: Tx,
  table: OpenTable,
  id: string,
  outcome: Outcome,
): Promise<RoundChange> {
  const round = await theRound(tx, id)
  assert(round.status === 'open' || round.status === 'closed', 'only an open round is settled')
  const slips = await slipsOfRound(tx, id)
  const settled = await saveResult(tx, round, outcome, { status: 'settled', settled_at: tx.now })
  const revisions = settlements(table, outcome, slips).map(firstSettlement)
  return { round: settled, records: await write(app, tx, settled, slips, revisions) }
}

/**
 * Settles a round again under a corrected result: every slip gets a new revision. Outside the guardrails the original
 * stands and the round is marked as disputed.
 */
export async function correctRound(
  app: Casino,
  tx: Tx,
  table: OpenTable,
  id: string,
  outcome: Outcome,
): Promise<RoundChange> {
  const round = await theRound(tx, id)
  const slips = await slipsOfRound(tx, id)
  const revisions = settlements(table, outcome, slips).map((settlement, i) =>
    recalculation(previousOf(slips[i]), settlement),
  )
  const objection = await objectionTo(tx, round, slips, revisions)
  if (objection !== null) return dispute(tx, round, objection)
  const corrected = await saveResult(tx, round, outcome, { status: 'settled' })
  return { round: corrected, records: await write(app, tx, corrected, slips, revisions as Revision[]) }
}

/** Voids a round, before or after it was settled: every stake comes back. Outside the guardrails the original stands. */
export async function voidRound(app: Casino, tx: Tx, id: string): Promise<RoundChange> {
  const round = await theRound(tx, id)
  const slips = await slipsOfRound(tx, id)
  const revisions = slips.map((slip) =>
    voiding(slip.rev === 0 ? null : previousOf(slip), entryOf(slip).bets, slip.game === 'holdem'),
  )
  const objection = await objectionTo(tx, round, slips, revisions)
  if (objection !== null) return dispute(tx, round, objection)
  const change = { status: 'void' as const, rev: round.rev + 1 }
  await saveRound(tx, id, change)
  const voided = { ...round, ...change }
  return { round: voided, records: await write(app, tx, voided, slips, revisions as Revision[]) }
}

/** Marks a round as disputed: its result and amounts stay as they are. */
export async function dispute(tx: Tx, round: RoundRow, because: string): Promise<RoundChange> {
  if (round.status === 'settled') await saveRound(tx, round.id, { status: 'disputed' })
  return {
    round: { ...round, status: round.status === 'settled' ? 'disputed' : round.status },
    records: [],
    disputed: because,
  }
}

/** The round of that id, or ROUND_NOT_FOUND. */
export async function theRound(reader: Reader, id: string): Promise<RoundRow> {
  const round = await roundOf(reader, id)
  if (!round) throw refuse('ROUND_NOT_FOUND', `There is no round ${id}`)
  return round
}

/** Why a change of a round cannot be let through, or `null`. */
async function objectionTo(
  tx: Tx,
  round: RoundRow,
  slips: readonly SlipRow[],
  revisions: readonly (Revision | 'void-is-final')[],
): Promise<string | null> {
  if (round.status === 'void' || revisions.includes('void-is-final')) return 'nothing follows a void'
  if (round.status === 'disputed') return 'the round is disputed already'
  if (round.settled_at !== null && tx.now - round.settled_at > guardrailMs)
    return 'the round was settled more than 24 hours ago'
  for (const [i, slip] of slips.entries()) {
    const revision = revisions[i]
    if (slip.onsite === 1 || revision === undefined || revision === 'void-is-final') continue
    const player = await playerOf(tx, slip.player_id)
    if (player && parseAmount(player.balance) + revision.delta < 0n)
      return `the balance of ${player.username} does not cover what would be taken back`
  }
  return null
}

async function saveResult(tx: Tx, round: RoundRow, outcome: Outcome, change: Partial<RoundRow>): Promise<RoundRow> {
  const result = {
    code: outcome.code,
    card_info: outcome.cardInfo,
    result: outcome.result === null ? null : JSON.stringify(outcome.result),
    complete: outcome.complete ? 1 : 0,
    rev: round.rev + 1,
    ...change,
  }
  await saveRound(tx, round.id, result)
  return { ...round, ...result }
}

function settlements(table: OpenTable, outcome: Outcome, slips: readonly SlipRow[]): readonly Settlement[] {
  const entries: Entry[] = slips.map(entryOf)
  const settled = table.game.settle(outcome, entries, table.settings)
  if (isNo(settled)) throw refuse('INVALID_PARAMETER', settled.because, { reason: settled.no })
  return settled
}

/** A slip's latest revision, as far as the next one needs it. */
function previousOf(slip: SlipRow | undefined): Revision {
  assert(slip && slip.status !== 'placed', 'the slip has been settled')
  return {
    legs: [],
    stake: parseAmount(slip.stake),
    hold: parseAmount(slip.hold),
    validStake: parseAmount(slip.valid_stake),
    rolling: parseAmount(slip.rolling),
    payout: parseAmount(slip.payout),
    winLoss: parseAmount(slip.win_loss),
    rake: parseAmount(slip.rake),
    result: JSON.parse(slip.result),
    rev: slip.rev,
    status: slip.status,
    delta: 0n,
  }
}

/** Writes one revision of every slip: its amounts, the player's balance, and the record that the tenant reads. */
async function write(
  app: Casino,
  tx: Tx,
  round: RoundRow,
  slips: readonly SlipRow[],
  revisions: readonly Revision[],
): Promise<string[]> {
  const records: string[] = []
  for (const [i, slip] of slips.entries()) {
    const revision = revisions[i]
    assert(revision, 'every slip of a round has its revision')
    const change: Partial<SlipRow> = {
      rev: revision.rev,
      status: revision.status,
      valid_stake: formatAmount(revision.validStake),
      rolling: formatAmount(revision.rolling),
      payout: formatAmount(revision.payout),
      win_loss: formatAmount(revision.winLoss),
      rake: formatAmount(revision.rake),
      result: JSON.stringify(revision.result),
      first_settled_at: slip.first_settled_at ?? tx.now,
      settled_at: tx.now,
    }
    await saveSlip(tx, slip.id, change)
    if (slip.onsite === 0) await addToBalance(tx, slip.player_id, revision.delta)
    records.push(await appendRecord(tx, { ...slip, ...change }, round, revision))
  }
  await tellOfRound(tx, round, slips, records)
  app.log.debug({ round: round.id, rev: round.rev, slips: slips.length }, 'round written')
  return records
}

async function addToBalance(tx: Tx, playerId: string, delta: bigint): Promise<void> {
  if (delta === 0n) return
  const player = await playerOf(tx, playerId)
  assert(player, 'a slip belongs to a player')
  await savePlayer(tx, playerId, { balance: formatUnits(parseAmount(player.balance) + delta, playerScale) })
}

/** A round as the tenant may see it: dealt in its environment, and settled. */
export function readRound(app: Casino, tenant: Tenant, id: string): Promise<Round> {
  return app.store.read(async (reader) => {
    const round = await theRound(reader, id)
    if (round.environment !== tenant.environment) throw refuse('ROUND_NOT_FOUND', `There is no round ${id}`)
    return toRound(readable(round))
  })
}

/** A round in a state that can be told, or ROUND_NOT_FOUND. */
export function readable(round: RoundRow): RoundRow & { status: Round['status'] } {
  const { status } = round
  if (status === 'open' || status === 'closed') throw refuse('ROUND_NOT_FOUND', `Round ${round.id} is not settled`)
  return { ...round, status }
}
