import type { KeyRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import { limits } from '../../../domain/account/plan-limits.ts'
import { letters } from '../../../kit/ids.ts'
import { Problem } from '../../../kit/problem.ts'
import { theTenant } from '../account/tenants.ts'
import { refuse } from '../api/contract.ts'
import { insertKey, keyOf, keysOf, saveKey } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'

const rotatedKeyMs = limits.rotatedKeyHours * 3_600_000

/** A new key; its secret is shown only once. */
export interface NewKey {
  readonly apiKey: string
  readonly secret: string
}

/**
 * Creates another key for a tenant, or throws QUOTA_EXCEEDED when it has ten. A rotated key is counted by its
 * successor.
 */
export function createKey(app: Casino, code: string): Promise<NewKey> {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const unexpiring = (await keysOf(tx, tenant.code)).filter(
      (key) => key.revoked_at === null && key.retires_at === null,
    )
    if (unexpiring.length >= limits.apiKeys)
      throw refuse(
        'QUOTA_EXCEEDED',
        `${tenant.code} already has ${limits.apiKeys} keys, the maximum. Revoke one first; to list them: countroom console keys list ${tenant.code}`,
      )
    return addKey(app, tx, tenant)
  })
}

/** Replaces a key by a new one; the old one works for another 24 hours. */
export function rotateKey(app: Casino, keyId: string): Promise<NewKey> {
  return app.store.write(async (tx) => {
    const key = await keyInUse(tx, keyId)
    if (key.retires_at !== null) throw new Problem('CONFLICT', `The key ${keyId} was already rotated`)
    await saveKey(tx, keyId, { retires_at: tx.now + rotatedKeyMs })
    return addKey(app, tx, await theTenant(tx, key.tenant))
  })
}

/** Revokes a key at once, also a rotated one that still works. */
export function revokeKey(app: Casino, keyId: string): Promise<{ apiKey: string; revoked: true }> {
  return app.store.write(async (tx) => {
    await keyInUse(tx, keyId)
    await saveKey(tx, keyId, { revoked_at: tx.now })
    return { apiKey: keyId, revoked: true }
  })
}

/** Lists a tenant's keys, oldest first, including inactive ones. */
export function listKeys(app: Casino, code: string): Promise<KeyRow[]> {
  return app.store.read(async (reader) => keysOf(reader, (await theTenant(reader, code)).code))
}

async function keyInUse(tx: Tx, keyId: string): Promise<KeyRow> {
  const key = await keyOf(tx, keyId)
  if (!key || key.revoked_at !== null) throw refuse('NOT_FOUND', `There is no active key ${keyId}`)
  return key
}

/** Creates a key of a tenant's environment. */
export async function addKey(app: Casino, tx: Tx, tenant: TenantRow): Promise<NewKey> {
  const apiKey = `ek_${tenant.environment === 'live' ? 'l' : 's'}_${letters(24, app.random)}`
  const secret = letters(48, app.random)
  await insertKey(tx, {
    key_id: apiKey,
    tenant: tenant.code,
    secret,
    created_at: tx.now,
    retires_at: null,
    revoked_at: null,
  })
  return { apiKey, secret }
}
