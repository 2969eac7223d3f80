import type { BatchRow, MerchantRow, PayoutRow } from '../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../db/store.ts'
import { isAddress, sameAddressForm } from '../../domain/chains/addresses.ts'
import { coinOf, contractOf, isFiat } from '../../domain/chains/coins.ts'
import { networks } from '../../domain/chains/networks.ts'
import { parseUnits } from '../../domain/money.ts'
import { amountText, scaleOf } from '../../domain/payments/amounts.ts'
import { moved } from '../../domain/payments/ledger.ts'
import { hasEnded } from '../../domain/payments/payment.ts'
import { isPayoutTransition, maxWrongCodes, type PayoutStatus, verifyWithinMs } from '../../domain/payments/payout.ts'
import { dueFor, minimumIn, type RateTable, transferFeeIn } from '../../domain/payments/rates.ts'
import { isProblem } from '../../kit/problem.ts'
import { checkMayMove } from './account-standing.ts'
import { refuse } from './api/contract.ts'
import type { Payout, PayoutBatch, PayoutInput, PayoutItemInput } from './api/schemas.ts'
import { toPayout } from './api/views.ts'
import { callbackUrl, enqueuePayoutIpn } from './ipn/ipns.ts'
import { accountOf, post, postOrThrow } from './ledger.ts'
import { admitAttempt, recordSuccess } from './login-guard.ts'
import { momentOf } from './payments/payments.ts'
import { recordPaidBack } from './payments/sent-back.ts'
import { reverseUnsent } from './payments/unsent-refunds.ts'
import { checkDayLimit, checkDestination, checkPayoutLimit, clearanceOf, worthOf, worthUnits } from './payout-policy.ts'
import { merchantOf, saveMerchant } from './queries/merchants.ts'
import { nextId } from './queries/payments.ts'
import {
  batchOf,
  insertBatch,
  insertPayout,
  payoutOf,
  payoutsIn,
  readyPayouts,
  saveBatch,
  savePayout,
  unverifiedPayouts,
} from './queries/payouts.ts'
import { priced, theAmount, theCoin, theCurrency } from './rates/currencies.ts'
import { currentRates } from './rates/rates.ts'
import type { ChainReport, Gateway, UserCaller } from './service.ts'

/**
 * Creates a batch that waits for its 2FA code, and reserves its funds; or does neither. Funds are reserved at once, so
 * that two batches cannot spend the same ones.
 */
export async function createPayouts(
  app: Gateway,
  tx: Tx,
  merchant: MerchantRow,
  input: PayoutInput,
): Promise<PayoutBatch> {
  await checkMayMove(tx, merchant)
  const items: readonly PayoutItemInput[] = input.withdrawals ?? [input]
  if (items.length === 0)
    throw refuse('INVALID_REQUEST_PARAMS', 'withdrawals must not be empty', { field: 'withdrawals' })
  // If other intervals were ignored, a merchant would wait for a second payout that is never sent.
  if ((input.interval || 'ONETIME').toUpperCase() !== 'ONETIME')
    throw refuse('INVALID_REQUEST_PARAMS', 'interval must be ONETIME: payouts do not repeat', { field: 'interval' })
  const batch: Omit<BatchRow, 'needs_approval'> = {
    id: String(await nextId(tx)),
    environment: merchant.environment,
    merchant: merchant.id,
    wrong_codes: 0,
    created_at: tx.now,
    verified_at: null,
  }
  // Read once: a batch of a thousand is one transaction, in which prices do not change.
  const rates = await currentRates(app, tx)
  const payouts: PayoutRow[] = []
  for (const item of items) {
    const payout = await payoutFrom(app, tx, { merchant, batch, rates }, input, item)
    checkPayoutLimit(merchant, worthOf(rates, [payout]))
    payouts.push(payout)
  }
  const worth = worthOf(rates, payouts)
  await checkDayLimit(tx, merchant, rates, worth)
  const needsApproval = merchant.approval_usd !== null && worth > worthUnits(merchant.approval_usd)
  await insertBatch(tx, { ...batch, needs_approval: needsApproval ? 1 : 0 })
  for (const payout of payouts) {
    const available = accountOf('available', merchant.id, payout.currency)
    const held = accountOf('held', merchant.id, payout.currency)
    if ((await post(app, tx, moved(available, held, heldFor(payout)), `payout/${payout.id}`)) === 'too-little')
      throw refuse('INSUFFICIENT_BALANCE', `The available balance of ${payout.currency} is too low`)
    await insertPayout(tx, payout)
    await enqueuePayoutIpn(tx, app, payout)
  }
  return { id: batch.id, withdrawals: payouts.map(toPayout) }
}

