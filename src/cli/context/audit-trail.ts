import { started } from '../../domain/audit/chain.ts'
import { realAmbient } from '../../kit/ambient.ts'
import { appendEntry, type EntryFacts } from '../../operator/audit/audit.ts'
import { keepHead } from '../../world/clients/audit-head.ts'
import { bookUrlOf, isBookThere, openBookHere } from '../../world/clients/book-location.ts'
import type { NamedProfile } from '../../world/config/profile-schema.ts'
import type { CommandContext } from './context.ts'
import { personHere } from './operator-name.ts'

type AuditedRun = Pick<CommandContext, 'settings' | 'words' | 'subject'>

/** Returns the facts of a run for its entries. */
export function factsOf({ settings, words, subject }: AuditedRun, profile: NamedProfile): Omit<EntryFacts, 'outcome'> {
  const { name, osUser, host } = personHere(settings)
  return { operator: name, osUser, host, profile: profile.name, command: words, subject, run: realAmbient().id() }
}

/**
 * Records that a run begins to change something, and returns the function that records its outcome and closes the book.
 * Both entries are durable when the calls return, so that a killed run is visible by its missing end.
 */
export async function beginAudit(run: AuditedRun, profile: NamedProfile): Promise<(outcome: string) => Promise<void>> {
  const facts = factsOf(run, profile)
  const book = await openBookHere(run.settings, profile)
  try {
    await appendEntry(book, { ...facts, outcome: started })
  } catch (error) {
    await book.close()
    throw error
  }
  return async (outcome) => {
    try {
      const entry = await appendEntry(book, { ...facts, outcome })
      await keepHead(run.settings, bookUrlOf(run.settings, profile), book, entry)
    } finally {
      await book.close()
    }
  }
}

/** Returns whether a profile has a book. */
export const hasBook = ({ settings }: Pick<CommandContext, 'settings'>, profile: NamedProfile): boolean =>
  isBookThere(settings, profile)
