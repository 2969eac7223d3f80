import type {
  EnvironmentRow,
  GatewayBucketRow,
  GatewayKeyRow,
  GatewayUserRow,
  MerchantCoinRow,
  MerchantRow,
} from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'

export function environmentOf({ q }: Reader, environment: GatewayEnvironment): Promise<EnvironmentRow | undefined> {
  return q.selectFrom('gateway_environments').selectAll().where('environment', '=', environment).executeTakeFirst()
}

export async function insertEnvironment({ q }: Tx, row: EnvironmentRow): Promise<void> {
  await q.insertInto('gateway_environments').values(row).execute()
}

export async function saveEnvironment({ q }: Tx, environment: GatewayEnvironment, change: Partial<EnvironmentRow>) {
  await q.updateTable('gateway_environments').set(change).where('environment', '=', environment).execute()
}

/** Subquery of accounts that cannot send now: frozen, not verified, or in a frozen environment. */
export function frozenMerchants(q: Reader['q']) {
  const frozenSides = q.selectFrom('gateway_environments').select('environment').where('frozen', '=', 1)
  return q
    .selectFrom('gateway_merchants')
    .select('id')
    .where((is) => is.or([is('frozen', '=', 1), is('verified', '=', 0), is('environment', 'in', frozenSides)]))
}

export function merchantOf({ q }: Reader, id: string): Promise<MerchantRow | undefined> {
  return q.selectFrom('gateway_merchants').selectAll().where('id', '=', id).executeTakeFirst()
}

export function merchantsOf({ q }: Reader, environment: GatewayEnvironment): Promise<MerchantRow[]> {
  return q
    .selectFrom('gateway_merchants')
    .selectAll()
    .where('environment', '=', environment)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

export async function insertMerchant({ q }: Tx, row: MerchantRow): Promise<void> {
  await q.insertInto('gateway_merchants').values(row).execute()
}

export async function saveMerchant({ q }: Tx, id: string, change: Partial<MerchantRow>): Promise<void> {
  await q.updateTable('gateway_merchants').set(change).where('id', '=', id).execute()
}

/** Lists the merchants that have a two-factor secret, with its encrypted form. */
export async function sealedSecrets({ q }: Reader): Promise<{ id: string; sealed: string }[]> {
  const rows = await q
    .selectFrom('gateway_merchants')
    .select(['id', 'totp_sealed'])
    .where('totp_sealed', 'is not', null)
    .orderBy('id')
    .execute()
  return rows.flatMap(({ id, totp_sealed }) => (totp_sealed === null ? [] : [{ id, sealed: totp_sealed }]))
}

export function userOf({ q }: Reader, environment: GatewayEnvironment, email: string) {
  return q
    .selectFrom('gateway_users')
    .selectAll()
    .where('environment', '=', environment)
    .where('email', '=', email)
    .executeTakeFirst()
}

export async function insertUser({ q }: Tx, row: GatewayUserRow): Promise<void> {
  await q.insertInto('gateway_users').values(row).execute()
}

/** Lists the users of an account, by email address. */
export function usersOf({ q }: Reader, merchant: string): Promise<GatewayUserRow[]> {
  return q.selectFrom('gateway_users').selectAll().where('merchant', '=', merchant).orderBy('email').execute()
}

export async function removeUser({ q }: Tx, environment: GatewayEnvironment, email: string): Promise<void> {
  await q.deleteFrom('gateway_users').where('environment', '=', environment).where('email', '=', email).execute()
}

export function keyOf({ q }: Reader, hash: string): Promise<GatewayKeyRow | undefined> {
  return q.selectFrom('gateway_keys').selectAll().where('hash', '=', hash).executeTakeFirst()
}

export async function insertKey({ q }: Tx, row: GatewayKeyRow, addresses: readonly string[]): Promise<void> {
  await q.insertInto('gateway_keys').values(row).execute()
  for (const entry of addresses)
    await q.insertInto('gateway_key_addresses').values({ key_hash: row.hash, entry }).execute()
}

export async function saveKey({ q }: Tx, hash: string, change: Partial<GatewayKeyRow>): Promise<void> {
  await q.updateTable('gateway_keys').set(change).where('hash', '=', hash).execute()
}

export async function addressesOf({ q }: Reader, keyHash: string): Promise<string[]> {
  const rows = await q.selectFrom('gateway_key_addresses').select('entry').where('key_hash', '=', keyHash).execute()
  return rows.map((row) => row.entry)
}

export function merchantCoins({ q }: Reader, merchant: string): Promise<MerchantCoinRow[]> {
  return q.selectFrom('gateway_merchant_coins').selectAll().where('merchant', '=', merchant).execute()
}

export async function saveMerchantCoin({ q }: Tx, row: MerchantCoinRow): Promise<void> {
  await q
    .insertInto('gateway_merchant_coins')
    .values(row)
    .onConflict((conflict) => conflict.columns(['merchant', 'coin']).doUpdateSet({ wallet: row.wallet }))
    .execute()
}

export async function removeMerchantCoin({ q }: Tx, merchant: string, coin: string): Promise<void> {
  await q.deleteFrom('gateway_merchant_coins').where('merchant', '=', merchant).where('coin', '=', coin).execute()
}

export function bucketOf({ q }: Reader, name: string): Promise<GatewayBucketRow | undefined> {
  return q.selectFrom('gateway_buckets').selectAll().where('name', '=', name).executeTakeFirst()
}

export async function saveBucket({ q }: Tx, row: GatewayBucketRow): Promise<void> {
  await q
    .insertInto('gateway_buckets')
    .values(row)
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ level: row.level, at: row.at }))
    .execute()
}

/** Deletes buckets without a request since `before`: they are full again, so they equal missing ones. */
export async function forgetBuckets({ q }: Tx, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await q
    .deleteFrom('gateway_buckets')
    .where('name', 'in', q.selectFrom('gateway_buckets').select('name').where('at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Lists a merchant's keys, oldest first. */
export function keysOf({ q }: Reader, merchant: string): Promise<GatewayKeyRow[]> {
  return q
    .selectFrom('gateway_keys')
    .selectAll()
    .where('merchant', '=', merchant)
    .orderBy('created_at')
    .orderBy('hash')
    .execute()
}