/**
 * Returns whether a code is a fiat currency of ISO 4217. Includes those that prices cannot be in: the error is the
 * same.
 */
function isFiatCode(code: string): boolean {
  return isFiat(code) || (coinOf(code) === undefined && isoCurrencies.has(code.trim().toUpperCase()))
}

const isoCurrencies: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

async function payoutFrom(
  app: Gateway,
  tx: Tx,
  { merchant, batch, rates }: { merchant: MerchantRow; batch: Pick<BatchRow, 'id'>; rates: RateTable },
  input: PayoutInput,
  item: PayoutItemInput,
): Promise<PayoutRow> {
  if (typeof item.address !== 'string' || typeof item.currency !== 'string')
    throw refuse('INVALID_REQUEST_PARAMS', 'Each withdrawal must have an address and a currency')
  if (isFiatCode(item.currency))
    throw refuse('NOT_SUPPORTED', `Fiat payouts are not supported: ${item.currency} is not a crypto currency`)
  const coin = theCoin(item.currency)
  const fiat =
    item.fiat_amount === null || item.fiat_amount === undefined ? undefined : theCurrency(item.fiat_currency ?? 'usd')
  const units =
    fiat === undefined
      ? theAmount(item.amount ?? '', coin.code, 'amount')
      : priced(dueFor(rates, theAmount(item.fiat_amount ?? '', fiat, 'fiat_amount'), fiat, coin))
  const text = item.address.trim()
  if (!isAddress(merchant.environment, coin.network, text))
    throw refuse('INVALID_ADDRESS', `The address is not valid for ${coin.code} on its network`)
  const address = sameAddressForm(coin.network, text)
  await checkDestination(tx, merchant.id, coin, address)
  const minimum = priced(minimumIn(rates, coin))
  if (units < minimum)
    throw refuse('AMOUNT_TOO_SMALL', `The minimum payout is ${amountText(minimum, coin.code)} ${coin.code}`)
  const executeAt = momentOf(item.execute_at ?? input.execute_at ?? undefined, 'execute_at')
  return {
    id: String(await nextId(tx)),
    batch: batch.id,
    environment: merchant.environment,
    merchant: merchant.id,
    status: 'creating',
    currency: coin.code,
    amount: amountText(units, coin.code),
    fee: amountText(priced(transferFeeIn(rates, coin)), coin.code),
    address,
    fiat_amount: fiat === undefined ? null : String(item.fiat_amount),
    fiat_currency: fiat ?? null,
    description: item.payout_description ?? input.payout_description ?? null,
    external_id: item.unique_external_id ?? null,
    ipn_callback_url: callbackUrl(app, item.ipn_callback_url ?? input.ipn_callback_url),
    hash: null,
    error: null,
    execute_at: executeAt ?? null,
    due_at: null,
    purpose: null,
    sent_at: null,
    created_at: tx.now,
    requested_at: null,
    updated_at: tx.now,
  }
}

/** Returns the reserved units of a payout: the amount plus the network's fee. */
function heldFor({ amount, fee, currency }: PayoutRow): bigint {
  return parseUnits(amount, scaleOf(currency)) + parseUnits(fee, scaleOf(currency))
}

async function move(app: Gateway, tx: Tx, payout: PayoutRow, status: PayoutStatus, change: Partial<PayoutRow> = {}) {
  if (!isPayoutTransition(payout.status, status))
    throw new Error(`payout ${payout.id} cannot change from ${payout.status} to ${status}`)
  const next = { ...payout, ...change, status, updated_at: tx.now }
  await savePayout(tx, payout.id, { ...change, status, updated_at: tx.now })
  await enqueuePayoutIpn(tx, app, next)
  return next
}

/** Ends a payout as rejected or failed, and releases its reserved funds. */
async function endUnpaid(app: Gateway, tx: Tx, payout: PayoutRow, status: 'rejected' | 'failed', error: string) {
  if (payout.purpose !== null) await reverseUnsent(app, tx, payout.id, heldFor(payout))
  else {
    const held = accountOf('held', payout.merchant, payout.currency)
    const available = accountOf('available', payout.merchant, payout.currency)
    await postOrThrow(app, tx, moved(held, available, heldFor(payout)), `payout/${payout.id}`)
  }
  return move(app, tx, payout, status, { error, due_at: null })
}

// ── Verification and approval ──

async function theBatch(reader: Reader, merchant: MerchantRow, id: string): Promise<BatchRow> {
  const batch = await batchOf(reader, id)
  if (!batch || batch.merchant !== merchant.id) throw refuse('NOT_FOUND', `There is no payout batch ${id}`)
  return batch
}

