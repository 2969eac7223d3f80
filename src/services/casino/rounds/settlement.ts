import assert from 'node:assert/strict'
import type { PlayerRow, RoundRow, SlipRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { emptyRoundExpiry } from '../../../domain/account/plan-limits.ts'
import { firstSettlement, type Revision, recalculation, type Settlement, voiding } from '../../../domain/bets/slip.ts'
import { isNo, type Outcome } from '../../../domain/games/game.ts'
import { formatAmount, formatUnits, parseAmount, playerScale } from '../../../domain/money.ts'
import { Problem } from '../../../kit/problem.ts'
import { refuse } from '../api/contract.ts'
import { appendRecords, type RevisedSlip } from '../bets/bet-records.ts'
import { countRevisions } from '../bets/summary.ts'
import { saveSlips, slipsOfRound } from '../queries/bets.ts'
import { playersOf, saveBalances } from '../queries/players.ts'
import { saveRound, saveShoe, shoeOf } from '../queries/rounds.ts'
import { enqueueRoundEvent } from '../webhooks/events.ts'
import { wagerOf } from './placed-bets-column.ts'
import { type OpenTable, theRound } from './rounds.ts'

/**
 * Time after its first settlement in which a round can be corrected or voided. After that, the original result stands.
 */
export const guardrailMs = 24 * 3_600_000

/** A changed round: its row, the written records (JSON), or why the change was refused. */
export interface RoundChange {
  readonly round: RoundRow
  readonly records: readonly string[]
  readonly disputed?: string
}

/** Settles an open round: every slip gets its first revision and every player their payout. */
export async function settleRound(tx: Tx, table: OpenTable, id: string, outcome: Outcome): Promise<RoundChange> {
  const round = await theRound(tx, id)
  assert(round.status === 'open', 'only an open round can be settled')
  const settled = await settledSlips(tx, table, id, outcome)
  const revised = settled.map(({ slip, settlement }) => ({ slip, revision: firstSettlement(settlement) }))
  if (typeof outcome.button === 'number') await moveButton(tx, round, outcome.button)
  return write(tx, await saveResult(tx, round, outcome, { settledAt: tx.now, isEmpty: revised.length === 0 }), revised)
}

/**
 * Settles a round again under a corrected result: every slip gets a new revision, changed or not. Outside of the
 * guardrails the original result is kept and the round is marked as disputed.
 */
export async function correctRound(tx: Tx, table: OpenTable, id: string, outcome: Outcome): Promise<RoundChange> {
  const round = await theRound(tx, id)
  if (round.status === 'open') throw new Problem('CONFLICT', `Round ${id} has no result yet to correct`)
  if (round.status === 'void') return dispute(tx, round, afterVoid)
  const revised: RevisedSlip[] = []
  for (const { slip, settlement } of await settledSlips(tx, table, id, outcome)) {
    const revision = recalculation(lastRevision(slip), settlement)
    assert(revision !== 'void-is-final', 'a slip is void only together with its round')
    revised.push({ slip, revision })
  }
  const refusal = await refusalOf(tx, round, revised)
  if (refusal !== null) return dispute(tx, round, refusal)
  const options = { settledAt: round.settled_at, isEmpty: revised.length === 0 }
  return write(tx, await saveResult(tx, round, outcome, options), revised)
}

/**
 * Voids a round, before or after it was settled: every stake is returned. Outside of the guardrails the original result
 * is kept.
 */
export async function voidRound(tx: Tx, id: string): Promise<RoundChange> {
  const round = await theRound(tx, id)
  if (round.status === 'void') return dispute(tx, round, afterVoid)
  const revised: RevisedSlip[] = []
  for (const slip of await slipsOfRound(tx, id)) {
    const last = slip.status === 'placed' ? null : lastRevision(slip)
    const revision = voiding(last, wagerOf(slip).bets, slip.game === 'holdem')
    assert(revision !== 'void-is-final', 'a slip is void only together with its round')
    revised.push({ slip, revision })
  }
  const refusal = await refusalOf(tx, round, revised)
  if (refusal !== null) return dispute(tx, round, refusal)
  const change = { status: 'void', rev: round.rev + 1, forget_at: forgetAt(tx, round, revised.length === 0) } as const
  await saveRound(tx, id, change)
  return write(tx, { ...round, ...change }, revised)
}

const afterVoid = 'nothing follows a void'

/** Marks a settled round as disputed: its result and amounts stay as they are. */
export async function dispute(tx: Tx, round: RoundRow, because: string): Promise<RoundChange> {
  if (round.status !== 'settled') return { round, records: [], disputed: because }
  await saveRound(tx, round.id, { status: 'disputed' })
  return { round: { ...round, status: 'disputed' }, records: [], disputed: because }
}

/** Returns why the guardrails refuse a change of a round, or `null`. */
async function refusalOf(tx: Tx, round: RoundRow, revised: readonly RevisedSlip[]): Promise<string | null> {
  if (round.status === 'disputed') return 'the round is already disputed'
  if (round.settled_at !== null && tx.now - round.settled_at > guardrailMs)
    return 'the round was settled more than 24 hours ago'
  const poor = (await playersAfter(tx, revised)).find((player) => parseAmount(player.balance) < 0n)
  return poor ? `the balance of ${poor.username} is lower than the amount to take back` : null
}

function forgetAt({ now }: Tx, { environment }: RoundRow, isEmpty: boolean): number | null {
  return isEmpty ? emptyRoundExpiry(now, environment) : null
}

/** Stores the button for the next hand at the table. */
async function moveButton(tx: Tx, { environment, table_id }: RoundRow, button: number): Promise<void> {
  const shoe = await shoeOf(tx, environment, table_id)
  if (shoe) await saveShoe(tx, { ...shoe, button })
}

async function saveResult(
  tx: Tx,
  round: RoundRow,
  outcome: Outcome,
  { settledAt, isEmpty }: { readonly settledAt: number | null; readonly isEmpty: boolean },
): Promise<RoundRow> {
  const change = {
    status: 'settled',
    code: outcome.code,
    card_info: outcome.cardInfo,
    result: outcome.result === null ? null : JSON.stringify(outcome.result),
    complete: outcome.complete ? 1 : 0,
    rev: round.rev + 1,
    settled_at: settledAt,
    button: outcome.button ?? null,
    forget_at: forgetAt(tx, round, isEmpty),
  } as const
  await saveRound(tx, round.id, change)
  return { ...round, ...change }
}

/** Settles every slip of a round by an outcome; throws INVALID_PARAMETER when they cannot be of one round. */
async function settledSlips(tx: Tx, table: OpenTable, id: string, outcome: Outcome) {
  const slips = await slipsOfRound(tx, id)
  // Without bets there is nothing to settle; a no-limit game would miss its seats.
  if (slips.length === 0) return []
  const settled = table.game.settle(outcome, slips.map(wagerOf), table.settings)
  if (isNo(settled)) throw refuse('INVALID_PARAMETER', settled.because, { reason: settled.no })
  return slips.map((slip, i): { slip: SlipRow; settlement: Settlement } => {
    const settlement = settled[i]
    assert(settlement, 'every slip of a round is settled')
    return { slip, settlement }
  })
}

/** Returns the parts of a slip's latest revision that the next one needs. */
function lastRevision(slip: SlipRow): Revision {
  assert(slip.status !== 'placed', 'the slip has been settled')
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

/**
 * Writes one revision of every slip: the players' balances, the slips' amounts, the sums of their days, and the tenants'
 * records.
 */
async function write(tx: Tx, round: RoundRow, revised: readonly RevisedSlip[]): Promise<RoundChange> {
  await saveBalances(tx, await playersAfter(tx, revised))
  const after = revised.map(({ slip, revision }) => ({ slip: slipAfter(slip, revision, tx.now), revision }))
  await countRevisions(
    tx,
    after.map(({ slip }, i) => ({ before: revised[i]?.slip ?? null, after: slip })),
  )
  await saveSlips(
    tx,
    after.map(({ slip }) => slip),
  )
  const records = await appendRecords(tx, round, after)
  await enqueueRoundEvent(
    tx,
    round,
    after.map(({ slip }) => slip),
    records,
  )
  return { round, records }
}

function slipAfter(slip: SlipRow, revision: Revision, now: number): SlipRow {
  return {
    ...slip,
    rev: revision.rev,
    status: revision.status,
    valid_stake: formatAmount(revision.validStake),
    rolling: formatAmount(revision.rolling),
    payout: formatAmount(revision.payout),
    win_loss: formatAmount(revision.winLoss),
    rake: formatAmount(revision.rake),
    result: JSON.stringify(revision.result),
    first_settled_at: slip.first_settled_at ?? now,
    settled_at: now,
  }
}

/** Returns the players with their balances after the revisions. On-site seats play outside of any wallet. */
async function playersAfter(reader: Reader, revised: readonly RevisedSlip[]): Promise<PlayerRow[]> {
  const deltas = new Map<string, bigint>()
  for (const { slip, revision } of revised) if (slip.onsite === 0) deltas.set(slip.player_id, revision.delta)
  const moved = [...deltas].filter(([, delta]) => delta !== 0n).map(([id]) => id)
  const players = await playersOf(reader, moved)
  assert(players.length === moved.length, 'a slip belongs to a player')
  return players.map((player) => {
    const after = parseAmount(player.balance) + (deltas.get(player.id) ?? 0n)
    return { ...player, balance: formatUnits(after, playerScale) }
  })
}
