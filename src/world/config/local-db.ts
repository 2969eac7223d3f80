import { existsSync } from 'node:fs'
import { isDatabaseFile } from '../../db/engines/database-name.ts'
import { badConfiguration } from './config.ts'
import type { LocalProfile } from './profile-schema.ts'

/** Returns the database of a local profile, which must exist: a typo in a path must not create a new, empty world. */
export function existingDb({ db }: LocalProfile): string {
  if (!isDatabaseFile(db) || existsSync(db)) return db
  throw badConfiguration(`There is no world at ${db} yet: create one with "countroom serve", or try "countroom demo"`, {
    db,
  })
}
