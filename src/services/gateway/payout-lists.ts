import type { MerchantRow } from '../../db/schema/gateway.ts'
import { amountText, jsonNumber, roundedUp } from '../../domain/payments/amounts.ts'
import { payoutStatuses } from '../../domain/payments/payout.ts'
import { minimumIn, transferFeeIn } from '../../domain/payments/rates.ts'
import { refuse } from './api/contract.ts'
import { statusesAmong } from './api/filters.ts'
import type { Payout, PayoutBatch, PayoutListQuery } from './api/schemas.ts'
import { toPayout } from './api/views.ts'
import { isDown, momentOf } from './payments/payments.ts'
import { batchOf, payoutOf, payoutsIn, payoutsOf } from './queries/payouts.ts'
import { priced, theAmount, theCoin } from './rates/currencies.ts'
import { currentRates } from './rates/rates.ts'
import type { Gateway } from './service.ts'

/** Returns a batch as an object, or a payout as a list of one, by its id. Clients expect these shapes. */
export function readPayout(app: Gateway, merchant: MerchantRow, id: string): Promise<PayoutBatch | Payout[]> {
  return app.store.read(async (reader) => {
    const payout = await payoutOf(reader, id)
    if (payout?.merchant === merchant.id) return [toPayout(payout)]
    const batch = await batchOf(reader, id)
    if (!batch || batch.merchant !== merchant.id) throw refuse('NOT_FOUND', `There is no payout or batch ${id}`)
    return { id, withdrawals: (await payoutsIn(reader, id)).map(toPayout) }
  })
}

const orderKeys = {
  id: 'id',
  batchid: 'batch',
  datecreated: 'created_at',
  daterequested: 'requested_at',
  dateupdated: 'updated_at',
  currency: 'currency',
  status: 'status',
} as const

export function listPayouts(app: Gateway, merchant: MerchantRow, query: PayoutListQuery) {
  const column = (query.order_by ?? 'dateCreated').toLowerCase()
  if (!Object.hasOwn(orderKeys, column))
    throw refuse('INVALID_REQUEST_PARAMS', 'order_by must be a field of the list', { field: 'order_by' })
  const key = orderKeys[column as keyof typeof orderKeys]
  const isDescending = isDown(query.order, 'order')
  const statuses = statusesAmong(query.status, payoutStatuses)
  const [from, to] = [momentOf(query.date_from, 'date_from'), momentOf(query.date_to, 'date_to', 'end')]
  const limit = query.limit ?? 10
  return app.store.read(async (reader) => {
    const filter = { merchant: merchant.id, batch: query.batch_id, statuses, from, to }
    const pagination = { limit, offset: (query.page ?? 0) * limit, isDescending }
    return { payouts: (await payoutsOf(reader, filter, key, pagination)).map(toPayout) }
  })
}

/** Returns the network's fee of a payout, which is charged on top of its amount. */
export function payoutFee(app: Gateway, query: { currency: string; amount: string }) {
  return app.store.read(async (reader) => {
    const coin = theCoin(query.currency)
    theAmount(query.amount, coin.code, 'amount')
    const fee = priced(transferFeeIn(await currentRates(app, reader), coin))
    return { currency: coin.code, fee: jsonNumber(amountText(fee, coin.code)) }
  })
}

/** Returns the minimum payout of a coin. */
export function payoutMinimum(app: Gateway, code: string) {
  return app.store.read(async (reader) => {
    const coin = theCoin(code)
    const minimum = roundedUp(priced(minimumIn(await currentRates(app, reader), coin)), coin)
    return { success: true, result: jsonNumber(amountText(minimum, coin.code)) }
  })
}
