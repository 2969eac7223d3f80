import { envelopeSchema } from '../outcome/envelope.ts'
import { resultSchema } from '../outcome/result-schema.ts'
import { unknownCommand, unknownWords } from './find.ts'
import { type Program, wordsOf } from './manifest.ts'
import { loadCommand } from './run-command.ts'

/** Returns the schema of a command's output. */
export async function commandSchema(program: Program, words: string) {
  const id = program.commands.ids.find((each) => wordsOf(each) === words)
  if (id === undefined) throw unknownCommand(unknownWords(program.commands, words.split(' ')))
  return envelopeSchema(words, await resultSchema(await loadCommand(program, id)))
}
