import assert from 'node:assert/strict'
import type { LiveTableRow, RoundRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { isSpent, type Outcome, type Stage } from '../../../domain/games/game.ts'
import type { BetRecord } from '../api/schemas/index.ts'
import { slipsOfRound } from '../queries/bets.ts'
import { allTables, isLiveOn, liveTableOf, liveTables, visibleTables } from '../queries/live.ts'
import { saveRound, saveShoe, shoeOf } from '../queries/rounds.ts'
import { dealt, freshCards, type OpenTable, openRound, openTable } from '../rounds/rounds.ts'
import { type RoundChange, settleRound, voidRound } from '../rounds/settlement.ts'
import type { Casino } from '../service.ts'
import { changingTable } from '../write-groups.ts'
import { afterTimeout, dealSeats, endHand } from './no-limit.ts'
import { type LiveResult, type LiveState, noState } from './state.ts'
import { isNoLimit, type LiveTable, liveTable, roundIdOf, save, type TableKey } from './table.ts'
import { decisionMs, latenessOf, resultMs, revealMs } from './timing.ts'
import { dealInto, refundSlip } from './uncommitted-chips.ts'

/** The dealer of the live tables: each step of a table is one transaction. */

/** Returns the tables with a due step. */
export async function tablesWithWork(reader: Reader): Promise<TableKey[]> {
  const rows = new Map((await liveTables(reader)).map((row) => [`${row.environment}/${row.table_id}`, row]))
  const isOn = await isLiveOn(reader)
  if (!isOn && rows.size === 0) return []
  const shown = isOn ? await visibleTables(reader) : new Set<string>()
  return (await allTables(reader)).filter((table) => {
    const key = `${table.environment}/${table.table_id}`
    return nextStep(rows.get(key), shown.has(key), table.status, reader.now) !== 'wait'
  })
}

type Step = 'wait' | 'open' | 'rest' | 'void' | 'recover' | 'move'

/**
 * Returns the next step of a table, if any. `isEnabled`: tables are dealt live, and some tenant has this one enabled.
 */
function nextStep(
  row: LiveTableRow | undefined,
  isEnabled: boolean,
  status: 'open' | 'maintenance',
  now: number,
): Step {
  const opens = isEnabled && status === 'open'
  if (!row || row.phase === 'idle') return opens ? 'open' : 'wait'
  // Under maintenance: no card was dealt, so every stake is returned at once. A dealt hand is played to its end.
  if (row.phase === 'betting' && status === 'maintenance') return 'void'
  const lateness = latenessOf(row.due_at ?? now, now)
  if (lateness === 'early') return 'wait'
  if (row.phase === 'result') return opens ? 'open' : 'rest'
  return lateness === 'lost' ? 'recover' : 'move'
}

/** Runs the due step of one table, or finds that another process has done it. */
export function runTable(app: Casino, key: TableKey): Promise<boolean> {
  return changingTable(app, { environment: key.environment, tableId: key.table_id }, async (tx) => {
    const table = await openTable(tx, key.environment, key.table_id)
    const row = await liveTableOf(tx, key.environment, key.table_id)
    const isEnabled = (await isLiveOn(tx)) && (await visibleTables(tx)).has(`${key.environment}/${key.table_id}`)
    const step = nextStep(row, isEnabled, table.row.status, tx.now)
    if (step === 'wait') return false
    const live = liveTable(table, row)
    if (step === 'open') await open(app, tx, live)
    else if (step === 'rest') await save(tx, live, 'idle', null, noState, null)
    else if (step === 'void') await voidDealing(app, tx, live)
    else if (step === 'recover') await recover(app, tx, live)
    else await moveOn(app, tx, live)
    return true
  })
}

async function open(app: Casino, tx: Tx, live: LiveTable): Promise<void> {
  const round = await openRound(app, tx, live.table)
  await save(tx, live, 'betting', round.closes_at, noState, round.id)
}

/** Handles a round whose time passed without a dealer. */
async function recover(app: Casino, tx: Tx, live: LiveTable): Promise<void> {
  const { row, table } = live
  const hasBets = (await slipsOfRound(tx, roundIdOf(live))).length > 0
  if (row.phase === 'dealing') return settle(app, tx, live)
  if (hasBets) return void (await voidDealing(app, tx, live))
  if (row.phase !== 'betting') return moveOn(app, tx, live)
  const closesAt = tx.now + table.row.bet_seconds * 1000
  await saveRound(tx, roundIdOf(live), { opened_at: tx.now, closes_at: closesAt })
  await save(tx, live, 'betting', closesAt, live.state)
}

function moveOn(app: Casino, tx: Tx, live: LiveTable): Promise<void> {
  switch (live.row.phase) {
    case 'betting':
      return closeBetting(app, tx, live)
    case 'deciding':
      return isNoLimit(live) ? afterTimeout(app, tx, live) : decideForAbsent(tx, live)
    case 'dealing':
      return settle(app, tx, live)
    case 'idle':
    case 'result':
      assert.fail('a table between rounds is opened or rests')
  }
}

async function closeBetting(app: Casino, tx: Tx, live: LiveTable): Promise<void> {
  const { table, variant } = live
  await freshenDeck(app, tx, table)
  if (isNoLimit(live)) return dealSeats(app, tx, live)
  const { settings } = table
  if (table.row.game === 'holdem') return dealHands(tx, live)
  const { outcome } = await dealt(tx, table, { variant, settings })
  await save(tx, live, 'dealing', tx.now + revealMs[table.row.game], { ...live.state, outcome })
}

/** Shuffles a deck again that was used since the round opened, for games with a deck per round. */
async function freshenDeck(app: Casino, tx: Tx, { row, game }: OpenTable): Promise<void> {
  const shoe = await shoeOf(tx, row.environment, row.table_id)
  assert(shoe, 'an open round has a shoe')
  if (game.shoe.decks !== 1 || !isSpent(game.shoe, shoe.cards.length / 2)) return
  await saveShoe(tx, { ...shoe, cards: freshCards(app, game).join('') })
}

/**
 * Deals two cards to every player who bet, and asks for the first decision. Without players a hand is dealt for the
 * viewers.
 */
async function dealHands(tx: Tx, live: LiveTable): Promise<void> {
  const { table, variant, state } = live
  const { settings } = table
  const slips = await slipsOfRound(tx, roundIdOf(live))
  const hands = await dealt(tx, table, { variant, settings, hands: Math.max(1, slips.length) })
  const seats = []
  for (const [i, slip] of slips.entries()) {
    const hole = hands.holes[i] ?? []
    await dealInto(tx, slip, { hole, folded: false, seat: i + 1 })
    seats.push({ seat: i + 1, playerId: slip.player_id, name: slip.username, hole })
  }
  const [first] = decisionsOf(live)
  const dealing = { ...state, seats, outcome: hands.outcome, decided: [], folded: [] }
  if (slips.length === 0 || !first) return save(tx, live, 'dealing', tx.now + revealMs.holdem, dealing)
  await save(tx, live, 'deciding', tx.now + decisionMs, { ...dealing, moment: first.moment })
}

/** Returns the stages at which players decide after seeing cards. */
export function decisionsOf({ table, variant }: LiveTable): readonly Stage[] {
  return table.game.stages(variant, table.settings).filter((stage) => stage.timesAnte !== undefined)
}

/**
 * Decides for players without an answer, so that they do not block the table: a fold first, a check at later stages.
 */
async function decideForAbsent(tx: Tx, live: LiveTable): Promise<void> {
  const { state } = live
  const isFirst = state.moment === decisionsOf(live)[0]?.moment
  const silent = stillIn(state).filter((id) => !state.decided?.includes(id))
  const folded = isFirst ? [...(state.folded ?? []), ...silent] : state.folded
  await askNext(tx, live, { ...state, ...(folded ? { folded } : {}) })
}

/** Returns the players who have not folded. */
export function stillIn(state: LiveState): string[] {
  return state.seats.flatMap(({ playerId }) => (playerId && !state.folded?.includes(playerId) ? [playerId] : []))
}

/** Asks the remaining players at the next stage, or shows the cards when there is none. */
export async function askNext(tx: Tx, live: LiveTable, state: LiveState): Promise<void> {
  const stages = decisionsOf(live)
  const next = stages[stages.findIndex((stage) => stage.moment === state.moment) + 1]
  const { moment: _, ...done } = state
  if (!next || stillIn(state).length === 0)
    return save(tx, live, 'dealing', tx.now + revealMs.holdem, { ...done, decided: [] })
  await save(tx, live, 'deciding', tx.now + decisionMs, { ...state, moment: next.moment, decided: [] })
}

async function settle(app: Casino, tx: Tx, live: LiveTable): Promise<void> {
  const { table, state } = live
  const outcome = isNoLimit(live) ? await endHand(app, tx, live) : state.outcome
  assert(outcome, 'a round to settle must have been dealt')
  const { records } = await settleRound(tx, table, roundIdOf(live), outcome)
  await showResult(tx, live, records)
}

/** Voids the round: every stake is returned, and the chips of a no-limit hand too. */
async function voidDealing(app: Casino, tx: Tx, live: LiveTable): Promise<RoundChange> {
  if (isNoLimit(live) && live.state.hand) await endHand(app, tx, live)
  // Chips that were not put in yet are not a bet: they are returned and leave no slip.
  else if (isNoLimit(live)) for (const slip of await slipsOfRound(tx, roundIdOf(live))) await refundSlip(tx, slip)
  const change = await voidRound(tx, roundIdOf(live))
  await showResult(tx, live, change.records)
  return change
}

/** Cancels a round that a table is dealing, or finds that none is dealing it. */
export async function cancelDealing(app: Casino, tx: Tx, round: RoundRow): Promise<RoundChange | undefined> {
  const live = await dealing(tx, round)
  return live && live.row.phase !== 'result' ? voidDealing(app, tx, live) : undefined
}

/** Shows the players a changed round if its result is on display, for the usual time. */
export async function showChange(tx: Tx, { round, records }: RoundChange, outcome?: Outcome): Promise<void> {
  const live = await dealing(tx, round)
  if (live?.row.phase !== 'result') return
  const shown = outcome ? { ...live, state: { ...live.state, outcome } } : live
  await showResult(tx, shown, records, live.row.due_at)
}

async function dealing(tx: Tx, { id, environment, table_id }: RoundRow): Promise<LiveTable | undefined> {
  const row = await liveTableOf(tx, environment, table_id)
  return row?.round_id === id ? liveTable(await openTable(tx, environment, table_id), row) : undefined
}

async function showResult(
  tx: Tx,
  live: LiveTable,
  records: readonly string[],
  until: number | null = tx.now + resultMs,
): Promise<void> {
  const { moment: _, decided: __, ...state } = live.state
  const players = new Map((await slipsOfRound(tx, roundIdOf(live))).map((slip) => [slip.id, slip.player_id]))
  const results = Object.fromEntries(
    records.map((text): [string, LiveResult] => {
      const record: BetRecord = JSON.parse(text)
      return [players.get(record.slipId) ?? '', toResult(record)]
    }),
  )
  await save(tx, live, 'result', until, { ...state, results })
}

function toResult(record: BetRecord): LiveResult {
  return {
    status: record.status,
    code: record.result.code,
    stake: record.stake,
    hold: record.hold ?? '0',
    payout: record.payout,
    winLoss: record.winLoss,
    returns: Object.fromEntries(record.bets.map((leg) => [leg.zone, leg.return])),
  }
}
