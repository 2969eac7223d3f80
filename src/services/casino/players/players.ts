import type { PlayerRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { foldUsername, type Language, languages } from '../../../domain/players/player.ts'
import { isOnline } from '../../../domain/players/session.ts'
import { hashPassword } from '../../../kit/password-hash.ts'
import type { Problem } from '../../../kit/problem.ts'
import { refuse } from '../api/contract.ts'
import { limitsFor } from '../api/limits.ts'
import type { Player, PlayerUpdate } from '../api/schemas/index.ts'
import { toPlayer } from '../api/views.ts'
import { limitProfileOf } from '../queries/limits.ts'
import { countPlayers, insertPlayers, playerNamed, savePlayer } from '../queries/players.ts'
import { endSessions, openSessionOf } from '../queries/sessions.ts'
import type { Casino, Tenant } from '../service.ts'
import { enqueueKickEvent } from '../webhooks/events.ts'
import { changingPlayers } from '../write-groups.ts'

/** Returns the player with this name, or throws PLAYER_NOT_FOUND. */
export async function thePlayer(reader: Reader, tenant: TenantRow, username: string): Promise<PlayerRow> {
  const player = await playerNamed(reader, tenant.code, username)
  if (!player) throw noSuchPlayer(username)
  return player
}

export function noSuchPlayer(username: string): Problem {
  return refuse('PLAYER_NOT_FOUND', `There is no player ${username}`)
}

/** Details of a new player. */
interface PlayerDetails {
  readonly username: string
  readonly currency: string
  readonly nickname?: string | undefined
}

/** Creates a player with a free name, in an enabled currency and within the plan's limit, or refuses. */
export async function createPlayer(app: Casino, tx: Tx, tenant: TenantRow, details: PlayerDetails): Promise<PlayerRow> {
  const player = await newPlayer(app, tx, tenant, details)
  await insertPlayers(tx, [player])
  return player
}

/** The same without inserting the row. `uninserted` is the number of others of this transaction that are not inserted yet. */
export async function newPlayer(
  app: Casino,
  tx: Tx,
  tenant: TenantRow,
  details: PlayerDetails,
  uninserted = 0,
): Promise<PlayerRow> {
  const currency = currencyFor(tenant, details.currency)
  const limit = limitsFor(tenant).players
  if (limit !== null && (await countPlayers(tx, tenant.code)) + uninserted >= limit)
    throw refuse('PLAYER_LIMIT', `The plan's limit of ${limit} players is reached`)
  return {
    id: app.id(),
    tenant: tenant.code,
    name_key: foldUsername(details.username),
    username: details.username,
    nickname: details.nickname || null,
    status: 'active',
    currency,
    balance: '0',
    limit_profile_id: null,
    password_hash: null,
    created_at: tx.now,
    last_login_at: null,
  }
}

/** Returns a new player's currency in upper case, or refuses it. */
function currencyFor(tenant: TenantRow, requested: string): string {
  if (!/^[A-Za-z]{3,5}$/.test(requested)) throw refuse('INVALID_CURRENCY', 'currency must consist of 3 to 5 letters')
  const currency = requested.toUpperCase()
  const enabled: string[] = JSON.parse(tenant.currencies)
  if (!enabled.includes(currency)) throw refuse('CURRENCY_NOT_ENABLED', `The currency ${currency} is not enabled`)
  return currency
}

/** Returns whether the player is in the lobby or at a table at the reader's time. */
export async function isPlayerOnline(reader: Reader, playerId: string): Promise<boolean> {
  const session = await openSessionOf(reader, playerId)
  return session !== undefined && isOnline({ openedAt: session.opened_at, seenAt: session.seen_at }, reader.now)
}

/** Refuses a bet-limit profile that is neither the tenant's own nor a template, or in another currency. */
export async function checkLimitProfile(reader: Reader, tenant: TenantRow, player: PlayerRow, id: number | null) {
  if (id === null) return
  const profile = await limitProfileOf(reader, id)
  const isUsable = profile && (profile.tenant === null || profile.tenant === tenant.code)
  if (!isUsable || profile.currency !== player.currency)
    throw refuse('INVALID_PARAMETER', `limitProfileId ${id} was not found for currency ${player.currency}`, {
      field: 'limitProfileId',
    })
}

/** Returns a language of the player's page, given in any case; throws INVALID_PARAMETER for others. */
export function languageOf(text: string): Language {
  const language = languages.find((known) => known === text.toUpperCase())
  if (!language) throw refuse('INVALID_PARAMETER', `lang must be one of ${languages.join(', ')}`, { field: 'lang' })
  return language
}

/** Returns the player for the API. */
export function readPlayer(app: Casino, tenant: Tenant, username: string): Promise<Player> {
  return app.store.read(async (reader) => {
    const player = await thePlayer(reader, tenant, username)
    return toPlayer(player, await isPlayerOnline(reader, player.id))
  })
}

/** Updates the given fields, and ends the sessions of a locked player; or changes nothing. */
export async function updatePlayer(app: Casino, tenant: Tenant, update: PlayerUpdate): Promise<Player> {
  // Hashing is slow on purpose, so it runs before the transaction.
  const passwordHash = update.password === undefined ? undefined : await hashPassword(update.password, app.random(16))
  return changingPlayers(app, tenant, async (tx) => {
    const player = await thePlayer(tx, tenant, update.username)
    const change: Partial<PlayerRow> = {}
    if (update.status !== undefined) change.status = update.status
    if (update.nickname !== undefined) change.nickname = update.nickname || null
    if (update.limitProfileId !== undefined) {
      await checkLimitProfile(tx, tenant, player, update.limitProfileId)
      change.limit_profile_id = update.limitProfileId
    }
    if (passwordHash !== undefined) change.password_hash = passwordHash
    if (Object.keys(change).length > 0) await savePlayer(tx, player.id, change)
    if (update.status === 'locked') await endSessions(tx, player.id, 'LOCKED')
    if (update.status === 'locked') await enqueueKickEvent(app, tx, player, 'locked')
    return toPlayer({ ...player, ...change }, await isPlayerOnline(tx, player.id))
  })
}

/** Ends all of a player's sessions; having none is not an error. */
export function logout(app: Casino, tenant: Tenant, username: string): Promise<{ kicked: boolean }> {
  return changingPlayers(app, tenant, async (tx) => {
    const player = await thePlayer(tx, tenant, username)
    await endSessions(tx, player.id, 'LOGGED_OUT')
    await enqueueKickEvent(app, tx, player, 'logged_out')
    return { kicked: true }
  })
}
