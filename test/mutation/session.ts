import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { type Mutant, mutantsOf } from './mutants.ts'

/**
 * Runs the tests of one source file against its mutants, in a process of its own: a mutant may loop forever, and the parent
 * ends the process then. Arguments: the source, the first mutant, then the test files. Sends one message per mutant.
 */

export type SessionMessage =
  | { readonly event: 'ready' | 'broken' | 'end' }
  | { readonly event: 'started'; readonly index: number }
  | { readonly event: 'ended'; readonly index: number; readonly isKilled: boolean }

const root = join(import.meta.dirname, '../..')
const [source = '', first = '0', ...tests] = process.argv.slice(2)
const file = join(root, source)
const original = readFileSync(file, 'utf8')
const mutants = mutantsOf(original)
let current: Mutant | undefined

const send = (message: SessionMessage) => process.send?.(message)

const vitest = await createVitest(
  {
    root,
    config: false,
    include: tests,
    watch: false,
    bail: 1,
    pool: 'threads',
    maxWorkers: 1,
    fileParallelism: false,
    reporters: [{}],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    globalSetup: ['test/support/postgres.ts'],
    silent: true,
    // A cache would give every mutant the code of the first run.
    fsModuleCache: false,
  },
  {
    plugins: [
      {
        name: 'mutant',
        enforce: 'pre',
        load(id: string) {
          if (id.split('?')[0] !== file || !current) return undefined
          return original.slice(0, current.start) + current.replacement + original.slice(current.end)
        },
      },
    ],
  },
)

const specifications = await vitest.globTestSpecifications()
const order = (path: string) => tests.findIndex((test) => path.endsWith(test))
specifications.sort((a, b) => order(a.moduleId) - order(b.moduleId))

async function isGreen(): Promise<boolean> {
  vitest.invalidateFile(file)
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  return unhandledErrors.length === 0 && testModules.length > 0 && testModules.every((module) => module.ok())
}

// Unchanged, the tests must pass; otherwise every mutant would count as killed.
if (!(await isGreen())) {
  send({ event: 'broken' })
} else {
  send({ event: 'ready' })
  for (const [index, mutant] of mutants.entries()) {
    if (index < Number(first)) continue
    current = mutant
    send({ event: 'started', index })
    send({ event: 'ended', index, isKilled: !(await isGreen()) })
  }
  send({ event: 'end' })
}
await vitest.close()
process.exit()
