import { book as bookMigrations } from '../../db/migrations/book/index.ts'
import type { BookOwnerRow } from '../../db/schema/book.ts'
import { openStore, type Store } from '../../db/store.ts'
import { Problem } from '../../kit/problem.ts'

/** The operator's own database of one tenant: synced bets and sent transfers. */
export interface Book {
  readonly store: Store
  close(): Promise<void>
}

/** Opens a book, a file or a postgres:// URL. The caller closes it. Its clock is this machine's, because a book belongs to no world. */
export async function openBook(url: string, now: () => number = Date.now): Promise<Book> {
  const store = await openStore({ url, migrations: bookMigrations, now })
  return { store, close: () => store.close() }
}

/** Makes a new book this tenant's, or throws BOOK_OF_ANOTHER. */
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
        `The book belongs to ${known.company_code} (${known.environment}), not to ${owner.company_code} (${owner.environment}). Pass another --book`,
        { found: known.company_code, wanted: owner.company_code },
      )
    // The time zone of a profile may be corrected; the owner stays.
    else if (known.timezone !== owner.timezone)
      await q.updateTable('book_owner').set({ timezone: owner.timezone }).execute()
  })
}
