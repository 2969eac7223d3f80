// Makes the program's JavaScript from its sources: every command a file of its own where the framework looks for it, and what
// they share in a few separate pieces. Finding and reading modules one by one was half of the time of a short command.
import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { rolldown } from 'rolldown'

/** Entries that are loaded by path, in addition to the commands: the program, the library, the signing service's thread, and the base of other programs' commands. */
const entries = [
  'src/index.ts',
  'src/cli/framework/main.ts',
  'src/cli/framework/command.ts',
  'src/cli/framework/flags.ts',
  'src/cli/framework/help.ts',
  'src/cli/framework/manifest.ts',
  'src/kit/problem.ts',
  'src/services/gateway/signer/thread.ts',
]

/** Entries that are loaded to start any command. */
const starts = ['src/cli/framework/main.ts', 'src/cli/framework/command.ts', 'src/cli/framework/flags.ts']

/** Libraries of many small modules that most commands wait for go into the pieces; all others stay packages. */
const packed =
  /^(typebox|kysely|undici\/|eventsource-parser|ajv|@oclif\/core|@noble\/|@scure\/|@?otplib|ulidx|layerr|fastest-levenshtein)/

const isBare = (id) => /^[@a-z]/.test(id) && !/^(src|commands)\//.test(id)

const { dependencies } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))

/** Rejects a package that would not be installed: the bundler imports helpers of its own for some syntax. */
function isInstalled(id) {
  const [, name] = /^((?:@[^/]+\/)?[^/]+)/.exec(id) ?? []
  if (id.startsWith('node:') || Object.hasOwn(dependencies, name)) return true
  throw new Error(`The bundle would import ${id}, which package.json does not declare`)
}

/** Returns whether an import stays a package. A packed library includes its dependencies. */
export function isPackage(id, importer) {
  return isBare(id) && !packed.test(id) && !/\/node_modules\//.test(importer ?? '') && isInstalled(id)
}

