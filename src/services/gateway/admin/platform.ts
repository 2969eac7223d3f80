import type { ChainTxRow, MerchantRow, PaymentRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { addressOfKey, isAddress, sameAddressForm } from '../../../domain/chains/addresses.ts'
import { coinOf, coins, contractOf } from '../../../domain/chains/coins.ts'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'
import { parseUnits } from '../../../domain/money.ts'
import { amountText } from '../../../domain/payments/amounts.ts'
import { restDue } from '../../../domain/payments/deposits.ts'
import { moved } from '../../../domain/payments/ledger.ts'
import { isDue } from '../../../domain/payments/payment.ts'
import { maxIpnAttempts } from '../../../domain/webhooks/retry-schedule.ts'
import { isRange } from '../../../http/server/ip-allowlist.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { letters } from '../../../kit/ids.ts'
import { hashPassword } from '../../../kit/password-hash.ts'
import { refuse } from '../api/contract.ts'
import { type Scope, scopes } from '../api/scopes.ts'
import { callbackUrl, checkCallbackNames } from '../ipn/ipns.ts'
import { accountOf, postOrThrow } from '../ledger.ts'
import { coinOfFunds } from '../payments/funds.ts'
import { requotedIfPossible } from '../payments/quotes.ts'
import { refund } from '../payments/refunds.ts'
import {
  environmentOf,
  insertEnvironment,
  insertKey,
  insertMerchant,
  insertUser,
  keyOf,
  merchantOf,
  removeMerchantCoin,
  saveKey,
  saveMerchant,
  saveMerchantCoin,
  userOf,
} from '../queries/merchants.ts'
import { depositsOf, insertSanction, nextId, paymentOf } from '../queries/payments.ts'
import { insertWhitelisted, removeWhitelisted } from '../queries/payouts.ts'
import { theAmount, theCoin } from '../rates/currencies.ts'
import type { Gateway } from '../service.ts'
import { payIn, removeTx } from '../simulator/chains.ts'

export { scopes }

/** Console actions of merchants and actions of the simulator on the chains. None of them is available over the API. */

/** Default tolerance for underpayment: 0.5 percent. */
const defaultToleranceBps = 50

/** Creates an environment if it does not exist: the seed of its deposit addresses and the key that signs its tokens. */
export async function ensureEnvironment(app: Gateway, environment: GatewayEnvironment): Promise<void> {
  await app.store.write(async (tx) => {
    if (await environmentOf(tx, environment)) return
    await insertEnvironment(tx, {
      environment,
      seed: Buffer.from(app.random(64)).toString('hex'),
      token_secret: Buffer.from(app.random(32)).toString('hex'),
      demo: null,
      frozen: 0,
    })
  })
}

export interface MerchantInput {
  readonly environment: GatewayEnvironment
  readonly name: string
  readonly email: string
  readonly password: string
  /** True if verification is still awaited; the sandbox verifies at once and ignores this. */
  readonly isUnverified?: boolean
}

/**
 * Returns a user's email address in normalized spelling. Throws INVALID_REQUEST_PARAMS if it is invalid or the
 * password is shorter than 8 characters.
 */
export function checkUser(input: { email: string; password: string }): string {
  const email = input.email.trim().toLowerCase()
  if (!/^[^@\s]+@[^@\s]+$/.test(email)) throw refuse('INVALID_REQUEST_PARAMS', 'email must be a valid email address')
  if (input.password.length < 8) throw refuse('INVALID_REQUEST_PARAMS', 'password must be at least 8 characters long')
  return email
}

/** Creates an account with every coin enabled, its console user, and the secret that signs its callbacks. */
export function createMerchant(app: Gateway, input: MerchantInput): Promise<{ id: string; ipnSecret: string }> {
  return creatingMerchant(app, input, async (_tx, { id, ipn_secret: ipnSecret }) => ({ id, ipnSecret }))
}

/**
 * Creates a merchant with two API keys and a two-factor secret, or nothing. One key has no payout permission; the other
 * has every permission and works only from the addresses.
 */
export async function createMerchantWithKeys(app: Gateway, input: MerchantInput, addresses: readonly string[]) {
  const payoutKey = checkedKey({ scopes, addresses })
  const { secret: totpSecret, sealed } = await app.signer.enroll()
  return creatingMerchant(app, input, async (tx, merchant) => {
    const { apiKey } = await addKey(app, tx, merchant, checkedKey({}))
    const { apiKey: payoutApiKey } = await addKey(app, tx, merchant, payoutKey)
    await saveMerchant(tx, merchant.id, { totp_sealed: sealed, totp_step: null })
    return { id: merchant.id, ipnSecret: merchant.ipn_secret, apiKey, payoutApiKey, totpSecret }
  })
}

async function creatingMerchant<R>(
  app: Gateway,
  input: MerchantInput,
  complete: (tx: Tx, merchant: MerchantRow) => Promise<R>,
): Promise<R> {
  const email = checkUser(input)
  await ensureEnvironment(app, input.environment)
  // Hashing is slow on purpose, so it runs before the transaction.
  const passwordHash = await hashPassword(input.password, app.random(16))
  return app.store.write(async (tx) => {
    if (await userOf(tx, input.environment, email)) throw refuse('CONFLICT', `User ${email} already exists`)
    const merchant: MerchantRow = {
      id: String(await nextId(tx)),
      environment: input.environment,
      name: input.name,
      ipn_secret: letters(48, app.random),
      ipn_url: null,
      ipn_attempts: null,
      compat: 0,
      compat_header: 'x-compat-sig',
      tolerance_bps: defaultToleranceBps,
      frozen: 0,
      verified: input.isUnverified && input.environment !== 'sandbox' ? 0 : 1,
      totp_sealed: null,
      totp_step: null,
      approval_usd: null,
      payout_limit_usd: null,
      payout_day_limit_usd: null,
      created_at: tx.now,
    }
    await insertMerchant(tx, merchant)
    await insertUser(tx, {
      environment: input.environment,
      email,
      merchant: merchant.id,
      password_hash: passwordHash,
      permissions: null,
    })
    for (const { code } of coins) await saveMerchantCoin(tx, { merchant: merchant.id, coin: code, wallet: null })
    return complete(tx, merchant)
  })
}

/** Returns the merchant with this id, or throws NOT_FOUND. */
export async function theMerchant(reader: Reader, id: string): Promise<MerchantRow> {
  const merchant = await merchantOf(reader, id)
  if (!merchant)
    throw refuse('NOT_FOUND', `There is no merchant ${id}. To list the merchants: countroom console merchants list`)
  return merchant
}

/**
 * Creates a key and returns it; it is shown only once and stored as a hash. A key with payout permission needs an IP
 * allowlist.
 */
export async function createKey(
  app: Gateway,
  merchantId: string,
  options: KeyOptions = {},
): Promise<{ apiKey: string }> {
  const key = checkedKey(options)
  return app.store.write(async (tx) => addKey(app, tx, await theMerchant(tx, merchantId), key))
}

interface KeyOptions {
  readonly scopes?: readonly Scope[]
  readonly addresses?: readonly string[]
}

/** Returns the options of a key with their defaults, or throws INVALID_REQUEST_PARAMS if they are invalid. */
function checkedKey(options: KeyOptions): Required<KeyOptions> {
  const keyScopes = options.scopes ?? scopes.filter((scope) => scope !== 'payouts')
  const addresses = [...new Set(options.addresses ?? [])]
  const wrong = addresses.find((entry) => !isRange(entry))
  if (wrong !== undefined)
    throw refuse('INVALID_REQUEST_PARAMS', `${wrong} is not a valid IPv4 or IPv6 address or CIDR range`)
  if (keyScopes.includes('payouts') && addresses.length === 0)
    throw refuse('INVALID_REQUEST_PARAMS', 'A key with payout permission needs an IP allowlist')
  return { scopes: keyScopes, addresses }
}

async function addKey(app: Gateway, tx: Tx, merchant: MerchantRow, key: Required<KeyOptions>) {
  const apiKey = `gw_${merchant.environment === 'production' ? 'p' : 's'}_${letters(32, app.random)}`
  await insertKey(
    tx,
    {
      hash: sha256Hex(apiKey),
      environment: merchant.environment,
      merchant: merchant.id,
      prefix: apiKey.slice(0, 9),
      scopes: JSON.stringify(key.scopes),
      created_at: tx.now,
      revoked_at: null,
    },
    key.addresses,
  )
  return { apiKey }
}

/** Revokes a key, effective at once. */
export function revokeKey(app: Gateway, apiKey: string): Promise<{ revoked: true }> {
  return app.store.write(async (tx) => {
    const key = await keyOf(tx, sha256Hex(apiKey))
    if (!key || key.revoked_at !== null) throw refuse('NOT_FOUND', 'There is no active key with this value')
    await saveKey(tx, key.hash, { revoked_at: tx.now })
    return { revoked: true }
  })
}

export interface MerchantSettings {
  readonly compat?: boolean
  /** Header with a second copy of the signature while the compatibility option is on. */
  readonly compatHeader?: string
  readonly ipnUrl?: string | null
  /** Maximum number of attempts of a callback, 1 to 20, for new callbacks. Null for the default of 10. */
  readonly ipnAttempts?: number | null
  readonly toleranceBps?: number
  readonly frozen?: boolean
  /** Value in US dollars above which a batch needs an approval; null for no limit. */
  readonly approvalUsd?: string | null
  /** Maximum value of one payout in US dollars; null for no limit. */
  readonly payoutLimitUsd?: string | null
  /** Maximum value of all payouts of a UTC day in US dollars; null for no limit. */
  readonly payoutDayLimitUsd?: string | null
}

/** Changes settings of a merchant's account; absent ones are unchanged. Effective at once. */
export async function setMerchant(app: Gateway, id: string, settings: MerchantSettings): Promise<MerchantRow> {
  const { compat, compatHeader, ipnUrl, ipnAttempts, toleranceBps, frozen, approvalUsd } = settings
  const { payoutLimitUsd, payoutDayLimitUsd } = settings
  if (compatHeader !== undefined && !/^[a-z][a-z0-9-]{0,63}$/.test(compatHeader))
    throw refuse('INVALID_REQUEST_PARAMS', 'The header must consist of lower-case letters, digits and dashes')
  if (toleranceBps !== undefined && !(Number.isInteger(toleranceBps) && toleranceBps >= 0 && toleranceBps <= 1000))
    throw refuse('INVALID_REQUEST_PARAMS', 'The tolerance must be 0 to 1000 hundredths of a percent')
  if (
    typeof ipnAttempts === 'number' &&
    !(Number.isInteger(ipnAttempts) && ipnAttempts >= 1 && ipnAttempts <= maxIpnAttempts)
  )
    throw refuse('INVALID_REQUEST_PARAMS', `The number of attempts must be 1 to ${maxIpnAttempts}`)
  await checkCallbackNames(app, { ipn_callback_url: ipnUrl })
  for (const [field, usd] of Object.entries({ approvalUsd, payoutLimitUsd, payoutDayLimitUsd }))
    if (typeof usd === 'string') theAmount(usd, 'usd', field)
  return app.store.write(async (tx) => {
    const merchant = await theMerchant(tx, id)
    const change: Partial<MerchantRow> = {
      ...(compat === undefined ? {} : { compat: compat ? 1 : 0 }),
      ...(compatHeader === undefined ? {} : { compat_header: compatHeader }),
      ...(ipnUrl === undefined ? {} : { ipn_url: callbackUrl(app, ipnUrl) }),
      ...(ipnAttempts === undefined ? {} : { ipn_attempts: ipnAttempts }),
      ...(toleranceBps === undefined ? {} : { tolerance_bps: toleranceBps }),
      ...(frozen === undefined ? {} : { frozen: frozen ? 1 : 0 }),
      ...(approvalUsd === undefined ? {} : { approval_usd: approvalUsd }),
      ...(payoutLimitUsd === undefined ? {} : { payout_limit_usd: payoutLimitUsd }),
      ...(payoutDayLimitUsd === undefined ? {} : { payout_day_limit_usd: payoutDayLimitUsd }),
    }
    if (Object.keys(change).length > 0) await saveMerchant(tx, id, change)
    return { ...merchant, ...change }
  })
}

/** Enables a coin, to be settled to a wallet or kept in custody; or disables it. */
export async function setCoin(app: Gateway, id: string, code: string, to: { wallet: string | null } | 'off') {
  const coin = theCoin(code)
  return app.store.write(async (tx) => {
    const merchant = await theMerchant(tx, id)
    if (to === 'off') {
      await removeMerchantCoin(tx, id, coin.code)
      return { coin: coin.code, enabled: false, wallet: null }
    }
    if (to.wallet !== null && !isAddress(merchant.environment, coin.network, to.wallet))
      throw refuse('INVALID_ADDRESS', `The wallet is not a valid address for ${coin.code}`)
    await saveMerchantCoin(tx, { merchant: id, coin: coin.code, wallet: to.wallet })
    return { coin: coin.code, enabled: true, wallet: to.wallet }
  })
}

/**
 * Sets up two-factor authentication, replacing an earlier secret. Returns the new secret; it is shown only once, and
 * only the signing service can read it later.
 */
export async function enrollTotp(app: Gateway, id: string): Promise<{ totpSecret: string }> {
  const { secret, sealed } = await app.signer.enroll()
  await app.store.write(async (tx) => {
    await theMerchant(tx, id)
    await saveMerchant(tx, id, { totp_sealed: sealed, totp_step: null })
  })
  return { totpSecret: secret }
}

/** Adds an address to the whitelist for payouts of a coin, or removes it. */
export async function setWhitelisted(app: Gateway, id: string, code: string, address: string, isOn = true) {
  const coin = theCoin(code)
  return app.store.write(async (tx) => {
    const merchant = await theMerchant(tx, id)
    if (!isAddress(merchant.environment, coin.network, address))
      throw refuse('INVALID_ADDRESS', `The address is not valid for ${coin.code} on its network`)
    const form = sameAddressForm(coin.network, address)
    await (isOn ? insertWhitelisted : removeWhitelisted)(tx, id, coin.code, form)
    return { coin: coin.code, address: form, isWhitelisted: isOn }
  })
}

/** Credits a merchant with funds as if they had been deposited, for the demo. */
export async function fund(app: Gateway, tx: Tx, merchant: MerchantRow, code: string, amount: string): Promise<void> {
  const coin = theCoin(code)
  const units = theAmount(amount, coin.code, 'amount')
  const chain = accountOf('chain', merchant.environment, coin.code)
  await postOrThrow(app, tx, moved(chain, accountOf('available', merchant.id, coin.code), units), `fund/${merchant.id}`)
}

/** Refunds the rest of a payment to its payer, or to the given address, without an approval. */
export function refundPayment(app: Gateway, paymentId: number, address?: string) {
  return app.store.write(async (tx) => {
    const payment = await paymentById(tx, paymentId)
    const { sends } = await refund(app, tx, payment, { part: {}, address, by: null })
    return { payment_id: paymentId, currency: payment.pay_currency, refunded: sends }
  })
}

async function paymentById(reader: Reader, id: number): Promise<PaymentRow> {
  const payment = await paymentOf(reader, id)
  if (!payment) throw refuse('NOT_FOUND', `There is no payment ${id}`)
  return payment
}

// ── Chains ──

export interface DepositPlan {
  /**
   * Amount in the coin with this contract, or in the payment's coin if no coin has it. Default: the same number as the
   * rest of the amount due.
   */
  readonly amount?: string
  /** Sender; default: a new wallet. */
  readonly sender?: string
  /** True to put the sender on the sanctions list in the transaction of the deposit, so that the deposit is frozen. */
  readonly isSanctioned?: boolean
  /** Contract of another token, or null for the network's own coin: such a deposit is never credited. */
  readonly contract?: string | null
}

/** Pays to a payment's address, as its customer would. */
export function depositTo(app: Gateway, paymentId: number, plan: DepositPlan = {}): Promise<ChainTxRow> {
  return app.store.write(async (tx) => {
    const row = await paymentById(tx, paymentId)
    // The customer pays the amount that the page shows at this moment.
    const payment = isDue(row.status) ? await requotedIfPossible(app, tx, row) : row
    const coin = coinOf(payment.pay_currency)
    if (!coin) throw refuse('CURRENCY_UNAVAILABLE', `The currency ${payment.pay_currency} is not supported`)
    const due = parseUnits(payment.pay_amount, coin.decimals)
    const open = isDue(payment.status) ? restDue(due, parseUnits(payment.actually_paid, coin.decimals), coin) : 0n
    const rest = open === 0n ? due : open
    const contract = plan.contract === undefined ? contractOf(coin, payment.environment) : plan.contract
    const sent = coinOfFunds({ network: payment.network, environment: payment.environment, contract }) ?? coin
    const sender = plan.sender ?? addressOfKey(app.random(32), payment.environment, payment.network)
    if (plan.isSanctioned) await insertSanction(tx, sender)
    return payIn(tx, {
      id: app.id(),
      environment: payment.environment,
      network: payment.network,
      sender,
      recipient: payment.address,
      contract,
      // Each coin has its own decimals.
      units:
        plan.amount === undefined
          ? (rest * 10n ** BigInt(sent.decimals)) / 10n ** BigInt(coin.decimals) || 1n
          : theAmount(plan.amount, sent.code, 'amount'),
    })
  })
}

/** Removes an unconfirmed deposit, as a chain reorganization does. */
export function removeDeposit(app: Gateway, txId: string): Promise<ChainTxRow> {
  return app.store.write((tx) => removeTx(tx, 'in', txId))
}

/** Adds an address to the sanctions list: deposits from it are frozen, and their payments fail. */
export function sanction(app: Gateway, address: string): Promise<void> {
  return app.store.write((tx) => insertSanction(tx, address))
}

/** Lists the deposits of a payment, in the order they were detected. */
export function readDeposits(app: Gateway, paymentId: number) {
  return app.store.read(async (reader) => {
    const payment = await paymentById(reader, paymentId)
    return (await depositsOf(reader, paymentId)).map((deposit) => ({
      txId: deposit.tx_id,
      sender: deposit.sender,
      amount: amountText(BigInt(deposit.units), payment.pay_currency),
      state: deposit.state,
    }))
  })
}
