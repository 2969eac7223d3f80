import { existsSync } from 'node:fs'
import { isDatabaseFile, withoutPassword } from '../../../db/engines/database-name.ts'
import { book } from '../../../db/migrations/book/index.ts'
import { world } from '../../../db/migrations/world/index.ts'
import { bookChecks, type Check, databaseCheck, pass } from '../../../operator/doctor.ts'
import { bookUrlOf, isBookThere } from '../../../world/clients/book-location.ts'
import type { Config } from '../../../world/config/config.ts'
import type { NamedProfile } from '../../../world/config/profile-schema.ts'

/** Checks the databases of a profile: its local world, if there is one, and its book with the open work in it. */
export async function databaseChecks(config: Config, named: NamedProfile): Promise<Check[]> {
  return [...(await worldChecks(named)), ...(await bookDatabaseChecks(config, named))]
}

async function worldChecks({ profile }: NamedProfile): Promise<Check[]> {
  if (profile.kind !== 'local' || (isDatabaseFile(profile.db) && !existsSync(profile.db))) return []
  const { db: url } = profile
  return [(await databaseCheck({ id: 'world', title: 'World', url, shown: withoutPassword(url) }, world)).check]
}

async function bookDatabaseChecks(config: Config, named: NamedProfile): Promise<Check[]> {
  const about = { id: 'book', title: 'Book' }
  if (!isBookThere(config, named)) return [{ ...about, ...pass('none yet; the first transfer or sync creates it') }]
  const url = bookUrlOf(config, named)
  const { check, isReady } = await databaseCheck({ ...about, url, shown: withoutPassword(url) }, book)
  return [check, ...(isReady ? await bookChecks(url) : [])]
}
