import { started } from '../../domain/audit/chain.ts'
import { realAmbient } from '../../kit/ambient.ts'
import { appendEntry } from '../../operator/audit/audit.ts'
import { isBookThere, openBookHere } from '../../world/clients/book-location.ts'
import type { NamedProfile } from '../../world/config/profile-schema.ts'
import type { CommandContext } from './context.ts'
import { personHere } from './operator-name.ts'

/**
 * Records that a run begins to change something, and returns the function that records its outcome and closes the book.
 * Both entries are durable when the calls return, so that a killed run is visible by its missing end.
 */
export async function beginAudit(
  { settings, words, subject }: Pick<CommandContext, 'settings' | 'words' | 'subject'>,
  profile: NamedProfile,
): Promise<(outcome: string) => Promise<void>> {
  const { name, osUser, host } = personHere(settings)
  const book = await openBookHere(settings, profile)
  const facts = {
    operator: name,
    osUser,
    host,
    profile: profile.name,
    command: words,
    subject,
    run: realAmbient().id(),
  }
  try {
    await appendEntry(book, { ...facts, outcome: started })
  } catch (error) {
    await book.close()
    throw error
  }
  return async (outcome) => {
    try {
      await appendEntry(book, { ...facts, outcome })
    } finally {
      await book.close()
    }
  }
}

/** Returns whether a profile has a book. */
export const hasBook = ({ settings }: Pick<CommandContext, 'settings'>, profile: NamedProfile): boolean =>
  isBookThere(settings, profile)
