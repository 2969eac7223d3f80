import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { languages } from '../../domain/players/player.ts'
import { selectableEvents } from '../../domain/webhooks/events.ts'
import { makeFolder } from '../../kit/make-folder.ts'
import type { OfferedKind } from '../../world/clients/offered-names.ts'
import { type Environment, loadConfig } from '../../world/config/config.ts'
import { type Paths, pathsOf } from '../../world/config/paths.ts'
import { profileNames } from '../../world/config/profiles.ts'
import { tenantProfile } from '../../world/config/tenant-profile.ts'
import { scenarioNames } from '../../world/scenarios/names.ts'
import { proseTopics } from './help-topics.ts'
import { type CommandEntry, type FlagEntry, type Program, wordsOf } from './manifest.ts'

export const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

/**
 * Kinds of dynamic completion values. Profile names are read from their folder, and the names of a profile's book and local world from
 * those; the others are names seen by earlier runs.
 */
export type Kind =
  | 'profiles'
  | 'zones'
  | 'users'
  | 'tables'
  | 'tenants'
  | 'languages'
  | 'events'
  | 'commands'
  | 'shells'
  | 'topics'
  | 'snapshots'
  | 'scenarios'
  | 'files'
  | OfferedKind

/** Default completion kind of an argument or flag, by its name. A command overrides it in its static `completes`. */
const defaultKinds: Readonly<Record<string, Kind>> = {
  profile: 'profiles',
  user: 'users',
  username: 'users',
  table: 'tables',
  tableId: 'tables',
  code: 'tenants',
  tenant: 'tenants',
  lang: 'languages',
  shell: 'shells',
  txn: 'txns',
  break: 'breaks',
  period: 'periods',
  slip: 'slips',
  ticket: 'tickets',
  payout: 'payouts',
  room: 'rooms',
}

/** Kinds that have names of one profile. */
const offeredKinds = {
  txns: true,
  plans: true,
  breaks: true,
  periods: true,
  slips: true,
  tickets: true,
  statuses: true,
  rooms: true,
  payouts: true,
} satisfies Record<OfferedKind, true>
const isOffered = (kind: Kind): kind is OfferedKind => Object.hasOwn(offeredKinds, kind)

/** Maximum number of candidates for a name of a profile, newest first. */
const maxOffered = 200

/** Maximum number of stored names per kind. */
const maxNames = 2000

type RememberedKind = 'users' | 'tables' | 'tenants' | 'snapshots'

const cacheFile = (paths: Paths, kind: Kind, profile?: string): string =>
  join(paths.cache, 'names', `${kind}${profile === undefined ? '' : `@${profile}`}.json`)

/**
 * Returns the completion values of a kind from local files only. Makes no request and opens no database, because
 * completion must be fast and may run in any folder.
 */
export function completionsFor(kind: Kind, program: Program, paths: Paths): readonly string[] {
  if (kind === 'profiles') return [...profileNames(paths), ...readNames(cacheFile(paths, 'tenants')).map(tenantProfile)]
  if (kind === 'zones') return Intl.supportedValuesOf('timeZone')
  if (kind === 'shells') return shells
  if (kind === 'languages') return languages
  if (kind === 'events') return ['all', ...selectableEvents]
  if (kind === 'commands') return program.commands.ids.map(wordsOf)
  if (kind === 'topics') return Object.keys(proseTopics)
  if (kind === 'scenarios') return scenarioNames
  if (kind === 'files') return []
  return readNames(cacheFile(paths, kind))
}

/** Stores names for completion, newest first. A failed write is ignored. */
export function rememberNames(paths: Paths, kind: RememberedKind, names: readonly string[]): void
export function rememberNames(paths: Paths, kind: OfferedKind, names: readonly string[], profile: string): void
export function rememberNames(paths: Paths, kind: Kind, names: readonly string[], profile?: string): void {
  const file = cacheFile(paths, kind, profile)
  try {
    makeFolder(join(paths.cache, 'names'), 0o700)
    const all = [...new Set([...names, ...readNames(file)])].slice(0, maxNames)
    writeFileSync(file, JSON.stringify(all), { mode: 0o600 })
  } catch {
    // Completion is optional, so a read-only cache is no error.
  }
}

/** Returns the names of a kind that earlier runs stored. */
export const knownNames = (paths: Paths, kind: 'users' | 'tables'): string[] => readNames(cacheFile(paths, kind))

function readNames(file: string): string[] {
  try {
    const held: unknown = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : []
    return Array.isArray(held) ? held.filter((name) => typeof name === 'string') : []
  } catch {
    return []
  }
}

/** A completion candidate and its description. */
export interface Candidate {
  readonly word: string
  readonly about: string
}

