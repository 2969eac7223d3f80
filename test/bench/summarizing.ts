import { join } from 'node:path'
import { tenantSigner } from '../../src/http/client/signers.ts'
import { inProcess, signed } from '../../src/http/client/transport.ts'
import { createTenant } from '../../src/services/casino/admin/index.ts'
import { openWorld } from '../../src/world/world.ts'
import { median, workbench } from '../support/program/processes.ts'
import { count, figure, isQuick } from './bench.ts'
import { insertGenerated } from './generated.ts'

/** CPU time of a request, and the longest time for which it blocked the event loop, both in milliseconds. */
export interface Load {
  readonly cpu: number
  readonly stretch: number
}

/** Measures a request in this process: its work and that of the client. */
export async function loadOf(work: () => Promise<unknown>): Promise<Load> {
  let [stretch, isOver] = [0, false]
  let last = performance.now()
  const watch = () => {
    const now = performance.now()
    stretch = Math.max(stretch, now - last)
    last = now
    if (!isOver) setImmediate(watch)
  }
  setImmediate(watch)
  const before = process.cpuUsage()
  last = performance.now()
  await work()
  const { user, system } = process.cpuUsage(before)
  isOver = true
  return { cpu: (user + system) / 1000, stretch }
}

/** Returns the CPU time of a request in this process, in milliseconds, without measuring the event loop. */
export async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

/** A world in a file with a tenant, and a client for it. */
export async function aBenchWorld(folder: string, at: number) {
  const world = await openWorld({
    db: join(folder, 'world.db'),
    seed: 'bench',
    machineNow: () => at,
    rateLimits: false,
  })
  const { live } = await createTenant(world.casino, {
    ...{ code: 'ACME', plan: 'paid', timezone: 'Asia/Taipei', currency: 'USD', currencies: [] },
  })
  const random = (size: number) => crypto.getRandomValues(new Uint8Array(size))
  const transport = signed(inProcess(world.server), tenantSigner({ ...live, now: () => at, random }))
  const get = async (path: string) => {
    const { status, body } = await transport({ method: 'GET', path: `/api/tenant/v1${path}`, headers: {} })
    if (status !== 200) throw new Error(`${status} ${body.slice(0, 200)}`)
    return body
  }
  return { world, get }
}

/** Measures `GET /bets/summary` of a day of 100,000 slips of 5,000 players. */
export async function summarizing(): Promise<void> {
  const { folder, done } = workbench('summary')
  const slips = isQuick ? 10_000 : 100_000
  const from = Date.parse('2026-03-09T16:00:00.000Z')
  const to = from + 86_400_000
  const { world, get } = await aBenchWorld(folder, to)
  await world.store.write((tx) => insertGenerated(tx, { tenant: 'ACME', slips, players: slips / 20, from, to }))
  const counting = await loadOf(() => get('/bets/summary?date=2026-03-10'))
  const loads: Load[] = []
  for (let turn = 0; turn < 15; turn++) loads.push(await loadOf(() => get('/bets/summary?date=2026-03-10')))
  await world.close()
  const cpu = median(loads.map((load) => load.cpu))
  const stretch = median(loads.map((load) => load.stretch))
  figure({
    what: `GET /bets/summary of a day of ${count(slips)} slips and ${count(slips / 20)} players`,
    measured: `${cpu.toFixed(0)} ms of processor time, at most ${stretch.toFixed(1)} ms without a pause`,
    baseline: `the first request for a day without running sums ${counting.cpu.toFixed(0)} ms, ${counting.stretch.toFixed(1)} ms`,
    goal: 'at most 50 ms, and 10 ms',
    isMet: cpu <= 50 && stretch <= 10,
  })
  done()
}
