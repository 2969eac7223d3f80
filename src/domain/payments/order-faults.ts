import type { InputFault } from '../wallet/transfer-faults.ts'

/** Returns the fault of an amount of a coin: decimal text above zero, in the gateway's form. */
export function coinAmountFault(amount: string, field = 'amount'): InputFault | undefined {
  if (/^[0-9]{1,30}([.][0-9]{1,30})?$/.test(amount) && /[1-9]/.test(amount)) return undefined
  return {
    field,
    code: 'INVALID_AMOUNT',
    message: `The amount ${JSON.stringify(amount.slice(0, 70))} must be a decimal above zero, with digits and one point`,
  }
}

/** Returns the fault of a currency code of the gateway. */
export function tickerFault(ticker: string, field = 'currency'): InputFault | undefined {
  if (/^[A-Za-z0-9]{2,20}$/.test(ticker)) return undefined
  return {
    field,
    code: 'CURRENCY_UNAVAILABLE',
    message: `The currency ${JSON.stringify(ticker.slice(0, 70))} must be a code such as usdttrc20, btc or usd`,
  }
}
