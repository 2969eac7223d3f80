import type { GatewayKeyRow, GatewayUserRow, MerchantRow } from '../../../db/schema/gateway.ts'
import type { Reader } from '../../../db/store.ts'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'
import { type RateLimit, storedBucket, takeToken } from '../../../domain/rate-limit.ts'
import type { AuthenticateRequest, Endpoint } from '../../../http/contract/contract.ts'
import { isAllowed } from '../../../http/server/ip-allowlist.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { gateway, refuse } from '../api/contract.ts'
import { type Scope, scopeOf } from '../api/scopes.ts'
import { addressesOf, bucketOf, environmentOf, keyOf, merchantOf, saveBucket, userOf } from '../queries/merchants.ts'
import type { Gateway, MerchantCaller, UserCaller } from '../service.ts'
import { countingRates } from '../write-groups.ts'
import { readToken } from './jwt.ts'

/** Authentication results by kind of access. */
export interface Callers {
  readonly anyone: { readonly merchant: undefined }
  readonly key: MerchantCaller
  readonly user: UserCaller
  /** Merchant of the key, if one was sent: the compatibility option makes it optional for POST /auth. */
  readonly login: { readonly merchant: MerchantRow | undefined }
}

/** Requests per second, chosen by us: the document gives no figures. An address may use several keys. */
const keyRate: RateLimit = { perSecond: 50, burst: 200 }
const addressRate: RateLimit = { perSecond: 100, burst: 400 }

/**
 * Authenticates a request or throws. Checks in this order: the address's rate, the key, its rate, its allowlist, its
 * scopes, the token.
 */
export async function authenticateCaller(
  app: Gateway,
  environment: GatewayEnvironment,
  request: AuthenticateRequest,
): Promise<Callers[keyof Callers]> {
  await spend(app, `${environment}/address/${request.address}`, addressRate)
  const access = request.endpoint?.access
  if (access === 'anyone') return { merchant: undefined }
  const key = (request.headers['x-api-key'] ?? '').trim()
  if (key === '' && access === 'login') return { merchant: undefined }
  if (key === '' && access === 'user') return userWithoutKey(app, environment, request)
  if (key === '') throw refuse('AUTH_REQUIRED', 'The header x-api-key is missing')
  const caller = await merchantWithKey(app, environment, request, key)
  if (access !== 'user') return caller
  const user = await userBehind(app, environment, request)
  if (user.merchant !== caller.merchant.id)
    throw refuse('INVALID_TOKEN', 'The token belongs to a different account than the key')
  checkPermission(user, request)
  return { ...caller, user }
}

async function merchantWithKey(
  app: Gateway,
  environment: GatewayEnvironment,
  request: AuthenticateRequest,
  text: string,
): Promise<MerchantCaller> {
  const hash = sha256Hex(text)
  const holder = await app.store.read(async (reader) => {
    const key = await keyOf(reader, hash)
    const merchant = key && (await merchantOf(reader, key.merchant))
    return merchant && { key, merchant, entries: await addressesOf(reader, hash) }
  })
  if (!holder || holder.key.environment !== environment || holder.key.revoked_at !== null)
    throw refuse('INVALID_API_KEY', 'The API key is unknown, revoked or for another environment')
  await spend(app, `${environment}/key/${hash}`, keyRate)
  if (holder.entries.length > 0 && !isAllowed(request.address, holder.entries))
    throw refuse('IP_NOT_ALLOWED', `The address ${request.address} is not on the key's allowlist`)
  const scope = request.endpoint && scopeOf(request.endpoint)
  if (scope !== undefined && !scopesOf(holder.key).includes(scope))
    throw refuse('FORBIDDEN', `The key lacks the permission ${scope}`)
  return { merchant: holder.merchant, keyHash: hash }
}

function scopesOf(key: GatewayKeyRow): Scope[] {
  return JSON.parse(key.scopes)
}

/** Endpoints for which the compatible gateway requires only a token. */
const cancellations: readonly Endpoint[] = [gateway.endpoints.cancelPayout, gateway.endpoints.cancelBatch]

/** Authenticates by token alone, if the compatibility option is on. */
async function userWithoutKey(
  app: Gateway,
  environment: GatewayEnvironment,
  request: AuthenticateRequest,
): Promise<UserCaller> {
  // Endpoints that pay out need a key's allowlist, so no option makes the key optional there. Canceling a payout moves
  // no funds.
  const { endpoint } = request
  const paysOut = endpoint !== undefined && scopeOf(endpoint) === 'payouts' && !cancellations.includes(endpoint)
  if (paysOut || bearerOf(request) === undefined) throw refuse('AUTH_REQUIRED', 'The header x-api-key is missing')
  const user = await userBehind(app, environment, request)
  const merchant = await app.store.read((reader) => merchantOf(reader, user.merchant))
  if (merchant?.compat !== 1) throw refuse('AUTH_REQUIRED', 'The header x-api-key is missing')
  await spend(app, `${environment}/user/${user.email}`, keyRate)
  checkPermission(user, request)
  return { merchant, keyHash: undefined, user }
}

function checkPermission({ permissions }: GatewayUserRow, { endpoint }: AuthenticateRequest): void {
  const scope = endpoint && scopeOf(endpoint)
  if (permissions === null || scope === undefined || (JSON.parse(permissions) as Scope[]).includes(scope)) return
  throw refuse('FORBIDDEN', `The user lacks the permission ${scope}`)
}

async function userBehind(app: Gateway, environment: GatewayEnvironment, request: AuthenticateRequest) {
  const token = bearerOf(request)
  if (token === undefined)
    throw refuse('INVALID_TOKEN', 'The authorization header is empty: get a token from POST /auth')
  const { secret, now } = await app.store.read(async (reader) => ({
    secret: (await environmentOf(reader, environment))?.token_secret ?? '',
    now: reader.now,
  }))
  const subject = await readToken(secret, token, now)
  const user = subject && (await app.store.read((reader: Reader) => userOf(reader, environment, subject.email)))
  if (!user || user.merchant !== subject?.merchant)
    throw refuse('INVALID_TOKEN', 'The token is invalid or has expired: get a new one from POST /auth')
  return user
}

/** Returns the bearer token. Clients also send "Bearer" alone, or followed by "undefined" or "null". */
function bearerOf(request: AuthenticateRequest): string | undefined {
  const token = /^Bearer +(\S+)$/i.exec((request.headers['authorization'] ?? '').trim())?.[1]
  return token === 'undefined' || token === 'null' ? undefined : token
}

async function spend(app: Gateway, name: string, rate: RateLimit): Promise<void> {
  if (!app.config.rateLimits) return
  const waitMs = await countingRates(app, async (tx) => {
    const before = storedBucket(await bucketOf(tx, name), rate, tx.now)
    const { bucket, waitMs: wait } = takeToken(before, rate, tx.now)
    if (wait === 0) await saveBucket(tx, { name, ...bucket })
    return wait
  })
  if (waitMs > 0)
    throw refuse('RATE_LIMITED', 'Too many requests: retry after the time in Retry-After', { retryAfterMs: waitMs })
}
