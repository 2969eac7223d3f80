import { sql } from 'kysely'
import { inParts } from '../../../db/chunks.ts'
import { prepared } from '../../../db/prepared.ts'
import type { BucketRow, KeyRow, NonceRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Reader, Tx } from '../../../db/store.ts'

export async function tenantOf(reader: Reader, code: string): Promise<TenantRow | undefined> {
  const [row] = await tenantByCode(reader, { code })
  return row
}

const tenantByCode = prepared((q, { code }: { code: string }) =>
  q.selectFrom('casino_tenants').selectAll().where('code', '=', code),
)

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

/** A key with its tenant and the tenant's IP allowlist. */
export interface KeyWithTenant {
  readonly key: Pick<KeyRow, 'key_id' | 'secret' | 'revoked_at' | 'retires_at'>
  readonly tenant: TenantRow
  readonly allowlist: readonly string[]
}

/** Returns the known ones of up to 100 keys by one query: every signed request needs one. */
export async function keysWithTenants(on: Pick<Reader, 'q'>, keyIds: readonly string[]): Promise<KeyWithTenant[]> {
  const rows = await keysById(
    on,
    {},
    keyIds.map((keyId) => ({ keyId })),
  )
  return rows.map(({ key_id, key_secret, key_revoked_at, key_retires_at, key_allowlist, ...tenant }) => ({
    key: { key_id, secret: key_secret, revoked_at: key_revoked_at, retires_at: key_retires_at },
    tenant,
    allowlist: key_allowlist?.split(' ') ?? [],
  }))
}

const keysById = prepared((q, _: object, keys: readonly { keyId: string }[]) =>
  q
    .selectFrom('casino_keys as keys')
    .innerJoin('casino_tenants as tenants', 'tenants.code', 'keys.tenant')
    .selectAll('tenants')
    .select((eb) => [
      'keys.key_id',
      'keys.secret as key_secret',
      'keys.revoked_at as key_revoked_at',
      'keys.retires_at as key_retires_at',
      eb
        .selectFrom('casino_allowed_addresses as addresses')
        .select(sql<string | null>`string_agg(addresses.entry, ' ')`.as('entries'))
        .whereRef('addresses.tenant', '=', 'keys.tenant')
        .as('key_allowlist'),
    ])
    .where(
      'keys.key_id',
      'in',
      keys.map(({ keyId }) => keyId),
    ),
)

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
export async function takeNonces(tx: Tx, uses: readonly NonceUse[], expiresAt: number): Promise<boolean[]> {
  const nameOf = ({ key_id, nonce }: Pick<NonceRow, 'key_id' | 'nonce'>) => `${key_id} ${nonce}`
  const first = new Map(uses.toReversed().map((use) => [nameOf(use), use]))
  const free = new Set<string>()
  await inParts([...first.values()], async (part) => {
    const rows = await insertNonces(tx, { expiresAt, now: tx.now }, part)
    for (const row of rows) free.add(nameOf(row))
  })
  return uses.map((use) => first.get(nameOf(use)) === use && free.has(nameOf(use)))
}

const insertNonces = prepared((q, { expiresAt, now }: { expiresAt: number; now: number }, uses: readonly NonceUse[]) =>
  q
    .insertInto('casino_nonces')
    .values(uses.map(({ key_id, nonce, stamp }) => ({ key_id, nonce, stamp, expires_at: expiresAt })))
    .onConflict((conflict) =>
      conflict
        .columns(['key_id', 'nonce'])
        .doUpdateSet((eb) => ({ stamp: eb.ref('excluded.stamp'), expires_at: eb.ref('excluded.expires_at') }))
        .where('casino_nonces.expires_at', '<', now)
        .whereRef('casino_nonces.stamp', '<', 'excluded.stamp'),
    )
    .returning(['key_id', 'nonce']),
)

/** The key of a nonce: the table is stored in its order. */
export type NonceKey = Pick<NonceRow, 'key_id' | 'nonce'>

/**
 * Deletes the expired nonces among the next `size` of the table, of requests with a timestamp before a moment. Returns
 * their number and where the next part begins. Neighbors are on one page, so a part changes far fewer pages than the
 * same number of the oldest nonces. The table also needs no index by time, which every request would update.
 */
export async function forgetNonces(
  { q, now }: Tx,
  stampedBefore: number,
  { after, size }: { after: NonceKey; size: number },
): Promise<{ deleted: number; last: NonceKey | undefined }> {
  const last = await q
    .selectFrom('casino_nonces')
    .select(['key_id', 'nonce'])
    .where((eb) => eb(eb.refTuple('key_id', 'nonce'), '>', eb.tuple(after.key_id, after.nonce)))
    .orderBy('key_id')
    .orderBy('nonce')
    .offset(size - 1)
    .limit(1)
    .executeTakeFirst()
  const { numDeletedRows } = await q
    .deleteFrom('casino_nonces')
    .where((eb) => eb(eb.refTuple('key_id', 'nonce'), '>', eb.tuple(after.key_id, after.nonce)))
    .$if(last !== undefined, (rest) =>
      rest.where((eb) => eb(eb.refTuple('key_id', 'nonce'), '<=', eb.tuple(last?.key_id ?? '', last?.nonce ?? ''))),
    )
    .where('expires_at', '<', now)
    .where('stamp', '<', stampedBefore)
    .executeTakeFirst()
  return { deleted: Number(numDeletedRows), last }
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
