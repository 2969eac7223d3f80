import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { databaseFault, withoutPassword } from '../../db/engines/database-name.ts'
import { approvalLimits } from '../../domain/wallet/approval.ts'
import { receiverFault, shownReceiver } from '../../http/client/receiver-url.ts'
import { publicUrlFault, publicUrlOf } from '../../http/server/public-url.ts'
import { diskErrorText } from '../../kit/disk-error.ts'
import { durationMs } from '../../kit/duration.ts'
import { nearest } from '../../kit/nearest.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { writeWhole } from './atomic-write.ts'
import { type Paths, pathsOf } from './paths.ts'

/**
 * Environment variables as a plain object. It is passed to code that needs a variable; nothing else reads the process's
 * own.
 */
export type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment of the process. The only place that reads it. */
export function environmentOf(): Environment {
  return { ...process.env }
}

interface SettingKind {
  readonly env: string
  readonly kind:
    | 'text'
    | 'database'
    | 'url'
    | 'switch'
    | 'duration'
    | 'count'
    | 'limits'
    | 'receiver'
    | readonly string[]
  /** Purpose, as one line of `config show` and `help environment`. */
  readonly summary: string
  /** True if the value may contain a password, as a database address does. */
  readonly mayHoldPassword?: true
}

/** All settings with their names in files and in the environment. */
export const settingKinds = {
  profile: { env: 'COUNTROOM_PROFILE', kind: 'text', summary: 'Profile that commands use' },
  requireProfile: {
    env: 'COUNTROOM_REQUIRE_PROFILE',
    kind: 'switch',
    summary: 'Require every run to name its profile by flag or environment',
  },
  db: {
    env: 'COUNTROOM_DB',
    kind: 'database',
    summary: 'Database of the local profile: a file or a postgres:// address',
    mayHoldPassword: true,
  },
  publicUrl: {
    env: 'COUNTROOM_PUBLIC_URL',
    kind: 'url',
    summary: 'Base of every URL that "serve" hands out, such as https://play.example.com',
  },
  book: {
    env: 'COUNTROOM_BOOK',
    kind: 'database',
    summary: "Book, the operator's own database: a file or a postgres:// address; default: one file per profile",
    mayHoldPassword: true,
  },
  timeout: {
    env: 'COUNTROOM_TIMEOUT',
    kind: 'duration',
    summary: 'Timeout for a response of a service, such as 15s',
  },
  attempts: {
    env: 'COUNTROOM_ATTEMPTS',
    kind: 'count',
    summary: 'Maximum attempts of a request that is safe to repeat; default: depends on the command',
  },
  as: {
    env: 'COUNTROOM_AS',
    kind: 'text',
    summary:
      'Name for creating and approving transfer batches and working on breaks; default: the user of this machine',
  },
  approvalAbove: {
    env: 'COUNTROOM_APPROVAL_ABOVE',
    kind: 'limits',
    summary: 'Amounts above which transfer batches and refunds need a second person, such as 1000:USD,500:usdttrc20',
  },
  approvalDays: {
    env: 'COUNTROOM_APPROVAL_DAYS',
    kind: 'count',
    summary: 'Days after which an approval expires',
  },
  notify: {
    env: 'COUNTROOM_NOTIFY',
    kind: 'receiver',
    summary: 'URL that gets a POST for breaks, restated periods and unknown outcomes, such as a chat webhook',
    mayHoldPassword: true,
  },
  logLevel: {
    env: 'COUNTROOM_LOG_LEVEL',
    kind: ['debug', 'info', 'warn', 'error', 'silent'],
    summary: 'Log level of served services',
  },
} as const satisfies Record<string, SettingKind>

export type SettingName = keyof typeof settingKinds
export const settingNames = Object.keys(settingKinds) as SettingName[]

export interface Settings {
  readonly profile: string
  readonly requireProfile: boolean
  readonly db: string
  readonly publicUrl: string | undefined
  readonly book: string | undefined
  readonly timeout: string
  readonly attempts: string | undefined
  readonly as: string | undefined
  readonly approvalAbove: string | undefined
  readonly approvalDays: string
  readonly notify: string | undefined
  readonly logLevel: string
}

/** Source of a value. `origin` is the flag, the variable or the file. */
export interface Source {
  readonly from: 'flag' | 'environment' | 'project file' | 'user file' | 'default'
  readonly origin: string | undefined
}

