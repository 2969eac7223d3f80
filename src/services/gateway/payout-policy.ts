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

/** The policy of payouts: where they may go and how much. Asked when a batch is created, and again when a payout is sent. */

/** Passes a destination, or refuses with ADDRESS_NOT_WHITELISTED or POLICY_REJECTED. */
export async function checkDestination(reader: Reader, merchant: string, coin: Coin, address: string): Promise<void> {
  if (!(await isWhitelisted(reader, merchant, coin.code, address)))
    throw refuse('ADDRESS_NOT_WHITELISTED', `The address is not whitelisted for ${coin.code}`)
  if (await isSanctioned(reader, address)) throw refuse('POLICY_REJECTED', 'The destination is on a sanctions list')
}

/** Passes one payout's worth in dollars, or refuses with LIMIT_EXCEEDED. */
export function checkPayoutLimit({ payout_limit_usd: limit }: MerchantRow, usd: bigint): void {
  checkLimit(limit, usd, 'one payout')
}

/** Passes what a batch adds to the payouts created on this UTC day, or refuses with LIMIT_EXCEEDED. */
export async function checkDayLimit(
  reader: Reader,
  merchant: MerchantRow,
  rates: RateTable,
  usd: bigint,
): Promise<void> {
  if (merchant.payout_day_limit_usd === null) return
  const others = await payoutsSince(reader, merchant.id, startOfDay(reader.now))
  checkLimit(merchant.payout_day_limit_usd, usd + worthOf(rates, others), 'the payouts of a day')
}

/** The policy's decision on a payout that is due. `wait` names nothing wrong with it: it is asked again later. */
export type Clearance = 'send' | 'wait' | { readonly rejected: string }

/**
 * Decides whether a due payout is sent. It was allowed when its batch was created; since then its address may have left the
 * whitelist or been sanctioned, and the limits may have been lowered or used up.
 */
export async function clearanceOf(app: Gateway, reader: Reader, payout: PayoutRow): Promise<Clearance> {
  const merchant = await merchantOf(reader, payout.merchant)
  if (!merchant) throw new Error(`payout ${payout.id} has no merchant`)
  try {
    await checkMayMove(reader, merchant)
    await checkDestination(reader, merchant.id, theCoin(payout.currency), payout.address)
    await checkLimitsAgain(app, reader, merchant, payout)
    return 'send'
  } catch (error) {
    if (!isProblem(error)) throw error
    return waits.has(error.code) ? 'wait' : { rejected: rejectionOf(error) }
  }
}

const waits: ReadonlySet<string> = new Set(['FROZEN', 'FORBIDDEN', 'RATE_UNAVAILABLE'])

/** The text of the error field: one code for programs, then the reason. */
function rejectionOf({ message }: Problem): string {
  return `POLICY_REJECTED: ${message}`
}

async function checkLimitsAgain(app: Gateway, reader: Reader, merchant: MerchantRow, payout: PayoutRow): Promise<void> {
  if (merchant.payout_limit_usd === null && merchant.payout_day_limit_usd === null) return
  const rates = await currentRates(app, reader)
  const usd = worthOf(rates, [payout])
  checkPayoutLimit(merchant, usd)
  if (merchant.payout_day_limit_usd === null) return
  const sent = await payoutsSentSince(reader, merchant.id, startOfDay(reader.now))
  checkLimit(merchant.payout_day_limit_usd, usd + worthOf(rates, sent), 'the payouts of a day')
}

function checkLimit(limit: string | null, usd: bigint, what: string): void {
  if (limit === null || usd <= parseUnits(limit, scaleOf('usd'))) return
  throw refuse('LIMIT_EXCEEDED', `The account's limit for ${what} is ${limit} usd`)
}

/** The worth of payouts in dollars at the rates given. */
function worthOf(rates: RateTable, payouts: readonly Pick<PayoutRow, 'amount' | 'currency'>[]): bigint {
  return payouts.reduce(
    (sum, { amount, currency }) =>
      sum + priced(converted(rates, parseUnits(amount, scaleOf(currency)), currency, 'usd')),
    0n,
  )
}

function startOfDay(now: number): number {
  return now - (now % dayMs)
}
