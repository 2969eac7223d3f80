import { relative } from 'node:path'
import { isDatabaseFile, withoutPassword } from '../../db/engines/database-name.ts'
import type { NamedProfile } from '../../world/config/profile-schema.ts'
import { isLive } from '../../world/config/profiles.ts'

/** Parts of a target that are known only after it was opened. */
export interface OpenedTarget {
  /** URL at which the local world is served. */
  readonly servedAt?: string | null
  /** The book, for runs that use nothing else. */
  readonly book?: string
}

/**
 * Returns the line that names the target of a run: profile, environment, and its database or addresses. LIVE stands for
 * real money.
 */
export function bannerOf({ name, profile }: NamedProfile, { servedAt, book }: OpenedTarget = {}): string {
  const ofBook = book === undefined ? '' : `, book ${databaseText(book)}`
  if (profile.kind === 'local') {
    const { db, environment, tenant } = profile
    const parts = [name, environment, tenant && `tenant ${tenant.toUpperCase()}`].filter(Boolean)
    const served = servedAt ? `, served at ${servedAt}` : ''
    return `Profile ${parts.join(', ')}: ${databaseText(db)}${served}${ofBook}`
  }
  const addresses = [profile.casino, profile.gateway, profile.chat].flatMap((access) =>
    access ? [access.baseUrl] : [],
  )
  const environment = isLive(profile) ? 'LIVE' : profile.environment
  return `Profile ${name}, ${environment}: ${[...new Set(addresses)].join(', ')}${ofBook}`
}

/** Returns a database as a person reads it: a file below the current folder by its relative path, an address without its password. */
function databaseText(db: string): string {
  const shown = withoutPassword(db)
  if (!isDatabaseFile(db)) return shown
  const path = relative(process.cwd(), db)
  return path === '' || path.startsWith('..') ? shown : path
}