export interface Config {
  readonly env: Environment
  readonly paths: Paths
  readonly settings: Settings
  readonly sources: Readonly<Record<SettingName, Source>>
  /** Settings files, whether they exist or not. */
  readonly files: { readonly user: string; readonly project: string | undefined }
}

/** Settings given as flags: they override everything else. */
export type SettingFlags = { readonly [K in SettingName]?: string | undefined }

/**
 * Loads all settings, each from the first source that has it: flag, environment, project file (`countroom.json` here or
 * above), user file, default. A file with an unknown key is refused: a typo could otherwise move money on the wrong
 * profile.
 */
export function loadConfig(options: { env: Environment; cwd: string; flags?: SettingFlags }): Config {
  const { env, cwd, flags = {} } = options
  const paths = pathsOf(env)
  const files = { user: userFileOf(paths), project: projectFileAbove(cwd) }
  const candidates = [
    {
      from: 'flag' as const,
      has: (name: SettingName) =>
        flags[name] === undefined ? undefined : { value: flags[name], where: `--${flagOf(name)}` },
    },
    {
      from: 'environment' as const,
      has: (name: SettingName) => valueFrom(env[settingKinds[name].env], settingKinds[name].env),
    },
    { from: 'project file' as const, has: fromFile(files.project) },
    { from: 'user file' as const, has: fromFile(files.user) },
  ]
  const defaults: Settings = {
    profile: 'local',
    requireProfile: false,
    db: join(paths.data, 'world.db'),
    publicUrl: undefined,
    book: undefined,
    timeout: '15s',
    attempts: undefined,
    as: undefined,
    approvalAbove: undefined,
    approvalDays: '7',
    notify: undefined,
    logLevel: 'info',
  }
  const entries = settingNames.map((name): [SettingName, { value: string | boolean | undefined; source: Source }] => {
    for (const { from, has } of candidates) {
      const hit = has(name)
      if (!hit) continue
      const value = from === 'flag' ? typed(name, hit.value, hit.where) : checked(name, hit.value, hit.where)
      return [name, { value, source: { from, origin: hit.where } }]
    }
    return [name, { value: defaults[name], source: { from: 'default', origin: undefined } }]
  })
  const values = Object.fromEntries(entries.map(([name, { value }]) => [name, value])) as unknown as Settings
  const sources = Object.fromEntries(entries.map(([name, { source }]) => [name, source])) as Record<SettingName, Source>
  return { env, paths, settings: values, sources, files }
}

export const userFileOf = (paths: Paths): string => join(paths.config, 'config.json')

/** Returns the nearest `countroom.json`, from this folder up. */
function projectFileAbove(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, 'countroom.json')
    if (existsSync(file)) return file
    if (dirname(folder) === folder) return undefined
  }
}

const valueFrom = (value: unknown, where: string) =>
  value === undefined || value === '' ? undefined : { value, where }

function fromFile(file: string | undefined) {
  const held = file === undefined ? {} : readSettings(file)
  return (name: SettingName) => valueFrom(held[name], file ?? '')
}

/** Returns the contents of a settings file; empty if it does not exist. */
export function readSettings(file: string): Partial<Record<SettingName, unknown>> {
  const text = textOf(file)
  if (text === undefined) return {}
  const held = parsed(file, text)
  for (const key of Object.keys(held)) {
    if (Object.hasOwn(settingKinds, key)) checked(key as SettingName, held[key], file)
    else throw unknownSetting(key, file)
  }
  return held
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined
    throw badConfiguration(`Cannot read ${file}: ${diskErrorText(error) ?? String(error)}`, { file }, error)
  }
}

function parsed(file: string, text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    if (value !== null && typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>
  } catch {
    // Falls through: the parser's message may quote the file, which may contain a password.
  }
  throw badConfiguration(`${file} is not a JSON object`, { file })
}

function unknownSetting(key: string, origin: string): Problem {
  const near = nearest(key, settingNames, 1)
  const hint = near.length > 0 ? `; did you mean "${near[0]}"?` : ''
  return badConfiguration(`${origin} has an unknown key "${key}"${hint}`, {
    key,
    nearest: near[0],
    known: settingNames,
  })
}

