import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { defaultSources, staleAfter, testsOf } from './concerned.ts'
import { type Mutant, mutantsOf } from './mutants.ts'
import {
  codeOf,
  type Figures,
  leastPercent,
  namesIn,
  percentOf,
  readRecord,
  readRows,
  rowOf,
  sumOf,
  withFigures,
} from './record.ts'
import { endSessions, openSession, type Verdict } from './session.ts'

/**
 * Mutation testing: `npm run mutate`, or `npm run mutate -- src/domain/bets/cursor.ts …`. Prints each survivor. Exits 1
 * when a survivor is not listed with its reason in docs/mutation.md, when a listed one is noticed, or when fewer than 95% of the
 * mutants of a file are noticed.
 *
 * - `--write`: puts the figures into docs/mutation.md.
 * - `--changed`: measures only files whose figures are missing, of other code, below 95%, or unlike the list of survivors.
 * - `--skip-listed`: counts listed survivors of a file with a valid row as survivors, without running tests. In changed code, a
 *   listed change can have an effect, so every change is tested.
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

/** Returns the sources whose figures are missing, no longer valid, or below the required percentage. */
function unmeasuredIn(paths: readonly string[]): string[] {
  const record = currentRecord()
  return paths.filter((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    const names = [...namesIn(path, text, mutantsOf(text)).values()]
    const row = validRow(path, text, names, record)
    return names.length > 0 && (row === undefined || percentOf(row) < leastPercent)
  })
}

/** Returns the row of a source if it is of this code, of these mutants and of the listed survivors. */
function validRow(source: string, text: string, names: readonly string[], { markdown, listed }: CurrentRecord) {
  const row = readRows(markdown).get(source)
  const equivalent = names.filter((name) => listed.has(name)).length
  const isValid = row?.code === codeOf(text) && row.mutants === names.length && row.equivalent === equivalent
  return isValid ? row : undefined
}

async function measure(source: string): Promise<Figures> {
  const begun = performance.now()
  const text = readFileSync(join(root, source), 'utf8')
  const mutants = mutantsOf(text)
  const names = namesIn(source, text, mutants)
  const record = currentRecord()
  const { listed } = record
  const isMeasured = validRow(source, text, [...names.values()], record) !== undefined
  const skipped = values['skip-listed'] && isMeasured ? listed : new Set<string>()
  const tried = mutants.filter((mutant) => !skipped.has(names.get(mutant) ?? ''))
  const verdicts = await verdictsOf(source, tried)
  const timeouts = tried.filter((mutant) => verdicts.get(mutant) === 'timed out').length
  const survivors = mutants.flatMap((mutant) =>
    (verdicts.get(mutant) ?? 'survived') === 'survived' ? (names.get(mutant) ?? []) : [],
  )
  const seconds = ((performance.now() - begun) / 1000).toFixed(0)
  const noticed = mutants.length - survivors.length
  process.stderr.write(`${source}: ${noticed} of ${mutants.length}, ${timeouts} by a timeout (${seconds} s)\n`)
  for (const name of survivors) if (!listed.has(name)) process.stdout.write(`- ${name}\n`)
  return { source, mutants: mutants.length, survivors, timeouts, code: codeOf(text) }
}

interface CurrentRecord {
  readonly markdown: string
  readonly listed: ReadonlySet<string>
}

function currentRecord(): CurrentRecord {
  const markdown = readFileSync(recordPath, 'utf8')
  return { markdown, listed: readRecord(markdown).listed }
}

/** Tries mutants. One without a verdict is reached by no test. */
async function verdictsOf(source: string, mutants: readonly Mutant[]): Promise<ReadonlyMap<Mutant, Verdict>> {
  const tests = testsOf(source)
  if (tests.length === 0 || mutants.length === 0) return new Map()
  const session = await openSession(source, tests, staleAfter(source, tests))
  try {
    if (session.broken.length > 0)
      throw new Error(`${source}: these tests fail without any mutant: ${session.broken.join(', ')}`)
    const verdicts = await session.verdictsOf(mutants)
    if (!verdicts) throw new Error(`${source}: after the mutants its tests fail without any mutant`)
    return verdicts
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
  const { listed } = currentRecord()
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
  return [low, unlisted, stale, failures].every(({ length }) => length === 0)
}
