import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { inject, onTestFinished } from 'vitest'
import { envelopeSchema } from '../../../src/cli/outcome/envelope.ts'
import { resultSchema } from '../../../src/cli/outcome/result-schema.ts'
import { commandOf, commands } from './command-line.ts'
import { expectPasteable } from './printed-commands.ts'
import { runWarm } from './warm.ts'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')

/** The built program, and a second one on the same base whose commands fail on purpose. */
export const programs = { countroom: join(root, 'bin/run.js'), fixture: join(root, 'test/support/fixture/run.js') }

export interface RunOptions {
  /** Variables added to an environment that has only the folders of the home. */
  readonly env?: Readonly<Record<string, string | undefined>>
  readonly input?: string
  readonly cwd?: string
  readonly home?: Home
  readonly program?: keyof typeof programs
  /** True to run in a process of its own, which is the default of the fixture. */
  readonly isSpawned?: boolean
  /** Called with the process when it has started. */
  readonly started?: (process: ChildProcess) => void
  /** Called after each piece of output with the running process and its output so far. */
  readonly watch?: (process: ChildProcess, printed: string) => void
}

export interface Result {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

/** The folders of one user of the program, deleted at the end of the test. */
export interface Home {
  readonly folder: string
  readonly env: Readonly<Record<string, string>>
  /** Folder of settings and profiles. */
  readonly config: string
  readonly cache: string
  /** Writes a file below the folder and returns its path. */
  write(name: string, text: string, mode?: number): string
}

/**
 * Folder of the program's compiled code, shared by all homes. Compiling it again for each home would take most of the
 * CPU time.
 */
const compiled = { NODE_COMPILE_CACHE: join(root, 'node_modules/.cache/countroom-compiled') }

/**
 * Creates a home, deleted at the end of the test. Concurrent tests pass `afterAll`, because vitest cannot tell which of
 * them is running.
 */
export function aHome(atEnd: (clean: () => void) => void = onTestFinished): Home {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-cli-'))
  atEnd(() => rmSync(folder, { recursive: true, force: true }))
  const at = (name: string) => join(folder, name)
  return {
    folder,
    env: {
      ...compiled,
      HOME: at('home'),
      XDG_CONFIG_HOME: at('config'),
      XDG_STATE_HOME: at('state'),
      XDG_CACHE_HOME: at('cache'),
      XDG_DATA_HOME: at('data'),
    },
    config: at('config/countroom'),
    cache: at('cache/countroom'),
    write(name, text, mode = 0o600) {
      mkdirSync(dirname(at(name)), { recursive: true, mode: 0o700 })
      writeFileSync(at(name), text, { mode })
      return at(name)
    },
  }
}

/** Opens a home in a folder that the caller creates and deletes, for a file of tests that share one. */
export function aHomeFor(folder: string, env: Readonly<Record<string, string | undefined>>): Home {
  const xdg = (name: string) => env[name] ?? join(folder, name)
  const kept = ['XDG_CONFIG_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME']
  return {
    folder,
    env: { ...compiled, HOME: join(folder, 'home'), ...Object.fromEntries(kept.map((name) => [name, xdg(name)])) },
    config: join(xdg('XDG_CONFIG_HOME'), 'countroom'),
    cache: join(xdg('XDG_CACHE_HOME'), 'countroom'),
    write(name, text, mode = 0o600) {
      const path = join(folder, name)
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, text, { mode })
      return path
    },
  }
}

