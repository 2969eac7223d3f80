import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { transformSync } from 'rolldown/utils'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { withMarks } from './marks.ts'
import type { Mutant } from './mutants.ts'
import { createWarmWorker, endThread, replaceModule } from './warm-worker.ts'

export type Verdict = 'noticed' | 'timed out' | 'survived'

/** Runs the tests of one source in one warm thread, which gets the changed source from memory. */
export interface Session {
  /** Test files that fail without any mutant. */
  readonly broken: readonly string[]
  /**
   * Runs the tests that reach each mutant. Undefined if the unchanged source fails afterwards in one of the threads: a mutant changed
   * the state of that thread, so its failures prove nothing.
   */
  verdictsOf(mutants: readonly Mutant[]): Promise<ReadonlyMap<Mutant, Verdict> | undefined>
  close(): Promise<void>
}

const root = join(import.meta.dirname, '../..')
/** Without a mutant a test file may take this long. */
const maxBaselineMs = 120_000
/** Maximum time of tests with a mutant. Tests that exceed it loop forever, or the machine is busy: they run again with more time. */
const allowedMs = (baselineMs: number) => 3_000 + 3 * baselineMs
const secondAllowance = 3
/** Tests up to this CPU time run before the others. CPU time depends less on other processes than the wall clock. */
const quickMs = 300
/** Tests over this CPU time are skipped, because they would run once per mutant. */
const maxTestMs = 6_000
/** Number of tests that run first because they noticed the last mutants. Most mutants of a line fail the same test. */
const recentTests = 2
/** Skips the tests on PostgreSQL, which is slower to open: the same tests run on SQLite. */
const chosenTests = /^(?!.*PostgreSQL)/

interface Outcome {
  readonly result: 'passed' | 'failed' | 'timed out'
  readonly module: TestModule | undefined
}

