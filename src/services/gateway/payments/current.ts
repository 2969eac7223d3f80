import type { PaymentRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import { hasEnded, isDue } from '../../../domain/payments/payment.ts'
import { paymentOf } from '../queries/payments.ts'
import { refundingAmong } from '../queries/refunds.ts'
import type { Gateway } from '../service.ts'
import { expire } from './deposits.ts'
import { isQuoteExpired, requotedIfPossible } from './quotes.ts'

/**
 * Reads payments in their current state: ended windows and expired quotes are processed first. Look-up, list and page
 * do not show an expired amount then, even if the periodic jobs have not run yet. `read` may be called twice.
 */
export async function readCurrent(
  app: Gateway,
  read: (reader: Reader) => Promise<readonly PaymentRow[]>,
): Promise<readonly PaymentRow[]> {
  const { rows, stale } = await app.store.read(async (reader) => {
    const rows = await read(reader)
    return { rows, stale: await staleAmong(reader, rows) }
  })
  if (stale.length === 0) return rows
  return app.store.write(async (tx) => {
    for (const id of stale) await bringUpToDate(app, tx, id)
    return read(tx)
  })
}

async function staleAmong(reader: Reader, payments: readonly PaymentRow[]): Promise<readonly number[]> {
  const { now } = reader
  const due = payments.filter(({ status }) => isDue(status))
  const ended = due.filter((payment) => hasEnded(payment.valid_until, now))
  const expired = due.filter((payment) => !ended.includes(payment) && isQuoteExpired(payment, now))
  const idsOf = (rows: readonly PaymentRow[]) => rows.map(({ id }) => id)
  const refunding = await refundingAmong(reader, idsOf(expired))
  return [...idsOf(ended), ...idsOf(expired).filter((id) => !refunding.has(id))]
}

async function bringUpToDate(app: Gateway, tx: Tx, id: number): Promise<void> {
  const payment = await paymentOf(tx, id)
  if (!payment || !isDue(payment.status)) return
  if (hasEnded(payment.valid_until, tx.now)) await expire(app, tx, payment)
  else await requotedIfPossible(app, tx, payment)
}
