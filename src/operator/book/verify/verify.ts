import { sql } from 'kysely'
import { tableDigests } from '../../../db/copy-tables.ts'
import { databaseKind, withoutPassword } from '../../../db/engines/database-name.ts'
import type { Engine } from '../../../db/engines/engine.ts'
import { openEngine } from '../../../db/engines/open.ts'
import { inspectDatabase } from '../../../db/inspect.ts'
import { book as bookMigrations } from '../../../db/migrations/book/index.ts'
import { openStoreOn } from '../../../db/store.ts'
import { isProblem } from '../../../kit/problem.ts'
import type { Disk } from '../../bets/files/disk.ts'
import type { Book } from '../book.ts'
import { bookPosition } from '../cursor-position.ts'
import { Faults } from './faults.ts'
import { checkFiles } from './files.ts'
import { checkCursor, checkHistory, checkMonths, checkPlaces, checkRecords } from './revisions.ts'
import type { BookCheck, BookVerification } from './schema.ts'
import { checkBatches, checkBreaks } from './work.ts'

/** Verification of a book: its storage, its rows, and the files made from it. */

export interface VerifyWork {
  readonly url: string
  readonly disk: Disk
  readonly now: () => number
  readonly signal: AbortSignal
  readonly onStep: (step: string, rows: number) => void
  /** Runs the comparison of files without concurrent writers. */
  readonly whileStill: <T>(book: Book, work: () => Promise<T>) => Promise<T>
}

/** Verifies a book. The files are checked if a folder is given. */
export async function verifyBook(work: VerifyWork, out: string | undefined): Promise<BookVerification> {
  const { url, now, signal, onStep } = work
  onStep('storage', 0)
  const damage = await damageOf(url)
  if (damage) return concluded(url, 0, [damage])
  const engine = await openEngine(url, 2)
  const torn = await integrityOf(engine, url)
  if (torn) {
    await engine.close()
    return concluded(url, 0, [torn])
  }
  const store = await openStoreOn(engine, { migrations: bookMigrations, now })
  const book: Book = { store, close: () => store.close() }
  try {
    const storage = new Faults('storage')
    await engine.read((q) =>
      tableDigests(engine, q, (count) => {
        signal.throwIfAborted()
        storage.checked += count
        onStep('storage', storage.checked)
      }),
    )
    const inBook = await store.read(async (reader) => {
      const position = await bookPosition(reader)
      let rows = 0
      const onRows = (count: number) => {
        rows += count
        onStep('records', rows)
      }
      return [
        await checkPlaces(reader, position),
        await checkRecords(reader, { onRows, signal }),
        await checkMonths(reader),
        await checkCursor(reader, position),
        await checkHistory(reader),
        await checkBreaks(reader),
      ]
    })
    onStep('batches', 0)
    const checks = [storage.result(), ...inBook, await checkBatches(book)]
    if (out !== undefined) {
      onStep('files', 0)
      checks.push(await work.whileStill(book, () => checkFiles({ book, disk: work.disk, signal }, out)))
    }
    return concluded(url, inBook.find(({ name }) => name === 'places')?.checked ?? 0, checks)
  } finally {
    await book.close()
  }
}

/** Returns the check of the storage if it fails. A server checks its own pages; an SQLite file is checked here. */
async function damageOf(url: string): Promise<BookCheck | undefined> {
  const faults = new Faults('storage')
  try {
    const { damage } = await inspectDatabase(url, bookMigrations)
    for (const line of damage) faults.add(line)
  } catch (error) {
    if (!isProblem(error, 'STORE_FOREIGN')) throw error
    faults.add(error.message)
  }
  const check = faults.result()
  return check.status === 'pass' ? undefined : check
}

/** Runs SQLite's whole check, which also compares every index with its table. */
async function integrityOf(engine: Engine, url: string): Promise<BookCheck | undefined> {
  if (databaseKind(url) === 'postgres') return undefined
  const faults = new Faults('storage')
  const { rows } = await engine.read((q) => sql<{ integrity_check: string }>`pragma integrity_check(100)`.execute(q))
  for (const { integrity_check: line } of rows) if (line !== 'ok') faults.add(line)
  const check = faults.result()
  return check.status === 'pass' ? undefined : check
}

function concluded(url: string, rows: number, checks: readonly BookCheck[]): BookVerification {
  const has = (status: BookCheck['status']) => checks.some((check) => check.status === status)
  const verdict = has('fail') ? 'damaged' : has('unknown') ? 'cannot-conclude' : 'whole'
  return { book: withoutPassword(url), rows, checks: [...checks], verdict }
}