interface ReachingTest {
  readonly path: string
  readonly id: string
  /** Time by the wall clock, for its maximum time with a mutant. */
  readonly ms: number
  /** CPU time with the hooks of its suite. */
  readonly cost: number
  /** True if it opens a database in a file. It runs only for functions that no other test reaches. */
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

/** Opens a session for a source with the tests that can notice its mutants, and the modules to load again for each of them. */
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
    // Vite names modules by their path from the root.
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
      threads += 1
      // Tests that passed in one thread can fail in another one.
      for (const [key, passes] of passAlone) if (passes) passAlone.delete(key)
      runsOfThread.clear()
      return endThread()
    }, maxMs)
    // Vitest keeps the results of earlier runs and would add them to this one.
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

  /** Number of replaced threads, which identifies the current one. */
  let threads = 0
  /** Results of some tests of a file without a mutant. They fail if they need the tests before them. */
  const passAlone = new Map<string, boolean>()
  /** Tests that ran with mutants in the current thread. */
  const runsOfThread = new Map<string, TestRun>()
  /** Thread of the last failure with a mutant. */
  let failedIn = 0

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

  /** Returns the tests that reach a function, by file, the quick ones before the others. */
  function selectedFor(owner: number): TestRun[] {
    // Constants of a rule can be used without a call of its functions.
    const reaches = ({ reached }: ReachingTest) =>
      owner === 0 ? reached.size > 0 || source.startsWith('src/domain/') : reached.has(owner)
    const reaching = tests.filter((each) => each.cost <= maxTestMs && reaches(each))
    const inMemory = reaching.filter(({ isOnFile }) => !isOnFile)
    const selection = inMemory.length > 0 ? inMemory : reaching
    return [selection.filter(({ cost }) => cost <= quickMs), selection.filter(({ cost }) => cost > quickMs)].flatMap(
      (group) =>
        [...Map.groupBy(group, ({ path }) => path)].map(([path, own]) => ({
          path,
          ids: own.map(({ id }) => id),
          maxMs: allowedMs(own.reduce((sum, { ms }) => sum + ms, 0)),
        })),
    )
  }

  const keyOf = ({ path, ids }: TestRun) => `${path} ${ids?.join() ?? 'all'}`

  async function passesUnchanged(some: TestRun): Promise<boolean> {
    // All tests of a file passed together at the start of the session.
    const known = some.ids === undefined || passAlone.get(keyOf(some))
    if (known !== undefined) return known
    const { result } = await run(some.path, await compiled(original), secondAllowance * some.maxMs, some.ids)
    passAlone.set(keyOf(some), result === 'passed')
    return result === 'passed'
  }

  function allOf(path: string): TestRun {
    return { path, maxMs: allowedMs(tests.reduce((sum, each) => sum + (each.path === path ? each.ms : 0), 0)) }
  }

  /** Throws if the unchanged source also exceeds the time: then a timeout proves nothing about a mutant. */
  async function assertInTime({ path, ids, maxMs }: TestRun): Promise<void> {
    const { result } = await run(path, await compiled(original), secondAllowance * maxMs, ids)
    if (result === 'timed out')
      throw new Error(`${source}: the machine is too busy, ${path} takes too long without any mutant`)
  }

  async function attempt({ path, ids, maxMs }: TestRun, code: string): Promise<Outcome> {
    const some = { path, ids, maxMs }
    runsOfThread.set(keyOf(some), some)
    let outcome = await run(path, code, maxMs, ids)
    if (outcome.result === 'timed out') {
      runsOfThread.set(keyOf(some), some)
      outcome = await run(path, code, secondAllowance * maxMs, ids)
      if (outcome.result === 'timed out') await assertInTime(some)
    }
    if (outcome.result === 'failed') failedIn = threads
    return outcome
  }

  /** Single tests that noticed a mutant and pass without one, the last one first. */
  const detectors: TestRun[] = []

  /**
   * Returns the result of some tests with changed code. A failure counts if the failed test alone, or all of these tests, pass without
   * the change. Otherwise they need the tests before them, and all tests of the file run.
   */
  async function verdictOf(some: TestRun, changed: string): Promise<Outcome['result']> {
    if (passAlone.get(keyOf(some)) === false) return (await attempt(allOf(some.path), changed)).result
    const { result, module } = await attempt(some, changed)
    if (result === 'passed' || passAlone.get(keyOf(some))) return remembered(some, result)
    const [failed] = module?.children.allTests('failed') ?? []
    const test = tests.find(({ id }) => id === failed?.id)
    if (test) {
      const alone: TestRun = { path: test.path, ids: [test.id], maxMs: allowedMs(test.ms) }
      if ((await passesUnchanged(alone)) && (await attempt(alone, changed)).result === 'failed')
        return remembered(alone, 'failed')
    }
    return (await passesUnchanged(some)) ? result : (await attempt(allOf(some.path), changed)).result
  }

  /** Keeps a test that noticed a mutant, so that it runs first for the next ones. */
  function remembered(some: TestRun, result: Outcome['result']): Outcome['result'] {
    if (result !== 'failed' || some.ids?.length !== 1) return result
    const at = detectors.findIndex((each) => keyOf(each) === keyOf(some))
    if (at >= 0) detectors.splice(at, 1)
    detectors.unshift(some)
    return result
  }

  async function verdictOn({ start, end, replacement, owner }: Mutant): Promise<Verdict> {
    const runs = selectedFor(owner)
    const reaching = new Set(runs.flatMap(({ ids }) => ids ?? []))
    const first = detectors.filter(({ ids }) => reaching.has(ids?.[0] ?? '')).slice(0, recentTests)
    const changed = runs.length > 0 ? await compiled(original.slice(0, start) + replacement + original.slice(end)) : ''
    for (const some of [...first, ...runs]) {
      let result = await verdictOf(some, changed)
      // The thread of the failure was replaced before its tests passed unchanged, so the failure proves nothing.
      while (result === 'failed' && failedIn !== threads) result = await verdictOf(some, changed)
      if (result !== 'passed') return result === 'failed' ? 'noticed' : result
    }
    return 'survived'
  }

  /** Returns whether the tests that ran in the current thread pass there without a mutant. */
  async function isStillGreen(): Promise<boolean> {
    const unchanged = await compiled(original)
    const own = [...runsOfThread.values()].filter((each) => passAlone.get(keyOf(each)) !== false)
    for (const [path, runs] of Map.groupBy(own, (each) => each.path)) {
      const isWhole = runs.some(({ ids }) => ids === undefined)
      const ids = isWhole ? undefined : [...new Set(runs.flatMap((each) => each.ids ?? []))]
      if ((await run(path, unchanged, maxBaselineMs, ids)).result !== 'passed') return false
    }
    return true
  }

  /** Adds the verdicts of mutants. Returns whether each thread that noticed one of them passed without a mutant afterwards. */
  async function addVerdicts(verdicts: Map<Mutant, Verdict>, mutants: readonly Mutant[]): Promise<boolean> {
    let unproven: Mutant[] = []
    for (const mutant of mutants) {
      const thread = threads
      const verdict = await verdictOn(mutant)
      verdicts.set(mutant, verdict)
      if (threads !== thread) {
        // The old thread ended before its tests ran unchanged, so the mutants that it noticed are repeated in the new one.
        if (!(await isStillGreen())) return false
        if (unproven.length > 0 && !(await addVerdicts(verdicts, unproven))) return false
        unproven = []
      } else if (verdict === 'noticed') unproven.push(mutant)
    }
    return isStillGreen()
  }

  return {
    broken,
    async verdictsOf(mutants) {
      const verdicts = new Map<Mutant, Verdict>()
      return (await addVerdicts(verdicts, mutants)) ? verdicts : undefined
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

/** Ends vitest and its thread, which all sessions share. */
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
