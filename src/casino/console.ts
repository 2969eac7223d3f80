import ipaddr from 'ipaddr.js'
import type { AccountState, Environment, Plan } from '../domain/account.ts'
import { afterTopup } from '../domain/billing.ts'
import { utcDayOf } from '../domain/calendar.ts'
import { isZone } from '../domain/day.ts'
import {
  compareUnits,
  formatAmount,
  formatUnits,
  formatUsd,
  isUsdAmount,
  parseAmount,
  parseUsd,
  playerScale,
} from '../domain/money.ts'
import { putIn } from '../domain/wallet.ts'
import { letters } from '../kit/ids.ts'
import { Problem } from '../kit/problem.ts'
import type { Reader, Tx } from '../store/store.ts'
import type { KeyRow, TenantRow } from '../store/tables/casino.ts'
import { rangeOf } from './callers.ts'
import type { Casino } from './casino.ts'
import { refuse } from './contract.ts'
import { limitsFor } from './limits.ts'
import { thePlayer } from './players.ts'
import { insertCreditEntry, topupOf } from './queries/credit.ts'
import { savePlayer } from './queries/players.ts'
import {
  allowlistOf,
  allTenants,
  insertKey,
  insertTenant,
  keyOf,
  keysOf,
  replaceAllowlist,
  saveKey,
  saveTenant,
  tenantOf,
} from './queries/tenants.ts'
import { insertTransfer, transfersOf } from './queries/transfers.ts'
import { tellOfTopup } from './webhooks.ts'

/** What the platform's own staff does: tenants, keys, allowlists, limits, credit. Nothing of it can be asked over the API. */

const keysPerEnvironment = 10
const rotatedKeyMs = 24 * 3_600_000
const allowlistEntries = 100

/** A key as it is shown once, when it is made. */
export interface NewKey {
  readonly apiKey: string
  readonly secret: string
}

/** A tenant with its keys, in the form that profiles are made from. */
export interface NewTenant {
  readonly companyCode: string
  readonly timezone: string
  readonly live: NewKey
  readonly sandbox: NewKey
}

export interface TenantOrder {
  readonly code: string
  readonly plan: Plan
  readonly timezone: string
  readonly currency: string
  /** Further enabled currencies. */
  readonly currencies: readonly string[]
  readonly languages?: readonly string[]
}

/** The tenant of that code, or NOT_FOUND. */
export async function theTenant(reader: Reader, code: string): Promise<TenantRow> {
  const tenant = await tenantOf(reader, code.toUpperCase())
  if (!tenant) throw refuse('NOT_FOUND', `There is no tenant ${code}`)
  return tenant
}

/** Makes a live tenant with its paired sandbox and a key for each, or none of it. */
export function createTenant(app: Casino, order: TenantOrder): Promise<NewTenant> {
  const code = checkedCode(order.code)
  const timezone = checkedTimezone(order.timezone)
  const currencies = [...new Set([order.currency, ...order.currencies].map(checkedCurrency))]
  return app.store.write(async (tx) => {
    if (await tenantOf(tx, code)) throw new Problem('CONFLICT', `There is a tenant ${code} already`)
    const row = (environment: Environment): TenantRow => ({
      code: environment === 'live' ? code : sandboxCode(code),
      environment,
      live_code: code,
      plan: environment === 'live' ? order.plan : 'free',
      state: environment === 'live' && order.plan === 'paid' ? 'PAID' : 'FREE',
      disabled: 0,
      timezone,
      currency: currencies[0] ?? order.currency,
      currencies: JSON.stringify(currencies),
      languages: JSON.stringify(order.languages ?? []),
      rate_per_second: null,
      rate_burst: null,
      tables_quota: null,
      players_limit: null,
      online_limit: null,
      credit_usd: '0',
      grace_until: null,
      // The day of creation is the first that is charged.
      charged_through: null,
      created_at: tx.now,
    })
    await insertTenant(tx, row('live'))
    await insertTenant(tx, row('sandbox'))
    return {
      companyCode: code,
      timezone,
      live: await addKey(app, tx, row('live')),
      sandbox: await addKey(app, tx, row('sandbox')),
    }
  })
}

/** The company code of a live tenant's sandbox. */
export function sandboxCode(code: string): string {
  return `${code}-SBX`
}

function checkedCode(text: string): string {
  const code = text.toUpperCase()
  if (!/^[A-Z0-9][A-Z0-9-]{0,30}$/.test(code) || code.endsWith('-SBX'))
    throw refuse('INVALID_PARAMETER', 'code must be 1 to 31 letters, digits or dashes and not end in -SBX')
  return code
}

