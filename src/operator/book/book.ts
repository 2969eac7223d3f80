import { book as bookMigrations } from '../../db/migrations/book/index.ts'
import type { BookOwnerRow } from '../../db/schema/book.ts'
import { openStore, type Store } from '../../db/store.ts'
import { Problem } from '../../kit/problem.ts'

/** The operator's own record of one tenant: what was pulled, and what was sent. */
export interface Book {
  readonly store: Store
  close(): Promise<void>
}

/** Opens a book, a file or a postgres:// URL; whoever opens it closes it. The clock is this machine's: a book is no part of any world. */
export async function openBook(url: string, now: () => number = Date.now): Promise<Book> {
  const store = await openStore({ url, migrations: bookMigrations, now })
  return { store, close: () => store.close() }
}

/** Makes sure that a book is this tenant's: a new one becomes it, another's is refused with BOOK_OF_ANOTHER. */
export async function claimBook(book: Book, owner: Omit<BookOwnerRow, 'id'>): Promise<void> {
  await book.store.write(async ({ q }) => {
    const known = await q.selectFrom('book_owner').selectAll().executeTakeFirst()
    if (!known)
      await q
        .insertInto('book_owner')
        .values({ id: 'owner', ...owner })
        .execute()
    else if (known.company_code !== owner.company_code || known.environment !== owner.environment)
      throw new Problem(
        'BOOK_OF_ANOTHER',
        `The book is of ${known.company_code} (${known.environment}), not of ${owner.company_code} (${owner.environment}): name another with --book`,
        { found: known.company_code, wanted: owner.company_code },
      )
    // The zone of a profile may be put right; whose book it is stays as it is.
    else if (known.timezone !== owner.timezone)
      await q.updateTable('book_owner').set({ timezone: owner.timezone }).execute()
  })
}
