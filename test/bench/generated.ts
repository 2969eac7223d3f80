import type { BetRecordRow, SlipRow } from '../../src/db/schema/casino.ts'
import type { Tx } from '../../src/db/store.ts'
import { insertRecords, insertSlips, saveMinute } from '../../src/services/casino/queries/bets.ts'

/** Worlds written directly into the database: dealing the same number of slips takes a hundred times as long. */

export interface Generated {
  readonly tenant: string
  readonly slips: number
  readonly players: number
  /** First settlement of the first slip and of the one after the last, epoch milliseconds. */
  readonly from: number
  readonly to: number
  /** First record number; the slips' numbers follow. */
  readonly first?: number
}

/** Returns settled slips spread evenly over players and time, without their legs. */
export function* generatedSlips({ tenant, slips, players, from, to, first = 1 }: Generated): Generator<SlipRow> {
  for (let i = 0; i < slips; i++) {
    const at = from + Math.floor(((to - from) * i) / slips)
    const player = (i * 7919) % players
    const isWon = i % 3 === 0
    yield {
      id: `s${String(first + i).padStart(12, '0')}`,
      tenant,
      player_id: `p${player}`,
      username: `player${String(player).padStart(6, '0')}`,
      currency: 'USD',
      round_id: `r${String(first + i).padStart(12, '0')}`,
      table_id: 'BAC-01',
      game: 'baccarat',
      variant: 'classic',
      placed: '{"bets":[{"zone":"P","amount":"10.5"}]}',
      placed_at: at - 15_000,
      rev: 1,
      status: 'settled',
      stake: '10.5',
      hold: '0',
      valid_stake: '10.5',
      rolling: '10.5',
      payout: isWon ? '21' : '0',
      win_loss: isWon ? '10.5' : '-10.5',
      rake: '0',
      result: '{"code":"P","cardInfo":"QD3D4C3SAH--"}',
      onsite: 0,
      first_settled_at: at,
      settled_at: at,
    }
  }
}

/** Returns the record of a generated slip, in the form of GET /bets. */
export function generatedRecord(slip: SlipRow, seq: number, month: string): BetRecordRow {
  const at = slip.settled_at ?? 0
  const record = {
    ...{ recSeq: seq, slipId: slip.id, rev: 1, status: 'settled', username: slip.username, currency: slip.currency },
    ...{ tableId: slip.table_id, game: slip.game, variant: slip.variant, roundId: slip.round_id, shoe: '1', round: 1 },
    bets: [{ zone: 'P', amount: slip.stake, return: slip.payout }],
    ...{ stake: slip.stake, validStake: slip.valid_stake, rolling: slip.rolling, payout: slip.payout },
    ...{ winLoss: slip.win_loss, delta: slip.payout, result: { code: 'P', cardInfo: 'QD3D4C3SAH--' } },
    ...{ placedAt: new Date(slip.placed_at).toISOString(), settledAt: new Date(at).toISOString() },
  }
  return {
    ...{ tenant: slip.tenant, month, rec_seq: seq, slip_id: slip.id, rev: 1, round_id: slip.round_id },
    ...{ settled_at: at, record: JSON.stringify(record) },
  }
}

/** Last saved minute: its query is not repeated for every slip. */
let lastMinute = ''

async function saveMinuteOf(tx: Tx, { tenant, settled_at }: SlipRow, seq: number, month: string): Promise<void> {
  const minute = `${tenant} ${month} ${Math.floor((settled_at ?? 0) / 60_000)}`
  if (minute !== lastMinute) await saveMinute(tx, tenant, month, settled_at ?? 0, seq)
  lastMinute = minute
}

/** Writes slips and, with a month, their records. */
export async function insertGenerated(tx: Tx, order: Generated, month?: string): Promise<void> {
  let part: SlipRow[] = []
  let seq = order.first ?? 1
  const flush = async () => {
    await insertSlips(tx, part)
    if (month !== undefined) {
      for (const [i, slip] of part.entries()) await saveMinuteOf(tx, slip, seq + i, month)
      await insertRecords(
        tx,
        part.map((slip, i) => generatedRecord(slip, seq + i, month)),
      )
      seq += part.length
    }
    part = []
  }
  for (const slip of generatedSlips(order)) if (part.push(slip) === 10_000) await flush()
  await flush()
}
