import { statSync } from 'node:fs'
import { foldName } from '../../domain/wallet/approval.ts'
import { Problem } from '../../kit/problem.ts'
import { provenName, shortestPassphrase } from '../../operator/approvers/approvers.ts'
import type { Book } from '../../operator/book/book.ts'
import type { Person } from '../../operator/transfers/batch-decisions.ts'
import { readBytes } from '../terminal/read-input.ts'
import type { CommandContext } from './context.ts'
import { isName, personHere } from './operator-name.ts'

/**
 * Returns the person who makes a decision that a second person must confirm: the user of the operating system, or the approver whose
 * passphrase was given. A name of `--as` alone proves nothing and is not used.
 */
export async function decidingPerson(
  context: CommandContext,
  book: Book | undefined,
  passphraseFile: string | undefined,
): Promise<Person> {
  const { name, osUser, host } = personHere(context.settings)
  if (passphraseFile === undefined) {
    if (foldName(name) !== foldName(osUser))
      context.warn(
        `--as ${name} is not proven, so the person is ${osUser}, the user of this machine. To prove a name of "approvers list", add --passphrase-file`,
      )
    return { name: osUser, osUser, host }
  }
  if (context.settings.settings.as === undefined)
    throw new Problem('INVALID_USAGE', '--passphrase-file proves the name of --as; add --as NAME')
  const passphrase = await readPassphrase(context, passphraseFile, name)
  // Without a book there are no approvers.
  if (!book) throw new Problem('APPROVER_NOT_FOUND', `No approver ${name}: there is no book yet`, { name })
  return { name: await provenName(book, name, passphrase), osUser, host }
}

/**
 * Reads a passphrase from a file or standard input, without the line break at its end. On a terminal it is typed at a
 * prompt without echo.
 */
export async function readPassphrase(context: CommandContext, file: string, name: string): Promise<string> {
  const text =
    file === '-' && context.screen.canAsk
      ? await context.prompts.secret({ message: `Passphrase of ${name}:`, flag: '--passphrase-file -' })
      : new TextDecoder().decode(await readBytes(file)).replace(/\r?\n$/, '')
  const length = [...text].length
  if (length < shortestPassphrase || length > 1000 || /[\r\n]/.test(text))
    throw new Problem(
      'INVALID_USAGE',
      `The passphrase must be one line of ${shortestPassphrase} to 1,000 characters; received ${length}`,
    )
  if (file !== '-' && process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0)
    context.warn(`${file} can be read by other users of this machine. To change that: chmod 600 ${file}`)
  return text
}

/** Validates the name of an approver. */
export function approverName(text: string): string {
  const name = text.trim()
  if (isName(name)) return name
  throw new Problem('INVALID_USAGE', 'The name of an approver must have 1 to 64 characters on one line')
}
