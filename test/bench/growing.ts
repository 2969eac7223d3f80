import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { countroom, measured, program, workbench } from '../support/program/processes.ts'
import { count, dealt, figure, isLarge, isQuick, log, ms } from './bench.ts'
import { grownBook, standInFiles } from './grown-book.ts'

/** Measures hourly jobs on books of several sizes: the same day, players and breaks, and more other rows each time. */

const day = '2026-03-10'
const dayBegins = Date.parse('2026-03-09T16:00:00.000Z')
const sizes = isQuick ? [20_000, 200_000] : isLarge ? [500_000, 5_000_000, 20_000_000] : [500_000, 5_000_000]

interface GrownBook {
  readonly rows: number
  readonly book: string
  readonly out: string
}

const jobs: Readonly<Record<string, (of: GrownBook) => readonly string[]>> = {
  '`bets sync` of nothing new': ({ out }) => ['bets', 'sync', '--out', out, '--rate-share', '100'],
  '`bets status`': () => ['bets', 'status'],
  '`reconcile daily` of a day': () => ['reconcile', 'daily', day],
  '`reconcile wallet` of 40 players': () => ['reconcile', 'wallet'],
  '`reconcile wallet` of a player without a reading': () => ['reconcile', 'wallet', 'amy'],
  '`reconcile breaks list`': () => ['reconcile', 'breaks', 'list'],
}

/** Measures the CPU time of the hourly jobs on the smallest book and on larger ones. */
export async function growing(): Promise<void> {
  const { folder, env, done } = workbench('growth')
  const slips = 5_000
  const world = await dealt({ slips, days: 1, clock: '2026-03-10T15:59:00Z' }, folder, env)
  const base = join(folder, 'base.db')
  const place = ['--book', base, '--profile', `p${slips}`]
  const sync = ['bets', 'sync', '--out', join(folder, 'base'), '--rate-share', '100']
  countroom(['console', 'clock', 'advance', '2h'], env)
  countroom([...sync, '--from', '2026-03-01T00:00:00Z', ...place], env)
  await accepted(['reconcile', 'wallet', ...place], env)
  countroom(['console', 'clock', 'advance', '10d'], env)
  countroom([...sync, ...place], env)
  await accepted(['reconcile', 'wallet', ...place], env)
  const books = sizes.map((rows): GrownBook => {
    log(`writing a book of ${count(rows)} slips…`)
    const [book, out] = [join(folder, `book-${rows}.db`), join(folder, `out-${rows}`)]
    grownBook({ source: base, target: book, rows, day: dayBegins })
    standInFiles(book, out)
    return { rows, book, out }
  })
  for (const [what, args] of Object.entries(jobs)) await compared(what, args, books, [env, `p${slips}`])
  await world.stop()
  for (const { book } of books) rmSync(book, { force: true })
  done()
}

/** Runs a job and accepts any verdict: 9 and 11 are verdicts. */
async function accepted(args: readonly string[], env: NodeJS.ProcessEnv) {
  return measured([program, ...args, '--quiet'], env, [0, 9, 11])
}

async function compared(
  what: string,
  args: (of: GrownBook) => readonly string[],
  books: readonly GrownBook[],
  [env, profile]: readonly [NodeJS.ProcessEnv, string],
): Promise<void> {
  const turns: { cpuMs: number; ms: number }[][] = []
  for (let turn = -1; turn < (isQuick ? 2 : 7); turn++) {
    const runs: { cpuMs: number; ms: number }[] = Array.from(books, () => ({ cpuMs: 0, ms: 0 }))
    // Forward and backward by turns: load that comes and goes counts for all books.
    const order = [...books.entries()]
    for (const [i, one] of turn % 2 === 0 ? order : order.reverse())
      runs[i] = await accepted([...args(one), '--book', one.book, '--profile', profile], env)
    if (turn >= 0) turns.push(runs)
  }
  const [smallest] = books
  if (!smallest) throw new Error('no book')
  // Linux reports steps of 10 ms, which a mean evens out.
  const meanOf = (i: number, of: 'cpuMs' | 'ms') => mean(turns.map((runs) => runs[i]?.[of] ?? Number.NaN))
  for (const [i, { rows }] of books.entries()) {
    if (i === 0) continue
    const ratio = meanOf(i, 'cpuMs') / meanOf(0, 'cpuMs')
    figure({
      what: `${what}, ${count(rows)} slips in the book`,
      measured: `${ms(meanOf(i, 'cpuMs'))} CPU, ${ms(meanOf(i, 'ms'))}`,
      baseline: `${count(smallest.rows)} slips ${ms(meanOf(0, 'cpuMs'))} CPU, ${ms(meanOf(0, 'ms'))}`,
      ratio,
      goal: 'at most 1.1×',
      isMet: ratio <= 1.1,
    })
  }
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
