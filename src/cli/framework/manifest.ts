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

/** Loads the built manifest. From source, or without a manifest, the commands are loaded to describe themselves. */
export async function loadProgram(root: string, fromSource: boolean): Promise<Program> {
  const { version, oclif } = readPackage(root)
  const commands = fromSource ? await describeCommands(root, './commands') : await readManifest(root)
  const topics = Object.fromEntries(
    Object.entries(oclif.topics ?? {}).map(([name, { description }]) => [name, description ?? '']),
  )
  return { root, version, topics, commands: sorted(commands) }
}

const sorted = (commands: Readonly<Record<string, CommandEntry>>): CommandEntry[] =>
  Object.values(commands).sort((a, b) => (a.id < b.id ? -1 : 1))

async function readManifest(root: string): Promise<Readonly<Record<string, CommandEntry>>> {
  try {
    return JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8')).commands
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    return describeCommands(root)
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
    const { baseFlags = {} } = await plugin.findCommand(entry.id, { must: true })
    const lost = Object.keys(baseFlags).filter((name) => !Object.hasOwn(entry.flags, name))
    const found = lost.map((name) => [name, described.find(({ flags }) => Object.hasOwn(flags, name))?.flags[name]])
    entries[entry.id] = { ...entry, flags: { ...Object.fromEntries(found), ...entry.flags } }
  }
  return entries
}

/** Returns the words of a command as typed. */
export const wordsOf = (id: string): string => id.replaceAll(':', ' ')
