import { monthOf } from '../domain/cursor.ts'
import { formatAmount } from '../domain/money.ts'
import type { Revision } from '../domain/slip.ts'
import { nextOf } from '../store/counter.ts'
import type { Tx } from '../store/store.ts'
import type { RoundRow, SlipRow } from '../store/tables/casino.ts'
import { insertRecord, openMonthOf, saveOpenMonth } from './queries/bets.ts'
import type { BetRecord } from './shapes.ts'
import { toMoment } from './views.ts'

/** Writes a revision where the tenant's cursor will come by, and gives the record as JSON text. */
export async function appendRecord(tx: Tx, slip: SlipRow, round: RoundRow, revision: Revision): Promise<string> {
  const month = await monthToWrite(tx, slip.tenant)
  const sequence = await nextOf(tx, `casino/bets/${slip.tenant}/${month}`)
  const record = JSON.stringify(toBetRecord(sequence, slip, round, revision, tx.now))
  await insertRecord(tx, {
    tenant: slip.tenant,
    month,
    rec_seq: sequence,
    slip_id: slip.id,
    rev: revision.rev,
    round_id: round.id,
    settled_at: tx.now,
    record,
  })
  return record
}

/** The current UTC month, or a later one that records already go into: a reader may have left the earlier ones behind. */
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
    placedAt: toMoment(slip.placed_at),
    settledAt: toMoment(at),
  }
}
