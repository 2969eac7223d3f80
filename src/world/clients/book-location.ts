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
 * Where the operator's own record of a profile is: where the settings say, else a file of the profile's own below the
 * state folder. A local profile can be pointed at another database from one run to the next, and each database is a
 * platform of its own; so there the file goes by the database.
 */
export function bookUrlOf(config: Config, { name, profile }: NamedProfile): string {
  const { book } = config.settings
  if (book !== undefined) return databaseOf(book)
  const mark = profile.kind === 'local' ? `-${sha256Hex(databaseOf(profile.db)).slice(0, 12)}` : ''
  return join(config.paths.state, 'books', `${name}${mark}.db`)
}

const databaseOf = (db: string): string => (isDatabaseFile(db) ? resolve(db) : db)

/** Opens the book of a profile, making it where there is none. For what says itself whose it is, as orders to the gateway and plans for tickets do. */
export async function openBookHere(config: Config, named: NamedProfile): Promise<Book> {
  const url = bookUrlOf(config, named)
  if (isDatabaseFile(url)) makePrivateFolder(dirname(url))
  return openBook(url)
}

/** Opens the book of a profile, making it where there is none, and sees to it that it is this tenant's. */
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

/** The same as openBookOf for whoever only reads: nothing is made, and where there is no book yet there is nothing to read. */
export async function openBookIfThere(
  config: Config,
  named: NamedProfile,
  identity: CasinoIdentity,
): Promise<Book | undefined> {
  return isBookThere(config, named) ? openBookOf(config, named, identity) : undefined
}

/** Whether there is a book. Of one at an address that cannot be said without opening it, so it is taken to be there. */
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
