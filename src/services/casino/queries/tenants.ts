import { inParts } from '../../../db/chunks.ts'
import type { BucketRow, KeyRow, NonceRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

export function tenantOf({ q }: Reader, code: string): Promise<TenantRow | undefined> {
  return q.selectFrom('casino_tenants').selectAll().where('code', '=', code).executeTakeFirst()
}

export function allTenants({ q }: Reader): Promise<TenantRow[]> {
  return q.selectFrom('casino_tenants').selectAll().orderBy('code').execute()
}

export async function insertTenant({ q }: Tx, row: TenantRow): Promise<void> {
  await q.insertInto('casino_tenants').values(row).execute()
}

export async function saveTenant({ q }: Tx, code: string, change: Partial<TenantRow>): Promise<void> {
  await q.updateTable('casino_tenants').set(change).where('code', '=', code).execute()
}

export function keyOf({ q }: Reader, keyId: string): Promise<KeyRow | undefined> {
  return q.selectFrom('casino_keys').selectAll().where('key_id', '=', keyId).executeTakeFirst()
}

/** Lists a tenant's keys, oldest first, including revoked ones. */
export function keysOf({ q }: Reader, tenant: string): Promise<KeyRow[]> {
  return q
    .selectFrom('casino_keys')
    .selectAll()
    .where('tenant', '=', tenant)
    .orderBy('created_at')
    .orderBy('key_id')
    .execute()
}

export async function insertKey({ q }: Tx, row: KeyRow): Promise<void> {
  await q.insertInto('casino_keys').values(row).execute()
}

export async function saveKey({ q }: Tx, keyId: string, change: Partial<KeyRow>): Promise<void> {
  await q.updateTable('casino_keys').set(change).where('key_id', '=', keyId).execute()
}

/** Returns a tenant's IP allowlist; empty for any address. */
export async function allowlistOf({ q }: Reader, tenant: string): Promise<string[]> {
  const rows = await q
    .selectFrom('casino_allowed_addresses')
    .select('entry')
    .where('tenant', '=', tenant)
    .orderBy('entry')
    .execute()
  return rows.map((row) => row.entry)
}

export async function replaceAllowlist({ q }: Tx, tenant: string, entries: readonly string[]): Promise<void> {
  await q.deleteFrom('casino_allowed_addresses').where('tenant', '=', tenant).execute()
  for (const entry of entries) await q.insertInto('casino_allowed_addresses').values({ tenant, entry }).execute()
}

/** The nonce of a request. */
export type NonceUse = Omit<NonceRow, 'expires_at'>

/**
 * Records used nonces, and returns for each whether it was unused. An expired nonce with the same timestamp is still
 * refused: it would be the same request, which a clock moved far ahead does not make a new one.
 */
export async function takeNonces({ q, now }: Tx, uses: readonly NonceUse[], expiresAt: number): Promise<boolean[]> {
  const nameOf = ({ key_id, nonce }: Pick<NonceRow, 'key_id' | 'nonce'>) => `${key_id} ${nonce}`
  const first = new Map(uses.toReversed().map((use) => [nameOf(use), use]))
  const free = new Set<string>()
  await inParts([...first.values()], async (part) => {
    const rows = await q
      .insertInto('casino_nonces')
      .values(part.map((use) => ({ ...use, expires_at: expiresAt })))
      .onConflict((conflict) =>
        conflict
          .columns(['key_id', 'nonce'])
          .doUpdateSet((eb) => ({ stamp: eb.ref('excluded.stamp'), expires_at: eb.ref('excluded.expires_at') }))
          .where('casino_nonces.expires_at', '<', now)
          .whereRef('casino_nonces.stamp', '<', 'excluded.stamp'),
      )
      .returning(['key_id', 'nonce'])
      .execute()
    for (const row of rows) free.add(nameOf(row))
  })
  return uses.map((use) => first.get(nameOf(use)) === use && free.has(nameOf(use)))
}

/** Deletes expired nonces of requests with a timestamp before a moment; returns their number. */
export async function forgetNonces({ q, now }: Tx, stampedBefore: number, limit: number): Promise<number> {
  const { numDeletedRows } = await q
    .deleteFrom('casino_nonces')
    .where((where) =>
      where(
        where.refTuple('key_id', 'nonce'),
        'in',
        q
          .selectFrom('casino_nonces')
          .select(['key_id', 'nonce'])
          .where('expires_at', '<', now)
          .where('stamp', '<', stampedBefore)
          .limit(limit)
          .$asTuple('key_id', 'nonce'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}

export function bucketOf({ q }: Reader, tenant: string): Promise<BucketRow | undefined> {
  return q.selectFrom('casino_buckets').selectAll().where('tenant', '=', tenant).executeTakeFirst()
}

export async function saveBucket({ q }: Tx, row: BucketRow): Promise<void> {
  await q
    .insertInto('casino_buckets')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant').doUpdateSet({ level: row.level, at: row.at }))
    .execute()
}
