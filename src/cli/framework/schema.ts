import type { Command } from '@oclif/core/command'
import { nearest } from '../../kit/nearest.ts'
import { Problem } from '../../kit/problem.ts'
import { envelopeSchema } from '../outcome/envelope.ts'
import { resultSchema } from '../outcome/result-schema.ts'
import type { CountroomCommand } from './command.ts'
import { wordsOf } from './manifest.ts'

interface Commands {
  readonly commands: readonly Command.Loadable[]
}

/** Returns the schema of a command's output. */
export async function commandSchema({ commands }: Commands, words: string) {
  const entry = commands.find(({ id }) => wordsOf(id) === words)
  if (entry === undefined) {
    const near = nearest(
      words,
      commands.map(({ id }) => wordsOf(id)),
    )
    const hint = near.length > 0 ? ` Did you mean ${near.map((id) => `"${id}"`).join(' or ')}?` : ''
    throw new Problem('UNKNOWN_COMMAND', `Unknown command "${words}".${hint}`, { nearest: near })
  }
  // Every command extends the same class; a test checks it.
  const command = (await entry.load()) as unknown as typeof CountroomCommand
  return envelopeSchema(words, await resultSchema(command))
}
