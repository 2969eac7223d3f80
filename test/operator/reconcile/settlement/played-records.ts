import { createTable } from '../../../../src/services/casino/admin/index.ts'
import type { BetRecord } from '../../../../src/services/casino/api/schemas/index.ts'
import { play } from '../../../../src/services/casino/simulator/index.ts'
import { aCountRoom } from '../../reconcile-support.ts'

/**
 * Days with slips of every game, as a platform settles them. Without the settlement of the operator, so that a mutation run does
 * not play them again for each change.
 */

let played: Promise<BetRecord[]> | undefined

/**
 * Records of two days of every table, with corrections and voids: the first day is complete. Played once per worker.
 */
export function playedRecords(): Promise<BetRecord[]> {
  played ??= playRecords()
  return played
}

async function playRecords(): Promise<BetRecord[]> {
  const room = await aCountRoom({ start: '2026-03-11T12:00:00.000Z', timezone: 'UTC' })
  const tables = [
    { tableId: 'NN-05', settings: { commission: '0.05' } },
    { tableId: 'NN-06', settings: { holdFactor: 3 } },
  ]
  for (const { tableId, settings } of tables)
    await createTable(room.world.casino, 'ACME', { tableId, game: 'niuniu', settings })
  for (const { tableId } of (await room.client.tables({})).tables) await room.client.enableTable({ body: { tableId } })
  const order = { tenant: 'ACME', tables: [], rounds: 600, players: 5, days: 2, corrected: 600, voided: 400 }
  for await (const _ of play(room.world.casino, order));
  const records: BetRecord[] = []
  for (let cursor: string | undefined; ; ) {
    const from = '2026-03-01T00:00:00.000Z'
    const page = await room.client.bets({
      query: cursor === undefined ? { from, limit: 1000 } : { cursor, limit: 1000 },
    })
    records.push(...page.items)
    cursor = page.nextCursor
    if (!page.hasMore) return records
  }
}
