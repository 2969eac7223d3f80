// Builds dist/, the manifest that oclif finds commands in, and the command reference in docs/reference.
// With --check nothing is written outside dist/: it fails when what is committed is not what would be made.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, extname, join, relative } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { bundle } from './bundle.mjs'
import { deskScript } from './desk.mjs'
import { playerPageScript } from './player-page.mjs'
import { referencePages } from './reference.mjs'
import { schemaScripts } from './schema-scripts.mjs'
import { widgetScript } from './widget.mjs'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const dist = join(root, 'dist')
// Inputs of the last compilation and of the last whole build.
const stampFiles = { compiled: join(dist, '.compiled.json'), built: join(dist, '.stamp.json') }
const isCheck = process.argv.includes('--check')
const sources = ['src', 'commands']
// Scripts that browsers load. Those of the widget and of the player's page contain all of their modules, except for texts.
const isServed = (path) =>
  /^src\/services\/(casino\/player-page\/browser\/(app|(panels\/)?languages\/\w+)|chat\/widget\/browser\/(loader|app|files|extras|tickets))\.ts$/.test(
    path,
  )

/** The web desk: its scripts become one file. */
const deskFolder = 'src/world/desk/browser'
const isBundledForDesk = (path) => path.startsWith(`${deskFolder}/`) && /\.tsx?$/.test(path)

const isStamped = (file, stamp) => existsSync(file) && readFileSync(file, 'utf8') === stamp
const source = stampOf(false)
const isFresh = isStamped(stampFiles.built, stampOf(true))
if (!isFresh || isCheck) {
  if (!isStamped(stampFiles.compiled, source)) {
    rmSync(stampFiles.compiled, { force: true })
    await compile()
    writeFileSync(stampFiles.compiled, source)
  }
  const stale = await describe()
  if (stale.length > 0 && isCheck) {
    process.stderr.write(`Out of date, run npm run build and commit: ${stale.join(', ')}\n`)
    process.exit(1)
  }
  // Written last: a build that was cut off is done again.
  writeFileSync(stampFiles.built, stampOf(true))
}

/** Compiles, copies what is not TypeScript, and takes away what has no source any more: a deleted command must not live on. */
async function compile() {
  const tsc = createRequire(import.meta.url).resolve('typescript/package.json')
  const bin = join(dirname(tsc), JSON.parse(readFileSync(tsc, 'utf8')).bin.tsc)
  // The page's scripts are compiled separately: only they may use the browser's types. Types are checked by
  // `npm run check`; to check them here too would take most of the build's CPU time.
  for (const project of ['build', 'browser']) {
    const info = join(dist, `${project}.tsbuildinfo`)
    const done = spawnSync(
      process.execPath,
      [bin, '-p', `tsconfig.${project}.json`, '--noCheck', '--incremental', '--tsBuildInfoFile', info],
      { cwd: root, stdio: 'inherit' },
    )
    if (done.status !== 0) process.exit(done.status ?? 1)
  }
  // Pages of merchants load these, so each is bundled and minified.
  for (const name of ['loader', 'app', 'files', 'extras', 'tickets']) {
    const path = join('src/services/chat/widget/browser', name)
    writeFileSync(join(dist, `${path}.js`), await widgetScript(join(root, `${path}.ts`)))
  }
  const playerPage = 'src/services/casino/player-page/browser/app'
  writeFileSync(join(dist, `${playerPage}.js`), await playerPageScript(join(root, `${playerPage}.ts`)))
  mkdirSync(join(dist, deskFolder), { recursive: true })
  writeFileSync(join(dist, deskFolder, 'app.js'), await deskScript(join(root, deskFolder, 'app.tsx')))
  const files = sources
    .flatMap((folder) => filesIn(join(root, folder)))
    .map((file) => relative(root, file))
    .filter((path) => !isBundledForDesk(path))
  const made = new Set([`dist/${deskFolder}/app.js`])
  for (const path of files) {
    const stem = path.slice(0, -'.ts'.length)
    if (extname(path) === '.ts') made.add(`dist/${stem}.d.ts`)
    if (isServed(path)) made.add(`dist/${stem}.js`)
    if (extname(path) === '.ts') continue
    mkdirSync(dirname(join(dist, path)), { recursive: true })
    cpSync(join(root, path), join(dist, path))
    made.add(`dist/${path}`)
  }
  mkdirSync(join(dist, 'src/db/schemas'), { recursive: true })
  for (const [name, script] of await schemaScripts(root)) {
    const path = `dist/src/db/schemas/${name}.json`
    writeFileSync(join(root, path), JSON.stringify(script))
    made.add(path)
  }
  const commands = files.filter((path) => path.startsWith('commands/') && path.endsWith('.ts'))
  for (const path of await bundle(root, commands, dist)) made.add(path)
  const isKept = (path) =>
    made.has(path) ||
    path === 'dist/commands.jsonl' ||
    path.endsWith('.tsbuildinfo') ||
    join(root, path) === stampFiles.built
  for (const file of filesIn(dist)) if (!isKept(relative(root, file))) rmSync(file)
}

