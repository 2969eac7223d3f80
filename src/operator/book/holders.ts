import type { BookHolderRow } from '../../db/schema/book.ts'
import { type Book, openBook } from './book.ts'
import { lockHolder } from './lock.ts'

/** Returns the jobs that hold a lock of the book now. */
export async function holdersOf(book: Book, url: string): Promise<BookHolderRow[]> {
  const known = await book.store.read(({ q }) => q.selectFrom('book_holders').selectAll().orderBy('job').execute())
  const holders: BookHolderRow[] = []
  for (const row of known) {
    const holder = await lockHolder(book, url, row.job)
    if (holder !== 'nobody') holders.push(holder === 'unknown' ? row : holder)
  }
  return holders
}

/** Same as `holdersOf` for a book that is not open. */
export async function bookHolders(url: string): Promise<BookHolderRow[]> {
  const book = await openBook(url)
  try {
    return await holdersOf(book, url)
  } finally {
    await book.close()
  }
}
