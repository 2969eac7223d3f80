import type { PeriodicJob } from '../../../db/periodic-job.ts'
import type { Reader } from '../../../db/store.ts'
import { liveTables, roundsWithSlips } from '../queries/live.ts'
import type { Casino } from '../service.ts'
import { runTable, tablesWithWork } from './dealer.ts'
import { latenessOf } from './timing.ts'

/**
 * Periodic job of the live tables. A moved clock stops at every moment at which a bet waits for something. Rounds
 * without bets are not played one by one, or a day would take an hour.
 */
export function liveTablesJob(app: Casino): PeriodicJob {
  return {
    name: 'casino: deal live tables',
    nextRun,
    run: async (limit) => {
      const keys = await app.store.read(tablesWithWork)
      let done = 0
      for (const key of keys.slice(0, limit)) if (await runTable(app, key)) done += 1
      return done
    },
  }
}

async function nextRun(reader: Reader): Promise<number | undefined> {
  const running = (await liveTables(reader)).filter((row) => row.phase !== 'idle' && row.phase !== 'result')
  const withBets = await roundsWithSlips(
    reader,
    running.flatMap((row) => row.round_id ?? []),
  )
  const moments = running.flatMap((row) => {
    if (row.due_at === null || row.round_id === null || !withBets.has(row.round_id)) return []
    return latenessOf(row.due_at, reader.now) === 'lost' ? [reader.now] : [row.due_at]
  })
  return moments.length === 0 ? undefined : Math.min(...moments)
}