/** Writes the manifest and the reference, each file only when it changed; the names of those that did. */
async function describe() {
  const load = (name) => import(pathToFileURL(join(dist, `src/cli/framework/${name}.js`)).href)
  const [{ commandsAmong, compactManifest, describeCommands, loadProgram }, help] = await Promise.all([
    load('manifest'),
    load('help'),
  ])
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const commands = Object.fromEntries(Object.entries(await describeCommands(root)).sort(([a], [b]) => (a < b ? -1 : 1)))
  const program = { ...(await loadProgram(root, false)), commands: commandsAmong(Object.values(commands)) }
  const pages = referencePages(program, help)
  const manifest = `${JSON.stringify({ commands, version }, null, 1)}\n`
  replace(join(dist, 'commands.jsonl'), compactManifest(program.commands))
  const changed = [['oclif.manifest.json', manifest], ...pages].flatMap(([name, text]) =>
    put(name, text) ? [name] : [],
  )
  // A page of a removed topic would describe commands that do not exist.
  const kept = new Set(pages.map(([name]) => name))
  const gone = filesIn(join(root, 'docs/reference'))
    .map((file) => relative(root, file))
    .filter((name) => !kept.has(name))
  if (!isCheck) for (const name of gone) rmSync(join(root, name))
  return [...changed, ...gone]
}

function put(name, text) {
  const file = join(root, name)
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return false
  if (!isCheck) {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
  return true
}

/** Replaces a file, if its text changed, at once: a command that starts during a build reads the old text or the new one. */
function replace(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return
  writeFileSync(`${file}.new`, text)
  renameSync(`${file}.new`, file)
}

/** Stamp of the build's inputs, and of its outputs outside of dist/: an unchanged stamp means that nothing has to be built. */
function stampOf(withOutputs) {
  const settings = [
    'package.json',
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.browser.json',
    'tsconfig.desk.json',
    'scripts/build.mjs',
    'scripts/bundle.mjs',
    'scripts/desk.mjs',
    'scripts/player-page.mjs',
    'scripts/reference.mjs',
    'scripts/schema-scripts.mjs',
    'scripts/widget.mjs',
  ]
  const outputs = withOutputs ? [join(root, 'oclif.manifest.json'), ...filesIn(join(root, 'docs/reference'))] : []
  const files = [
    ...sources.flatMap((folder) => filesIn(join(root, folder))),
    ...settings.map((name) => join(root, name)),
    ...outputs,
  ]
  const hash = createHash('sha256')
  for (const file of files.filter((name) => existsSync(name)).sort()) {
    hash.update(relative(root, file)).update('\0').update(readFileSync(file)).update('\0')
  }
  return hash.digest('hex')
}

function filesIn(folder) {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name)
      return statSync(path).isDirectory() ? filesIn(path) : [path]
    })
}
