import type { Fault } from '../../arguments/validate.ts'
import { Args, Flags } from '../../framework/flags.ts'
import type { Column } from '../../terminal/table.ts'

/** What the commands of the payment gateway share in words: arguments, checks before anybody is asked, columns. */

export const idArg = (description: string) => ({ id: Args.string({ required: true, description }) })

export const callbackFlag = {
  callback: Flags.string({ summary: 'Where status changes are told (ipn_callback_url)', helpValue: 'URL' }),
}

/** The fields that were said, without those that were not. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const said = Object.entries(fields).filter(([, value]) => value !== undefined)
  // Only values that are not undefined are left, each under its own name.
  return Object.fromEntries(said) as { [K in keyof T]?: Exclude<T[K], undefined> }
}

/** An amount as a JSON number where a number carries it exactly, as text where it would not. */
export function jsonAmount(text: string): number | string {
  const plain = text.includes('.') ? text.replace(/0+$/, '').replace(/[.]$/, '') : text
  return String(Number(plain)) === plain ? Number(plain) : text
}

export function coinAmountFault(amount: string, field = 'amount'): Fault | undefined {
  if (/^[0-9]{1,30}([.][0-9]{1,30})?$/.test(amount) && /[1-9]/.test(amount)) return undefined
  return {
    field,
    code: 'INVALID_AMOUNT',
    message: `The amount ${JSON.stringify(amount.slice(0, 70))} is not a decimal above zero, written with digits and one point`,
  }
}

export function tickerFault(ticker: string, field = 'currency'): Fault | undefined {
  if (/^[A-Za-z0-9]{2,20}$/.test(ticker)) return undefined
  return {
    field,
    code: 'CURRENCY_UNAVAILABLE',
    message: `The currency ${JSON.stringify(ticker.slice(0, 70))} is not a code such as usdttrc20, btc or usd`,
  }
}

/** A number of JSON as decimal text: people never read an exponent. */
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

/** What a payment is shown by, line by line. */
export const paymentFields: readonly Column[] = [
  wholeColumn('payment_id', 'payment'),
  statusColumn('payment_status', 'status'),
  amountColumn('price_amount', 'price'),
  { key: 'price_currency', title: 'in' },
  amountColumn('pay_amount', 'to pay'),
  { key: 'pay_currency', title: 'in coin' },
  wholeColumn('pay_address', 'address'),
]

/** What a payout is shown by, in a row. */
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
