import { fork } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Mutant, mutantsOf } from './mutants.ts'
import type { SessionMessage } from './session.ts'

/**
 * Mutation testing: `npm run mutate`, or `npm run mutate -- src/domain/cursor.ts …`. Each mutant of a source file is tested by
 * the test files that import it, nearest first. Survivors are printed; those with a reason are listed in docs/mutation.md.
 * Exits 1 when fewer than 95% of the mutants are killed, or when a survivor is not listed.
 */

const root = join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { out: { type: 'string' }, most: { type: 'string', default: '12' } },
})

/** What is mutated by default: the rules and the use cases that move money. */
const defaults = ['src/domain/**/*.ts']
/** Tests that may be asked. Those that start processes are too slow to be run for each mutant. */
const testGlobs = ['test/domain/**/*.test.ts', 'test/rulebook/**/*.test.ts', 'test/models/**/*.test.ts']
const leastScore = 95
/** A mutant whose tests take longer than this loops forever. */
const patienceMs = 60_000

interface Result {
  readonly source: string
  readonly mutants: readonly Mutant[]
  readonly survivors: readonly Mutant[]
  readonly isUntested: boolean
}

const sources = globSync(positionals.length > 0 ? positionals : defaults, { cwd: root }).sort()
const tests = globSync(testGlobs, { cwd: root }).sort()
const imports = importGraph([...sources, ...tests])
const listed = listedSurvivors()
const results: Result[] = []
for (const source of sources) results.push(await test(source))
report()

async function test(source: string): Promise<Result> {
  const mutants = mutantsOf(readFileSync(join(root, source), 'utf8'))
  const asked = testsOf(source)
  if (mutants.length === 0) return { source, mutants, survivors: [], isUntested: false }
  if (asked.length === 0) return { source, mutants, survivors: mutants, isUntested: true }
  const survivors: Mutant[] = []
  let next = 0
  while (next < mutants.length) {
    const { done, survived } = await session(source, asked, next)
    survivors.push(...survived.flatMap((index) => mutants[index] ?? []))
    next = done
  }
  const line = `${source}: ${mutants.length - survivors.length}/${mutants.length} killed`
  process.stderr.write(`${line}\n`)
  for (const mutant of survivors) process.stderr.write(`  ${describe(source, mutant)}\n`)
  return { source, mutants, survivors, isUntested: false }
}

/** Runs one process over the mutants from `first` on, until it ends or a mutant hangs. Returns where to go on. */
function session(source: string, asked: readonly string[], first: number) {
  return new Promise<{ done: number; survived: number[] }>((resolve, reject) => {
    const survived: number[] = []
    let done = first
    let isHung = false
    let isBroken = false
    const child = fork(join(import.meta.dirname, 'session.ts'), [source, String(first), ...asked], {
      cwd: root,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let timer: NodeJS.Timeout | undefined
    child.on('message', (message: SessionMessage) => {
      clearTimeout(timer)
      if (message.event === 'broken') isBroken = true
      if (message.event === 'started') {
        done = message.index
        timer = setTimeout(() => {
          isHung = true
          child.kill('SIGKILL')
        }, patienceMs)
      }
      if (message.event === 'ended') {
        done = message.index + 1
        if (!message.isKilled) survived.push(message.index)
      }
    })
    child.on('close', (code) => {
      clearTimeout(timer)
      if (isBroken) return reject(new Error(`${source}: its tests fail without any mutant`))
      // A mutant that hangs or ends the process was noticed.
      if (isHung || (code !== 0 && done > first)) return resolve({ done: done + 1, survived })
      if (code !== 0) return reject(new Error(`${source}: the session ended with ${code}`))
      resolve({ done: Number.POSITIVE_INFINITY, survived })
    })
  })
}

/** The test files that reach a source by imports, those that import it directly first. */
function testsOf(source: string): string[] {
  const distances = tests.flatMap((test) => {
    const distance = distanceOf(test, source)
    return distance === undefined ? [] : [{ test, distance }]
  })
  return distances
    .sort((a, b) => a.distance - b.distance)
    .slice(0, Number(values.most))
    .map(({ test }) => test)
}

function distanceOf(from: string, to: string): number | undefined {
  const seen = new Set([from])
  let ring = [from]
  for (let distance = 1; ring.length > 0; distance++) {
    const next = ring.flatMap((file) => imports.get(file) ?? []).filter((file) => !seen.has(file))
    if (next.includes(to)) return distance
    for (const file of next) seen.add(file)
    ring = [...new Set(next)]
  }
  return undefined
}

function importGraph(files: readonly string[]): Map<string, string[]> {
  const graph = new Map<string, string[]>()
  const visit = (file: string) => {
    if (graph.has(file)) return
    const text = readFileSync(join(root, file), 'utf8')
    const found = [...text.matchAll(/\bfrom\s+'(\.[^']+\.ts)'|\bimport\(\s*'(\.[^']+\.ts)'/g)]
    const targets = found.map(([, a, b]) => relative(root, resolve(root, dirname(file), a ?? b ?? '')))
    graph.set(file, targets)
    for (const target of targets) visit(target)
  }
  for (const file of files) visit(file)
  return graph
}

/** How a survivor is named in docs/mutation.md: by the text of its line, so that the name outlives other changes of the file. */
function describe(source: string, { line, kind, start, end, replacement }: Mutant): string {
  const text = readFileSync(join(root, source), 'utf8')
  const code = (text.split('\n')[line - 1] ?? '').trim()
  return `${source} · ${kind} · \`${text.slice(start, end)}\` → \`${replacement}\` · \`${code}\``
}

function listedSurvivors(): string {
  try {
    return readFileSync(join(root, 'docs/mutation.md'), 'utf8')
  } catch {
    return ''
  }
}

function report(): void {
  const all = results.reduce((sum, { mutants }) => sum + mutants.length, 0)
  const survivors = results.flatMap((result) => result.survivors.map((mutant) => describe(result.source, mutant)))
  const unlisted = survivors.filter((survivor) => !listed.includes(survivor))
  const untested = results.filter(({ isUntested }) => isUntested).map(({ source }) => source)
  const score = all === 0 ? 100 : (100 * (all - survivors.length)) / all
  process.stdout.write(`${unlisted.map((each) => `- ${each}\n`).join('')}`)
  for (const source of untested) process.stdout.write(`No test imports ${source}\n`)
  process.stdout.write(
    `${all - survivors.length} of ${all} mutants killed (${score.toFixed(1)}%), ${unlisted.length} survivors without a listed reason\n`,
  )
  if (values.out) writeFileSync(values.out, JSON.stringify({ all, survivors, untested }, null, 2))
  if (score < leastScore || unlisted.length > 0) process.exitCode = 1
}
