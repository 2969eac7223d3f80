import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { transformSync } from 'rolldown/utils'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { withMarks } from './marks.ts'
import type { Mutant } from './mutants.ts'
import { createWarmWorker, endThread, replaceModule } from './warm-worker.ts'

/** Runs the tests of one source in one warm thread, which gets the changed source from memory. */
export interface Session {
  /** Test files that fail without any mutant. */
  readonly broken: readonly string[]
  /** Returns whether a test that reaches the mutant fails with it, or runs on and on. */
  tried(mutant: Mutant): Promise<'noticed' | 'timed out' | 'survived'>
  /** Returns whether the unchanged source still passes. Otherwise a mutant spoiled the thread, and later results prove nothing. */
  isStillGreen(): Promise<boolean>
  close(): Promise<void>
}

const root = join(import.meta.dirname, '../..')
/** Without a mutant a test file may take this long. */
const maxBaselineMs = 120_000
/** Tests that take this much longer than without a mutant loop forever, or the machine is busy: they run once more with more time. */
const allowedMs = (baselineMs: number) => 3_000 + 3 * baselineMs
const secondAllowance = 3
/** The quick tests of all files are asked before the others. */
const quickMs = 300
/** Longer tests are too slow to be repeated for each mutant. */
const maxTestMs = 6_000
/** Leaves out tests that are repeated on databases that are slower to open: the same rules run in memory. */
const chosenTests = /^(?!.*(PostgreSQL|SQLite in a file|PGlite))/

interface ReachingTest {
  readonly path: string
  readonly id: string
  readonly ms: number
  /** Numbers of the functions of the source that it reaches. */
  readonly reached: ReadonlySet<number>
}

/** Some tests of a file, or all of them. */
interface TestRun {
  readonly path: string
  readonly ids?: string[]
  readonly maxMs: number
}

function reachingTests(path: string, module: TestModule): ReachingTest[] {
  const outside = module.meta().reached ?? []
  return [...module.children.allTests('passed')].map((test) => ({
    path,
    id: test.id,
    ms: test.diagnostic()?.duration ?? 0,
    reached: new Set([...outside, ...(test.meta().reached ?? [])]),
  }))
}

/** Opens a session for a source with the tests that may notice a change of it, and the modules that a change of it makes stale. */
export async function openSession(
  source: string,
  candidates: readonly string[],
  stale: readonly string[],
): Promise<Session> {
  const file = join(root, source)
  const original = readFileSync(file, 'utf8')
  const vitest = await sharedVitest()
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

  /** Runs one test file with some code in place of the source. Returns what happened when it does not pass. */
  async function run(
    path: string,
    code: string,
    maxMs: number,
    testIds?: string[],
  ): Promise<TestModule | 'failed' | 'timed out'> {
    replaceModule({ file, code })
    const specification = vitest.getRootProject().createSpecification(join(root, path), testIds ? { testIds } : {})
    let failure: 'failed' | 'timed out' = 'failed'
    const timer = setTimeout(() => {
      failure = 'timed out'
      return endThread()
    }, maxMs)
    // Otherwise results of earlier runs are among those of this one.
    vitest.state.filesMap.clear()
    try {
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
      const [module] = testModules
      return unhandledErrors.length === 0 && module?.ok() ? module : failure
    } catch {
      return failure
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
  const tests: ReachingTest[] = []
  for (const path of candidates) {
    const module = await run(path, marked, maxBaselineMs)
    if (typeof module === 'string') broken.push(path)
    else tests.push(...reachingTests(path, module))
  }

  /** Returns the tests to ask about a mutant, by file: those that reach its function, the quick ones before the others. */
  function selectedFor(owner: number): TestRun[] {
    // What is computed when a rule is loaded may be used without any function of it.
    const isAsked = ({ reached }: ReachingTest) =>
      owner === 0 ? reached.size > 0 || source.startsWith('src/domain/') : reached.has(owner)
    const selection = tests.filter((each) => each.ms <= maxTestMs && isAsked(each))
    return [selection.filter(({ ms }) => ms <= quickMs), selection.filter(({ ms }) => ms > quickMs)].flatMap((group) =>
      [...Map.groupBy(group, ({ path }) => path)].map(([path, own]) => ({
        path,
        ids: own.map(({ id }) => id),
        maxMs: allowedMs(own.reduce((sum, { ms }) => sum + ms, 0)),
      })),
    )
  }

  const prepared = new Map<number, TestRun[]>()

  /** Like `selectedFor`, with all tests of a file whose selected tests do not pass by themselves, because they need those before them. */
  async function runsFor(owner: number): Promise<TestRun[]> {
    const known = prepared.get(owner)
    if (known) return known
    const unchanged = await compiled(original)
    const runs: TestRun[] = []
    for (const selected of selectedFor(owner)) {
      const { path } = selected
      if (runs.some((each) => each.path === path && each.ids === undefined)) continue
      const alone = await run(path, unchanged, secondAllowance * selected.maxMs, selected.ids)
      if (typeof alone !== 'string') runs.push(selected)
      else {
        const own = tests.filter((each) => each.path === path)
        runs.push({ path, maxMs: allowedMs(own.reduce((sum, { ms }) => sum + ms, 0)) })
      }
    }
    prepared.set(owner, runs)
    return runs
  }

  return {
    broken,
    async tried({ start, end, replacement, owner }) {
      const runs = await runsFor(owner)
      if (runs.length === 0) return 'survived'
      const changed = await compiled(original.slice(0, start) + replacement + original.slice(end))
      for (const { path, ids, maxMs } of runs) {
        let result = await run(path, changed, maxMs, ids)
        if (result === 'timed out') result = await run(path, changed, secondAllowance * maxMs, ids)
        if (result === 'timed out') return result
        if (result === 'failed') return 'noticed'
      }
      return 'survived'
    },
    async isStillGreen() {
      const unchanged = await compiled(original)
      const paths = new Set(tests.map(({ path }) => path))
      for (const path of paths) if (typeof (await run(path, unchanged, maxBaselineMs)) === 'string') return false
      return true
    },
    async close() {
      await endThread()
    },
  }
}

let vitestOfRun: Promise<Vitest> | undefined

function sharedVitest(): Promise<Vitest> {
  vitestOfRun ??= openVitest()
  return vitestOfRun
}

/** Ends what all sessions share. */
export async function endSessions(): Promise<void> {
  await endThread()
  await (await vitestOfRun)?.close()
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
    globalSetup: ['test/support/databases/postgres.ts'],
    silent: true,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
  })
}
