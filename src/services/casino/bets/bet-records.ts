import { nextRunOf } from '../../../db/counter.ts'
import type { BetRecordRow, RoundRow, SlipRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import { monthOf } from '../../../domain/bets/cursor.ts'
import type { Revision } from '../../../domain/bets/slip.ts'
import { formatAmount } from '../../../domain/money.ts'
import { writing } from '../../../http/contract/preserialized.ts'
import { momentText } from '../../../kit/moment.ts'
import { BetRecord } from '../api/schemas/index.ts'
import { insertRecords, openMonthOf, saveMinute, saveOpenMonth } from '../queries/bets.ts'

/** A slip after a revision, and that revision. */
export interface RevisedSlip {
  readonly slip: SlipRow
  readonly revision: Revision
}

/** A record is projected to the contract's schema here, once; GET /bets sends it as stored. */
const writeRecord = writing(BetRecord)

/**
 * Writes the records of revisions behind all cursors of the slips' tenants. Returns them as JSON, in the order of the
 * slips.
 */
export async function appendRecords(tx: Tx, round: RoundRow, revised: readonly RevisedSlip[]): Promise<string[]> {
  const rows: BetRecordRow[] = []
  for (const [tenant, own] of Map.groupBy(revised, ({ slip }) => slip.tenant)) {
    const month = await monthToWrite(tx, tenant)
    const first = await nextRunOf(tx, `casino/bets/${tenant}/${month}`, own.length)
    await saveMinute(tx, tenant, month, tx.now, first)
    for (const [i, { slip, revision }] of own.entries())
      rows.push({
        tenant,
        month,
        rec_seq: first + i,
        slip_id: slip.id,
        rev: revision.rev,
        round_id: round.id,
        settled_at: tx.now,
        record: writeRecord(toBetRecord(first + i, slip, round, revision, tx.now)),
      })
  }
  await insertRecords(tx, rows)
  const records = new Map(rows.map((row) => [row.slip_id, row.record]))
  return revised.map(({ slip }) => records.get(slip.id) ?? '')
}

/** Returns the current UTC month, or a later one that already has records: a reader may have left the earlier ones. */
async function monthToWrite(tx: Tx, tenant: string): Promise<string> {
  const current = monthOf(tx.now)
  const open = await openMonthOf(tx, tenant)
  if (open !== undefined && open >= current) return open
  await saveOpenMonth(tx, tenant, current)
  return current
}

function toBetRecord(recSeq: number, slip: SlipRow, round: RoundRow, revision: Revision, at: number): BetRecord {
  const { result } = revision
  const isHoldem = slip.game === 'holdem'
  return {
    recSeq,
    slipId: slip.id,
    rev: revision.rev,
    status: revision.status,
    username: slip.username,
    currency: slip.currency,
    tableId: slip.table_id,
    game: slip.game,
    variant: slip.variant,
    roundId: slip.round_id,
    shoe: round.shoe,
    round: round.round,
    bets: revision.legs.map((leg) => ({
      zone: leg.zone,
      amount: formatAmount(leg.amount),
      return: formatAmount(leg.return),
      ...(leg.hold === undefined ? {} : { hold: formatAmount(leg.hold) }),
      ...(leg.mult === undefined ? {} : { mult: leg.mult }),
    })),
    stake: formatAmount(revision.stake),
    ...(slip.game === 'niuniu' ? { hold: formatAmount(revision.hold) } : {}),
    validStake: formatAmount(revision.validStake),
    rolling: formatAmount(revision.rolling),
    payout: formatAmount(revision.payout),
    winLoss: formatAmount(revision.winLoss),
    delta: formatAmount(revision.delta),
    result: {
      code: result.code,
      cardInfo: result.cardInfo,
      ...(result.hands === undefined ? {} : { hands: result.hands }),
      ...(result.winners === undefined ? {} : { winners: result.winners }),
    },
    ...(isHoldem
      ? {
          rake: formatAmount(revision.rake),
          onsite: slip.onsite === 1,
          hand: { handId: slip.round_id, no: round.round, outcome: result.code, cards: result.cardInfo },
        }
      : {}),
    placedAt: momentText(slip.placed_at),
    settledAt: momentText(at),
  }
}
