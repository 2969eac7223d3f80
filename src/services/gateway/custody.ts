import type { BalanceRow, ConversionRow, MerchantRow, SubaccountRow, SubTransferRow } from '../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../db/store.ts'
import { parseUnits } from '../../domain/money.ts'
import { amountText, jsonNumber, scaleOf } from '../../domain/payments/amounts.ts'
import { moved } from '../../domain/payments/ledger.ts'
import { paymentStatuses } from '../../domain/payments/payment.ts'
import { converted } from '../../domain/payments/rates.ts'
import { checkMayMove } from './account-standing.ts'
import { refuse } from './api/contract.ts'
import { filterValues, statusesAmong } from './api/filters.ts'
import {
  type Balances,
  type Conversion,
  type ConversionInput,
  type ConversionQuery,
  moveStatuses,
  type NewPayment,
  type Payment,
  type Subaccount,
  type SubaccountQuery,
  type SubMoveInput,
  type SubPaymentInput,
  type SubPaymentQuery,
  type SubTransfer,
  type SubTransferInput,
  type SubTransferQuery,
} from './api/schemas.ts'
import { toConversion, toNewPayment, toPayment, toSubaccount, toSubTransfer } from './api/views.ts'
import { callbackUrl, enqueueConversionIpn, enqueueSubTransferIpn } from './ipn/ipns.ts'
import { accountOf, post } from './ledger.ts'
import { readCurrent } from './payments/current.ts'
import { isDown, isOn, momentOf, openPayment, pageOfIds } from './payments/payments.ts'
import {
  conversionOf,
  conversionsOf,
  insertConversion,
  insertSubaccount,
  insertSubTransfer,
  subaccountNamed,
  subaccountOf,
  subaccountsOf,
  subTransferOf,
  subTransfersOf,
} from './queries/custody.ts'
import { balancesOf } from './queries/ledger.ts'
import type { Pagination } from './queries/pagination.ts'
import { countPayments, nextId, paymentsWith, receivedFor } from './queries/payments.ts'
import { priced, theAmount, theCoin } from './rates/currencies.ts'
import { currentRates } from './rates/rates.ts'
import type { Gateway } from './service.ts'

/** Returns a merchant's custody balances. */
export function readBalance(app: Gateway, merchant: MerchantRow): Promise<Balances> {
  return app.store.read(async (reader) => toBalances(await balancesOf(reader, merchant.id), ['available', 'pending']))
}

/** Returns available and pending funds by currency, without currencies at zero. */
function toBalances(
  rows: readonly Pick<BalanceRow, 'kind' | 'currency' | 'units'>[],
  [usable, coming]: readonly ['available' | 'sub', 'pending' | 'held'],
) {
  const balances: Balances = {}
  for (const currency of new Set(rows.map((row) => row.currency))) {
    const unitsOf = (kind: string) =>
      rows.reduce((sum, row) => (row.currency === currency && row.kind === kind ? sum + BigInt(row.units) : sum), 0n)
    const [amount, pending] = [unitsOf(usable), unitsOf(coming)]
    if (amount === 0n && pending === 0n) continue
    balances[currency] = {
      amount: jsonNumber(amountText(amount, currency)),
      pendingAmount: jsonNumber(amountText(pending, currency)),
    }
  }
  return balances
}

// ── Conversions ──

/** Converts an amount into another coin at the current rate, at once and completely, or changes nothing. */
export async function createConversion(
  app: Gateway,
  tx: Tx,
  merchant: MerchantRow,
  input: ConversionInput,
): Promise<{ result: Conversion }> {
  await checkMayMove(tx, merchant)
  const from = theCoin(input.from_currency).code
  const to = theCoin(input.to_currency).code
  if (from === to) throw refuse('INVALID_REQUEST_PARAMS', 'A conversion needs two different currencies')
  const units = theAmount(input.amount, from, 'amount')
  const outcome = priced(converted(await currentRates(app, tx), units, from, to))
  if (outcome === 0n) throw refuse('AMOUNT_TOO_SMALL', `The converted amount is 0 in ${to}`)
  const row: ConversionRow = {
    id: String(await nextId(tx)),
    environment: merchant.environment,
    merchant: merchant.id,
    status: 'finished',
    from_currency: from,
    to_currency: to,
    from_amount: amountText(units, from),
    to_amount: amountText(outcome, to),
    created_at: tx.now,
    updated_at: tx.now,
  }
  const result = await post(
    app,
    tx,
    [
      ...moved(accountOf('available', merchant.id, from), accountOf('exchange', merchant.environment, from), units),
      ...moved(accountOf('exchange', merchant.environment, to), accountOf('available', merchant.id, to), outcome),
    ],
    `conversion/${row.id}`,
  )
  if (result === 'too-little') throw tooLittle(from)
  await insertConversion(tx, row)
  await enqueueConversionIpn(tx, app, row)
  return { result: toConversion(row) }
}