/**
 * Verifies a batch by a code that the signing service checks. After ten wrong codes the batch accepts no further one.
 */
export async function verifyPayouts(
  app: Gateway,
  { merchant, user }: UserCaller,
  id: string,
  { code, address }: { code: string | null | undefined; address: string },
): Promise<'OK'> {
  const at = await app.store.read(async (reader) => {
    await verifiable(reader, merchant, id)
    await checkMayMove(reader, merchant)
    return reader.now
  })
  if (code === null || code === undefined || code.trim() === '')
    throw refuse('MFA_REQUIRED', 'verification_code is required')
  if (merchant.totp_sealed === null)
    throw refuse('MFA_REQUIRED', 'Two-factor authentication is not set up for the account')
  const attempt = { credential: 'code', merchant: merchant.id, email: user.email, address } as const
  await admitAttempt(app, attempt)
  // Called outside of any transaction: the service is another thread, and could be another machine.
  const step = await app.signer.verify(merchant.totp_sealed, code.trim(), at)
  const isRight = await app.store.write(async (tx) => {
    const batch = await verifiable(tx, merchant, id)
    // A used code counts as wrong, in any process: someone may have seen it being entered.
    if (step === null || step <= ((await merchantOf(tx, merchant.id))?.totp_step ?? -1)) {
      await saveBatch(tx, id, { wrong_codes: batch.wrong_codes + 1 })
      return false
    }
    await recordSuccess(app, tx, attempt)
    await saveMerchant(tx, merchant.id, { totp_step: step })
    await saveBatch(tx, id, { verified_at: tx.now })
    for (const payout of await payoutsIn(tx, id))
      if (payout.status === 'creating')
        await move(app, tx, payout, 'waiting', {
          requested_at: tx.now,
          due_at: batch.needs_approval === 1 ? null : dueAt(payout, tx.now),
        })
    return true
  })
  if (!isRight) throw refuse('INVALID_MFA_CODE', 'The code is wrong or has expired')
  return 'OK'
}

function dueAt(payout: PayoutRow, now: number): number {
  return Math.max(now, payout.execute_at ?? now)
}

async function verifiable(reader: Reader, merchant: MerchantRow, id: string): Promise<BatchRow> {
  const batch = await theBatch(reader, merchant, id)
  const isOpen = (await payoutsIn(reader, id)).some(({ status }) => status === 'creating')
  // After an hour the batch is over, whether or not the periodic job has rejected it yet.
  const isLate = hasEnded(batch.created_at + verifyWithinMs, reader.now)
  if (batch.verified_at !== null || !isOpen || isLate) throw refuse('CONFLICT', `Batch ${id} is not waiting for a code`)
  if (batch.wrong_codes >= maxWrongCodes) throw refuse('CONFLICT', `Batch ${id} has had ${maxWrongCodes} wrong codes`)
  return batch
}

/** Approves or rejects a verified batch, if the account's policy requires an approval. */
export function decideBatch(app: Gateway, id: string, decision: 'approve' | 'reject'): Promise<{ id: string }> {
  return app.store.write(async (tx) => {
    const batch = await batchOf(tx, id)
    if (!batch) throw refuse('NOT_FOUND', `There is no payout batch ${id}`)
    const waiting = (await payoutsIn(tx, id)).filter(({ status }) => status === 'waiting')
    if (batch.needs_approval === 0 || waiting.length === 0)
      throw refuse('CONFLICT', `Batch ${id} is not waiting for approval`)
    await saveBatch(tx, id, { needs_approval: 0 })
    for (const payout of waiting)
      if (decision === 'approve') await savePayout(tx, payout.id, { due_at: dueAt(payout, tx.now) })
      else await endUnpaid(app, tx, payout, 'rejected', 'Rejected by an approver')
    return { id }
  })
}

// ── Sending ──

/**
 * Sends due payouts to their chains, or rejects those that the policy no longer allows. Returns their number. Each is
 * sent once, however often this runs.
 */
export async function sendPayouts(app: Gateway, limit: number): Promise<number> {
  const ready = await app.store.read((reader) => readyPayouts(reader, limit))
  for (const row of ready) {
    const payout = await app.store.write((tx) => toProcessing(app, tx, row.id))
    if (payout?.status !== 'processing') continue
    const coin = theCoin(payout.currency)
    try {
      const hash = await app.chains.send({
        id: payout.id,
        environment: payout.environment,
        network: coin.network,
        recipient: payout.address,
        contract: contractOf(coin, payout.environment),
        units: parseUnits(payout.amount, coin.decimals),
      })
      await whileProcessing(app, payout.id, (tx, now) => move(app, tx, now, 'sending', { hash, due_at: null }))
    } catch (error) {
      if (!isProblem(error, 'UPSTREAM_ERROR')) throw error
      await whileProcessing(app, payout.id, (tx, now) => endUnpaid(app, tx, now, 'failed', error.message))
    }
  }
  return ready.length
}

