import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Interfaces } from '@oclif/core'
import type { Command } from '@oclif/core/command'
import { type CommandEntry, type Program, readPackage } from './manifest.ts'

export interface Origin {
  readonly program: Program
  /** True to run the command from its TypeScript source. */
  readonly fromSource: boolean
}

/**
 * Runs a command. The command prints its own envelope; errors thrown here are about loading it. oclif gets the commands
 * that were already read: it would read and parse its manifest a second time, and search the folders for plugins.
 */
export async function runCommand(origin: Origin, id: string, argv: readonly string[]): Promise<void> {
  const [{ Config }, { settings }] = await Promise.all([import('@oclif/core/config'), import('@oclif/core/settings')])
  // With NODE_ENV=test or development oclif would search for TypeScript tools.
  settings.enableAutoTranspile = false
  const plugin = rootPlugin(origin)
  const { root } = origin.program
  const config = await Config.load({ root, pjson: plugin.pjson, plugins: new Map([[plugin.name, plugin]]) })
  await config.runCommand(id, [...argv])
}

/** The program itself as oclif's only plugin: no other has commands. */
function rootPlugin({ program, fromSource }: Origin): Interfaces.Plugin {
  const { root, version, commands } = program
  // oclif's type of a package file has many more fields than it reads.
  const pjson = readPackage(root) as unknown as Interfaces.PJSON
  const folder = fromSource ? './commands' : String(pjson.oclif.commands)
  const extension = fromSource ? 'ts' : 'js'
  const fileOf = (id: string) => join(root, folder, `${id.replaceAll(':', '/')}.${extension}`)
  const entries = commands.map((entry) => toLoadable(entry, fileOf))
  const find = async (id: string) => entries.find((entry) => entry.id === id)?.load()
  const plugin: Partial<Interfaces.Plugin> = {
    name: pjson.name,
    alias: pjson.name,
    version,
    root,
    pjson,
    type: 'core',
    moduleType: 'module',
    isRoot: true,
    valid: true,
    hasManifest: true,
    hooks: {},
    topics: [],
    options: { root },
    commands: entries,
    commandIDs: entries.map(({ id }) => id),
    findCommand: find as Interfaces.Plugin['findCommand'],
    load: async () => {},
  }
  return plugin as Interfaces.Plugin
}

/** Returns the entry as oclif uses it. The path is made for the command that is loaded, not for all of them. */
function toLoadable(entry: CommandEntry, fileOf: (id: string) => string): Command.Loadable {
  const load = async () => {
    const command: Command.Class = (await import(pathToFileURL(fileOf(entry.id)).href)).default
    command.id = entry.id
    return command
  }
  return { ...(entry as unknown as Command.Loadable), load }
}
