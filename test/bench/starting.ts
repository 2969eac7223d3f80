import { join } from 'node:path'
import { measured, median, program, served, workbench } from '../support/program/processes.ts'
import { figure, isQuick, ms } from './bench.ts'

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
    what: '`countroom serve`, to its first answer',
    measured: ms(own),
    baseline: 'none',
    goal: 'at most 500 ms',
    isMet: own <= 500,
  })
  done()
}