/** Time until a payout is checked again that cannot be decided now: frozen, not verified, or without a price. */
const policyRetryMs = 60_000

/**
 * Applies the policy to a waiting payout in one transaction: it becomes processing, is rejected and its funds released,
 * or is postponed. Once it is processing, only its chain can end it.
 */
async function toProcessing(app: Gateway, tx: Tx, id: string): Promise<PayoutRow | undefined> {
  const payout = await payoutOf(tx, id)
  if (payout?.status !== 'waiting') return payout
  const clearance = await clearanceOf(app, tx, payout)
  if (clearance === 'send') return move(app, tx, payout, 'processing', { sent_at: tx.now })
  if (clearance !== 'wait') return endUnpaid(app, tx, payout, 'rejected', clearance.rejected)
  await savePayout(tx, id, { due_at: tx.now + policyRetryMs })
  return undefined
}

/** Runs work on a payout if it is still processing: another process may have sent it already. */
function whileProcessing(app: Gateway, id: string, work: (tx: Tx, payout: PayoutRow) => Promise<unknown>) {
  return app.store.write(async (tx) => {
    const payout = await payoutOf(tx, id)
    if (payout?.status === 'processing') await work(tx, payout)
  })
}

/**
 * Processes a chain's report of our payout: finished once it is confirmed, failed when its network dropped it. A payout
 * that is on its chain but not recorded was sent by a process that crashed.
 */
export async function recordSentPayout(app: Gateway, tx: Tx, report: ChainReport): Promise<void> {
  const row = await payoutOf(tx, report.id)
  const payout =
    row?.status === 'processing' ? await move(app, tx, row, 'sending', { hash: report.hash, due_at: null }) : row
  if (payout?.status !== 'sending') return
  if (report.isRemoved) {
    await endUnpaid(app, tx, payout, 'failed', 'The network dropped the transfer')
    return
  }
  if (report.confirmations < networks[report.network].confirmations) return
  const scale = scaleOf(payout.currency)
  const held = accountOf('held', payout.merchant, payout.currency)
  await postOrThrow(
    app,
    tx,
    [
      ...moved(held, accountOf('chain', payout.environment, payout.currency), parseUnits(payout.amount, scale)),
      ...moved(held, accountOf('network', payout.environment, payout.currency), parseUnits(payout.fee, scale)),
    ],
    `payout/${payout.id}`,
  )
  await move(app, tx, payout, 'finished', { hash: report.hash })
  if (payout.purpose !== null) await recordPaidBack(app, tx, payout.id)
}

/** Rejects payouts of batches that were not verified within an hour; returns their number. */
export function rejectUnverified(app: Gateway, limit: number): Promise<number> {
  return app.store.write(async (tx) => {
    const late = await unverifiedPayouts(tx, tx.now - verifyWithinMs, limit)
    for (const payout of late) await endUnpaid(app, tx, payout, 'rejected', 'Not verified within an hour')
    return late.length
  })
}

/** Cancels a scheduled payout that is not due yet and releases its funds. */
export function cancelPayout(app: Gateway, merchant: MerchantRow, id: string): Promise<Payout> {
  return app.store.write(async (tx) => {
    const payout = await payoutOf(tx, id)
    if (!payout || payout.merchant !== merchant.id) throw refuse('NOT_FOUND', `There is no payout ${id}`)
    return cancel(app, tx, payout)
  })
}

async function cancel(app: Gateway, tx: Tx, payout: PayoutRow): Promise<Payout> {
  const isScheduled = payout.execute_at !== null && payout.execute_at > tx.now
  if (!isScheduled || (payout.status !== 'creating' && payout.status !== 'waiting'))
    throw refuse('CONFLICT', `Payout ${payout.id} is not scheduled for later`)
  return toPayout(await endUnpaid(app, tx, payout, 'rejected', 'Canceled by the merchant'))
}

/** Cancels a whole scheduled batch, or nothing of it. */
export function cancelBatch(app: Gateway, merchant: MerchantRow, id: string): Promise<PayoutBatch> {
  return app.store.write(async (tx) => {
    await theBatch(tx, merchant, id)
    const withdrawals: Payout[] = []
    for (const payout of await payoutsIn(tx, id)) withdrawals.push(await cancel(app, tx, payout))
    return { id, withdrawals }
  })
}
