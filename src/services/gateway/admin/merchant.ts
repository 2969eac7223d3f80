import type { GatewayKeyRow, MerchantRow } from '../../../db/schema/gateway.ts'
import type { Reader } from '../../../db/store.ts'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'
import { amountText } from '../../../domain/payments/amounts.ts'
import { letters } from '../../../kit/ids.ts'
import { refuse } from '../api/contract.ts'
import type { Scope } from '../api/scopes.ts'
import { balancesOf } from '../queries/ledger.ts'
import {
  addressesOf,
  environmentOf,
  keysOf,
  merchantCoins,
  merchantsOf,
  saveEnvironment,
  saveKey,
  saveMerchant,
} from '../queries/merchants.ts'
import { whitelistOf } from '../queries/payouts.ts'
import type { Gateway } from '../service.ts'
import { demoCredentials } from './demo-data.ts'
import { fund, theMerchant } from './platform.ts'

/** Lists the merchants of an environment, oldest first. */
export function listMerchants(app: Gateway, environment: GatewayEnvironment): Promise<MerchantRow[]> {
  return app.store.read((reader) => merchantsOf(reader, environment))
}

/** Returns the id of the default merchant: the demo's, else the only one. Throws NOT_FOUND if there is neither. */
export async function defaultMerchant(app: Gateway, environment: GatewayEnvironment): Promise<string> {
  const demo = await demoCredentials(app, environment)
  if (demo) return demo.merchantId
  const merchants = await listMerchants(app, environment)
  const [only] = merchants
  if (only && merchants.length === 1) return only.id
  throw refuse(
    'NOT_FOUND',
    merchants.length === 0
      ? `There is no merchant in ${environment}`
      : `There are ${merchants.length} merchants in ${environment}: name one with --merchant`,
  )
}

/** A key in the console's list, without the key itself. */
export interface ListedKey {
  /** Id to revoke it by. */
  readonly id: string
  /** Its first characters. */
  readonly prefix: string
  readonly scopes: readonly Scope[]
  readonly addresses: readonly string[]
  readonly createdAt: number
  readonly revokedAt: number | null
}

/** Length of a key's id, which is the beginning of its hash. */
const idLength = 12

async function listedKeys(reader: Reader, merchant: string): Promise<(ListedKey & { hash: string })[]> {
  const listed = async (key: GatewayKeyRow) => ({
    hash: key.hash,
    id: key.hash.slice(0, idLength),
    prefix: key.prefix,
    scopes: JSON.parse(key.scopes) as Scope[],
    addresses: await addressesOf(reader, key.hash),
    createdAt: key.created_at,
    revokedAt: key.revoked_at,
  })
  return Promise.all((await keysOf(reader, merchant)).map(listed))
}

export function listKeys(app: Gateway, merchantId: string): Promise<ListedKey[]> {
  return app.store.read(async (reader) => {
    await theMerchant(reader, merchantId)
    return (await listedKeys(reader, merchantId)).map(({ hash: _hash, ...key }) => key)
  })
}

/** Revokes a key by its id, effective at once. */
export function revokeKeyOf(app: Gateway, merchantId: string, id: string): Promise<{ id: string; revokedAt: number }> {
  return app.store.write(async (tx) => {
    const key = (await listedKeys(tx, merchantId)).find((each) => each.id === id && each.revokedAt === null)
    if (!key) throw refuse('NOT_FOUND', `Merchant ${merchantId} has no active key ${id}`)
    await saveKey(tx, key.hash, { revoked_at: tx.now })
    return { id, revokedAt: tx.now }
  })
}

/** Replaces the secret that signs callbacks, effective from the next callback. Returns it; it is shown only once. */
export function renewIpnSecret(app: Gateway, merchantId: string): Promise<{ ipnSecret: string }> {
  return app.store.write(async (tx) => {
    const merchant = await theMerchant(tx, merchantId)
    const ipnSecret = letters(48, app.random)
    await saveMerchant(tx, merchantId, { ipn_secret: ipnSecret })
    // The ready file reads the demo merchant's secret from these stored credentials.
    const demo = (await environmentOf(tx, merchant.environment))?.demo
    const credentials = demo ? JSON.parse(demo) : undefined
    if (credentials?.merchantId === merchantId)
      await saveEnvironment(tx, merchant.environment, { demo: JSON.stringify({ ...credentials, ipnSecret }) })
    return { ipnSecret }
  })
}

/** Returns a merchant's account for the console. */
export function readMerchant(app: Gateway, merchantId: string) {
  return app.store.read(async (reader) => {
    const merchant = await theMerchant(reader, merchantId)
    const funds = (await balancesOf(reader, merchantId)).filter(({ units }) => units !== '0')
    return {
      merchant,
      coins: (await merchantCoins(reader, merchantId)).map(({ coin, wallet }) => ({ coin, wallet })),
      whitelist: (await whitelistOf(reader, merchantId)).map(({ coin, address }) => ({ coin, address })),
      funds: funds.map(({ kind, currency, units }) => ({
        kind,
        currency,
        amount: amountText(BigInt(units), currency),
      })),
    }
  })
}

// ── For the gateway's staff ──

/** Freezes or unfreezes an environment. Queued payouts and transfers wait until it is unfrozen. */
export function freezePlatform(app: Gateway, environment: GatewayEnvironment, isFrozen: boolean): Promise<void> {
  return app.store.write((tx) => saveEnvironment(tx, environment, { frozen: isFrozen ? 1 : 0 }))
}

export function isPlatformFrozen(app: Gateway, environment: GatewayEnvironment): Promise<boolean> {
  return app.store.read(async (reader) => (await environmentOf(reader, environment))?.frozen === 1)
}

/**
 * Verifies an account, or revokes its verification. Throws CONFLICT for revoking in the sandbox, which verifies
 * automatically.
 */
export function verifyMerchant(app: Gateway, id: string, isVerified: boolean): Promise<MerchantRow> {
  return app.store.write(async (tx) => {
    const merchant = await theMerchant(tx, id)
    if (merchant.environment === 'sandbox' && !isVerified)
      throw refuse('CONFLICT', 'The sandbox approves every verification automatically')
    const change = { verified: isVerified ? 1 : 0 }
    await saveMerchant(tx, id, change)
    return { ...merchant, ...change }
  })
}

/** Adds funds to a merchant's account and returns its available amount of the coin. */
export async function fundMerchant(app: Gateway, merchantId: string, code: string, amount: string): Promise<string> {
  await app.store.write(async (tx) => fund(app, tx, await theMerchant(tx, merchantId), code, amount))
  const { funds } = await readMerchant(app, merchantId)
  const coin = code.toLowerCase()
  return funds.find(({ kind, currency }) => kind === 'available' && currency === coin)?.amount ?? '0'
}
