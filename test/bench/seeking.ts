import { median, workbench } from '../support/program/processes.ts'
import { count, figure, isQuick } from './bench.ts'
import { insertGenerated } from './generated.ts'
import { aBenchWorld, cpuOf } from './summarizing.ts'

/** Measures `GET /bets?from=` on the first days of a month of a million records. */
export async function seeking(): Promise<void> {
  const { folder, done } = workbench('seek')
  const slips = isQuick ? 100_000 : 1_000_000
  const from = Date.parse('2026-03-01T00:00:00.000Z')
  const to = Date.parse('2026-03-31T00:00:00.000Z')
  const { world, get } = await aBenchWorld(folder, to)
  const parts = slips / 50_000
  const step = (to - from) / parts
  for (let i = 0; i < parts; i++) {
    const span = { from: from + step * i, to: from + step * (i + 1), first: i * 50_000 + 1 }
    const order = { tenant: 'ACME', slips: 50_000, players: 5_000, ...span }
    await world.store.write((tx) => insertGenerated(tx, order, '202603'))
  }
  const loads: number[] = []
  for (let turn = 0; turn < 25; turn++)
    loads.push(await cpuOf(() => get(`/bets?limit=1&from=${new Date(from + (turn + 1) * 3_601_000).toISOString()}`)))
  await world.close()
  const cpu = median(loads)
  figure({
    what: `GET /bets?from= in a month of ${count(slips)} records, one record`,
    measured: `${cpu.toFixed(1)} ms of processor time`,
    baseline: 'none',
    goal: 'at most 5 ms',
    isMet: cpu <= 5,
  })
  done()
}