/** Returns the value in its own type, or refuses it with its source. */
function checked(name: SettingName, value: unknown, origin: string): string | boolean {
  const { kind } = settingKinds[name]
  if (kind === 'switch') {
    if (typeof value === 'boolean') return value
    if (value === '1' || value === 'true' || value === 'yes') return true
    if (value === '0' || value === 'false' || value === 'no') return false
    throw badConfiguration(`"${name}" from ${origin} must be true or false`, { key: name })
  }
  if (typeof value !== 'string') throw badConfiguration(`"${name}" from ${origin} must be a string`, { key: name })
  // Only the command line can have an empty text here: elsewhere it means a value that is not set.
  if (value.trim() === '')
    throw badConfiguration(`"${name}" from ${origin} is empty: give a value or omit it`, { key: name })
  if (kind === 'database') {
    const fault = databaseFault(value)
    if (fault === undefined) return value
    throw badConfiguration(`"${name}" from ${origin} ${fault}`, { key: name })
  }
  if (kind === 'url') {
    const fault = publicUrlFault(value)
    if (fault === undefined) return publicUrlOf(value)
    throw badConfiguration(`"${name}" from ${origin} ${fault}`, { key: name })
  }
  if (kind === 'receiver') {
    const fault = receiverFault(value)
    if (fault === undefined) return value
    throw badConfiguration(`"${name}" from ${origin} ${fault}`, { key: name })
  }
  if (kind === 'duration') {
    if ((durationMs(value) ?? 0) > 0) return value
    throw badConfiguration(
      `"${name}" from ${origin} must be a duration such as 500ms, 15s or 1m30s; received ${value}`,
      { key: name },
    )
  }
  if (kind === 'count') {
    if (/^[1-9]\d?$/.test(value)) return value
    throw badConfiguration(
      `"${name}" from ${origin} must be a whole number from 1 to 99, as a string; received ${value}`,
      { key: name },
    )
  }
  if (kind === 'limits') {
    if (approvalLimits(value) !== null) return value
    throw badConfiguration(
      `"${name}" from ${origin} must be amounts of currencies such as 1000:USD,30000:TWD; received ${value}`,
      {
        key: name,
      },
    )
  }
  if (kind !== 'text' && !(kind as readonly string[]).includes(value)) {
    throw badConfiguration(`"${name}" from ${origin} must be one of ${kind.join(', ')}; received ${value}`, {
      key: name,
    })
  }
  return value
}

/** Sets or removes one value of the user file. A dry run only checks. */
export function changeUserSetting(
  paths: Paths,
  name: SettingName,
  value: string | undefined,
  { isDryRun = false } = {},
): void {
  const file = userFileOf(paths)
  const { [name]: _old, ...rest } = readSettings(file)
  const held = value === undefined ? rest : { ...rest, [name]: typed(name, value) }
  if (isDryRun) return
  try {
    writeWhole(file, `${JSON.stringify(held, null, 2)}\n`, { file: 0o600, folder: 0o700 })
  } catch (error) {
    throw cannotWrite(file, error)
  }
}

/** Parses a value from the command line: an invalid one is a usage error, not a configuration error. */
function typed(name: SettingName, value: unknown, origin = 'the command line'): string | boolean {
  try {
    return checked(name, value, origin)
  } catch (error) {
    throw isProblem(error) ? new Problem('INVALID_USAGE', error.message, error.detail) : error
  }
}

/** Returns the flag of a setting without dashes: `publicUrl` is `public-url`. */
export const flagOf = (name: SettingName): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settingKinds, name)

/** Returns the error for a folder that cannot be written, with a hint. */
export function cannotWrite(file: string, error: unknown): Problem {
  const isOfDisk = isProblem(error, 'OUTPUT_FAILED')
  // A full disk is not a configuration error.
  if (isProblem(error) && !(isOfDisk && error.detail['category'] === 'configuration')) return error
  const fault = isOfDisk ? error.cause : error
  const hint = 'set XDG_CONFIG_HOME, XDG_STATE_HOME, XDG_CACHE_HOME or XDG_DATA_HOME to a folder you can write to'
  return badConfiguration(`Cannot write ${file}: ${diskErrorText(fault) ?? String(fault)}; ${hint}`, { file }, error)
}

export function badConfiguration(message: string, detail: Record<string, unknown>, cause?: unknown): Problem {
  return new Problem('BAD_CONFIGURATION', message, detail, { cause })
}

/** Returns the value for display: without the password of a database address, or the path of a receiver. */
export function shown(name: SettingName, value: string | boolean | undefined): string | boolean | undefined {
  const kind: SettingKind = settingKinds[name]
  if (!kind.mayHoldPassword || typeof value !== 'string') return value
  return kind.kind === 'receiver' ? shownReceiver(value) : withoutPassword(value)
}
