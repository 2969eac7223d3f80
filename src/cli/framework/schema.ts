import type { Command } from '@oclif/core/command'
import { envelopeSchema } from '../outcome/envelope.ts'
import { resultSchema } from '../outcome/result-schema.ts'
import type { CountroomCommand } from './command.ts'
import { unknownCommand, unknownWords } from './find.ts'
import { wordsOf } from './manifest.ts'

interface Commands {
  readonly commands: readonly Command.Loadable[]
}

/** Returns the schema of a command's output. */
export async function commandSchema({ commands }: Commands, words: string) {
  const entry = commands.find(({ id }) => wordsOf(id) === words)
  if (entry === undefined) throw unknownCommand(unknownWords({ commands }, words.split(' ')))
  // Every command extends the same class; a test checks it.
  const command = (await entry.load()) as unknown as typeof CountroomCommand
  return envelopeSchema(words, await resultSchema(command))
}
