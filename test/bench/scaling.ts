import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBook } from '../../src/operator/book/book.ts'
import { recordBreaks } from '../../src/operator/reconcile/breaks/store.ts'
import { countroom, type Measured, measured, median, program, served, workbench } from '../support/program/processes.ts'
import { count, figure, isQuick, log, ms } from './bench.ts'
import { call } from './chatting.ts'

/** Lists, reports and screens at the size of a busy operator: 1,000 breaks, 10,000 transfers in a batch, 5,000 tickets. */

const size = isQuick
  ? { breaks: 100, transfers: 1_000, tickets: 500 }
  : { breaks: 1_000, transfers: 10_000, tickets: 5_000 }
const players = 400
/** Maximum time to the first output. */
const goalMs = 1_000
/** Verdicts of reconciliations are no failures. */
const verdicts = [0, 9, 11]

interface Setup {
  readonly folder: string
  readonly env: NodeJS.ProcessEnv
  readonly flags: readonly string[]
}

export async function scaling(): Promise<void> {
  const { folder, env, done } = workbench('scale')
  const world = await served(folder, env, ['--db', join(folder, 'world.db'), '--no-rate-limit'])
  countroom(['profiles', 'add', 'house', '--environment', 'live', '--from', world.readyFile], env)
  const book = join(folder, 'book.db')
  const setup: Setup = { folder, env, flags: ['--profile', 'house', '--book', book] }
  await batches(setup)
  await makeBreaks(book)
  await makeTickets(world, env)
  await breaks(setup)
  await tickets(setup)
  await world.stop()
  done()
}

async function batches(setup: Setup): Promise<void> {
  const { folder } = setup
  const file = join(folder, 'batch.csv')
  const rows = Array.from({ length: size.transfers }, (_, i) => `p${i % players},1.5,USD,scale-${i}`)
  writeFileSync(file, `username,amount,currency,txnId\n${rows.join('\n')}\n`)
  const many = `${count(size.transfers)} transfers`
  const fast = ['--rate', '100000', '--rate-share', '100']
  await once(`wallet plan of ${many}`, ['wallet', 'plan', file, '--create', '--id', 'scale', ...fast], setup)
  const total = `${size.transfers * 1.5}:USD`
  await once(`wallet approve of ${many}`, ['wallet', 'approve', 'scale', '--yes', '--confirm-total', total], setup)
  await once(`wallet apply of ${many}`, ['wallet', 'apply', 'scale', ...fast], setup)
  await listed('wallet plans among all batches', ['wallet', 'plans'], setup)
  await listed(`wallet plans of a batch of ${many}`, ['wallet', 'plans', 'scale'], setup)
  await listed(`wallet plans --csv of a batch of ${many}`, ['wallet', 'plans', 'scale', '--csv'], setup, 'output')
  await listed(`wallet journal among ${many}`, ['wallet', 'journal'], setup)
}

async function breaks(setup: Setup): Promise<void> {
  const { folder } = setup
  const many = `${count(size.breaks)} breaks`
  await listed(`reconcile breaks list of ${many}`, ['reconcile', 'breaks', 'list'], setup)
  const all = ['reconcile', 'breaks', 'list', '--limit', '10000', '--csv']
  await listed(`reconcile breaks list --csv of ${many}`, all, setup)
  const orders = join(folder, 'orders.csv')
  const lines = Array.from({ length: size.breaks }, (_, i) => `order-${i},10.5,usd,yes`)
  writeFileSync(orders, `order_id,amount,currency,paid\n${lines.join('\n')}\n`)
  const report = join(folder, 'payments.html')
  const args = ['reconcile', 'payments', '--orders', orders, '--report', report, '--force']
  await listed(`reconcile payments --report of ${many}`, args, setup, 'output')
}

async function tickets(setup: Setup): Promise<void> {
  const { folder } = setup
  const many = `${count(size.tickets)} tickets`
  const one = ['--profile', 'house']
  await listed(`tickets list among ${many}`, ['tickets', 'list'], { ...setup, flags: one })
  await listed(`tickets list --all of ${many}`, ['tickets', 'list', '--all'], { ...setup, flags: one })
  await listed(`tickets list --limit 10000 of ${many}`, ['tickets', 'list', '--limit', '10000'], {
    ...setup,
    flags: one,
  })
  await listed(`tickets list --limit 10000 --jsonl of ${many}`, ['tickets', 'list', '--limit', '10000', '--jsonl'], {
    ...setup,
    flags: one,
  })
  await listed(`tickets triage --list of ${many}`, ['tickets', 'triage', '--list'], setup)
  await listed(
    `tickets triage --list --sort stake of ${many}`,
    ['tickets', 'triage', '--list', '--sort', 'stake'],
    setup,
  )
  const out = ['tickets', 'export', '--out', join(folder, 'tickets.csv'), '--force']
  await listed(`tickets export of ${many}`, out, { ...setup, flags: one }, 'output')
}

