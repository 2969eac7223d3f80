import { Args, Flags } from '../../framework/flags.ts'
import type { Column } from '../../terminal/table.ts'

/** Shared flags, validations and columns of payment gateway commands. */

export const idArg = (description: string) => ({ id: Args.string({ required: true, description }) })

export const callbackFlag = {
  callback: Flags.string({ summary: 'URL for IPNs (ipn_callback_url)', helpValue: 'URL' }),
}

/** Returns an amount as a JSON number if a number represents it exactly, else as text. */
export function jsonAmount(text: string): number | string {
  const plain = text.includes('.') ? text.replace(/0+$/, '').replace(/[.]$/, '') : text
  return String(Number(plain)) === plain ? Number(plain) : text
}

/** Formats a JSON number as decimal text without an exponent. */
export const plainNumber = (value: unknown): string =>
  typeof value === 'number'
    ? value.toLocaleString('en-US', { useGrouping: false, maximumFractionDigits: 18 })
    : String(value ?? '')

export const amountColumn = (key: string, title?: string): Column => ({
  key,
  kind: 'amount',
  show: plainNumber,
  ...(title === undefined ? {} : { title }),
})

export const statusColumn = (key: string, title?: string): Column => ({
  key,
  ...(title === undefined ? {} : { title }),
  tint: (status) => {
    switch (status) {
      case 'finished':
      case 'active':
        return 'green'
      case 'failed':
      case 'rejected':
      case 'cancelled':
        return 'red'
      case 'expired':
      case 'refunded':
        return 'dim'
      default:
        return 'yellow'
    }
  },
})

export const wholeColumn = (key: string, title?: string): Column => ({
  key,
  whole: true,
  ...(title === undefined ? {} : { title }),
})

/** Columns of a single payment. */
export const paymentFields: readonly Column[] = [
  wholeColumn('payment_id', 'payment'),
  statusColumn('payment_status', 'status'),
  amountColumn('price_amount', 'price'),
  { key: 'price_currency', title: 'currency' },
  amountColumn('pay_amount', 'to pay'),
  { key: 'pay_currency', title: 'coin' },
  wholeColumn('pay_address', 'address'),
]

/** Columns of a payout list. */
export const payoutColumns: readonly Column[] = [
  wholeColumn('id', 'payout'),
  wholeColumn('batch_withdrawal_id', 'batch'),
  statusColumn('status'),
  { key: 'amount', kind: 'amount' },
  { key: 'currency' },
  { key: 'fee', kind: 'amount' },
  wholeColumn('address'),
  { key: 'error' },
]
