import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Category } from '../outcome/exit-codes.ts'

/** A flag in the manifest. */
export interface FlagEntry {
  readonly name: string
  readonly type: 'boolean' | 'option'
  readonly char?: string
  /** Other names of the flag. */
  readonly aliases?: readonly string[]
  readonly summary?: string
  readonly description?: string
  readonly helpGroup?: string
  readonly helpValue?: string
  readonly hidden?: boolean
  readonly required?: boolean
  readonly multiple?: boolean
  readonly allowNo?: boolean
  readonly options?: readonly string[]
  readonly default?: unknown
  /** Limits of a whole number. */
  readonly min?: number
  readonly max?: number
}

/** A positional argument in the manifest. */
export interface ArgEntry {
  readonly name: string
  readonly description?: string
  readonly hidden?: boolean
  readonly required?: boolean
  readonly multiple?: boolean
  readonly options?: readonly string[]
  readonly default?: unknown
}

/** A command in the manifest: enough for help and completion, without loading the command. */
export interface CommandEntry {
  /** Words joined by colons. */
  readonly id: string
  readonly summary?: string
  readonly description?: string
  readonly hidden?: boolean
  readonly args: Readonly<Record<string, ArgEntry>>
  readonly flags: Readonly<Record<string, FlagEntry>>
  readonly examples?: readonly (string | { readonly command: string; readonly description?: string })[]
  readonly exits?: readonly Category[]
  readonly variables?: readonly string[]
  readonly files?: readonly string[]
  readonly writes?: boolean
  readonly audits?: boolean | 'changes'
  readonly streams?: boolean
  readonly completes?: Readonly<Record<string, string>>
}

/** The commands of a program. */
export interface Commands {
  /** IDs of all commands, sorted. */
  readonly ids: readonly string[]
  /** Returns a command by its ID. It is parsed when it is first asked for: a run needs one of hundreds. */
  get(id: string): CommandEntry | undefined
  /** All commands, sorted by ID. */
  all(): readonly CommandEntry[]
}

/** The program as known before any command is loaded. */
export interface Program {
  readonly root: string
  /** True to run commands from their TypeScript sources. */
  readonly isFromSource: boolean
  readonly package: Package
  readonly commands: Commands
  /** Description of each topic, by its words joined by colons. */
  readonly topics: Readonly<Record<string, string>>
}

interface Package {
  readonly name: string
  readonly version: string
  readonly oclif: { readonly topics?: Readonly<Record<string, { readonly description?: string }>>; commands?: unknown }
}

