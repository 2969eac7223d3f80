import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { transformSync } from 'rolldown/utils'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { withMarks } from './marks.ts'
import type { Mutant } from './mutants.ts'
import { createWarmWorker, endThread, replaceModule } from './warm-worker.ts'

/** Runs the tests of one source in one warm thread, which gets the changed source from memory. */
export interface Session extends Baseline {
  /** Returns whether a test that reaches the mutant fails with it. */
  isNoticed(mutant: Mutant): Promise<boolean>
  /** Returns whether the unchanged source still passes. Otherwise a mutant spoiled the thread, and later results prove nothing. */
  isStillGreen(): Promise<boolean>
  close(): Promise<void>
}

export interface Baseline {
  /** Test files that fail without any mutant. */
  readonly broken: readonly string[]
  /** Numbers of the functions that a test reaches; 0 is the code that runs when the file is loaded. */
  readonly reached: ReadonlySet<number>
}

const root = join(import.meta.dirname, '../..')
/** Without a mutant a test file may take this long. */
const maxBaselineMs = 120_000
/** A test file that takes this much longer than without a mutant loops forever. */
const allowedMs = (baselineMs: number) => 3_000 + 2 * baselineMs
/** Leaves out tests that are repeated on databases that are slower to open: the same rules run in memory. */
const chosenTests = /^(?!.*(PostgreSQL|SQLite in a file|PGlite))/

/** Opens a session for a source with the tests that may notice a change of it, and the modules that a change of it makes stale. */
export async function openSession(
  source: string,
  candidates: readonly string[],
  stale: readonly string[],
): Promise<Session> {
  const file = join(root, source)
  const original = readFileSync(file, 'utf8')
  const vitest = await openVitest()
  const { vite } = vitest.getRootProject()

  async function compiled(text: string): Promise<string> {
    // Imports by the path from the root, as Vite names modules.
    const located = text.replace(/(from '|import\(')([.][^']+)'/g, (_, start: string, target: string) => {
      return `${start}/${relative(root, resolve(dirname(file), target))}'`
    })
    const evaluated = await vite.ssrTransform(transformSync(file, located).code, null, `/${source}`, located)
    if (!evaluated) throw new Error(`${source}: a mutant does not compile`)
    return evaluated.code
  }

  /** Runs one test file with some code in place of the source. Returns `undefined` when it fails. */
  async function run(path: string, code: string, maxMs: number): Promise<TestModule | undefined> {
    replaceModule({ file, code })
    const specification = vitest.getRootProject().createSpecification(join(root, path))
    const timer = setTimeout(endThread, maxMs)
    // Otherwise results of earlier runs are among those of this one.
    vitest.state.filesMap.clear()
    try {
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
      const [module] = testModules
      return unhandledErrors.length === 0 && module?.ok() ? module : undefined
    } catch {
      return undefined
    } finally {
      clearTimeout(timer)
    }
  }

  vitest.getRootProject().provide(
    'staleModules',
    stale.map((each) => join(root, each)),
  )
  const marked = await compiled(withMarks(original))
  const broken: string[] = []
  const tests: { readonly path: string; readonly reached: ReadonlySet<number>; readonly maxMs: number }[] = []
  for (const path of candidates) {
    const begun = performance.now()
    const module = await run(path, marked, maxBaselineMs)
    const maxMs = allowedMs(performance.now() - begun)
    if (module) tests.push({ path, reached: new Set([0, ...(module.meta().reached ?? [])]), maxMs })
    else broken.push(path)
  }

  return {
    broken,
    reached: new Set(tests.flatMap(({ reached }) => [...reached])),
    async isNoticed({ start, end, replacement, owner }) {
      const changed = await compiled(original.slice(0, start) + replacement + original.slice(end))
      for (const { path, reached, maxMs } of tests)
        if (reached.has(owner) && !(await run(path, changed, maxMs))) return true
      return false
    },
    async isStillGreen() {
      const unchanged = await compiled(original)
      for (const { path } of tests) if (!(await run(path, unchanged, maxBaselineMs))) return false
      return true
    },
    async close() {
      await endThread()
      await vitest.close()
    },
  }
}

function openVitest(): Promise<Vitest> {
  return createVitest({
    root,
    config: false,
    watch: false,
    include: ['test/**/*.test.ts'],
    pool: { name: 'warm', createPoolWorker: createWarmWorker },
    isolate: false,
    maxWorkers: 1,
    fileParallelism: false,
    reporters: [{}],
    testNamePattern: chosenTests,
    passWithNoTests: true,
    setupFiles: ['test/mutation/in-worker.ts'],
    globalSetup: ['test/support/postgres.ts'],
    silent: true,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  })
}
