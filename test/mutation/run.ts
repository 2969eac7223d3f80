import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultSources, staleAfter, testsOf } from './concerned.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import {
  codeOf,
  type Figures,
  leastPercent,
  nameOf,
  percentOf,
  readRecord,
  readRows,
  rowOf,
  sumOf,
  withFigures,
} from './record.ts'
import { endSessions, openSession } from './session.ts'

/**
 * Mutation testing: `npm run mutate`, or `npm run mutate -- src/domain/bets/cursor.ts …`. Prints each survivor. Exits 1
 * when a survivor is not listed with its reason in docs/mutation.md, or when fewer than 95% of the mutants of a file
 * are noticed.
 */

const root = join(import.meta.dirname, '../..')
const recordPath = join(root, 'docs/mutation.md')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    write: { type: 'boolean', default: false },
    changed: { type: 'boolean', default: false },
    'skip-listed': { type: 'boolean', default: false },
  },
})

const chosen = globSync(positionals.length > 0 ? positionals : defaultSources, { cwd: root }).sort()
const sources = values.changed ? unmeasuredIn(chosen) : chosen
const results: Figures[] = []
const failures: string[] = []
for (const source of sources)
  try {
    const result = await measure(source)
    results.push(result)
    if (values.write) writeFigures(result)
  } catch (error) {
    failures.push(String(error))
    process.stdout.write(`Not measured: ${error}\n`)
  }
await endSessions()
// Tests leave timers in this process, and their failures set its exit code.
process.exit(report() ? 0 : 1)

/** Returns the sources without figures, with figures of other code, or with figures that are not good enough. */
function unmeasuredIn(paths: readonly string[]): string[] {
  const rows = readRows(readFileSync(recordPath, 'utf8'))
  return paths.filter((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const row = rows.get(path)
    const isKnown = row !== undefined && row.code === codeOf(text) && percentOf(row) >= leastPercent
    return mutantsOf(text).length > 0 && !isKnown
  })
}

async function measure(source: string): Promise<Figures> {
  const begun = performance.now()
  const text = readFileSync(join(root, source), 'utf8')
  const mutants = mutantsOf(text)
  const { survivors, timeouts } = mutants.length === 0 ? { survivors: [], timeouts: 0 } : await tryAll(source, mutants)
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  const noticed = mutants.length - survivors.length
  process.stderr.write(`${source}: ${noticed} of ${mutants.length}, ${timeouts} by a timeout (${seconds} s)\n`)
  const names = survivors.map((each) => nameOf(source, text, each))
  const { listed } = readRecord(readFileSync(recordPath, 'utf8'))
  for (const name of names) if (!listed.has(name)) process.stdout.write(`- ${name}\n`)
  return { source, mutants: mutants.length, survivors: names, timeouts, code: codeOf(text) }
}

async function tryAll(
  source: string,
  mutants: readonly Mutant[],
): Promise<{ survivors: readonly Mutant[]; timeouts: number }> {
  const tests = testsOf(source)
  if (tests.length === 0) return { survivors: mutants, timeouts: 0 }
  const session = await openSession(source, tests, staleAfter(source, tests))
  try {
    if (session.broken.length > 0)
      throw new Error(`${source}: these tests fail without any mutant: ${session.broken.join(', ')}`)
    const survivors: Mutant[] = []
    let timeouts = 0
    const text = readFileSync(join(root, source), 'utf8')
    const { listed } = readRecord(readFileSync(recordPath, 'utf8'))
    const named = Map.groupBy(mutants, (mutant) => nameOf(source, text, mutant))
    for (const mutant of mutants) {
      const name = nameOf(source, text, mutant)
      // The same change of two equal lines has one name, and only one of them may be listed for its reason.
      const isSkipped = values['skip-listed'] && listed.has(name) && named.get(name)?.length === 1
      const result = isSkipped ? 'survived' : await session.tried(mutant)
      if (result === 'survived') survivors.push(mutant)
      if (result === 'timed out') timeouts += 1
    }
    if (!(await session.isStillGreen()))
      throw new Error(`${source}: after the mutants its tests fail without any mutant`)
    return { survivors, timeouts }
  } finally {
    await session.close()
  }
}

/** Written at once, because a run over all files takes hours and may be stopped before its end. */
function writeFigures(result: Figures): void {
  const day = new Date().toISOString().slice(0, 10)
  writeFileSync(recordPath, withFigures(readFileSync(recordPath, 'utf8'), [result], day))
}

/** Prints the result. Returns whether it reaches the required percentage. */
function report(): boolean {
  const { listed } = readRecord(readFileSync(recordPath, 'utf8'))
  const survivors = results.flatMap((result) => result.survivors)
  const unlisted = survivors.filter((survivor) => !listed.has(survivor))
  const stale = [...listed].filter(
    (name) => results.some(({ source }) => name.startsWith(`${source}:`)) && !survivors.includes(name),
  )
  for (const name of stale) process.stdout.write(`Listed as a survivor, but noticed: ${name}\n`)
  const total = sumOf(results.map((result) => rowOf(result, listed)))
  const percent = percentOf(total)
  const timeouts = results.reduce((sum, each) => sum + each.timeouts, 0)
  process.stdout.write(
    `${total.noticed} of ${total.mutants} mutants noticed, ${total.equivalent} without effect (${percent.toFixed(1)}%), ${unlisted.length} survivors without a listed reason, ${timeouts} noticed by a timeout only\n`,
  )
  const low = results.filter((result) => percentOf(rowOf(result, listed)) < leastPercent)
  for (const { source } of low) process.stdout.write(`Fewer than ${leastPercent}% noticed: ${source}\n`)
  return low.length === 0 && unlisted.length === 0 && failures.length === 0
}