/** Returns whether this run of the tests, in any worker, has not yet run a command of the topic. */
function isFirstOf(topic: string): boolean {
  try {
    mkdirSync(join(inject('runFolder'), topic))
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/**
 * Runs the built program as a person or a script would. The first run of each topic gets a process of its own, as does
 * a run that is watched or stopped. The others share a process that has loaded the program. The matrix of all commands
 * starts one process per command. Fails if a printed command cannot be pasted.
 */
export async function run(args: readonly string[], options: RunOptions = {}): Promise<Result> {
  const isFixture = options.program === 'fixture'
  const topic = isFixture ? undefined : commandOf(args)?.id.split(':')[0]
  // Node reads its own variables when the process starts.
  const isForNode = Object.keys(options.env ?? {}).some((name) => name.startsWith('NODE_'))
  const isWhole = isForNode || (options.isSpawned ?? isFixture) || options.watch || options.started
  if (isWhole || (topic !== undefined && isFirstOf(topic))) return runSpawned(args, options)
  const home = options.home ?? aHome()
  const { input = '', cwd = home.folder } = options
  const order = { args, env: environmentFor(home, options), cwd, input }
  if (isFixture) return runWarm({ ...order, script: programs.fixture }, longestMs)
  return expectPasteable(args, await runWarm(order, longestMs))
}

/** Runs the built program as a process of its own. */
export async function runSpawned(args: readonly string[], options: RunOptions = {}): Promise<Result> {
  const { home = aHome(), program = 'countroom' } = options
  const result = await runProcess([process.execPath, programs[program], ...args], { ...options, home })
  // The fixture's commands are in no manifest.
  return program === 'fixture' ? result : expectPasteable(args, result)
}

function environmentFor(home: Home, options: RunOptions): Record<string, string> {
  const all = { PATH: process.env['PATH'], ...home.env, ...options.env }
  return Object.fromEntries(Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined))
}

/** A run longer than this has hung. The limit is far above the duration of a run on a busy machine. */
export const longestMs = 200_000

/** Runs a program of the machine in the folders of a home. */
export function runProcess(
  [command = '', ...args]: readonly string[],
  options: RunOptions & { home: Home },
): Promise<Result> {
  const { home, input, started, watch } = options
  const env = environmentFor(home, options)
  const child = spawn(command, args, {
    cwd: options.cwd ?? home.folder,
    env,
    stdio: 'pipe',
    timeout: longestMs,
    killSignal: 'SIGKILL',
  })
  started?.(child)
  return new Promise((resolve, reject) => {
    let stdout = ''
    let stderr = ''
    const hear = () => watch?.(child, stdout + stderr)
    child.stdout.setEncoding('utf8').on('data', (text) => {
      stdout += text
      hear()
    })
    child.stderr.setEncoding('utf8').on('data', (text) => {
      stderr += text
      hear()
    })
    child.on('error', reject)
    child.on('close', (code, signal) => resolve({ code: code ?? (signal === null ? -1 : -2), stdout, stderr }))
    child.stdin.on('error', () => {})
    if (watch === undefined || input !== undefined) child.stdin.end(input ?? '')
  })
}

/** Reason why no pseudo terminal is available; `undefined` if there is one. */
export const noTerminal: string | undefined =
  spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0
    ? undefined
    : 'no script(1) of util-linux on this machine'

/**
 * Runs under a pseudo terminal. Types the answer when the screen shows the expected text. Returns both streams as one.
 */
export async function runOnTerminal(
  args: readonly string[],
  typed: readonly (readonly [waitFor: string, answer: string])[],
  options: RunOptions & { columns?: number; rows?: number; redirect?: string } = {},
): Promise<{ code: number; screen: string }> {
  const home = options.home ?? aHome()
  const words = [process.execPath, programs[options.program ?? 'countroom'], ...args]
  const line = `stty cols ${options.columns ?? 100} rows ${options.rows ?? 24}; ${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ')} ${options.redirect ?? ''}`
  const left = [...typed]
  let seen = 0
  const { code, stdout } = await runProcess(['script', '-qec', line, '/dev/null'], {
    ...options,
    home,
    env: { TERM: 'xterm-256color', SHELL: '/bin/sh', ...options.env },
    watch: (child, printed) => {
      const [next] = left
      const at = next === undefined ? -1 : printed.indexOf(next[0], seen)
      if (next === undefined || at === -1) return
      seen = at + next[0].length
      left.shift()
      child.stdin?.write(next[1])
    },
  })
  if (options.program !== 'fixture') expectPasteable(args, { stdout, stderr: '' })
  return { code, screen: stdout }
}

/** Parses the single JSON object on stdout. */
export function envelopeOf({ stdout }: Result): {
  schemaVersion: number
  command: string
  status: 'ok' | 'error'
  data: Record<string, unknown>
  warnings: string[]
  error: {
    code: string
    category: string
    retryable: boolean
    message: string
    details: Record<string, unknown>
    remoteCode: string | null
  }
} {
  return JSON.parse(stdout)
}

/** Loads the class of a command from its source. */
export async function classOf(id: string) {
  const module = await import(join(root, 'commands', `${id.replaceAll(':', '/')}.ts`))
  return module.default as typeof import('../../../src/cli/framework/command.ts').CountroomCommand
}

/** Text formats that the schemas name, validated here. */
const formats = {
  date: /^\d{4}-\d{2}-\d{2}$/,
  'date-time': (text: string) => /^\d{4}-\d{2}-\d{2}T/.test(text) && !Number.isNaN(Date.parse(text)),
}

/** One for all commands: each compiles the schema of schemas first, which takes three times as long as a command's own. */
const ajv = new Ajv2020({ strict: false, formats })

/** Compiled output schemas, by the command's words. */
const schemas = new Map<string, ReturnType<typeof schemaOf>>()

async function schemaOf(command: string) {
  const entry = commands.find(({ id }) => id.replaceAll(':', ' ') === command)
  if (entry === undefined) throw new Error(`no command "${command}" in the manifest`)
  const schema = await resultSchema(await classOf(entry.id))
  const described = Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})
  const validate = ajv.compile(await envelopeSchema(command, schema))
  return { validate, described }
}

/** Runs with `--json`, validates the output against the command's own schema, and returns it. */
export async function runJson(args: readonly string[], options: RunOptions = {}) {
  const result = await run([...args, '--json'], options)
  const output = envelopeOf(result)
  const schema = schemas.get(output.command) ?? schemaOf(output.command)
  schemas.set(output.command, schema)
  const { validate, described } = await schema
  validate(JSON.parse(result.stdout))
  if (validate.errors) throw new Error(`${output.command}: ${JSON.stringify(validate.errors)} in ${result.stdout}`)
  const stray = Object.keys(output.data ?? {}).filter((key) => !described.includes(key))
  if (stray.length > 0) throw new Error(`${output.command}: its schema does not have ${stray.join(', ')}`)
  return { ...result, ...output }
}