/** Reads the names of a kind for the profile of the line. */
export type ReadNames = (kind: OfferedKind) => Promise<readonly Candidate[]>

/**
 * Returns the candidates for the last word: names of a profile newest first, all others sorted. An empty result lets the shell
 * complete file names.
 */
export async function candidates(
  program: Program,
  paths: Paths,
  words: readonly string[],
  readNames: ReadNames,
): Promise<Candidate[]> {
  const current = words.at(-1) ?? ''
  const before = words.slice(0, -1)
  const all =
    before[0] === 'help' ? helpWords(program, before.slice(1), current) : allCandidates(program, paths, before, current)
  if (!Array.isArray(all)) return offered(await readNames(all.kind), all.prefix, current)
  return all
    .filter(({ word }) => word.startsWith(current))
    .sort((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : 0))
}

/** Names of a profile to read; the prefix is the flag of `--flag=VALUE`. */
interface NamesToRead {
  readonly kind: OfferedKind
  readonly prefix: string
}

function offered(names: readonly Candidate[], prefix: string, current: string): Candidate[] {
  const typed = current.slice(prefix.length)
  return names
    .filter(({ word }) => word.startsWith(typed))
    .slice(0, maxOffered)
    .map(({ word, about }) => ({ word: prefix + word, about: about.replaceAll(/\s+/g, ' ').slice(0, 80) }))
}

function allCandidates(
  program: Program,
  paths: Paths,
  before: readonly string[],
  current: string,
): Candidate[] | NamesToRead {
  const command = commandAt(program, before)
  if (command === undefined) return current.startsWith('-') ? rootFlags : nextWords(program, before)
  const used = before.slice(command.id.split(':').length)
  const pending = pendingFlag(command, used)
  if (pending !== undefined) {
    const values = valuesOf(program, paths, command, pending.name, pending.options)
    return Array.isArray(values) && lists.has(pending.name) ? inList(values, current) : values
  }
  const isPastFlags = used.includes('--')
  if (current.startsWith('-') && !isPastFlags) return flagWords(command, used, current, program, paths)
  const arg = argAt(command, positionals(command, used))
  const values = arg === undefined ? [] : valuesOf(program, paths, command, arg.name, arg.options)
  return !Array.isArray(values) || values.length > 0 || arg !== undefined
    ? values
    : flagWords(command, used, current, program, paths)
}

const rootFlags: Candidate[] = [
  { word: '--help', about: 'Show help' },
  { word: '--version', about: 'Show versions' },
]

function commandAt(program: Program, words: readonly string[]): CommandEntry | undefined {
  for (let count = words.length; count > 0; count--) {
    const id = words.slice(0, count).join(':')
    const command = program.commands.get(id)
    if (command !== undefined) return command
  }
  return undefined
}

/** Returns the next words of commands that start with these words. */
function nextWords(program: Program, before: readonly string[]): Candidate[] {
  const prefix = before.map((word) => `${word}:`).join('')
  const next = new Map<string, string>()
  for (const id of program.commands.ids.filter((each) => each.startsWith(prefix))) {
    const [word = '', ...more] = id.slice(prefix.length).split(':')
    const command = more.length === 0 ? program.commands.get(id) : undefined
    if (command?.hidden) continue
    const about = command === undefined ? (program.topics[prefix + word] ?? '') : (command.summary ?? '')
    if (!next.has(word) || more.length === 0) next.set(word, about)
  }
  if (before.length === 0) next.set('help', 'Show help for a command or topic')
  return [...next].map(([word, about]) => ({ word, about }))
}

function helpWords(program: Program, before: readonly string[], current: string): Candidate[] {
  if (before.some((word) => word.startsWith('--search'))) return []
  if (current.startsWith('-')) return [{ word: '--search', about: 'Search commands and flags for a word' }]
  const prose =
    before.length > 0 ? [] : Object.entries(proseTopics).map(([word, { summary }]) => ({ word, about: summary }))
  return [...nextWords(program, before).filter(({ word }) => word !== 'help'), ...prose]
}

const byWord = (command: CommandEntry, word: string): FlagEntry | undefined =>
  Object.values(command.flags).find(
    ({ name, char, aliases = [] }) =>
      [name, ...aliases].some((known) => word === `--${known}`) || (char !== undefined && word === `-${char}`),
  )

/** Flags whose value is a comma-separated list. */
const lists: ReadonlySet<string> = new Set(['events', 'tables'])

