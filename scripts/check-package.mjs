// Packs what would be published, installs it into an empty folder as a user would, and runs it there.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const folder = mkdtempSync(join(tmpdir(), 'countroom-package-'))
const home = (part) => join(folder, 'home', part)
const env = {
  ...process.env,
  XDG_CONFIG_HOME: home('config'),
  XDG_STATE_HOME: home('state'),
  XDG_DATA_HOME: home('data'),
  XDG_CACHE_HOME: home('cache'),
}

function run(command, args, cwd) {
  const { status, stdout, stderr } = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (status === 0) return stdout
  process.stderr.write(`${command} ${args.join(' ')} ended in ${status}\n${stdout}${stderr}`)
  rmSync(folder, { recursive: true, force: true })
  process.exit(1)
}

run('npm', ['pack', '--silent', '--pack-destination', folder], root)
const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? ''
writeFileSync(join(folder, 'package.json'), '{ "private": true }')
run('npm', ['install', '--no-audit', '--no-fund', '--silent', `./${tarball}`], folder)
const program = join(folder, 'node_modules/countroom/bin/run.js')
run(process.execPath, [program, '--version'], folder)
run(process.execPath, [program, 'demo', '--out', join(folder, 'demo'), '--quiet'], folder)
// As a library: the developers' guide has an example; it runs, and its types are included for TypeScript.
const [, example = ''] =
  /^```js world\.mjs\n([\s\S]*?)^```$/m.exec(readFileSync(join(root, 'docs/developers.md'), 'utf8')) ?? []
writeFileSync(join(folder, 'world.mjs'), example)
// If the types led nowhere everything would be "any", and the wrong call would pass.
const wrong = '// @ts-expect-error: there is no such call\nvoid (await startWorld()).casino.live.depositt\n'
writeFileSync(join(folder, 'world.mts'), example + wrong)
run(process.execPath, ['world.mjs'], folder)
const types = createRequire(import.meta.url).resolve('@types/node/package.json')
const tsc = createRequire(import.meta.url).resolve('typescript/package.json')
const strict = ['--strict', '--noEmit', '--module', 'nodenext', '--target', 'es2024', '--skipLibCheck']
const roots = ['--typeRoots', join(dirname(types), '..'), '--types', 'node']
const compiler = join(dirname(tsc), JSON.parse(readFileSync(tsc, 'utf8')).bin.tsc)
run(process.execPath, [compiler, ...strict, ...roots, 'world.mts'], folder)
rmSync(folder, { recursive: true, force: true })
process.stdout.write(`${tarball} installs and runs on Node ${process.versions.node}\n`)
