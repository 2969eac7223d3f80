import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { availableParallelism, totalmem } from 'node:os'
import { join } from 'node:path'
import { countroom, type Measured, measured, median, program, root, served, workbench } from '../support/processes.ts'

/**
 * `npm run bench`: the figures of docs/benchmarks.md, each beside its baseline from the same run. Takes some minutes.
 * `npm run bench -- quick` measures smaller and writes nothing.
 */
const isQuick = process.argv.includes('quick')
const lines: string[] = []
const say = (text: string) => process.stderr.write(`${text}\n`)

function row(what: string, measuredAs: string, baseline: string, ratio: string, goal: string, met: boolean) {
  lines.push(`| ${what} | ${measuredAs} | ${baseline} | ${ratio} | ${goal} | ${met ? 'met' : '**missed**'} |`)
  say(`${what}: ${measuredAs} (${baseline}) ${ratio}, goal ${goal}: ${met ? 'met' : 'MISSED'}`)
}

const ms = (value: number) => `${value.toFixed(0)} ms`

/** How long a person waits for the smallest things, against Node doing nothing at all. */
async function starts() {
  const { env, done } = workbench('start')
  const commands = { '--version': ['--version'], '--help': ['--help'], 'profiles list': ['profiles', 'list'] }
  const times: Record<string, number[]> = { node: [] }
  for (const name of Object.keys(commands)) times[name] = []
  const rounds = isQuick ? 5 : 20
  for (let i = -2; i < rounds; i++) {
    const bare = await measured(['-e', '0'], env)
    if (i >= 0) times['node']?.push(bare.ms)
    for (const [name, args] of Object.entries(commands)) {
      const run = await measured([program, ...args], env)
      // The first two fill the cache of compiled code, as the first use by a person does.
      if (i >= 0) times[name]?.push(run.ms)
    }
  }
  const node = median(times['node'] ?? [])
  for (const name of Object.keys(commands)) {
    const own = median(times[name] ?? [])
    const ratio = own / node
    row(`\`countroom ${name}\``, ms(own), `\`node -e 0\` ${ms(node)}`, `${ratio.toFixed(2)}×`, 'at most 5×', ratio <= 5)
  }
  done()
}

/** From the start of the process to the first answer, on a database that exists. */
async function serving() {
  const { folder, env, done } = workbench('serve')
  const db = join(folder, 'world.db')
  await (await served(folder, env, ['--db', db])).stop()
  const times: number[] = []
  for (let i = -1; i < (isQuick ? 3 : 9); i++) {
    const world = await served(folder, env, ['--db', db])
    if (i >= 0) times.push(world.readyMs)
    await world.stop()
  }
  const own = median(times)
  row('`countroom serve`, to its first answer', ms(own), 'none', '', 'at most 500 ms', own <= 500)
  done()
}

/** Deals a world of so many slips over two months and serves it. */
async function dealt(slips: number, folder: string, env: NodeJS.ProcessEnv) {
  const db = join(folder, `world-${slips}.db`)
  const world = await served(folder, env, ['--db', db, '--seed', '7', '--no-rate-limit'])
  say(`dealing ${slips} slips…`)
  countroom(
    [
      'sim',
      'play',
      '--rounds',
      String(slips / 40),
      '--players',
      '40',
      '--days',
      '60',
      '--corrected',
      '30',
      '--voided',
      '20',
    ],
    env,
  )
  countroom(['profiles', 'add', `p${slips}`, '--environment', 'live', '--from', world.readyFile], env)
  return world
}

async function synced(slips: number, turn: number, folder: string, env: NodeJS.ProcessEnv): Promise<Measured> {
  const out = join(folder, `out-${slips}-${turn}`)
  const book = join(folder, `book-${slips}-${turn}.db`)
  const result = await measured(
    [
      program,
      'bets',
      'sync',
      '--out',
      out,
      '--book',
      book,
      '--profile',
      `p${slips}`,
      '--from',
      from,
      '--rate-share',
      '100',
      '--quiet',
    ],
    env,
  )
  rmSync(out, { recursive: true, force: true })
  for (const end of ['', '-wal', '-shm']) rmSync(book + end, { force: true })
  return result
}

const from = new Date(Math.floor((Date.now() - 70 * 86_400_000) / 60_000) * 60_000).toISOString()

/** The nightly job against the least that any client must do. */
async function syncing() {
  const { folder, env, done } = workbench('sync')
  mkdirSync(folder, { recursive: true })
  const slips = isQuick ? 10_000 : 100_000
  const world = await dealt(slips, folder, env)
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
  row(
    `\`bets sync\` of ${slips.toLocaleString('en-US')} slips (${rows} rows, ${pages} pages, ${(bytes / 1e6).toFixed(0)} MB)`,
    ms(median(own)),
    `raw, sequential, signed download ${ms(median(raw))}`,
    `${ratio.toFixed(2)}×`,
    'at most 1.25×',
    ratio <= 1.25,
  )
  done()
}

/** What the nightly job holds in memory must not grow with what it pulls. */
async function weighing() {
  const { folder, env, done } = workbench('memory')
  const peaks: { slips: number; peakMb: number }[] = []
  for (const slips of isQuick ? [2_000, 10_000] : [20_000, 200_000]) {
    const world = await dealt(slips, folder, env)
    const { peakMb } = await synced(slips, 0, folder, env)
    peaks.push({ slips, peakMb })
    await world.stop()
  }
  const [small, large] = peaks
  if (!small || !large) throw new Error('two sizes are weighed')
  const growth = large.peakMb / small.peakMb
  row(
    `memory of \`bets sync\`, ${large.slips.toLocaleString('en-US')} slips`,
    `${large.peakMb.toFixed(0)} MB`,
    `${small.slips.toLocaleString('en-US')} slips ${small.peakMb.toFixed(0)} MB`,
    `${growth.toFixed(2)}×`,
    'at most 200 MB, and the same',
    large.peakMb <= 200 && growth <= 1.15,
  )
  done()
}

const parts = { starts, serving, syncing, weighing }
const asked = process.argv.slice(2).filter((word) => Object.hasOwn(parts, word)) as (keyof typeof parts)[]
for (const name of asked.length > 0 ? asked : (Object.keys(parts) as (keyof typeof parts)[])) await parts[name]()

const head = ['| what | measured | baseline | ratio | goal | |', '|---|---|---|---|---|---|']
const table = [...head, ...lines].join('\n')
process.stdout.write(`${table}\n`)
if (!isQuick && asked.length === 0) {
  const file = join(root, 'docs/benchmarks.md')
  const text = readFileSync(file, 'utf8')
  const machine = `Node ${process.versions.node}, ${availableParallelism()} processors, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${process.platform}-${process.arch}, ${new Date().toISOString().slice(0, 10)}.`
  writeFileSync(
    file,
    text.replace(
      /<!-- figures -->[\s\S]*<!-- \/figures -->/,
      `<!-- figures -->\n\n${machine}\n\n${table}\n\n<!-- /figures -->`,
    ),
  )
}