export function readPackage(root: string): Package {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

/** Loads the built description of the commands. From source, or without it, the commands are loaded to describe themselves. */
export async function loadProgram(root: string, isFromSource: boolean): Promise<Program> {
  const pjson = readPackage(root)
  const built = isFromSource ? undefined : readCommands(root)
  const folder = isFromSource ? './commands' : undefined
  const commands = built ?? commandsAmong(Object.values(await describeCommands(root, folder)))
  const topics = Object.fromEntries(
    Object.entries(pjson.oclif.topics ?? {}).map(([name, { description }]) => [name, description ?? '']),
  )
  return { root, isFromSource, package: pjson, commands, topics }
}

/** Returns the commands with these descriptions. */
export function commandsAmong(entries: readonly CommandEntry[]): Commands {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  return parsedOnce([...byId.keys()].sort(), (id) => byId.get(id))
}

function parsedOnce(ids: readonly string[], parse: (id: string) => CommandEntry | undefined): Commands {
  const parsed = new Map<string, CommandEntry | undefined>()
  const get = (id: string) => {
    if (!parsed.has(id)) parsed.set(id, parse(id))
    return parsed.get(id)
  }
  return { ids, get, all: () => ids.map(get).filter((entry) => entry !== undefined) }
}

/** A line of `dist/commands.jsonl`: a command whose flags are positions in the list of flags. */
type CompactEntry = Omit<CommandEntry, 'flags'> & { readonly flags: readonly number[] }

/**
 * Returns the text of `dist/commands.jsonl`, which every run reads: the IDs in the first line, then a line for each command, and one for
 * each flag. Every command repeats the global flags: with each flag once it is a third of the manifest. It is ASCII, which Node reads
 * without decoding.
 */
export function compactManifest({ ids, all }: Commands): string {
  const positions = new Map<string, number>()
  const position = (flag: FlagEntry) => {
    const text = JSON.stringify(flag)
    const at = positions.get(text) ?? positions.size
    positions.set(text, at)
    return at
  }
  const entries = all().map((entry): CompactEntry => ({ ...entry, flags: Object.values(entry.flags).map(position) }))
  const lines = [ids, ...entries].map((value) => JSON.stringify(value))
  return [...lines, ...positions.keys()].map((line) => `${inAscii(line)}\n`).join('')
}

const inAscii = (json: string): string =>
  json.replace(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Reads `dist/commands.jsonl`. Undefined if the program is not built. */
function readCommands(root: string): Commands | undefined {
  const text = readBuilt(join(root, 'dist/commands.jsonl'))
  if (text === undefined) return undefined
  const lines = text.split('\n')
  const ids: readonly string[] = JSON.parse(lines[0] ?? '')
  const lineOf = (at: number) => JSON.parse(lines[at] ?? '')
  const flags: FlagEntry[] = []
  const flagAt = (at: number): FlagEntry => {
    flags[at] ??= lineOf(1 + ids.length + at) as FlagEntry
    return flags[at]
  }
  return parsedOnce(ids, (id) => {
    const at = ids.indexOf(id)
    if (at === -1) return undefined
    const entry: CompactEntry = lineOf(1 + at)
    const named = entry.flags.map(flagAt).map((flag) => [flag.name, flag])
    return { ...entry, flags: Object.fromEntries(named) }
  })
}

function readBuilt(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return undefined
  }
}

/** Loads every command of a folder and returns their descriptions. */
export async function describeCommands(root: string, folder?: string): Promise<Readonly<Record<string, CommandEntry>>> {
  const { Plugin } = await import('@oclif/core/config')
  const pjson = readPackage(root)
  if (folder !== undefined) pjson.oclif.commands = folder
  const plugin = new Plugin({
    root,
    // oclif's type of a package file has many more fields than it reads.
    pjson: pjson as never,
    isRoot: true,
    ignoreManifest: true,
    errorOnManifestCreate: true,
    respectNoCacheDefault: true,
  })
  await plugin.load()
  const entries: Record<string, CommandEntry> = JSON.parse(JSON.stringify(plugin.manifest.commands))
  const described = Object.values(entries)
  for (const entry of described) {
    // The framework stops at the first base class without statics of its own, and loses the flags of those above it.
    const { baseFlags = {}, flags = {} } = await plugin.findCommand(entry.id, { must: true })
    const lost = Object.keys(baseFlags).filter((name) => !Object.hasOwn(entry.flags, name))
    const lostFlags = lost.map((name) => [name, described.find(({ flags }) => Object.hasOwn(flags, name))?.flags[name]])
    const limited = Object.values(entry.flags).map((flag) => [flag.name, { ...flag, ...limitsOf(flags[flag.name]) }])
    entries[entry.id] = { ...entry, flags: { ...Object.fromEntries(lostFlags), ...Object.fromEntries(limited) } }
  }
  return entries
}

/** Returns the limits of a flag's whole number, which the framework leaves out of the manifest. */
function limitsOf(flag: object | undefined): Pick<FlagEntry, 'min' | 'max'> {
  const { min, max } = (flag ?? {}) as { readonly min?: unknown; readonly max?: unknown }
  return { ...(typeof min === 'number' ? { min } : {}), ...(typeof max === 'number' ? { max } : {}) }
}

/** Returns the words of a command as typed. */
export const wordsOf = (id: string): string => id.replaceAll(':', ' ')
