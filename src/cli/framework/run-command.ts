import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Interfaces } from '@oclif/core'
import type { CountroomCommand } from './command.ts'
import type { Program } from './manifest.ts'

/** A command's class. A test checks that all extend the same one. */
type CommandClass = Omit<typeof CountroomCommand, 'prototype'> &
  (new (
    ...input: ConstructorParameters<typeof CountroomCommand>
  ) => CountroomCommand)

/** Loads the class of a command. */
export async function loadCommand({ root, isFromSource, package: pjson }: Program, id: string): Promise<CommandClass> {
  const [folder, extension] = isFromSource ? ['commands', 'ts'] : [String(pjson.oclif.commands), 'js']
  const file = join(root, folder, `${id.replaceAll(':', '/')}.${extension}`)
  const command: CommandClass = (await import(pathToFileURL(file).href)).default
  command.id = id
  return command
}

/**
 * Runs a command. The command prints its own envelope; errors thrown here are about loading it. The command is not run by oclif, which
 * would load its configuration a second time, index the words of all commands, and search the folders for plugins.
 */
export async function runCommand(program: Program, id: string, argv: readonly string[]): Promise<void> {
  const [{ Config }, { settings }] = await Promise.all([import('@oclif/core/config'), import('@oclif/core/settings')])
  // With NODE_ENV=test or development oclif would search for TypeScript tools.
  settings.enableAutoTranspile = false
  const plugin = rootPlugin(program)
  const { root, pjson, name } = plugin
  const config = await Config.load({ root, pjson, plugins: new Map([[name, plugin]]) })
  const CommandOfId = await loadCommand(program, id)
  await new CommandOfId([...argv], config, program)._run()
}

/** The program itself as oclif's only plugin. Its commands are run without oclif. */
function rootPlugin(program: Program): Interfaces.Plugin {
  const { root } = program
  // oclif's type of a package file has many more fields than it reads.
  const pjson = program.package as unknown as Interfaces.PJSON
  const plugin: Partial<Interfaces.Plugin> = {
    name: pjson.name,
    alias: pjson.name,
    version: pjson.version,
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
    commands: [],
    commandIDs: [],
    load: async () => {},
  }
  return plugin as Interfaces.Plugin
}
