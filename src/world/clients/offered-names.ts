import { existsSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { databaseKind } from '../../db/engines/database-name.ts'
import { loadDriver, readDatabase } from '../../db/engines/open.ts'
import type { Tables } from '../../db/schema/index.ts'
import type { FormDefinition } from '../../domain/tickets/form.ts'
import { bookNames, type OfferedName } from '../../operator/book/offered-names.ts'
import { formsInUse, newestRooms, newestTickets, tenantCodes } from '../../services/chat/queries/newest-names.ts'
import { newestPayouts } from '../../services/gateway/queries/newest-payouts.ts'
import type { Config } from '../config/config.ts'
import type { LocalProfile, NamedProfile } from '../config/profile-schema.ts'
import { readProfile } from '../config/profiles.ts'
import { bookUrlOf, isBookThere } from './book-location.ts'
import { chatTenantAmong } from './chat-tenant.ts'

/** Maximum number of names that are read, newest first. Those that begin with the typed text are offered. */
const maxRead = 2000

/** Timeout of a database server, from when its driver is loaded. After it, no names are offered. */
export const serverTimeoutMs = 150

/** Names that completion offers from the database of a local world. A remote platform is not asked on each Tab. */
const worldNames = {
  tickets: async (q, profile) =>
    (await ofTenant(q, profile, newestTickets)).map(({ number, title, status }) => ({
      word: String(number),
      about: `${status}: ${title}`,
    })),
  statuses: async (q, profile) => {
    const codes = (await ofTenant(q, profile, formsInUse)).flatMap(({ definition }) =>
      (JSON.parse(definition) as FormDefinition).workflow.statuses.map(({ code }) => code),
    )
    return [...new Set(codes)].map((word) => ({ word, about: '' }))
  },
  rooms: async (q, profile) =>
    (await ofTenant(q, profile, newestRooms)).map(({ id, customer_account, status }) => ({
      word: id,
      about: `${customer_account}, ${status}`,
    })),
  payouts: async (q, { environment }) =>
    (await newestPayouts(q, environment === 'sandbox' ? 'sandbox' : 'production', maxRead)).map(
      ({ id, amount, currency, status }) => ({
        word: id,
        about: `${amount} ${currency}, ${status}`,
      }),
    ),
} as const satisfies Record<string, (q: Kysely<Tables>, profile: LocalProfile) => Promise<OfferedName[]>>

/** Reads names of the chat's merchant that the profile acts for; none if it acts for no merchant. */
async function ofTenant<T>(
  q: Kysely<Tables>,
  profile: LocalProfile,
  names: (q: Kysely<Tables>, tenant: string, limit: number) => Promise<T[]>,
): Promise<T[]> {
  const tenant = chatTenantAmong(await tenantCodes(q), profile)
  return tenant === undefined ? [] : names(q, tenant, maxRead)
}

export type OfferedKind = keyof typeof bookNames | keyof typeof worldNames

const isOfBook = (kind: OfferedKind): kind is keyof typeof bookNames => Object.hasOwn(bookNames, kind)

/**
 * Returns the newest names of a kind for a profile, newest first. Changes nothing, not even a database of an earlier version, and
 * returns none if the database is missing, locked, of another version or slow.
 */
export async function offeredNames(config: Config, kind: OfferedKind): Promise<readonly OfferedName[]> {
  try {
    return await namesOf(config, readProfile(config, config.settings.profile), kind)
  } catch {
    return []
  }
}

async function namesOf(config: Config, named: NamedProfile, kind: OfferedKind): Promise<readonly OfferedName[]> {
  if (isOfBook(kind))
    return isBookThere(config, named) ? read(bookUrlOf(config, named), (q) => bookNames[kind](q, maxRead)) : []
  const { profile } = named
  if (profile.kind !== 'local' || (databaseKind(profile.db) === 'file' && !existsSync(profile.db))) return []
  return read(profile.db, (q) => worldNames[kind](q, profile))
}

/** Reads names. Only a database server can delay the reader: a file is read immediately or not at all. */
async function read(
  url: string,
  query: (q: Kysely<Tables>) => Promise<OfferedName[]>,
): Promise<readonly OfferedName[]> {
  await loadDriver(url)
  const names = readDatabase(url, query, { busyMs: 50 })
  if (databaseKind(url) === 'file') return names
  let late: NodeJS.Timeout | undefined
  const nothing = new Promise<readonly OfferedName[]>((resolve) => {
    late = setTimeout(() => resolve([]), serverTimeoutMs)
  })
  return Promise.race([names, nothing]).finally(() => clearTimeout(late))
}