function tooLittle(currency: string) {
  return refuse('INSUFFICIENT_BALANCE', `The available balance of ${currency} is too low`)
}

export function readConversion(app: Gateway, merchant: MerchantRow, id: string): Promise<{ result: Conversion }> {
  return app.store.read(async (reader) => {
    const row = await conversionOf(reader, id)
    if (row?.merchant !== merchant.id) throw refuse('NOT_FOUND', `There is no conversion ${id}`)
    return { result: toConversion(row) }
  })
}

export function listConversions(app: Gateway, merchant: MerchantRow, query: ConversionQuery) {
  const filter = {
    merchant: merchant.id,
    ids: filterValues(query.id),
    statuses: statusesAmong(query.status, moveStatuses),
    fromCurrency: query.from_currency?.toLowerCase(),
    toCurrency: query.to_currency?.toLowerCase(),
    from: momentOf(query.created_at_from, 'created_at_from'),
    to: momentOf(query.created_at_to, 'created_at_to', 'end'),
  }
  return app.store.read(async (reader) => {
    const { rows, count } = await conversionsOf(reader, filter, paginationIn(query))
    return { result: rows.map(toConversion), count }
  })
}

function paginationIn({
  limit = 10,
  offset = 0,
  order,
}: {
  limit?: number
  offset?: number
  order?: string
}): Pagination {
  return { limit, offset, isDescending: isDown(order, 'order') }
}

// ── Sub-accounts ──

/** Creates a sub-account. Throws CONFLICT if the merchant has one with this name. */
export async function createSubaccount(
  _app: Gateway,
  tx: Tx,
  merchant: MerchantRow,
  input: { name: string },
): Promise<{ result: Subaccount }> {
  const name = input.name.trim()
  if (name === '' || name.includes('@'))
    throw refuse('INVALID_REQUEST_PARAMS', 'name must not be empty or an email address', { field: 'name' })
  if (await subaccountNamed(tx, merchant.id, name)) throw refuse('CONFLICT', `Sub-account ${name} already exists`)
  const row: SubaccountRow = {
    id: String(await nextId(tx)),
    environment: merchant.environment,
    merchant: merchant.id,
    name,
    created_at: tx.now,
    updated_at: tx.now,
  }
  await insertSubaccount(tx, row)
  return { result: toSubaccount(row) }
}

async function theSubaccount(reader: Reader, merchant: MerchantRow, id: string): Promise<SubaccountRow> {
  const row = await subaccountOf(reader, id)
  if (!row || row.merchant !== merchant.id) throw refuse('NOT_FOUND', `There is no sub-account ${id}`)
  return row
}

export function readSubBalance(app: Gateway, merchant: MerchantRow, id: string) {
  return app.store.read(async (reader) => {
    const row = await theSubaccount(reader, merchant, id)
    // The ledger assigns funds that are not credited yet to the merchant, even for a sub-account.
    const received = (await receivedFor(reader, row.id)).map(({ pay_currency: currency, actually_paid }) => ({
      kind: 'pending' as const,
      currency,
      units: String(parseUnits(actually_paid, scaleOf(currency))),
    }))
    const balances = toBalances([...(await balancesOf(reader, row.id)), ...received], ['sub', 'pending'])
    return { result: { subPartnerId: row.id, balances } }
  })
}

export function listSubaccounts(app: Gateway, merchant: MerchantRow, query: SubaccountQuery) {
  return app.store.read(async (reader) => {
    const { rows, count } = await subaccountsOf(reader, merchant.id, filterValues(query.id), paginationIn(query))
    return { result: rows.map(toSubaccount), count }
  })
}

/**
 * Transfers funds between two accounts of one merchant, at once and completely. The merchant's own id names the main
 * account.
 */
export async function createSubTransfer(
  app: Gateway,
  tx: Tx,
  merchant: MerchantRow,
  input: SubTransferInput,
): Promise<{ result: SubTransfer }> {
  await checkMayMove(tx, merchant)
  const coin = theCoin(input.currency).code
  const units = theAmount(input.amount, coin, 'amount')
  const [from, to] = [String(input.from_id), String(input.to_id)]
  if (from === to) throw refuse('INVALID_REQUEST_PARAMS', 'A transfer needs two different accounts')
  const row: SubTransferRow = {
    id: String(await nextId(tx)),
    environment: merchant.environment,
    merchant: merchant.id,
    from_id: from,
    to_id: to,
    status: 'finished',
    currency: coin,
    amount: amountText(units, coin),
    created_at: tx.now,
    updated_at: tx.now,
  }
  const entries = moved(await accountFor(tx, merchant, from, coin), await accountFor(tx, merchant, to, coin), units)
  if ((await post(app, tx, entries, `sub-transfer/${row.id}`)) === 'too-little') throw tooLittle(coin)
  await insertSubTransfer(tx, row)
  await enqueueSubTransferIpn(tx, app, row)
  return { result: toSubTransfer(row) }
}