function checkedTimezone(zone: string): string {
  if (!isZone(zone)) throw refuse('INVALID_PARAMETER', `${zone} is not an IANA time zone`)
  return zone
}

function checkedCurrency(text: string): string {
  if (!/^[A-Za-z]{3,5}$/.test(text)) throw refuse('INVALID_CURRENCY', `${text} is not a currency of 3 to 5 letters`)
  return text.toUpperCase()
}

export function listTenants(app: Casino): Promise<TenantRow[]> {
  return app.store.read((reader) => allTenants(reader))
}

/** Puts a tenant into a state; ENABLED gives back the state its plan begins with. */
export function setTenantState(app: Casino, code: string, state: 'SUSPENDED' | 'CLOSED' | 'ENABLED' | 'DISABLED') {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const beginning: AccountState = tenant.plan === 'paid' ? 'PAID' : 'FREE'
    const isOver = tenant.state === 'SUSPENDED' || tenant.state === 'CLOSED'
    const change: Partial<TenantRow> =
      state === 'DISABLED'
        ? { disabled: 1 }
        : state === 'ENABLED'
          ? { disabled: 0, ...(isOver ? { state: beginning } : {}) }
          : { state }
    await saveTenant(tx, tenant.code, change)
    return { ...tenant, ...change }
  })
}

// ── Keys ──

/** A further key for a tenant, or QUOTA_EXCEEDED when it has ten that work. */
export function createKey(app: Casino, code: string): Promise<NewKey> {
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const working = (await keysOf(tx, tenant.code)).filter((key) => key.revoked_at === null && key.retires_at === null)
    if (working.length >= keysPerEnvironment)
      throw refuse('QUOTA_EXCEEDED', `${tenant.code} has ${keysPerEnvironment} keys already: revoke one first`)
    return addKey(app, tx, tenant)
  })
}

/** A new key in place of one, which goes on working for 24 hours. */
export function rotateKey(app: Casino, keyId: string): Promise<NewKey> {
  return app.store.write(async (tx) => {
    const key = await workingKey(tx, keyId)
    if (key.retires_at !== null) throw new Problem('CONFLICT', `The key ${keyId} has been rotated already`)
    await saveKey(tx, keyId, { retires_at: tx.now + rotatedKeyMs })
    return addKey(app, tx, await theTenant(tx, key.tenant))
  })
}

/** Ends a key at once. */
export function revokeKey(app: Casino, keyId: string): Promise<{ apiKey: string; revoked: true }> {
  return app.store.write(async (tx) => {
    await workingKey(tx, keyId)
    await saveKey(tx, keyId, { revoked_at: tx.now })
    return { apiKey: keyId, revoked: true }
  })
}

export function listKeys(app: Casino, code: string): Promise<KeyRow[]> {
  return app.store.read(async (reader) => keysOf(reader, (await theTenant(reader, code)).code))
}

async function workingKey(tx: Tx, keyId: string): Promise<KeyRow> {
  const key = await keyOf(tx, keyId)
  if (!key || key.revoked_at !== null) throw refuse('NOT_FOUND', `There is no working key ${keyId}`)
  return key
}

async function addKey(app: Casino, tx: Tx, tenant: TenantRow): Promise<NewKey> {
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

// ── Addresses and limits ──

/** Replaces the addresses a tenant may call from; none at all lets it call from anywhere. */
export function setAllowlist(app: Casino, code: string, entries: readonly string[]) {
  const wrong = entries.find((entry) => !isRange(entry))
  if (wrong !== undefined) throw refuse('INVALID_PARAMETER', `${wrong} is not an IPv4 or IPv6 address or CIDR range`)
  const distinct = [...new Set(entries)]
  if (distinct.length > allowlistEntries)
    throw refuse('INVALID_PARAMETER', `An allowlist has at most ${allowlistEntries} entries`)
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    await replaceAllowlist(tx, tenant.code, distinct)
    return { companyCode: tenant.code, allowlist: await allowlistOf(tx, tenant.code) }
  })
}

export function readAllowlist(app: Casino, code: string) {
  return app.store.read(async (reader) => {
    const tenant = await theTenant(reader, code)
    return { companyCode: tenant.code, allowlist: await allowlistOf(reader, tenant.code) }
  })
}

