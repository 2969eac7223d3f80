import { sql } from 'kysely'
import { nextOf } from '../../../db/counter.ts'
import type { ChainTransferRow, DepositRow, InvoiceRow, PaymentRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { oneSpelling } from '../../../domain/chains/addresses.ts'
import type { GatewayEnvironment, NetworkCode } from '../../../domain/chains/networks.ts'
import { parseUnits } from '../../../domain/money.ts'
import { scaleOf } from '../../../domain/payments/amounts.ts'
import type { Deposit } from '../../../domain/payments/deposits.ts'
import { frozenMerchants } from './merchants.ts'
import { countOf, type Pagination, pageOf } from './pagination.ts'

/** Base of ids: they have ten digits, as at the compatible gateway, because some clients check the length. */
const firstId = 5_000_000_000

/** Returns the next decimal id. All kinds of objects share one series, so that an id is unique in the whole API. */
export async function nextId(tx: Tx): Promise<number> {
  return firstId + (await nextOf(tx, 'gateway ids'))
}

/** Returns the next index of a deposit address. */
export function nextAddressIndex(tx: Tx, environment: GatewayEnvironment, network: NetworkCode): Promise<number> {
  return nextOf(tx, `gateway addresses ${environment} ${network}`)
}

export function paymentOf({ q }: Reader, id: number): Promise<PaymentRow | undefined> {
  return q.selectFrom('gateway_payments').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the payment that an address was created for; further payments share the address. */
export function paymentAt({ q }: Reader, environment: GatewayEnvironment, address: string) {
  return q
    .selectFrom('gateway_payments')
    .selectAll()
    .where('environment', '=', environment)
    .where('address', '=', address)
    .where('parent_id', 'is', null)
    .executeTakeFirst()
}

export async function insertPayment({ q }: Tx, row: PaymentRow): Promise<void> {
  await q.insertInto('gateway_payments').values(row).execute()
}

export async function savePayment({ q }: Tx, id: number, change: Partial<PaymentRow>): Promise<void> {
  await q.updateTable('gateway_payments').set(change).where('id', '=', id).execute()
}

export interface PaymentFilter {
  readonly merchant: string
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly invoiceId?: string | undefined
  readonly orderId?: string | undefined
  /** Only payments into sub-accounts. */
  readonly isIntoSubaccount?: boolean
  /** Only payments into this sub-account. */
  readonly subaccount?: string | undefined
  readonly ids?: readonly number[] | undefined
  readonly statuses?: readonly string[] | undefined
  readonly payCurrencies?: readonly string[] | undefined
}

function matchingPayments({ q }: Reader, filter: PaymentFilter) {
  const { merchant, from, to, invoiceId, orderId, isIntoSubaccount, subaccount, ids, statuses, payCurrencies } = filter
  let query = q.selectFrom('gateway_payments').where('merchant', '=', merchant)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (to !== undefined) query = query.where('created_at', '<=', to)
  if (invoiceId !== undefined) query = query.where('invoice_id', '=', invoiceId)
  if (orderId !== undefined) query = query.where('order_id', '=', orderId)
  if (isIntoSubaccount) query = query.where('subaccount', 'is not', null)
  if (ids) query = query.where('id', 'in', ids)
  if (statuses) query = query.where(sql<string>`status`, 'in', statuses)
  if (payCurrencies) query = query.where('pay_currency', 'in', payCurrencies)
  return subaccount === undefined ? query : query.where('subaccount', '=', subaccount)
}

/** Returns all matching payments, oldest first; for short lists, such as those of one invoice. */
export function paymentsOf(reader: Reader, filter: PaymentFilter): Promise<PaymentRow[]> {
  return matchingPayments(reader, filter).selectAll().orderBy('created_at').orderBy('id').execute()
}

export async function countPayments(reader: Reader, filter: PaymentFilter): Promise<number> {
  const row = await matchingPayments(reader, filter)
    .select((is) => is.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}

/** Returns one page of the ids of matching payments, by a column that both engines sort alike. */
export async function paymentIds(
  reader: Reader,
  filter: PaymentFilter,
  page: {
    readonly column: 'id' | 'created_at' | 'updated_at'
    readonly isDescending: boolean
    readonly limit: number
    readonly offset: number
  },
): Promise<number[]> {
  const direction = page.isDescending ? 'desc' : 'asc'
  const rows = await matchingPayments(reader, filter)
    .select('id')
    .orderBy(page.column, direction)
    .orderBy('id', direction)
    .limit(page.limit)
    .offset(page.offset)
    .execute()
  return rows.map(({ id }) => id)
}

type TextColumn = Exclude<
  { [Name in keyof PaymentRow]: PaymentRow[Name] extends string | null ? Name : never }[keyof PaymentRow],
  undefined
>

/** Returns the id and one text column of every matching payment, in the order of ids, for sorting in code. */
export function paymentKeys(
  reader: Reader,
  filter: PaymentFilter,
  column: TextColumn,
): Promise<{ id: number; key: string | null }[]> {
  return matchingPayments(reader, filter)
    .select((is) => ['id', is.ref(column).as('key')])
    .orderBy('id')
    .execute()
}

/** Returns the payments with these ids, in their order. */
export async function paymentsWith({ q }: Reader, ids: readonly number[]): Promise<PaymentRow[]> {
  if (ids.length === 0) return []
  const rows = await q.selectFrom('gateway_payments').selectAll().where('id', 'in', ids).execute()
  const byId = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

/** Returns the order ids of these payments by payment id, without payments that have none. */
export async function orderIdsOf({ q }: Reader, ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await q.selectFrom('gateway_payments').select(['id', 'order_id']).where('id', 'in', ids).execute()
  return new Map(rows.flatMap(({ id, order_id }) => (order_id === null ? [] : [[id, order_id] as const])))
}

/** Returns the received amounts of payments into a sub-account that are not credited yet, without refunded payments. */
export function receivedFor(
  { q }: Reader,
  subaccount: string,
): Promise<Pick<PaymentRow, 'pay_currency' | 'actually_paid'>[]> {
  return q
    .selectFrom('gateway_payments')
    .select(['pay_currency', 'actually_paid'])
    .where('subaccount', '=', subaccount)
    .where('status', 'in', ['confirming', 'partially_paid', 'confirmed'])
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('gateway_refunds')
            .select('gateway_refunds.id')
            .whereRef('gateway_refunds.payment_id', '=', 'gateway_payments.id')
            .where('gateway_refunds.deposit', 'is', null)
            .where('gateway_refunds.state', 'in', ['approved', 'sent', 'done']),
        ),
      ),
    )
    .execute()
}

/** Returns payments that have to expire. One whose deposit is being confirmed is omitted: it waits for the chain. */
export function lapsedPayments({ q, now }: Reader, limit: number): Promise<PaymentRow[]> {
  return q
    .selectFrom('gateway_payments')
    .selectAll()
    .where('status', 'in', ['waiting', 'partially_paid'])
    .where('valid_until', '<=', now)
    .orderBy('valid_until')
    .limit(limit)
    .execute()
}

export async function nextLapse({ q }: Reader): Promise<number | undefined> {
  const row = await q
    .selectFrom('gateway_payments')
    .select('valid_until')
    .where('status', 'in', ['waiting', 'partially_paid'])
    .orderBy('valid_until')
    .limit(1)
    .executeTakeFirst()
  return row?.valid_until
}

export function invoiceOf({ q }: Reader, id: string): Promise<InvoiceRow | undefined> {
  return q.selectFrom('gateway_invoices').selectAll().where('id', '=', id).executeTakeFirst()
}

export interface InvoiceFilter {
  readonly merchant: string
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly orderId?: string | undefined
}

/** Returns a page of matching invoices and their total number. */
export async function invoicesOf(
  { q }: Reader,
  { merchant, from, to, orderId }: InvoiceFilter,
  pagination: Pagination,
) {
  let query = q.selectFrom('gateway_invoices').where('merchant', '=', merchant)
  if (from !== undefined) query = query.where('created_at', '>=', from)
  if (to !== undefined) query = query.where('created_at', '<=', to)
  if (orderId !== undefined) query = query.where('order_id', '=', orderId)
  return { rows: await pageOf(query, ['created_at', 'id'], pagination), count: await countOf(query) }
}

export async function insertInvoice({ q }: Tx, row: InvoiceRow): Promise<void> {
  await q.insertInto('gateway_invoices').values(row).execute()
}

export function depositOf({ q }: Reader, txId: string): Promise<DepositRow | undefined> {
  return q.selectFrom('gateway_deposits').selectAll().where('tx_id', '=', txId).executeTakeFirst()
}

export function depositsOf({ q }: Reader, paymentId: number): Promise<DepositRow[]> {
  return q
    .selectFrom('gateway_deposits')
    .selectAll()
    .where('payment_id', '=', paymentId)
    .orderBy('seen_at')
    .orderBy('tx_id')
    .execute()
}

/** Returns a payment's deposits for the domain rules, without removed and foreign ones, in the order of detection. */
export async function liveDeposits(
  reader: Reader,
  { id, pay_currency }: Pick<PaymentRow, 'id' | 'pay_currency'>,
): Promise<Deposit[]> {
  const scale = scaleOf(pay_currency)
  return (await depositsOf(reader, id)).flatMap(({ tx_id, units, whole_amount, state }) => {
    const live = liveStates[state]
    if (live === undefined) return []
    return [{ id: tx_id, units: BigInt(units), whole: parseUnits(whole_amount, scale), state: live }]
  })
}

const liveStates: Readonly<Record<DepositRow['state'], Deposit['state'] | undefined>> = {
  seen: 'seen',
  confirmed: 'confirmed',
  frozen: 'tainted',
  removed: undefined,
  stray: undefined,
}

export async function insertDeposit({ q }: Tx, row: DepositRow): Promise<void> {
  await q.insertInto('gateway_deposits').values(row).execute()
}

export async function saveDeposit({ q }: Tx, txId: string, change: Partial<DepositRow>): Promise<void> {
  await q.updateTable('gateway_deposits').set(change).where('tx_id', '=', txId).execute()
}

/** Returns whether an address is on the sanctions list, in any spelling. */
export async function isSanctioned({ q }: Reader, address: string): Promise<boolean> {
  const row = await q
    .selectFrom('gateway_sanctions')
    .select('address')
    .where('address', '=', oneSpelling(address))
    .executeTakeFirst()
  return row !== undefined
}

export async function insertSanction({ q }: Tx, address: string): Promise<void> {
  await q
    .insertInto('gateway_sanctions')
    .values({ address: oneSpelling(address) })
    .onConflict((conflict) => conflict.column('address').doNothing())
    .execute()
}

export async function insertTransfer({ q }: Tx, row: ChainTransferRow): Promise<void> {
  await q.insertInto('gateway_transfers').values(row).execute()
}

export async function saveTransfer({ q }: Tx, id: string, change: Partial<ChainTransferRow>): Promise<void> {
  await q.updateTable('gateway_transfers').set(change).where('id', '=', id).execute()
}

export function transferOf({ q }: Reader, id: string): Promise<ChainTransferRow | undefined> {
  return q.selectFrom('gateway_transfers').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns whether all transfers of a payment are confirmed on their chains. */
export async function isSentOff({ q }: Reader, paymentId: number): Promise<boolean> {
  const open = await q
    .selectFrom('gateway_transfers')
    .select('id')
    .where('payment_id', '=', paymentId)
    .where('state', '!=', 'done')
    .limit(1)
    .execute()
  return open.length === 0
}

export function queuedTransfers({ q }: Reader, limit: number): Promise<ChainTransferRow[]> {
  return q
    .selectFrom('gateway_transfers')
    .selectAll()
    .where('state', '=', 'queued')
    .where('merchant', 'not in', frozenMerchants(q))
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Returns the payment of a hosted page's token. */
export function paymentByToken({ q }: Reader, environment: GatewayEnvironment, token: string) {
  return q
    .selectFrom('gateway_payments')
    .selectAll()
    .where('page_token', '=', token)
    .where('environment', '=', environment)
    .executeTakeFirst()
}

export function invoiceByToken({ q }: Reader, environment: GatewayEnvironment, token: string) {
  return q
    .selectFrom('gateway_invoices')
    .selectAll()
    .where('page_token', '=', token)
    .where('environment', '=', environment)
    .executeTakeFirst()
}
