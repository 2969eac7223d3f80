import { isPositiveAmount } from '../money.ts'
import { usernamePattern } from '../players/player.ts'
import { amountAdvice } from './amount-advice.ts'

/** Validation of the fields of a transfer before it is sent. */

/** A local validation error. Its codes are those of the API, so that a script handles both alike. */
export interface InputFault {
  readonly field: string
  readonly code: string
  readonly message: string
}

export function usernameFault(username: string): InputFault | undefined {
  if (usernamePattern.test(username)) return undefined
  return {
    field: 'username',
    code: 'INVALID_USERNAME',
    message: `The username ${quoted(username)} must have 1 to 32 letters, digits or _ . @ -`,
  }
}

export function amountFault(amount: string): InputFault | undefined {
  if (isPositiveAmount(amount)) return undefined
  return { field: 'amount', code: 'INVALID_AMOUNT', message: `The amount ${quoted(amount)} ${amountAdvice(amount)}` }
}

export function currencyFault(currency: string): InputFault | undefined {
  if (/^[A-Za-z]{3,5}$/.test(currency)) return undefined
  return {
    field: 'currency',
    code: 'INVALID_CURRENCY',
    message: `The currency ${quoted(currency)} must have 3 to 5 letters`,
  }
}

export function txnFault(txnId: string | undefined): InputFault | undefined {
  if (txnId === undefined || /^[A-Za-z0-9_.:-]{1,64}$/.test(txnId)) return undefined
  return {
    field: 'txnId',
    code: 'INVALID_PARAMETER',
    message: `The txnId ${quoted(txnId)} must have 1 to 64 letters, digits or _ . : -`,
  }
}

/** Quotes a value, cut to the length of a line. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 70 ? `${text.slice(0, 70)}…` : text)
}