function isRange(entry: string): boolean {
  if (!/^[0-9a-fA-F.:]+(\/[0-9]{1,3})?$/.test(entry)) return false
  // "1.2" is an address to the library, as it was to BSD; to people it is a slip of the pen.
  if (!entry.includes(':') && !/^\d+\.\d+\.\d+\.\d+(\/\d+)?$/.test(entry)) return false
  return entry.includes('/') ? ipaddr.isValidCIDR(entry) : ipaddr.isValid(entry) && rangeOf(entry).length === 2
}

/** What may be set apart from a tenant's plan; `null` gives the plan's own back. */
export interface LimitChange {
  readonly rate_per_second?: number | null
  readonly rate_burst?: number | null
  readonly tables_quota?: number | null
  readonly players_limit?: number | null
  readonly online_limit?: number | null
}

/** Sets a tenant's limits apart from its plan's, at once. */
export function setLimits(app: Casino, code: string, change: LimitChange) {
  return app.store.write(async (tx) => {
    const tenant = { ...(await theTenant(tx, code)), ...change }
    if (Object.keys(change).length > 0) await saveTenant(tx, tenant.code, change)
    return { companyCode: tenant.code, limits: limitsFor(tenant) }
  })
}

// ── Money ──

/** Credits a payment once per reference. */
export function topUp(app: Casino, code: string, amount: string, ref: string) {
  if (!isUsdAmount(amount) || parseUsd(amount) <= 0n)
    throw refuse('INVALID_AMOUNT', 'amount must be US dollars above zero with at most 6 decimals')
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const earlier = await topupOf(tx, tenant.code, ref)
    if (earlier) {
      if (compareUnits(parseUsd(earlier.amount_usd), parseUsd(amount)) !== 0)
        throw refuse('TXN_CONFLICT', `${ref} was a payment of ${earlier.amount_usd}`)
      return { companyCode: tenant.code, balanceUsd: earlier.balance_usd, state: tenant.state, duplicate: true }
    }
    const credit = parseUsd(tenant.credit_usd) + parseUsd(amount)
    const standing = afterTopup({ state: tenant.state, credit, graceUntil: tenant.grace_until })
    const balanceUsd = formatUsd(credit)
    await insertCreditEntry(tx, {
      id: app.id(),
      tenant: tenant.code,
      kind: 'topup',
      amount_usd: formatUsd(parseUsd(amount)),
      balance_usd: balanceUsd,
      day: utcDayOf(tx.now),
      ref,
      at: tx.now,
    })
    const change = { credit_usd: balanceUsd, state: standing.state, grace_until: standing.graceUntil }
    await saveTenant(tx, tenant.code, change)
    await tellOfTopup(app, tx, tenant, { ...tenant, ...change }, { amountUsd: amount, ref })
    return { companyCode: tenant.code, balanceUsd, state: standing.state, duplicate: false }
  })
}

/** Corrects a player's balance by an amount, up or down, once per txnId; never below zero. */
export function adjust(app: Casino, code: string, username: string, amount: string, txnId: string) {
  if (!/^-?[0-9]{1,15}([.][0-9]{1,4})?$/.test(amount) || parseAmount(amount) === 0n)
    throw refuse('INVALID_AMOUNT', 'amount must be a decimal other than 0 with at most 4 decimals')
  if (!/^[A-Za-z0-9_.:-]{1,64}$/.test(txnId))
    throw refuse('INVALID_PARAMETER', 'txnId must be 1 to 64 letters, digits or one of _ . : -')
  return app.store.write(async (tx) => {
    const tenant = await theTenant(tx, code)
    const player = await thePlayer(tx, tenant, username)
    const units = parseAmount(amount)
    const size = formatAmount(units < 0n ? -units : units)
    const [earlier] = await transfersOf(tx, tenant.code, txnId)
    if (earlier) {
      const isSame = earlier.dir === 'adjust' && earlier.player_id === player.id && earlier.amount === size
      if (!isSame) throw refuse('TXN_CONFLICT', `${txnId} was another transfer`)
      return { txnId, username: player.username, balance: earlier.balance, duplicate: true }
    }
    const after = putIn(parseAmount(player.balance), units)
    if (after === 'too-much') throw refuse('INVALID_AMOUNT', 'amount would take the balance beyond 15 digits')
    if (after < 0n) throw refuse('INSUFFICIENT_BALANCE', `The balance of ${player.balance} is lower than the amount`)
    const balance = formatUnits(after, playerScale)
    await savePlayer(tx, player.id, { balance })
    await insertTransfer(tx, {
      id: app.id(),
      tenant: tenant.code,
      txn_id: txnId,
      player_id: player.id,
      dir: 'adjust',
      amount: size,
      balance,
      at: tx.now,
    })
    return { txnId, username: player.username, balance, duplicate: false }
  })
}
