import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type Measured, measured, median, program, root, workbench } from '../support/program/processes.ts'
import { count, dealt, figure, isQuick, ms } from './bench.ts'

const from = new Date(Math.floor((Date.now() - 70 * 86_400_000) / 60_000) * 60_000).toISOString()

const remove = (book: string) => {
  for (const end of ['', '-wal', '-shm']) rmSync(book + end, { force: true })
}

async function synced(
  { slips, out, book }: { slips: number; out: string; book: string },
  env: NodeJS.ProcessEnv,
): Promise<Measured> {
  const place = ['--out', out, '--book', book, '--profile', `p${slips}`]
  const args = ['bets', 'sync', ...place, '--from', from, '--rate-share', '100', '--quiet']
  const result = await measured([program, ...args], env)
  rmSync(out, { recursive: true, force: true })
  return result
}

interface Turn {
  readonly sync: Measured
  readonly raw: Measured
  readonly naive: Measured
  readonly sqliteMs: number
}

/** Runs the sync and its three baselines once. */
async function turnOf(slips: number, readyFile: string, folder: string, env: NodeJS.ProcessEnv): Promise<Turn> {
  const [out, book, copy] = [join(folder, 'out'), join(folder, 'book.db'), join(folder, 'copy.db')]
  const script = (name: string, ...args: readonly string[]) => measured([join(root, 'test/bench', name), ...args], env)
  const raw = await script('baselines/raw-download.ts', readyFile, from)
  const naive = await script('baselines/naive-sync.ts', readyFile, from, book, out)
  rmSync(out, { recursive: true, force: true })
  remove(book)
  const sync = await synced({ slips, out, book }, env)
  const inserts = await script('baselines/bare-inserts.ts', book, copy)
  for (const file of [book, copy]) remove(file)
  return { sync, raw, naive, sqliteMs: JSON.parse(inserts.out).cpuMs }
}

/** Compares the nightly job with the minimum of any client, with a short script, and with its database alone. */
export async function syncing(): Promise<void> {
  const { folder, env, done } = workbench('sync')
  mkdirSync(folder, { recursive: true })
  const slips = isQuick ? 10_000 : 100_000
  const world = await dealt({ slips, days: 60 }, folder, env)
  const turns: Turn[] = []
  for (let turn = -1; turn < (isQuick ? 2 : 5); turn++) {
    const result = await turnOf(slips, world.readyFile, folder, env)
    if (turn >= 0) turns.push(result)
  }
  await world.stop()
  const { pages, bytes, rows } = JSON.parse(turns[0]?.raw.out ?? '')
  const medianOf = (value: (turn: Turn) => number) => median(turns.map(value))
  const compared = (
    what: string,
    {
      own,
      baseline,
      name,
      most,
    }: { own(turn: Turn): number; baseline(turn: Turn): number; name: string; most?: number },
  ) => {
    const ratio = medianOf((turn) => own(turn) / baseline(turn))
    const goal = most === undefined ? {} : { goal: `at most ${most}×`, isMet: ratio <= most }
    const shown = { measured: ms(medianOf(own)), baseline: `${name} ${ms(medianOf(baseline))}` }
    figure({ what, ...shown, ratio, ...goal })
  }
  const size = `${count(slips)} slips (${count(rows)} rows, ${pages} pages, ${(bytes / 1e6).toFixed(0)} MB)`
  const ofRaw = { own: (turn: Turn) => turn.sync.ms, baseline: (turn: Turn) => turn.raw.ms }
  compared(`\`bets sync\` of ${size}`, { ...ofRaw, name: 'raw, sequential, signed download', most: 1.8 })
  const own = (turn: Turn) => turn.sync.cpuMs
  const ofNaive = { own, baseline: (turn: Turn) => turn.naive.cpuMs }
  compared('the same, processor time', { ...ofNaive, name: 'fetch, csv-stringify and better-sqlite3', most: 0.65 })
  const ofSqlite = { own, baseline: (turn: Turn) => turn.sqliteMs }
  const ofSqliteAlone = { ...ofSqlite, name: 'SQLite alone for the same rows' }
  compared('the same, processor time', { ...ofSqliteAlone, most: 2.2 })
  // A lower bound for any sync: no data is read, written to a file or made resumable.
  const least = (turn: Turn) => turn.raw.cpuMs + turn.sqliteMs
  compared('the raw download and SQLite alone, processor time', { ...ofSqliteAlone, own: least })
  done()
}

/** Checks that the memory of the nightly job does not grow with the number of records. */
export async function weighing(): Promise<void> {
  const { folder, env, done } = workbench('memory')
  const peaks: { slips: number; peakMb: number }[] = []
  for (const slips of isQuick ? [2_000, 10_000] : [20_000, 1_000_000]) {
    const world = await dealt({ slips, days: 60 }, folder, env)
    const book = join(folder, `book-${slips}.db`)
    const { peakMb } = await synced({ slips, out: join(folder, `out-${slips}`), book }, env)
    remove(book)
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
    goal: 'at most 256 MB, and the same',
    isMet: large.peakMb <= 256 && ratio <= 1.15,
  })
  done()
}
