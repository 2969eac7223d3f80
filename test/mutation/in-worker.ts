import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'
// Before everything that hashes passwords, as in every other run of the tests.
import '../support/password-hashing.ts'

/**
 * Loaded before each test file of a mutation run: unloads the modules that contain the mutated source, skips the tests after
 * the first failure, and reports which functions of the source were reached.
 */

declare module 'vitest' {
  interface ProvidedContext {
    /** Absolute paths of the mutated source and of every module that imports it, directly or not. */
    staleModules: readonly string[]
  }
  interface TaskMeta {
    /** Numbers of the functions of the source that the test reached. Filled in while coverage is measured. */
    reached?: readonly number[]
    /** CPU time of the test, and of the hooks around several tests that ran before it. */
    cpu?: { readonly testMs: number; readonly hooksMs: number }
  }
}

interface Modules {
  readonly fileToModulesMap: ReadonlyMap<string, Iterable<unknown>>
  invalidateModule(module: unknown): void
}

const shared = globalThis as unknown as {
  readonly __vitest_worker__: { readonly evaluatedModules: Modules }
  reachedFunctions?: Set<number>
}
const modules = shared.__vitest_worker__.evaluatedModules
for (const file of inject('staleModules'))
  for (const module of modules.fileToModulesMap.get(file) ?? []) modules.invalidateModule(module)

// Every mutant gets the same random cases: a survivor must not depend on chance.
fc.configureGlobal({ seed: 20_260_301, numRuns: 50 })

/** Functions reached while the file is loaded and in hooks around several tests. */
const outside = new Set<number>()
shared.reachedFunctions = outside
let hasFailed = false

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
let begun = 0
let ended = 0

beforeAll(() => {
  ended = cpuMs()
})
beforeEach(({ skip }) => {
  if (hasFailed) skip()
  shared.reachedFunctions = new Set()
  begun = cpuMs()
})
afterEach(({ task }) => {
  task.meta.reached = [...(shared.reachedFunctions ?? [])]
  task.meta.cpu = { testMs: cpuMs() - begun, hooksMs: begun - ended }
  shared.reachedFunctions = outside
  hasFailed ||= task.result?.state === 'fail'
  ended = cpuMs()
})
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
afterAll(({}, file) => {
  file.meta.reached = [...outside]
})
