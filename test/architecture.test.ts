import { readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'

/** Holds the picture of ARCHITECTURE.md: who may import whom, and what may appear only where. */

const root = resolve(import.meta.dirname, '..')
const steps = [
  ['kit'],
  ['domain'],
  ['wire'],
  ['store'],
  ['outbox'],
  ['casino', 'gateway', 'chat'],
  ['book'],
  ['jobs'],
  ['world'],
  ['cli'],
  ['commands'],
]
const files = [...filesIn('src'), ...filesIn('commands')]

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name))
}

/** `src/http/server/handle.ts` is in `wire`, `commands/bets/sync.ts` in `commands`; what lies in `src` itself is the library's door. */
function folderOf(file: string): string {
  const [top = '', next = ''] = file.split('/')
  if (top === 'commands') return 'commands'
  return next.endsWith('.ts') ? 'door' : next
}

function stepOf(folder: string): number {
  return steps.findIndex((step) => step.includes(folder))
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8')
  const found = text.matchAll(
    /^(?:import|export)\b[^'"`;]*?\bfrom\s+'([^']+)'|^import '([^']+)'|\bimport\(\s*'([^']+)'\s*\)/gm,
  )
  return [...found].map((match) => match.slice(1).find(Boolean) ?? '')
}

function relativeImports(file: string): string[] {
  return importsOf(file)
    .filter((target) => target.startsWith('.'))
    .map((target) => relative(root, resolve(root, dirname(file), target)))
}

const packageOf = (target: string) =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')

describe('the staircase', () => {
  test('is looked at: there are files', () => {
    expect(files.length).toBeGreaterThan(50)
  })

  for (const file of files.filter((each) => folderOf(each) !== 'door')) {
    test(`${file} only looks down`, () => {
      const from = folderOf(file)
      expect(stepOf(from), `${from} is no step of the staircase`).toBeGreaterThanOrEqual(0)
      for (const target of relativeImports(file)) {
        const to = folderOf(target)
        if (from === to) continue
        if (/(^|\/)(contract|shapes)\.ts$/.test(target) && stepOf(from) >= stepOf('casino')) continue
        expect(stepOf(to), `${from} may not import ${target}`).toBeLessThan(stepOf(from))
        expect(stepOf(to), `${target} is on no step`).toBeGreaterThanOrEqual(0)
      }
    })
  }
})

describe('what may appear only in its place', () => {
  const offenders = (isOffence: (file: string) => boolean) => files.filter(isOffence)
  const uses = (file: string, ...packages: string[]) =>
    importsOf(file).some((target) => packages.includes(packageOf(target)))

  test('domain knows nothing that waits, no clock, no chance and no machine', () => {
    const allowed = new Set([
      'node:assert',
      'node:crypto',
      'luxon',
      'decimal.js',
      '@noble/curves',
      '@noble/hashes',
      '@scure/base',
      '@scure/bip32',
    ])
    for (const file of files.filter((each) => folderOf(each) === 'domain')) {
      const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
      expect(text, file).not.toMatch(/\basync\b|\bawait\b|Date\.now|Math\.random|\bprocess\.|new Date\(\)/)
      for (const target of importsOf(file).filter((each) => !each.startsWith('.')))
        expect(allowed.has(packageOf(target)), `${file} imports ${target}`).toBe(true)
    }
  })

  test('the environment is read in world/config.ts', () => {
    const readers = offenders((file) => /process\.env\b/.test(code(file)) && file !== 'src/world/config/config.ts')
    expect(readers).toEqual([])
  })

  test('sockets are opened in wire', () => {
    const users = offenders((file) => uses(file, 'undici') && folderOf(file) !== 'wire')
    expect(users).toEqual([])
  })

  test("Fastify is known to wire, and by its types alone to a service's pages", () => {
    const users = offenders((file) => {
      if (!uses(file, 'fastify') || folderOf(file) === 'wire') return false
      return !/^src\/(casino|gateway|chat)\//.test(file) || !/import type [^;]*from 'fastify'/.test(code(file))
    })
    expect(users).toEqual([])
  })

  test('drivers are known to the engines', () => {
    const users = offenders((file) => uses(file, 'better-sqlite3', 'pg') && !file.startsWith('src/store/engines/'))
    expect(users).toEqual([])
  })

  test('the framework of the command line is known to cli and commands', () => {
    const users = offenders((file) => uses(file, '@oclif/core') && !['cli', 'commands'].includes(folderOf(file)))
    expect(users).toEqual([])
  })

  test('a service touches only tables with its own prefix', () => {
    for (const service of ['casino', 'gateway', 'chat', 'book', 'outbox'])
      for (const file of files.filter((each) => folderOf(each) === service)) {
        const tables = [...code(file).matchAll(/(?:selectFrom|insertInto|updateTable|deleteFrom)\('([a-z]+)_/g)]
        for (const [, prefix] of tables) expect(prefix, file).toBe(service)
      }
  })

  test("the clock and chance are the world's: nobody else asks the machine", () => {
    // The command line speaks for the operator, who lives by the machine's own clock; the engines' only wait with it.
    const mayAsk = (file: string) =>
      ['kit', 'world', 'cli', 'commands'].includes(folderOf(file)) || file.startsWith('src/store/engines/')
    const askers = offenders((file) => /Date\.now\(\)|Math\.random\(\)|new Date\(\)/.test(code(file)) && !mayAsk(file))
    expect(askers).toEqual([])
  })

  test('there are no dependencies on what is not declared', () => {
    const { dependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    const known = new Set([...Object.keys(dependencies), ...builtinModules.map((name) => `node:${name}`)])
    for (const file of files)
      for (const target of importsOf(file).filter((each) => !each.startsWith('.') && !each.startsWith('node:')))
        expect(known.has(packageOf(target)), `${file} imports ${target}`).toBe(true)
  })
})

function code(file: string): string {
  return readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')
}
