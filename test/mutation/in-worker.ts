import fc from 'fast-check'
import { afterAll, afterEach, beforeEach, inject } from 'vitest'
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

// The same cases for every mutant: a survivor must not depend on chance.
fc.configureGlobal({ seed: 20_260_301, numRuns: 50 })

/** Reached while the file is loaded and in hooks around several tests. */
const outside = new Set<number>()
shared.reachedFunctions = outside
let hasFailed = false

beforeEach(({ skip }) => {
  if (hasFailed) skip()
  shared.reachedFunctions = new Set()
})
afterEach(({ task }) => {
  task.meta.reached = [...(shared.reachedFunctions ?? [])]
  shared.reachedFunctions = outside
  hasFailed ||= task.result?.state === 'fail'
})
// biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of fixtures from the pattern.
afterAll(({}, file) => {
  file.meta.reached = [...outside]
})
