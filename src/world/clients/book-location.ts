import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { isDatabaseFile } from '../../db/engines/database-name.ts'
import { sha256Hex } from '../../kit/hmac.ts'
import { makeFolder } from '../../kit/make-folder.ts'
import { type Book, claimBook, openBook } from '../../operator/book/book.ts'
import { type Config, cannotWrite } from '../config/config.ts'
import type { NamedProfile } from '../config/profile-schema.ts'
import type { CasinoIdentity } from './casino.ts'

/**
 * Returns the location of a profile's book: the setting, or a file of the profile below the state folder. A local
 * profile can use another database on each run, and each database is its own platform, so there the file name contains
 * the database.
 */
export function bookUrlOf(config: Config, { name, profile }: NamedProfile): string {
  const { book } = config.settings
  if (book !== undefined) return databaseOf(book)
  const mark = profile.kind === 'local' ? `-${sha256Hex(databaseOf(profile.db)).slice(0, 12)}` : ''
  return join(config.paths.state, 'books', `${name}${mark}.db`)
}

export const databaseOf = (db: string): string => (isDatabaseFile(db) ? resolve(db) : db)

/**
 * Opens the book of a profile, creating it if needed, without a check of its tenant. For data that names its own
 * target, such as orders to the gateway and bulk actions on tickets.
 */
export async function openBookHere(config: Config, named: NamedProfile): Promise<Book> {
  const url = bookUrlOf(config, named)
  if (isDatabaseFile(url)) makePrivateFolder(dirname(url))
  return openBook(url)
}

/** Opens the book of a profile, creating it if needed, and checks that it belongs to this tenant. */
export async function openBookOf(config: Config, named: NamedProfile, identity: CasinoIdentity): Promise<Book> {
  const book = await openBookHere(config, named)
  try {
    const { companyCode, environment, timezone } = identity
    await claimBook(book, { company_code: companyCode, environment, timezone })
    return book
  } catch (error) {
    await book.close()
    throw error
  }
}

/** Same as openBookOf for readers: creates nothing, and returns undefined when there is no book. */
export async function openBookIfThere(
  config: Config,
  named: NamedProfile,
  identity: CasinoIdentity,
): Promise<Book | undefined> {
  return isBookThere(config, named) ? openBookOf(config, named, identity) : undefined
}

/** Opens the book of a profile for any tenant; undefined when there is none. */
export async function openExistingBook(config: Config, named: NamedProfile): Promise<Book | undefined> {
  return isBookThere(config, named) ? openBook(bookUrlOf(config, named)) : undefined
}

/** Returns whether the book exists. A book on a server is assumed to exist, because checking means opening it. */
export function isBookThere(config: Config, named: NamedProfile): boolean {
  const url = bookUrlOf(config, named)
  return !isDatabaseFile(url) || existsSync(url)
}

function makePrivateFolder(folder: string): void {
  try {
    makeFolder(folder, 0o700)
  } catch (error) {
    throw cannotWrite(folder, error)
  }
}
