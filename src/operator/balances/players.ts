import { foldUsername } from '../../domain/players/player.ts'
import { Problem } from '../../kit/problem.ts'
import { bookState } from '../bets/slips-by-day.ts'
import type { Book } from '../book/book.ts'
import { knownPlayers } from './readings.ts'

/** Returns the named players, each once, or all players of the book if none is named. Throws CANNOT_CONCLUDE for a book without players. */
export async function playersToReconcile(book: Book, named: readonly string[]): Promise<readonly string[]> {
  if (named.length > 0) return [...new Map(named.map((name) => [foldUsername(name), name])).values()]
  const known = await book.store.read(knownPlayers)
  if (known.length > 0) return known
  const { position } = await book.store.read(bookState)
  throw new Problem(
    'CANNOT_CONCLUDE',
    position?.cursor
      ? 'The book has no players, so no balance was checked. Run first: countroom bets sync --out bets. To check named players: countroom help reconcile wallet'
      : 'The book is empty and has no players. Run first: countroom bets sync --out bets',
  )
}
