import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Config } from '@oclif/core/config'
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
 * Runs a command. The command prints its own envelope; errors thrown here are about loading it. oclif's configuration is not loaded:
 * oclif itself needs one to look up the commands and hooks of plugins, and for its own help.
 */
export async function runCommand(program: Program, id: string, argv: readonly string[]): Promise<void> {
  const config = {
    bin: program.package.name,
    runHook: async () => ({ successes: [], failures: [] }),
  } as unknown as Config
  const CommandOfId = await loadCommand(program, id)
  await new CommandOfId([...argv], config, program)._run()
}
