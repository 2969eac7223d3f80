import type { PaymentRow } from '../../../db/schema/gateway.ts'
import type { Reader } from '../../../db/store.ts'
import { explorerUrl } from '../../../domain/chains/explorers.ts'
import { amountText } from '../../../domain/payments/amounts.ts'
import { depositsOf } from '../queries/payments.ts'
import { payoutOf } from '../queries/payouts.ts'
import { refundsOf } from '../queries/refunds.ts'
import type { Gateway } from '../service.ts'
import { momentText } from './format.ts'
import { type PageLanguage, stringsIn } from './language.ts'

/** Receipt of a payment: its transactions, oldest first, with what was sent back. */
export type Receipt = readonly ReceiptLine[]

export interface ReceiptLine {
  readonly name: string
  readonly amount: string
  /** Time of the transaction in epoch milliseconds; `date` is the same as text in UTC. */
  readonly at: number
  readonly date: string
  /** Null while a refund has no transaction yet. */
  readonly hash: string | null
  readonly url: string | null
}

/** Returns the receipt of a payment: its deposits without removed and foreign ones, and its sent refunds. */
export async function receiptOf(
  app: Gateway,
  reader: Reader,
  payment: PaymentRow,
  ticker: string,
  language: PageLanguage,
): Promise<Receipt> {
  const strings = stringsIn(language)
  const line = (name: string, units: bigint, at: number, hash: string | null): ReceiptLine => ({
    name,
    amount: `${amountText(units, payment.pay_currency)} ${ticker}`,
    at,
    date: momentText(at, language),
    hash,
    url: hash === null ? null : explorerUrl(payment.network, payment.environment, hash),
  })
  const lines: ReceiptLine[] = []
  for (const deposit of await depositsOf(reader, payment.id)) {
    if (deposit.state === 'removed' || deposit.state === 'stray') continue
    const hash = await app.chains.hashOf(reader, deposit.tx_id)
    lines.push(line(strings.received, BigInt(deposit.units), deposit.seen_at, hash ?? null))
  }
  for (const refund of await refundsOf(reader, payment.id)) {
    if (refund.payout === null || refund.sent_at === null || refund.state === 'failed') continue
    const payout = await payoutOf(reader, refund.payout)
    lines.push(
      line(strings.sentBack, BigInt(refund.units) - BigInt(refund.fee_units), refund.sent_at, payout?.hash ?? null),
    )
  }
  return lines
}
