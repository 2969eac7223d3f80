import { withoutPassword } from '../../db/engines/database-name.ts'
import { Problem } from '../../kit/problem.ts'
import type { Config } from '../../world/config/config.ts'
import { typedCommand } from '../framework/shell-quote.ts'
import { targetFlags } from './suggested-command.ts'

/** Creates the problem of a book that does not exist. Its message ends with the command that creates it, for the same profile and book. */
export function noBook(code: 'CANNOT_CONCLUDE' | 'BOOK_NOT_FOUND', url: string, config: Config): Problem {
  const book = withoutPassword(url)
  const create = typedCommand('bets sync', [], { out: 'bets', ...targetFlags(config) })
  const hint =
    code === 'BOOK_NOT_FOUND' ? 'Check --profile and --book. To create the book of this profile' : 'To create one'
  return new Problem(code, `No book at ${book}. ${hint}: ${create}`, { book })
}
