import { expect, test } from 'vitest'
import { amountFault, currencyFault, txnFault, usernameFault } from '../../../src/domain/wallet/transfer-faults.ts'

test('a valid field has no fault, and a transaction ID is optional', () => {
  for (const username of ['a', 'Amy_1.b@c-d', 'x'.repeat(32)]) expect(usernameFault(username)).toBeUndefined()
  for (const amount of ['0.0001', '12.5', '999999999999999']) expect(amountFault(amount)).toBeUndefined()
  for (const currency of ['USD', 'usdt', 'USDTT']) expect(currencyFault(currency)).toBeUndefined()
  for (const txnId of [undefined, 'a', 'A-1_2.3:4', 'x'.repeat(64)]) expect(txnFault(txnId)).toBeUndefined()
})

test.each([
  [usernameFault, '', 'username', 'INVALID_USERNAME', 'The username "" must have 1 to 32 letters, digits or _ . @ -'],
  [usernameFault, 'a b', 'username', 'INVALID_USERNAME', 'The username "a b" must have 1 to 32 letters'],
  [usernameFault, 'x'.repeat(33), 'username', 'INVALID_USERNAME', `The username "${'x'.repeat(33)}" must have`],
  [amountFault, '0', 'amount', 'INVALID_AMOUNT', 'The amount "0" is not above zero'],
  [amountFault, '+1', 'amount', 'INVALID_AMOUNT', 'The amount "+1" has a plus sign: write 1'],
  [currencyFault, 'US', 'currency', 'INVALID_CURRENCY', 'The currency "US" must have 3 to 5 letters'],
  [currencyFault, 'DOLLAR', 'currency', 'INVALID_CURRENCY', 'The currency "DOLLAR" must have 3 to 5 letters'],
  [currencyFault, 'U5D', 'currency', 'INVALID_CURRENCY', 'The currency "U5D" must have 3 to 5 letters'],
  [txnFault, '', 'txnId', 'INVALID_PARAMETER', 'The txnId "" must have 1 to 64 letters, digits or _ . : -'],
  [txnFault, 'a/b', 'txnId', 'INVALID_PARAMETER', 'The txnId "a/b" must have 1 to 64 letters'],
  [txnFault, 'x'.repeat(65), 'txnId', 'INVALID_PARAMETER', `The txnId "${'x'.repeat(65)}" must have`],
] as const)('%o finds the fault of %j', (faultOf, text, field, code, message) => {
  expect(faultOf(text)).toEqual({ field, code, message: expect.stringContaining(message) })
})

test('a message quotes 70 characters of a longer value', () => {
  const text = Array.from({ length: 71 }, (_, i) => i % 10).join('')
  expect(txnFault(text)?.message).toMatch(`The txnId "${text.slice(0, -1)}…" must have`)
  const whole = text.slice(0, -1)
  expect(txnFault(whole)?.message).toMatch(`The txnId "${whole}" must have`)
})