/** Extends candidates of a list flag: keeps the typed prefix and drops values already in it. */
function inList(values: readonly Candidate[], current: string): Candidate[] {
  const begun = current.slice(0, current.lastIndexOf(',') + 1)
  const usedValues = begun === '' ? [] : ['all', ...begun.split(',')]
  return values
    .filter(({ word }) => !usedValues.includes(word))
    .map(({ word, about }) => ({ word: begun + word, about }))
}

/** Returns the flag whose value is being typed. */
function pendingFlag(command: CommandEntry, used: readonly string[]): FlagEntry | undefined {
  if (used.slice(0, -1).includes('--')) return undefined
  const flag = byWord(command, used.at(-1) ?? '')
  return flag?.type === 'option' ? flag : undefined
}

function positionals(command: CommandEntry, used: readonly string[]): number {
  let count = 0
  for (let at = 0; at < used.length; at++) {
    const word = used[at] ?? ''
    if (word === '--') return count + used.length - at - 1
    if (!word.startsWith('-') || word === '-') count++
    else if (byWord(command, word)?.type === 'option') at++
  }
  return count
}

function argAt(command: CommandEntry, index: number) {
  const args = Object.values(command.args).filter(({ hidden }) => !hidden)
  const last = args.at(-1)
  return args[index] ?? (last?.multiple ? last : undefined)
}

function flagWords(
  command: CommandEntry,
  used: readonly string[],
  current: string,
  program: Program,
  paths: Paths,
): Candidate[] | NamesToRead {
  const [name, typed] = current.split('=', 2)
  const flag = typed === undefined ? undefined : byWord(command, name ?? '')
  if (flag !== undefined) {
    const values = valuesOf(program, paths, command, flag.name, flag.options)
    const prefix = `${name}=`
    return Array.isArray(values)
      ? values.map(({ word, about }) => ({ word: prefix + word, about }))
      : { ...values, prefix }
  }
  const open = Object.values(command.flags).filter(
    ({ hidden, multiple, name: long }) => !hidden && (multiple || !used.includes(`--${long}`)),
  )
  return [
    ...open.map(({ name: long, summary }) => ({ word: `--${long}`, about: summary ?? '' })),
    { word: '--help', about: 'Show help' },
  ]
}

function valuesOf(
  program: Program,
  paths: Paths,
  command: CommandEntry,
  name: string,
  options: readonly string[] | undefined,
): Candidate[] | NamesToRead {
  if (options !== undefined) return options.map((word) => ({ word, about: '' }))
  const kind = (command.completes?.[name] as Kind | undefined) ?? defaultKinds[name]
  if (kind !== undefined && isOffered(kind)) return { kind, prefix: '' }
  return kind === undefined ? [] : completionsFor(kind, program, paths).map((word) => ({ word, about: '' }))
}

/** A command line without the program; the last of the words is at the cursor. */
interface LineToComplete {
  readonly shell: string
  readonly words: readonly string[]
  /** Words after the cursor. */
  readonly rest: readonly string[]
}

/** Returns the profile and the book that the line names, anywhere before `--`. */
function targetFlagsIn(words: readonly string[]): { profile?: string; book?: string } {
  const named: { profile?: string; book?: string } = {}
  const end = words.indexOf('--')
  const flags = end === -1 ? words : words.slice(0, end)
  flags.forEach((word, at) => {
    const [, name, joined] = /^--(profile|book)(?:=(.*))?$/s.exec(word) ?? []
    // Bash makes a word of the equals sign.
    const value = joined ?? (flags[at + 1] === '=' ? flags[at + 2] : flags[at + 1])
    if ((name === 'profile' || name === 'book') && value) named[name] = value
  })
  return named
}

const bare = (word: string): Candidate => ({ word, about: '' })

/**
 * Returns the output of `countroom __complete SHELL WORD…`, which the shells call on Tab; the last word is the one at the
 * cursor. One candidate per line, with a tab and a description if the shell can show it.
 */
export async function completeLines(
  program: Program,
  { shell, words, rest }: LineToComplete,
  env: Environment,
): Promise<string> {
  const paths = pathsOf(env)
  const matches = await candidates(program, paths, words, async (kind) => {
    const { offeredNames } = await import('../../world/clients/offered-names.ts')
    const config = loadConfig({ env, cwd: process.cwd(), flags: targetFlagsIn([...words, ...rest]) })
    const names = await offeredNames(config, kind)
    return names.length > 0 ? names : readNames(cacheFile(paths, kind, config.settings.profile)).map(bare)
  }).catch(() => [])
  const line = ({ word, about }: Candidate) => {
    if (shell === 'bash' || about === '') return word
    return shell === 'zsh' ? `${word.replaceAll(':', '\\:')}:${about}` : `${word}\t${about}`
  }
  return matches.map((candidate) => `${line(candidate)}\n`).join('')
}
