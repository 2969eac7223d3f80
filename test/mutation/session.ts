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
/** The quick tests of all files are asked before the others. By CPU time, which a busy machine changes little. */
const quickMs = 300
/** Longer tests are too slow to be repeated for each mutant. */
const maxTestMs = 6_000
/** As many of the tests that noticed the last mutants are asked first: neighbors are mostly noticed by the same test. */
const recentTests = 2
/** Leaves out tests that are repeated on databases that are slower to open: the same rules run on SQLite. */
const chosenTests = /^(?!.*PostgreSQL)/

interface Outcome {
  readonly result: 'passed' | 'failed' | 'timed out'
  readonly module: TestModule | undefined
}

interface ReachingTest {
  readonly path: string
  readonly id: string
  /** Of the wall clock, for the time it may take. */
  readonly ms: number
  /** Of the CPU, with the hooks of its suite. */
  readonly cost: number
  /** True if it opens a database in a file. It is asked only where no other test reaches the function. */
  readonly isOnFile: boolean
  /** Numbers of the functions of the source that it reaches. */
  readonly reached: ReadonlySet<number>
}

/** Some tests of a file, or all of them. */
interface TestRun {
  readonly path: string
  readonly ids?: string[] | undefined
  readonly maxMs: number
}

function reachingTests(path: string, module: TestModule): ReachingTest[] {
  const outside = module.meta().reached ?? []
  const passed = [...module.children.allTests('passed')]
  // A suite's hooks run before its first test, and with any of its tests.
  const hooks = Map.groupBy(passed, ({ parent }) => parent.id)
  const hooksOf = (suite: string) =>
    Math.max(...(hooks.get(suite) ?? []).map((test) => test.meta().cpu?.hooksMs ?? 0), 0)
  return passed.map((test) => ({
    path,
    id: test.id,
    ms: (test.diagnostic()?.duration ?? 0) + hooksOf(test.parent.id),
    cost: (test.meta().cpu?.testMs ?? 0) + hooksOf(test.parent.id),
    isOnFile: test.fullName.includes('SQLite in a file'),
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

  /** Runs one test file with some code in place of the source. */
  async function run(path: string, code: string, maxMs: number, testIds?: string[]): Promise<Outcome> {
    replaceModule({ file, code })
    const specification = vitest.getRootProject().createSpecification(join(root, path), testIds ? { testIds } : {})
    let result: Outcome['result'] = 'failed'
    const timer = setTimeout(() => {
      result = 'timed out'
      return endThread()
    }, maxMs)
    // Otherwise results of earlier runs are among those of this one.
    vitest.state.filesMap.clear()
    try {
      const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
      const [module] = testModules
      return { result: unhandledErrors.length === 0 && module?.ok() ? 'passed' : result, module }
    } catch {
      return { result, module: undefined }
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
    const { result, module } = await run(path, marked, maxBaselineMs)
    if (result === 'passed' && module) tests.push(...reachingTests(path, module))
    else broken.push(path)
  }

  /** Returns the tests to ask about a mutant, by file: those that reach its function, the quick ones before the others. */
  function selectedFor(owner: number): TestRun[] {
    // What is computed when a rule is loaded may be used without any function of it.
    const isAsked = ({ reached }: ReachingTest) =>
      owner === 0 ? reached.size > 0 || source.startsWith('src/domain/') : reached.has(owner)
    const asked = tests.filter((each) => each.cost <= maxTestMs && isAsked(each))
    const inMemory = asked.filter(({ isOnFile }) => !isOnFile)
    const selection = inMemory.length > 0 ? inMemory : asked
    return [selection.filter(({ cost }) => cost <= quickMs), selection.filter(({ cost }) => cost > quickMs)].flatMap(
      (group) =>
        [...Map.groupBy(group, ({ path }) => path)].map(([path, own]) => ({
          path,
          ids: own.map(({ id }) => id),
          maxMs: allowedMs(own.reduce((sum, { ms }) => sum + ms, 0)),
        })),
    )
  }

  /** Some tests of a file by themselves, and whether they pass unchanged: not if they need the tests before them. */
  const proven = new Map<string, boolean>()
  const keyOf = ({ path, ids }: TestRun) => `${path} ${ids?.join() ?? 'all'}`

  async function passesUnchanged(some: TestRun): Promise<boolean> {
    // All tests of a file passed when they were marked.
    const isKnown = some.ids === undefined || proven.get(keyOf(some))
    if (isKnown !== undefined) return isKnown
    const { result } = await run(some.path, await compiled(original), secondAllowance * some.maxMs, some.ids)
    proven.set(keyOf(some), result === 'passed')
    return result === 'passed'
  }

  function allOf(path: string): TestRun {
    return { path, maxMs: allowedMs(tests.reduce((sum, each) => sum + (each.path === path ? each.ms : 0), 0)) }
  }

  async function attempt({ path, ids, maxMs }: TestRun, code: string): Promise<Outcome> {
    asked.set(keyOf({ path, ids, maxMs }), { path, ids, maxMs })
    const outcome = await run(path, code, maxMs, ids)
    return outcome.result === 'timed out' ? run(path, code, secondAllowance * maxMs, ids) : outcome
  }

  const asked = new Map<string, TestRun>()
  /** Tests that noticed a mutant by themselves and pass without one, the last one first. */
  const noticing: TestRun[] = []

  /**
   * Returns what some tests say about changed code. A failure counts if the test that failed, by itself, fails with the change and
   * passes without it, or if the tests pass without it. Otherwise they need the tests before them, and all of the file are asked.
   */
  async function verdictOf(some: TestRun, changed: string): Promise<Outcome['result']> {
    if (proven.get(keyOf(some)) === false) return (await attempt(allOf(some.path), changed)).result
    const { result, module } = await attempt(some, changed)
    if (result === 'passed' || proven.get(keyOf(some))) return remembered(some, result)
    const [failed] = module?.children.allTests('failed') ?? []
    const test = tests.find(({ id }) => id === failed?.id)
    if (test) {
      const alone: TestRun = { path: test.path, ids: [test.id], maxMs: allowedMs(test.ms) }
      if ((await passesUnchanged(alone)) && (await attempt(alone, changed)).result === 'failed')
        return remembered(alone, 'failed')
    }
    return (await passesUnchanged(some)) ? result : (await attempt(allOf(some.path), changed)).result
  }

  /** Keeps a test that noticed a mutant, to ask it first about the next ones. */
  function remembered(some: TestRun, result: Outcome['result']): Outcome['result'] {
    if (result !== 'failed' || some.ids?.length !== 1) return result
    const at = noticing.findIndex((each) => keyOf(each) === keyOf(some))
    if (at >= 0) noticing.splice(at, 1)
    noticing.unshift(some)
    return result
  }

  return {
    broken,
    async tried({ start, end, replacement, owner }) {
      const runs = selectedFor(owner)
      const reaching = new Set(runs.flatMap(({ ids }) => ids ?? []))
      const first = noticing.filter(({ ids }) => reaching.has(ids?.[0] ?? '')).slice(0, recentTests)
      const changed =
        runs.length > 0 ? await compiled(original.slice(0, start) + replacement + original.slice(end)) : ''
      for (const some of [...first, ...runs]) {
        const result = await verdictOf(some, changed)
        if (result !== 'passed') return result === 'failed' ? 'noticed' : result
      }
      return 'survived'
    },
    async isStillGreen() {
      const unchanged = await compiled(original)
      const own = [...asked.values()].filter((each) => proven.get(keyOf(each)) !== false)
      for (const [path, runs] of Map.groupBy(own, (each) => each.path)) {
        const isWhole = runs.some(({ ids }) => ids === undefined)
        const ids = isWhole ? undefined : [...new Set(runs.flatMap((each) => each.ids ?? []))]
        if ((await run(path, unchanged, maxBaselineMs, ids)).result !== 'passed') return false
      }
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
