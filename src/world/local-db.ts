import { existsSync } from 'node:fs'
import { badConfiguration } from './config.ts'
import type { LocalProfile } from './profiles.ts'

/** The database of a local profile, which must exist: a typo in a path must not make a new, empty world. */
export function existingDb({ db }: LocalProfile): string {
  const isUrl = /^postgres(ql)?:\/\//.test(db) || db === ':memory:'
  if (isUrl || existsSync(db)) return db
  throw badConfiguration(`There is no world at ${db} yet: "countroom serve" makes one, "countroom demo" shows one`, {
    db,
  })
}
