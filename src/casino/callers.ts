import ipaddr from 'ipaddr.js'
import { isOver } from '../domain/account.ts'
import { fullBucket, takeToken } from '../domain/rate.ts'
import { isTenantSignature, isTimely, nonceMemoryMs, noncePattern } from '../domain/signing.ts'
import type { Tx } from '../store/store.ts'
import type { GateRequest } from '../wire/contract.ts'
import type { Casino, Tenant } from './casino.ts'
import { refuse } from './contract.ts'
import { limitsFor } from './limits.ts'
import { allowlistOf, bucketOf, keyOf, saveBucket, takeNonce, tenantOf } from './queries/tenants.ts'

/**
 * Finds out which tenant signed a request, or refuses it.
 *
 * The order of checks: key, timestamp and nonce by form, signature; then, for a request that is known to be the
 * tenant's own, address, state, repeated nonce, rate. So nothing that is not signed uses up a nonce or a token, and
 * nothing that is refused before tells more than "invalid credentials".
 */
export async function tenantCalling(app: Casino, request: GateRequest): Promise<Tenant> {
  const { tenant, allowlist, nonce } = await verified(app, request)
  if (allowlist.length > 0 && !isAllowed(request.address, allowlist))
    throw refuse('IP_NOT_ALLOWED', `Requests from ${request.address} are not on the allowlist`)
  if (tenant.disabled === 1 || isOver(tenant.state))
    throw refuse('TENANT_SUSPENDED', 'The tenant is disabled, suspended or closed')
  // The refusals are thrown outside of the transaction: a nonce stays used up also when the request meets the rate limit.
  const entry = await app.store.write(async (tx) => {
    if (!(await takeNonce(tx, tenant.keyId, nonce, tx.now + nonceMemoryMs))) return 'repeated'
    return app.config.rateLimits ? spendToken(tx, tenant) : 'in'
  })
  if (entry === 'repeated') throw refuse('UNAUTHORIZED', 'nonce already used')
  if (entry !== 'in') throw refuse('RATE_LIMITED', 'Too many requests per second', { retryAfterMs: entry.waitMs })
  return tenant
}

async function verified(app: Casino, request: GateRequest) {
  const keyId = request.headers['x-api-key'] ?? ''
  const timestamp = request.headers['x-timestamp'] ?? ''
  const nonce = request.headers['x-nonce'] ?? ''
  const signature = request.headers['x-signature'] ?? ''
  if (!/^ek_[ls]_[A-Za-z0-9]{1,64}$/.test(keyId)) throw refuse('UNAUTHORIZED', 'invalid credentials')

  const found = await app.store.read(async (reader) => {
    const key = await keyOf(reader, keyId)
    const tenant = key && (await tenantOf(reader, key.tenant))
    if (!tenant) return undefined
    return { key, tenant, allowlist: await allowlistOf(reader, tenant.code), now: reader.now }
  })
  const works =
    found !== undefined &&
    (found.key.revoked_at ?? Infinity) > found.now &&
    (found.key.retires_at ?? Infinity) > found.now
  if (!works) throw refuse('UNAUTHORIZED', 'invalid credentials')
  // Beside the world's clock the machine's own counts: where the world's has been moved, callers who know nothing of it still get in.
  if (!isTimely(timestamp, found.now) && !isTimely(timestamp, app.machineNow()))
    throw refuse('UNAUTHORIZED', 'timestamp outside the window')
  if (!noncePattern.test(nonce)) throw refuse('UNAUTHORIZED', 'invalid credentials')
  const { method, url, body } = request
  if (!isTenantSignature(found.key.secret, { method, url, timestamp, nonce, body }, signature))
    throw refuse('UNAUTHORIZED', 'invalid credentials')
  return { tenant: { ...found.tenant, keyId } satisfies Tenant, allowlist: found.allowlist, nonce }
}

/** Whether an address is one of the entries or lies in one of the ranges. */
export function isAllowed(address: string, entries: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false
  const asked = ipaddr.process(address)
  return entries.some((entry) => {
    const [base, bits] = rangeOf(entry)
    return base.kind() === asked.kind() && asked.match([base, bits] as [typeof asked, number])
  })
}

/** An allowlist entry as a range; one address is the range of itself. */
export function rangeOf(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry)
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

async function spendToken(tx: Tx, tenant: Tenant): Promise<'in' | { waitMs: number }> {
  const { rate } = limitsFor(tenant)
  const before = (await bucketOf(tx, tenant.code)) ?? fullBucket(rate, tx.now)
  const { bucket, waitMs } = takeToken(before, rate, tx.now)
  if (waitMs > 0) return { waitMs }
  await saveBucket(tx, { tenant: tenant.code, ...bucket })
  return 'in'
}
