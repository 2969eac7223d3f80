import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { aHome, envelopeOf, type Home, programs, root, runSpawned as run } from '../support/program/cli.ts'
import { remoteHome, served } from '../support/worlds/served.ts'

const node = (args: string[], env = aHome().env) => spawnSync(process.execPath, args, { encoding: 'utf8', env })

/** The launcher without a Node of its own installed next to it. */
function loneLauncher(home: Home): string {
  return home.write('elsewhere/bin/run.js', readFileSync(programs.countroom, 'utf8'))
}

test.each(['12.22.12', '18.20.8', '20.19.0', '22.11.0'])(
  'on Node %s it prints one clear line and exits 78',
  (version) => {
    const home = aHome()
    const disguise = home.write(
      'disguise.cjs',
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '${version}' } })`,
    )
    for (const args of [[], ['--version'], ['serve', '--json']]) {
      const { status, stdout, stderr } = node(['-r', disguise, loneLauncher(home), ...args])
      expect([status, stdout]).toEqual([78, ''])
      expect(stderr).toMatch(new RegExp(`^countroom needs Node 22\\.12 or newer; this is Node ${version}\\. .*\\n$`))
    }
    // In a clone the project's own Node runs the program, with the same arguments and exit code.
    const done = node(['-r', disguise, programs.countroom, '--version'])
    expect([done.status, done.stdout]).toEqual([0, expect.stringMatching(/^countroom /)])
    expect(node(['-r', disguise, programs.countroom, 'no-such-command']).status).toBe(127)
  },
)

const older = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => {
  const [major = 99] = existsSync(path)
    ? spawnSync(path, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout.split('.').map(Number)
    : []
  return major < 22
})

test.skipIf(older === undefined)('runs on an installed older Node too (skipped if there is none)', () => {
  const { status, stderr } = spawnSync(older ?? '', [loneLauncher(aHome()), 'help'], { encoding: 'utf8', env: {} })
  expect(status).toBe(78)
  expect(stderr).toMatch(/^countroom needs Node 22\.12 or newer; this is Node \d+\.\d+\.\d+\. .*\n$/)
  const own = spawnSync(older ?? '', [programs.countroom, 'help'], { encoding: 'utf8', env: {} })
  expect([own.status, own.stdout.includes('USAGE')]).toEqual([0, true])
})

test('the launcher has no syntax newer than Node 12', () => {
  const text = readFileSync(programs.countroom, 'utf8').replace(/\/\/.*/g, '')
  expect(text).not.toMatch(/\?\.|\?\?|\|\|=|&&=|^\s*import\s|^\s*export\s|\bawait\b|\.at\(|#!.*-S/m)
})

test.each<[name: string, env: Record<string, string>]>([
  ['is on a file system that cannot create folders', { HOME: '/proc/no/home' }],
  ['is not set', {}],
  ['is a file', { HOME: '/dev/null' }],
  ['cannot be written', { HOME: '/proc' }],
])('help works with a home that %s', (_, env) => {
  // Without the tests' own folder for compiled code the launcher chooses one itself.
  const { status, stdout } = spawnSync(process.execPath, [programs.countroom, '--help'], {
    encoding: 'utf8',
    env,
    timeout: 200_000,
  })
  expect([status, stdout.includes('USAGE')]).toEqual([0, true])
})

test('--version needs no settings', async () => {
  const home = aHome()
  home.write('config/countroom/config.json', '{')
  const { code, stdout } = await run(['--version'], { home })
  expect(code).toBe(0)
  expect(stdout).toMatch(/^countroom \d+\.\d+\.\d+\nnode \d+\.\d+\.\d+\nplatform \w+-\w+\noutput schema 1\n$/)
  expect(envelopeOf(await run(['--version', '--json'], { home })).data).toMatchObject({
    node: process.versions.node,
    schemaVersion: 1,
  })
})

/**
 * Lists the modules that a run loads, of either kind, and those of Node. They are written to stderr at exit, with their paths below
 * the project or the package's name.
 */
function loadedBy(args: readonly string[]): string {
  return node(['-r', aSpy(aHome()), programs.countroom, ...args]).stderr
}

/** A script that makes a run list its modules so. */
const aSpy = (home: Home): string =>
  home.write(
    'spy.cjs',
    `const loaded = new Set()
    require('node:module').registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) })
    process.on('exit', () => process.stderr.write([...loaded, ...process.moduleLoadList].join('\\n')))`,
  )

test('help, versions, completion and unknown commands load neither the framework nor any command', () => {
  for (const args of [
    ['--version'],
    ['help'],
    ['help', 'profiles', 'add'],
    ['profils'],
    ['__complete', 'bash', 'p'],
    ['config', 'show', '-h'],
  ]) {
    const loaded = loadedBy(args)
    expect(loaded).toMatch(/dist\/src\/cli\/framework\/main\.js/)
    expect(loaded).not.toMatch(/node_modules|dist\/src\/command-|dist\/commands/)
  }
})

test('a command loads no heavy module before it is needed, and the common parts in a few files', () => {
  const loaded = loadedBy(['profiles', 'list'])
  expect(loaded).toMatch(/dist\/src\/command-/)
  expect(loaded).not.toMatch(/node_modules|dist\/src\/(clients|world|ajv)-/)
  // Of Node's modules, it loads none for oclif's plugins and help, and none that an import of another would load.
  expect(loaded).toMatch(/^NativeModule tty$/m)
  expect(loaded).not.toMatch(/^NativeModule (child_process|readline|perf_hooks|worker_threads)$/m)
  expect(loaded.split('\n').filter((url) => url.startsWith('file:')).length).toBeLessThan(20)
})

test('a request loads the HTTP library in one file, without HTTP/2', async () => {
  const home = await remoteHome(await served())
  const env = { NODE_OPTIONS: `--require ${aSpy(home)}` }
  const { code, stderr } = await run(['account', 'show'], { home, env })
  expect(code).toBe(0)
  expect(stderr).toMatch(/dist\/src\/http-client-/)
  expect(stderr).toMatch(/^NativeModule http$/m)
  expect(stderr).not.toMatch(/node_modules|^NativeModule (http2|tls)$/m)
})

test.each(['reconcile daily', 'bets status', 'wallet journal'])(
  'without a book "%s" loads neither a world nor a service',
  (words) => {
    const loaded = loadedBy(words.split(' '))
    expect(loaded).toMatch(/dist\/src\/(book-location|database)-/)
    expect(loaded).not.toMatch(/dist\/src\/(world|chat-world)-|better-sqlite3/)
  },
)

test('completion of names from a book or a world loads neither a service nor the framework', () => {
  const loaded = loadedBy(['__complete', 'bash', 'wallet', 'transfer', ''])
  expect(loaded).toMatch(/dist\/src\/offered-names-/)
  expect(loaded).not.toMatch(/dist\/src\/(world|chat-world|clients|command)-/)
})

test('files in the data folder add no commands and cause no warnings', async () => {
  const home = aHome()
  const plugins = [{ name: 'countroom-plugin-stray', type: 'user', tag: 'latest' }]
  home.write('data/countroom/package.json', JSON.stringify({ name: 'countroom', version: '1.0.0', oclif: { plugins } }))
  const { code, stderr } = await run(['profiles', 'list'], { home })
  expect({ code, stderr: stderr.replace(/^No .*\n/, '') }).toEqual({ code: 0, stderr: '' })
})

test('the program runs from source, without a build', () => {
  const { status, stdout, stderr } = node([join(root, 'bin/dev.js'), 'profiles', 'list', '--json'])
  expect([status, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout).status).toBe('ok')
})

test('compiled code is stored in the user’s own folder', async () => {
  const home = aHome()
  await run(['--version'], { home, env: { NODE_COMPILE_CACHE: undefined } })
  expect(readdirSync(home.cache)).toEqual(['compiled'])
})

test('the committed files equal those of a build, which writes nothing that running commands read', () => {
  const written = () => statSync(join(root, 'dist/commands.jsonl')).mtimeMs
  const before = written()
  expect(node([join(root, 'scripts/build.mjs'), '--check'])).toMatchObject({ status: 0, stderr: '' })
  expect(written()).toBe(before)
})

test('the package has the files it needs to run and the documents of the README, and no tests', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-pack-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const env = { ...aHome().env, PATH: process.env['PATH'] ?? '' }
  const packed = spawnSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
    cwd: root,
    encoding: 'utf8',
    env,
  })
  expect(packed.status, packed.stderr).toBe(0)
  const [tarball = ''] = readdirSync(folder)
  spawnSync('tar', ['xzf', tarball], { cwd: folder })
  const installed = join(folder, 'package')
  expect(
    readdirSync(installed)
      .filter((name) => !/^(README|LICENSE)/.test(name))
      .sort(),
  ).toEqual([
    ...['ARCHITECTURE.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
    ...['bin', 'dist', 'docs', 'oclif.manifest.json', 'package.json'],
  ])
  expect(readdirSync(join(installed, 'dist')).sort()).toEqual(['commands', 'commands.jsonl', 'src'])
  expect(readdirSync(installed)).toEqual(expect.arrayContaining(['README.md', 'LICENSE']))
  expect(readdirSync(join(installed, 'docs'))).toEqual(expect.arrayContaining(['images', 'operators.md', 'reference']))
  expect(readdirSync(join(installed, 'docs'))).not.toContain('.vitepress')
  // Its dependencies are next to it, as npm installs them.
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  const { status, stdout, stderr } = node([join(installed, 'bin/run.js'), 'profiles', 'list', '--json'])
  expect([status, stderr]).toEqual([0, ''])
  expect(JSON.parse(stdout).command).toBe('profiles list')
})

test('an outdated manifest or reference page is detected', () => {
  const copy = mkdtempSync(join(tmpdir(), 'countroom-build-'))
  onTestFinished(() => rmSync(copy, { recursive: true, force: true }))
  for (const name of [
    'bin',
    // A few commands are enough, because the build time grows with their number.
    'commands/config',
    'commands/doctor.ts',
    'dist',
    'scripts',
    'src',
    'package.json',
    'oclif.manifest.json',
    'tsconfig.json',
    'tsconfig.build.json',
    'tsconfig.browser.json',
    'tsconfig.desk.json',
  ]) {
    cpSync(join(root, name), join(copy, name), { recursive: true })
  }
  // The build of this clone has checked the types; checking and describing them again would take most of the time.
  for (const [name, sources] of [
    ['build', '"include": ["src", "commands"]'],
    ['desk', '"include": ["src/world/desk/browser"]'],
  ] as const) {
    const compiler = join(copy, `tsconfig.${name}.json`)
    expect(readFileSync(compiler, 'utf8')).toContain(sources)
    writeFileSync(compiler, readFileSync(compiler, 'utf8').replace(sources, '"include": ["src/kit"]'))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const build = (...args: string[]) => node([join(copy, 'scripts/build.mjs'), ...args])
  cpSync(join(root, 'docs/reference'), join(copy, 'docs/reference'), { recursive: true })
  writeFileSync(join(copy, 'docs/reference/gone.md'), '# gone\n')
  rmSync(join(copy, 'commands/config/unset.ts'))
  const stale = build('--check')
  expect([stale.status, stale.stderr]).toEqual([
    1,
    expect.stringMatching(/oclif\.manifest\.json.*config\.md.*gone\.md/),
  ])
  expect(build().status).toBe(0)
  expect(existsSync(join(copy, 'dist/commands/config/unset.js'))).toBe(false)
  expect(readdirSync(join(copy, 'docs/reference'))).not.toContain('gone.md')
  expect(readFileSync(join(copy, 'docs/reference/config.md'), 'utf8')).not.toContain('config unset')
  expect(build('--check').status).toBe(0)
})
