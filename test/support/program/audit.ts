import type { BetRecordRow } from '../../../src/db/schema/casino.ts'
import type { Store } from '../../../src/db/store.ts'
import { parseAmount, sum } from '../../../src/domain/money.ts'

/**
 * Recomputes every balance from the transfers and slips, every payout from its revisions, and every month's sequence
 * from its records. Returns one sentence per discrepancy; an empty list means that the accounts are correct.
 */
export async function auditBalances(store: Store): Promise<string[]> {
  const { players, transfers, slips, rounds, records } = await store.read(async ({ q }) => ({
    players: await q.selectFrom('casino_players').selectAll().execute(),
    transfers: await q.selectFrom('casino_transfers').selectAll().execute(),
    slips: await q.selectFrom('casino_slips').selectAll().execute(),
    rounds: await q.selectFrom('casino_rounds').selectAll().execute(),
    records: await q.selectFrom('casino_bet_records').selectAll().orderBy('month').orderBy('rec_seq').execute(),
  }))
  const complaints: string[] = []
  const must = (isSo: boolean, complaint: string) => {
    if (!isSo) complaints.push(complaint)
  }
  const moved = Map.groupBy(transfers, (transfer) => transfer.player_id)
  const bet = Map.groupBy(
    slips.filter((slip) => slip.onsite === 0),
    (slip) => slip.player_id,
  )
  for (const player of players) {
    const transferred = sum((moved.get(player.id) ?? []).map((transfer) => parseAmount(transfer.change)))
    const played = (bet.get(player.id) ?? []).map(
      (slip) => parseAmount(slip.payout) - parseAmount(slip.stake) - parseAmount(slip.hold),
    )
    const due = transferred + sum(played)
    must(parseAmount(player.balance) === due, `${player.username} has ${player.balance}, but ${due} units are due`)
  }
  const written = Map.groupBy(records, (record) => record.slip_id)
  for (const slip of slips) {
    const revisions = (written.get(slip.id) ?? []).toSorted((a, b) => a.rev - b.rev)
    const deltas = sum(revisions.map((row) => parseAmount(JSON.parse(row.record).delta)))
    must(deltas === parseAmount(slip.payout), `the deltas of ${slip.id} do not add up to its payout ${slip.payout}`)
    must(
      revisions.every((row, i) => row.rev === i + 1) && revisions.length === slip.rev,
      `${slip.id} is at revision ${slip.rev} and has the records ${revisions.map((row) => row.rev)}`,
    )
  }
  const placed = Map.groupBy(slips, (slip) => slip.round_id)
  for (const round of rounds) {
    const isOpen = round.status === 'open'
    const open = (placed.get(round.id) ?? []).filter((slip) => (slip.status === 'placed') !== isOpen)
    must(open.length === 0, `round ${round.id} is ${round.status} and has slips that are not`)
  }
  return [...complaints, ...gapsIn(records)]
}

function gapsIn(records: readonly BetRecordRow[]): string[] {
  const series = Map.groupBy(records, (record) => `${record.tenant} ${record.month}`)
  return [...series].flatMap(([name, rows]) =>
    rows.every((row, i) => row.rec_seq === i + 1 && JSON.parse(row.record).recSeq === i + 1)
      ? []
      : [`the sequence of ${name} has gaps`],
  )
}