/** The chunks defined by hand, each with its dependencies that are in no earlier chunk: modules that are loaded together are in one chunk, without others. */
const first = (root) => [
  { name: 'module-path', test: /src\/kit\/module-path\.ts$/ },
  sharedWithThreads(root),
  { name: 'start', test: /src\/cli\/framework\/main\.ts$/ },
  { name: 'command', test: /src\/cli\/framework\/(command|flags)\.ts$/ },
]
const last = [
  // A job locks the book before it opens one, and a world locks its snapshots.
  { name: 'database-lock', test: /src\/db\/engines\/lock\.ts$/ },
  { name: 'http-client', test: /\/node_modules\/undici\// },
  { name: 'clients', test: /src\/world\/clients\/casino\.ts$/ },
  // A run that opens a book needs a database and none of the services; a run without a book needs no SQLite either.
  {
    name: 'database',
    test: /src\/db\/(store|engines\/kysely-dialect|migrations\/world\/0001-store)\.ts$|\/node_modules\/kysely\//,
  },
  { name: 'sqlite', test: /src\/db\/engines\/sqlite\/index\.ts$/ },
  // Completion reads names of a world without opening it.
  { name: 'chat-tenant', test: /src\/world\/clients\/chat-tenant\.ts$/ },
  {
    name: 'chat-world',
    test: /src\/world\/(chat-only-world|clients\/(chat|local-chat|agent-client))\.ts$/,
  },
  { name: 'world', test: /src\/world\/world\.ts$/ },
]

/** Returns the chunk of what a thread shares with the start of a command. Without it, the thread would load all of the start. */
function sharedWithThreads(root) {
  const started = closure(root, starts)
  const threads = entries.filter((path) => path.endsWith('thread.ts'))
  const paths = closure(root, threads).filter((path) => started.includes(path))
  return { name: 'threads', test: (id) => paths.includes(relative(root, id)) }
}

/**
 * Rules and tools that some command needs before its first request, and those of its work that a world has too, are
 * chunks of their own. Otherwise they would include clients and the world.
 */
function alone(root, commands) {
  const early = closure(root, commands)
  const inWorld = closure(root, ['src/world/world.ts'])
  const works = new Set(commands.flatMap((path) => importedBy(root, path, loaded)))
  const shared = closure(root, works, /^src\/(world|services)\//).filter((path) => inWorld.includes(path))
  const paths = [
    ...early.filter((path) => /^src\/(kit|domain|http|operator)\//.test(path)),
    // Queries are prepared by modules that are loaded before a database is opened.
    ...shared.filter((path) => /^src\/((kit|domain)\/|db\/prepared\.ts$)/.test(path)),
  ]
  return together(root, commands, [...new Set(paths)])
}

/**
 * Puts small modules that are usually loaded together into one chunk, because every file takes a third of a millisecond or
 * more. A module that imports a library, or a file that is not such a module, has a chunk of its own.
 */
function together(root, commands, paths) {
  const isLight = (path) =>
    closure(root, [path]).every((each) => paths.includes(each) && !ofLibrary.test(textOf(root, each)))
  const light = new Set(paths.filter(isLight))
  const withoutWorld = commands.map(
    (path) => new Set(closure(root, [path, ...importedBy(root, path, loaded)], /^src\/(world|services)\//)),
  )
  const inClients = closure(root, ['src/world/clients/casino.ts'])
  const isUsual = (path) =>
    inClients.includes(path) || withoutWorld.filter((files) => files.has(path)).length > commands.length / 30
  const takeLight = (isOneOf) => {
    const taken = paths.filter((path) => light.has(path) && isOneOf(path))
    for (const path of taken) light.delete(path)
    return taken
  }
  const of = (entry) => {
    const files = closure(root, [entry])
    return takeLight((path) => files.includes(path))
  }
  const groups = [
    { name: 'usual-tools', paths: takeLight(isUsual) },
    { name: 'chat-tools', paths: of('src/world/chat-only-world.ts') },
    { name: 'world-tools', paths: of('src/world/world.ts') },
  ]
  const grouped = groups.flatMap((group) => group.paths)
  const single = paths
    .filter((path) => !grouped.includes(path))
    .map((path) => ({ name: path.slice('src/'.length, -'.ts'.length).replaceAll('/', '-'), paths: [path] }))
  return [...groups, ...single].map((group) => ({
    name: group.name,
    test: (id) => group.paths.includes(relative(root, id)),
  }))
}

/** Lists files with all their imports, each after its dependencies, which are therefore assigned first. */
function closure(root, from, beyond) {
  const paths = new Set()
  const visit = (path) => {
    if (paths.has(path) || beyond?.test(path)) return
    for (const target of importedBy(root, path)) visit(target)
    paths.add(path)
  }
  for (const path of from) visit(path)
  return [...paths]
}

const imported = /^(?:import|export)\s(?!type\b)[^'"]*?from\s+'(\.[^']+)'/gm

const loaded = /\bimport\(\s*'(\.[^']+)'\s*\)/g

/** An import of a package, which is not one of Node's modules. */
const ofLibrary = /^(?:import|export)\s(?!type\b)[^'"]*?from\s+'(?!\.|node:)[^']+'/m

/** Texts of the sources by path: each is searched many times. */
const texts = new Map()

function textOf(root, path) {
  const file = join(root, path)
  if (!texts.has(file)) texts.set(file, readFileSync(file, 'utf8'))
  return texts.get(file)
}

/** Lists what a file imports, or with `loaded` what it loads while it runs. */
function importedBy(root, path, statements = imported) {
  const text = textOf(root, path)
  return [...text.matchAll(statements)].map(([, target]) => relative(root, join(root, dirname(path), target)))
}

const inOrder = (pieces) => pieces.map((piece, i) => ({ ...piece, priority: pieces.length - i }))

const ofNode = /^import (?:([\w$]+)|\* as ([\w$]+)|(?:([\w$]+), )?\{([^}]*)\}) from "(node:[\w/]+)";$/gm

/**
 * Takes Node's modules from the process. An import of one reads all that it exports, and so loads what Node loads at first use:
 * without these imports a short command takes 0.92 times the processor time.
 */
const nodeModulesOfProcess = {
  name: 'node-modules-of-process',
  renderChunk: (code) =>
    code.replace(ofNode, (_, single, all, whole, names, module) => {
      const taken = [single ?? all ?? whole, names && `{${names.replaceAll(' as ', ': ')}}`].filter(Boolean)
      return taken.map((name) => `const ${name} = globalThis.process.getBuiltinModule("${module}");`).join(' ')
    }),
}

const ofOclif = /\/@oclif\/core\/lib\//

const required = /^const (\w+_\d+) = (require\("(?:\.|node:)[^"]*"\));$/gm

/** Evaluates the modules of oclif at first use: a run needs its parser, and not its plugins, help and colors. */
const oclifAtFirstUse = {
  name: 'oclif-at-first-use',
  transform: (code, id) =>
    ofOclif.test(id) ? code.replace(required, 'const $1 = new Proxy({}, { get: (_, name) => $2[name] });') : undefined,
}

/** Raw texts, in which an escape would be more characters. */
const raw = /(String\.raw`[^`]*`)/

/** Writes scripts in ASCII. V8 keeps others in two bytes per character, and Node encodes them at each start to look up their compiled code. */
const inAscii = {
  name: 'in-ascii',
  generateBundle: (_, files) => {
    for (const file of Object.values(files)) if (file.type === 'chunk') file.code = asciiOf(file.code)
  },
}

const asciiOf = (code) =>
  code
    .split(raw)
    .map((part, i) => (i % 2 === 0 ? part.replace(/[\u0080-\uffff]/g, escaped) : part))
    .join('')

const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const http2 = "const connectH2 = require('./client-h2.js')"

/** Does not evaluate undici's HTTP/2 client, which no connection uses, and so does not load Node's HTTP/2 modules. */
const http2Unused = {
  name: 'http2-unused',
  transform: (code, id) => {
    if (!id.endsWith('/undici/lib/dispatcher/client.js')) return undefined
    if (!code.includes(http2)) throw new Error('undici loads its HTTP/2 client in another way')
    return code.replace(http2, "const connectH2 = (...input) => require('./client-h2.js')(...input)")
  },
}

/** Writes all of it below a folder; the paths of what was written. */
export async function bundle(root, commands, dir) {
  const named = [...entries, ...commands].map((path) => [path.replace(/\.ts$/, ''), path])
  const build = await rolldown({
    cwd: root,
    input: Object.fromEntries(named),
    platform: 'node',
    // Every export of an entry may be imported by its name.
    preserveEntrySignatures: 'strict',
    external: isPackage,
    plugins: [nodeModulesOfProcess, oclifAtFirstUse, http2Unused, inAscii],
    checks: { ineffectiveDynamicImport: false },
  })
  const { output } = await build.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].js',
    // Own files are found relative to `module-path`, directly below `src`.
    chunkFileNames: 'src/[name]-[hash].js',
    codeSplitting: { groups: inOrder([...first(root), ...alone(root, commands), ...last]) },
  })
  await build.close()
  return output.map(({ fileName }) => relative(root, `${dir}/${fileName}`))
}
