import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { countroom, type Measured, measured, median, program, served, workbench } from '../support/program/processes.ts'
import { count, figure, isQuick, ms } from './bench.ts'

/** Start-up times of the smallest commands, compared with an empty Node script. */
export async function starts(): Promise<void> {
  const { env, done } = workbench('start')
  const commands = { '--version': ['--version'], '--help': ['--help'], 'profiles list': ['profiles', 'list'] }
  const bare: number[] = []
  const times = new Map<string, number[]>(Object.keys(commands).map((name) => [name, []]))
  const rounds = isQuick ? 5 : 20
  for (let i = -2; i < rounds; i++) {
    const nothing = await measured(['-e', '0'], env)
    if (i >= 0) bare.push(nothing.ms)
    for (const [name, args] of Object.entries(commands)) {
      const run = await measured([program, ...args], env)
      // The first two runs fill the cache of compiled code, as a person's first use does.
      if (i >= 0) times.get(name)?.push(run.ms)
    }
  }
  const node = median(bare)
  for (const [name, own] of times) {
    const ratio = median(own) / node
    figure({
      what: `\`countroom ${name}\``,
      measured: ms(median(own)),
      baseline: `\`node -e 0\` ${ms(node)}`,
      ratio,
      goal: 'at most 5×',
      isMet: ratio <= 5,
    })
  }
  done()
}

/** Completion of a command and of names in a book, as the shells call it on Tab, compared with an empty Node script by processor time. */
export async function completing(): Promise<void> {
  const { folder, env, done } = workbench('complete')
  const world = await served(folder, env, ['--db', join(folder, 'world.db'), '--no-rate-limit'])
  countroom(['profiles', 'add', 'house', '--environment', 'live', '--from', world.readyFile], env)
  const transfers = isQuick ? 50 : 2_000
  const file = join(folder, 'batch.csv')
  const rows = Array.from({ length: transfers }, (_, i) => `p${i % 100},1.5,USD,completion-${i}`)
  writeFileSync(file, `username,amount,currency,txnId\n${rows.join('\n')}\n`)
  const place = ['--profile', 'house', '--book', join(folder, 'book.db')]
  const fast = ['--rate', '100000', '--rate-share', '100']
  countroom(['wallet', 'plan', file, '--create', '--id', 'batch', ...fast, ...place], env)
  countroom(['wallet', 'approve', 'batch', '--yes', '--confirm-total', `${transfers * 1.5}:USD`, ...place], env)
  countroom(['wallet', 'apply', 'batch', ...fast, ...place], env)
  const lines = {
    'of a command': ['rec'],
    [`of a transfer among ${count(transfers)}`]: ['wallet', 'transfer', ...place, ''],
  }
  const bare: Measured[] = []
  const runs = new Map<string, Measured[]>(Object.keys(lines).map((name) => [name, []]))
  for (let i = -2; i < (isQuick ? 5 : 20); i++) {
    const nothing = await measured(['-e', '0'], env)
    if (i >= 0) bare.push(nothing)
    for (const [name, words] of Object.entries(lines)) {
      const run = await measured([program, '__complete', 'fish', ...words], env)
      if (run.out === '') throw new Error(`completion ${name} offered nothing`)
      if (i >= 0) runs.get(name)?.push(run)
    }
  }
  const node = median(bare.map(({ cpuMs }) => cpuMs))
  for (const [name, own] of runs) {
    const [cpu, wall] = [median(own.map(({ cpuMs }) => cpuMs)), median(own.map((run) => run.ms))]
    figure({
      what: `completion ${name}`,
      measured: `${ms(cpu)} CPU, ${ms(wall)}`,
      baseline: `\`node -e 0\` ${ms(node)} CPU, ${ms(median(bare.map((run) => run.ms)))}`,
      ratio: cpu / node,
      goal: 'at most 200 ms CPU',
      isMet: cpu <= 200,
    })
  }
  await world.stop()
  done()
}

/** Measures the time from the start of the process to the first response, on an existing database. */
export async function serving(): Promise<void> {
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
  figure({
    what: '`countroom serve`, to its first response',
    measured: ms(own),
    baseline: 'none',
    goal: 'at most 500 ms',
    isMet: own <= 500,
  })
  done()
}
