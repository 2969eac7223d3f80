import assert from 'node:assert/strict'
import { nextOf } from '../../../db/counter.ts'
import type { RoundRow, ShoeRow, TableRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { type Card, cardsOf, decks } from '../../../domain/games/cards.ts'
import {
  type Dealt,
  type Game,
  isNo,
  isSpent,
  type Outcome,
  type Report,
  type Seating,
  type TableSettings,
  type Variant,
  variantsOf,
} from '../../../domain/games/game.ts'
import { games } from '../../../domain/games/index.ts'
import { shuffled } from '../../../domain/games/shuffle.ts'
import { refuse } from '../api/contract.ts'
import type { Round } from '../api/schemas/index.ts'
import { toRound } from '../api/views.ts'
import { hasBetIn } from '../queries/bets.ts'
import { insertRound, roundOf, saveShoe, shoeOf } from '../queries/rounds.ts'
import { tableOf } from '../queries/tables.ts'
import { inBlocks } from '../random.ts'
import type { Casino, Tenant } from '../service.ts'
import { tableBefore } from '../tables/sharing.ts'

/** A table with its game and its settings. */
export interface OpenTable {
  readonly row: TableRow
  readonly game: Game
  readonly settings: TableSettings
}

/** Returns the table with this id, or throws NOT_FOUND. */
export async function openTable(reader: Reader, environment: TableRow['environment'], id: string): Promise<OpenTable> {
  const row = await tableOf(reader, environment, id)
  if (!row) throw refuse('NOT_FOUND', `There is no table ${id}`)
  return { row, game: games[row.game], settings: JSON.parse(row.settings) }
}

/** Returns a table as a tenant's players see it: with the tenant's own setting of side bets. */
export function asOffered(tenant: TenantRow, table: OpenTable): OpenTable {
  const choices: Readonly<Record<string, boolean>> = JSON.parse(tenant.side_bets ?? '{}')
  const sideBets = choices[table.row.table_id]
  return sideBets === undefined ? table : { ...table, settings: { ...table.settings, sideBets } }
}

/** Returns the variants of a table in order; the first is the default. */
export function variantsAt({ row }: OpenTable): readonly [Variant, ...Variant[]] {
  const known: readonly Variant[] = variantsOf[row.game]
  const names: readonly string[] = JSON.parse(row.variants)
  const [first, ...rest] = names.flatMap((name) => known.find((variant) => variant === name) ?? [])
  assert(first, 'a table offers at least one variant of its game')
  return [first, ...rest]
}

/** Opens the next round of a table for bets. The shoe is replaced when too few cards are left. */
export async function openRound(app: Casino, tx: Tx, { row, game }: OpenTable): Promise<RoundRow> {
  const last = await shoeOf(tx, row.environment, row.table_id)
  const needsCards = !last || isSpent(game.shoe, cardsLeft(last))
  const counted =
    last && !beginsShoe(game.shoe, last.round, needsCards)
      ? { shoe: last.shoe, round: last.round + 1 }
      : { shoe: await nextShoe(tx, row), round: 1 }
  const cards = needsCards ? freshCards(app, game).join('') : last.cards
  const shoe: ShoeRow = {
    environment: row.environment,
    table_id: row.table_id,
    ...counted,
    cards,
    button: last?.button ?? null,
  }
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
    button: null,
    forget_at: null,
  }
  await insertRound(tx, round)
  return round
}

/** A card code has two characters. */
function cardsLeft({ cards }: ShoeRow): number {
  return cards.length / 2
}

/**
 * Returns whether a new shoe number begins, which is not the same as new cards. A session of Niu Niu is a number of
 * rounds, each with a fresh deck, and hands of Hold'em are counted by table without end.
 */
function beginsShoe(shoe: Game['shoe'], lastRound: number, needsCards: boolean): boolean {
  if (shoe.roundsPerShoe !== null) return lastRound >= shoe.roundsPerShoe
  return shoe.isNumbered && needsCards
}

async function nextShoe(tx: Tx, { environment, table_id }: TableRow): Promise<string> {
  return String(await nextOf(tx, `casino/shoes/${environment}/${table_id}`))
}

/** Returns all cards of a game's shoe in a new order. */
export function freshCards(app: Casino, { shoe }: Game): Card[] {
  return shuffled(decks(shoe.decks), inBlocks(app.random))
}

/** Deals the round's cards from the front of the table's shoe, with the cards of each seat. */
export async function dealt(tx: Tx, { row, game }: OpenTable, seating: Seating): Promise<Dealt> {
  const shoe = await shoeOf(tx, row.environment, row.table_id)
  const cards: Card[] | null = shoe ? cardsOf(shoe.cards) : null
  assert(shoe && cards, 'an open round has a shoe')
  const deal = game.deal(cards, seating)
  await saveShoe(tx, { ...shoe, cards: cards.slice(deal.used).join('') })
  return deal
}

/** Interprets a reported result at a table; throws INVALID_PARAMETER when it is impossible. */
export function outcomeOf(table: OpenTable, report: Report, seating: Seating): Outcome {
  const outcome = table.game.read(report, seating)
  if (isNo(outcome)) throw refuse('INVALID_PARAMETER', outcome.because, { reason: outcome.no })
  return outcome
}

/** Returns the round with this id, or throws ROUND_NOT_FOUND. */
export async function theRound(reader: Reader, id: string): Promise<RoundRow> {
  const round = await roundOf(reader, id)
  if (!round) throw refuse('ROUND_NOT_FOUND', `There is no round ${id}`)
  return round
}

/** Returns a round for a tenant: dealt in its environment, at a table available to it or with its bets, and settled. */
export function readRound(app: Casino, tenant: Tenant, id: string): Promise<Round> {
  return app.store.read(async (reader) => {
    const round = await theRound(reader, id)
    const isThere =
      round.environment === tenant.environment &&
      ((await tableBefore(reader, tenant, round.table_id)) !== undefined || (await hasBetIn(reader, tenant.code, id)))
    if (!isThere) throw refuse('ROUND_NOT_FOUND', `There is no round ${id}`)
    return toRound(readable(round))
  })
}

/** Returns a round in a public state, or throws ROUND_NOT_FOUND. */
export function readable(round: RoundRow): RoundRow & { status: Round['status'] } {
  const { status } = round
  if (status === 'open') throw refuse('ROUND_NOT_FOUND', `Round ${round.id} is not settled`)
  return { ...round, status }
}
