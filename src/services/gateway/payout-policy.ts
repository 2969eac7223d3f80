import type { MerchantRow, PayoutRow } from '../../db/schema/gateway.ts'
import type { Reader } from '../../db/store.ts'
import type { Coin } from '../../domain/chains/coins.ts'
import { parseUnits } from '../../domain/money.ts'
import { scaleOf } from '../../domain/payments/amounts.ts'
import { converted, type RateTable } from '../../domain/payments/rates.ts'
import { dayMs } from '../../domain/time/calendar.ts'
import { isProblem, type Problem } from '../../kit/problem.ts'
import { checkMayMove } from './account-standing.ts'
import { refuse } from './api/contract.ts'
import { merchantOf } from './queries/merchants.ts'
import { isSanctioned } from './queries/payments.ts'
import { isWhitelisted, payoutsSentSince, payoutsSince } from './queries/payouts.ts'
import { priced, theCoin } from './rates/currencies.ts'
import { currentRates } from './rates/rates.ts'
import type { Gateway } from './service.ts'

/** Payout policy: destinations and limits. Checked when a batch is created and again when a payout is sent. */

/** Checks a destination. Throws ADDRESS_NOT_WHITELISTED or POLICY_REJECTED. */
export async function checkDestination(reader: Reader, merchant: string, coin: Coin, address: string): Promise<void> {
  if (!(await isWhitelisted(reader, merchant, coin.code, address)))
    throw refuse('ADDRESS_NOT_WHITELISTED', `The address is not whitelisted for ${coin.code}`)
  await checkNotSanctioned(reader, address)
}

/** Throws POLICY_REJECTED for an address on the sanctions list. */
export async function checkNotSanctioned(reader: Reader, address: string): Promise<void> {
  if (await isSanctioned(reader, address)) throw refuse('POLICY_REJECTED', 'The destination is on a sanctions list')
}

/**
 * Decimals of a payout's value in dollars. Truncated to cents, a value slightly above a limit would pass. A coin has at
 * most 18 decimals and a price 12, so nothing is truncated here.
 */
export const worthScale = 36

/** Returns the units of a dollar amount at the scale of payout values. */
export function worthUnits(usd: string): bigint {
  return parseUnits(usd, worthScale)
}

/** Checks the value of one payout. Throws LIMIT_EXCEEDED. */
export function checkPayoutLimit({ payout_limit_usd: limit }: MerchantRow, worth: bigint): void {
  checkLimit(limit, worth, 'a single payout')
}

/** Checks the value of a batch together with the payouts created on this UTC day. Throws LIMIT_EXCEEDED. */
export async function checkDayLimit(
  reader: Reader,
  merchant: MerchantRow,
  rates: RateTable,
  worth: bigint,
): Promise<void> {
  if (merchant.payout_day_limit_usd === null) return
  const payouts = await payoutsSince(reader, merchant.id, startOfDay(reader.now))
  checkLimit(merchant.payout_day_limit_usd, worth + worthOf(rates, payouts), 'the payouts of a day')
}

/** Decision on a due payout. `wait` means that it cannot be decided now and is checked again later. */
export type Clearance = 'send' | 'wait' | { readonly rejected: string }

/**
 * Decides whether a due payout is sent. It was allowed when its batch was created. Since then its address may have been
 * sanctioned or removed from the whitelist, and the limits may have been lowered or used up.
 */
export async function clearanceOf(app: Gateway, reader: Reader, payout: PayoutRow): Promise<Clearance> {
  const merchant = await merchantOf(reader, payout.merchant)
  if (!merchant) throw new Error(`payout ${payout.id} has no merchant`)
  try {
    await checkMayMove(reader, merchant)
    // Refunds and returns go to an address of the payer, which is on no whitelist.
    if (payout.purpose !== null) {
      await checkNotSanctioned(reader, payout.address)
      return 'send'
    }
    await checkDestination(reader, merchant.id, theCoin(payout.currency), payout.address)
    await checkLimitsAgain(app, reader, merchant, payout)
    return 'send'
  } catch (error) {
    if (!isProblem(error)) throw error
    return waits.has(error.code) ? 'wait' : { rejected: rejectionOf(error) }
  }
}

const waits: ReadonlySet<string> = new Set(['FROZEN', 'FORBIDDEN', 'RATE_UNAVAILABLE'])

/** Returns the text of the error field: a code for programs, then the reason. */
function rejectionOf({ message }: Problem): string {
  return `POLICY_REJECTED: ${message}`
}

async function checkLimitsAgain(app: Gateway, reader: Reader, merchant: MerchantRow, payout: PayoutRow): Promise<void> {
  if (merchant.payout_limit_usd === null && merchant.payout_day_limit_usd === null) return
  const rates = await currentRates(app, reader)
  const worth = worthOf(rates, [payout])
  checkPayoutLimit(merchant, worth)
  if (merchant.payout_day_limit_usd === null) return
  const sent = await payoutsSentSince(reader, merchant.id, startOfDay(reader.now))
  checkLimit(merchant.payout_day_limit_usd, worth + worthOf(rates, sent), 'the payouts of a day')
}

function checkLimit(limit: string | null, worth: bigint, subject: string): void {
  if (limit === null || worth <= worthUnits(limit)) return
  throw refuse('LIMIT_EXCEEDED', `The account's limit for ${subject} is ${limit} usd`)
}

/** Returns the value of payouts at the given rates, in dollars at the scale of payout values. */
export function worthOf(rates: RateTable, payouts: readonly Pick<PayoutRow, 'amount' | 'currency'>[]): bigint {
  const finer = 10n ** BigInt(worthScale - scaleOf('usd'))
  return payouts.reduce(
    (sum, { amount, currency }) =>
      sum + priced(converted(rates, parseUnits(amount, scaleOf(currency)) * finer, currency, 'usd')),
    0n,
  )
}

function startOfDay(now: number): number {
  return now - (now % dayMs)
}
