import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Measured, measured, median, program, root, workbench } from '../support/processes.ts'
import { count, dealt, figure, isQuick, ms } from './bench.ts'

const from = new Date(Math.floor((Date.now() - 70 * 86_400_000) / 60_000) * 60_000).toISOString()

async function synced(slips: number, turn: number, folder: string, env: NodeJS.ProcessEnv): Promise<Measured> {
  const out = join(folder, `out-${slips}-${turn}`)
  const book = join(folder, `book-${slips}-${turn}.db`)
  const place = ['--out', out, '--book', book, '--profile', `p${slips}`]
  const args = ['bets', 'sync', ...place, '--from', from, '--rate-share', '100', '--quiet']
  const result = await measured([program, ...args], env)
  rmSync(out, { recursive: true, force: true })
  for (const end of ['', '-wal', '-shm']) rmSync(book + end, { force: true })
  return result
}

/** The nightly job against the least that any client must do. */
export async function syncing(): Promise<void> {
  const { folder, env, done } = workbench('sync')
  mkdirSync(folder, { recursive: true })
  const slips = isQuick ? 10_000 : 100_000
  const world = await dealt({ slips, days: 60 }, folder, env)
  const raw: number[] = []
  const own: number[] = []
  const ratios: number[] = []
  let told = ''
  for (let turn = -1; turn < (isQuick ? 2 : 5); turn++) {
    const baseline = await measured([join(root, 'test/bench/raw-download.ts'), world.readyFile, from], env)
    const run = await synced(slips, turn, folder, env)
    told = baseline.out
    if (turn < 0) continue
    raw.push(baseline.ms)
    own.push(run.ms)
    ratios.push(run.ms / baseline.ms)
  }
  await world.stop()
  const { pages, bytes, rows } = JSON.parse(told)
  const ratio = median(ratios)
  figure({
    what: `\`bets sync\` of ${count(slips)} slips (${count(rows)} rows, ${pages} pages, ${(bytes / 1e6).toFixed(0)} MB)`,
    measured: ms(median(own)),
    baseline: `raw, sequential, signed download ${ms(median(raw))}`,
    ratio,
    goal: 'at most 1.25×',
    isMet: ratio <= 1.25,
  })
  done()
}

/** The memory of the nightly job must not grow with the number of records. */
export async function weighing(): Promise<void> {
  const { folder, env, done } = workbench('memory')
  const peaks: { slips: number; peakMb: number }[] = []
  for (const slips of isQuick ? [2_000, 10_000] : [20_000, 200_000]) {
    const world = await dealt({ slips, days: 60 }, folder, env)
    const { peakMb } = await synced(slips, 0, folder, env)
    peaks.push({ slips, peakMb })
    await world.stop()
  }
  const [small, large] = peaks
  if (!small || !large) throw new Error('two sizes are weighed')
  const ratio = large.peakMb / small.peakMb
  figure({
    what: `memory of \`bets sync\`, ${count(large.slips)} slips`,
    measured: `${large.peakMb.toFixed(0)} MB`,
    baseline: `${count(small.slips)} slips ${small.peakMb.toFixed(0)} MB`,
    ratio,
    goal: 'at most 200 MB, and the same',
    isMet: large.peakMb <= 200 && ratio <= 1.15,
  })
  done()
}
