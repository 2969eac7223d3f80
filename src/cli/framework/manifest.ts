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

/** The program as known before any command is loaded. */
export interface Program {
  readonly root: string
  readonly version: string
  readonly commands: readonly CommandEntry[]
  /** Description of each topic, by its words joined by colons. */
  readonly topics: Readonly<Record<string, string>>
}

interface Package {
  readonly version: string
  readonly oclif: { readonly topics?: Readonly<Record<string, { readonly description?: string }>>; commands?: unknown }
}

export function readPackage(root: string): Package {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
}

/** Loads the built description of the commands. From source, or without it, the commands are loaded to describe themselves. */
export async function loadProgram(root: string, fromSource: boolean): Promise<Program> {
  const { version, oclif } = readPackage(root)
  const commands = fromSource ? Object.values(await describeCommands(root, './commands')) : await readCommands(root)
  const topics = Object.fromEntries(
    Object.entries(oclif.topics ?? {}).map(([name, { description }]) => [name, description ?? '']),
  )
  return { root, version, topics, commands: sorted(commands) }
}

const sorted = (commands: readonly CommandEntry[]): CommandEntry[] =>
  [...commands].sort((a, b) => (a.id < b.id ? -1 : 1))

/** Content of `dist/commands.json`: the manifest with each flag once. Every command repeats the global flags: it is a third of the size. */
interface CompactManifest {
  readonly flags: readonly FlagEntry[]
  /** `flags` are positions in the list of flags. */
  readonly commands: readonly (Omit<CommandEntry, 'flags'> & { readonly flags: readonly number[] })[]
}

/** Returns the text of `dist/commands.json`, which every run reads. */
export function compactManifest(commands: readonly CommandEntry[]): string {
  const positions = new Map<string, number>()
  const position = (flag: FlagEntry) => {
    const text = JSON.stringify(flag)
    const at = positions.get(text) ?? positions.size
    positions.set(text, at)
    return at
  }
  const compact = commands.map((entry) => ({ ...entry, flags: Object.values(entry.flags).map(position) }))
  return JSON.stringify({ flags: [...positions.keys()].map((text) => JSON.parse(text)), commands: compact })
}

async function readCommands(root: string): Promise<readonly CommandEntry[]> {
  try {
    const { flags, commands }: CompactManifest = JSON.parse(readFileSync(join(root, 'dist/commands.json'), 'utf8'))
    const byName = (at: number) => [flags[at]?.name, flags[at]]
    return commands.map((entry) => ({ ...entry, flags: Object.fromEntries(entry.flags.map(byName)) }))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return Object.values(await describeCommands(root))
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