async function accountFor(reader: Reader, merchant: MerchantRow, id: string, coin: string) {
  if (id === merchant.id) return accountOf('available', merchant.id, coin)
  return accountOf('sub', (await theSubaccount(reader, merchant, id)).id, coin)
}

/** Transfers funds from the main account to a sub-account. */
export function depositToSub(app: Gateway, tx: Tx, merchant: MerchantRow, input: SubMoveInput) {
  const { currency, amount, sub_partner_id: id } = input
  return createSubTransfer(app, tx, merchant, { currency, amount, from_id: merchant.id, to_id: id })
}

/** Transfers funds from a sub-account to the main account. */
export function writeOffSub(app: Gateway, tx: Tx, merchant: MerchantRow, input: SubMoveInput) {
  const { currency, amount, sub_partner_id: id } = input
  return createSubTransfer(app, tx, merchant, { currency, amount, from_id: id, to_id: merchant.id })
}

export function readSubTransfer(app: Gateway, merchant: MerchantRow, id: string) {
  return app.store.read(async (reader) => {
    const row = await subTransferOf(reader, id)
    if (row?.merchant !== merchant.id) throw refuse('NOT_FOUND', `There is no transfer ${id}`)
    return { result: toSubTransfer(row) }
  })
}

export function listSubTransfers(app: Gateway, merchant: MerchantRow, query: SubTransferQuery) {
  const filter = { ids: filterValues(query.id), statuses: statusesAmong(query.status, moveStatuses) }
  return app.store.read(async (reader) => {
    const { rows, count } = await subTransfersOf(reader, merchant.id, filter, paginationIn(query))
    return { result: rows.map(toSubTransfer), count }
  })
}

/** Creates a payment whose funds go to a sub-account; its amount is in the coin it is paid in. */
export async function createSubPayment(
  app: Gateway,
  tx: Tx,
  merchant: MerchantRow,
  input: SubPaymentInput,
): Promise<{ result: NewPayment }> {
  const sub = await theSubaccount(tx, merchant, String(input.sub_partner_id))
  const payment = await openPayment(app, tx, merchant, {
    price: input.amount,
    priceCurrency: theCoin(input.currency).code,
    payCurrency: input.currency,
    callback: callbackUrl(app, input.ipn_callback_url),
    isFixedRate: isOn(input.is_fixed_rate ?? input.fixed_rate, 'is_fixed_rate'),
    isFeePaidByUser: isOn(input.is_fee_paid_by_user, 'is_fee_paid_by_user'),
    subaccount: sub.id,
  })
  return { result: toNewPayment(app, payment) }
}

export async function listSubPayments(
  app: Gateway,
  merchant: MerchantRow,
  query: SubPaymentQuery,
): Promise<{ result: Payment[]; count: number }> {
  const sortBy = (query.sortBy ?? query.sort_by ?? 'created_at').toLowerCase()
  const keys = {
    id: 'id',
    status: 'status',
    pay_currency: 'pay_currency',
    created_at: 'created_at',
    updated_at: 'updated_at',
  } as const
  if (!Object.hasOwn(keys, sortBy))
    throw refuse('INVALID_REQUEST_PARAMS', `sortBy must be one of ${Object.keys(keys).join(', ')}`, { field: 'sortBy' })
  const key = keys[sortBy as keyof typeof keys]
  const isDescending = isDown(query.orderBy ?? query.order_by, 'orderBy')
  const filter = {
    merchant: merchant.id,
    from: momentOf(query.date_from, 'date_from'),
    to: momentOf(query.date_to, 'date_to', 'end'),
    isIntoSubaccount: true,
    subaccount: query.sub_partner_id,
    // Text that is not a number becomes 0, which is no payment's id.
    ids: filterValues(query.id)?.map((id) => (/^\d{1,15}$/.test(id) ? Number(id) : 0)),
    statuses: statusesAmong(query.status, paymentStatuses),
    payCurrencies: filterValues(query.pay_currency),
  }
  let count = 0
  const rows = await readCurrent(app, async (reader) => {
    count = await countPayments(reader, filter)
    const pagination = { limit: query.limit ?? 10, offset: query.page ?? 0 }
    return paymentsWith(reader, await pageOfIds(reader, filter, key, isDescending, pagination))
  })
  return { result: rows.map(toPayment), count }
}