/** First output that counts: the head or first row of a list, or what a file or CSV will have, which is whole or not there. */
type First = 'row' | 'output'

type Timed = Pick<Measured, 'cpuMs' | 'ms' | 'firstMs' | 'firstRowMs'>

const timed = (args: readonly string[], { env, flags }: Setup) => measured([program, ...args, ...flags], env, verdicts)

/** Measures a repeatable command: the median of several runs. */
async function listed(what: string, args: readonly string[], setup: Setup, first: First = 'row'): Promise<void> {
  const turns: Timed[] = []
  for (let turn = -1; turn < (isQuick ? 1 : 5); turn++) {
    const run = await timed(args, setup)
    if (turn >= 0) turns.push(run)
  }
  const medianOf = (of: keyof Timed) => median(turns.map((run) => run[of]))
  const [cpuMs, wall, firstMs, firstRowMs] = [
    medianOf('cpuMs'),
    medianOf('ms'),
    medianOf('firstMs'),
    medianOf('firstRowMs'),
  ]
  reported(what, { cpuMs, ms: wall, firstMs, firstRowMs }, first)
}

/** Measures a command that can run only once per batch. */
async function once(what: string, args: readonly string[], setup: Setup): Promise<void> {
  reported(what, await timed(args, setup))
}

/** Only repeatable commands for people have the goal of a first output within 1 s. */
function reported(what: string, { cpuMs, ms: wall, firstMs, firstRowMs }: Timed, first?: First): void {
  figure({
    // The command as typed, and the amount of its data.
    what: what.replace(/ (?:of|among) .*/, '`$&').replace(/^/, '`'),
    measured: `${ms(cpuMs)} CPU, ${ms(wall)}, first output after ${ms(firstMs)}, first row after ${ms(firstRowMs)}`,
    baseline: 'none',
    ...(first === undefined
      ? {}
      : {
          goal: `first ${first} within ${count(goalMs)} ms`,
          isMet: (first === 'row' ? firstRowMs : firstMs) <= goalMs,
        }),
  })
}

/** Writes open breaks of all players into the book, over 100 days. */
async function makeBreaks(url: string): Promise<void> {
  log(`making ${count(size.breaks)} breaks…`)
  const book = await openBook(url)
  const detected = Array.from({ length: size.breaks }, (_, i) => ({
    kind: 'transfers' as const,
    subject: `missing-${i}`,
    date: new Date(Date.UTC(2026, 0, 1 + (i % 100))).toISOString().slice(0, 10),
    player: `p${i % players}`,
    currency: 'USD',
    amount: `${(i % 900) + 1}.25`,
    message: `The platform has no transfer missing-${i}`,
    fingerprint: 'bench',
    detail: {},
  }))
  await book.store.write((tx) => recordBreaks(tx, { id: 'bench', who: 'bench' }, { detected, looked: [] }))
  await book.close()
}

async function makeTickets(
  { readyFile, baseUrl }: { readyFile: string; baseUrl: string },
  env: NodeJS.ProcessEnv,
): Promise<void> {
  log(`making ${count(size.tickets)} tickets…`)
  const { apiKey, tenantKey } = JSON.parse(readFileSync(readyFile, 'utf8')).chat
  const target = { url: baseUrl, apiKey, tenantKey }
  for (let i = 0; i < size.tickets; i += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, j) =>
        call(target, 'POST', '/tickets', {
          title: `Deposit ${i + j} is missing`,
          description: `I sent it on Monday and it is not there. T-${i + j}`.repeat(4),
          customerAccount: `p${(i + j) % players}`,
          priority: 1 + (j % 4),
        }),
      ),
    )
  // A read repeats the last minute of changes: they must not be all tickets.
  countroom(['console', 'clock', 'advance', '2h'], env)
  await call(target, 'POST', '/tickets', { title: 'The latest', description: 'T', customerAccount: 'p0', priority: 1 })
}
