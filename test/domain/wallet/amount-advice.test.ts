import { expect, test } from 'vitest'
import { amountAdvice, isTwoWayPoint } from '../../../src/domain/wallet/amount-advice.ts'

const general = 'must be a decimal above zero with at most 15 digits before the point and 4 after it'
const grouped = (amount: string) => `has separators between its digits: write ${amount} if that is meant`
const powers =
  'is in scientific notation, which spreadsheets use for large numbers and may lose digits: write all digits'
const either = (a: string, b: string) => `can mean ${a} or ${b}: write the one that is meant`

test.each([
  ['0', 'is not above zero'],
  ['0.0000', 'is not above zero'],
  ['-0,00', 'is not above zero'],
  [' +0 ', 'is not above zero'],
  ['+12.5', 'has a plus sign: write 12.5'],
  ['-12.5', 'has a minus sign: write 12.5'],
  ['−12.5', 'has a typographic minus: write -12.5'],
  ['-1,234.5', 'has separators between its digits: write -1234.5 if that is meant'],
  ['+1,234.5', grouped('1234.5')],
  ['-1,234', either('-1234', '-1.234')],
  ['-.5', 'starts with a decimal point: write -0.5'],
  ['1.2E+5', powers],
  ['1e5', powers],
  ['1,5e-3', powers],
  ['1.23456', 'has more than 4 decimals'],
  ['123456789012345.12345', 'has more than 4 decimals'],
  ['(12.50)', 'is in parentheses, an accounting form of negative amounts: write it with a minus'],
  ['.5', 'starts with a decimal point: write 0.5'],
  ['.1234', 'starts with a decimal point: write 0.1234'],
  ['.12345', general],
  ['5.', 'ends with a decimal point: write 5'],
  ['123456789012345.', 'ends with a decimal point: write 123456789012345'],
  ['１２', 'has digits of another script: write it with 0 to 9'],
  ['١٢.٥', 'has digits of another script: write it with 0 to 9'],
  ['0,5', 'has separators between its digits: write 0.5 if that is meant'],
  ['0,500', 'has a decimal comma: write 0.500'],
  ['1,230', either('1230', '1.230')],
  ['1,234', either('1234', '1.234')],
  ['12,345', either('12345', '12.345')],
  ['12,34', grouped('12.34')],
  ['12,3456', grouped('12.3456')],
  ['1,234,567', grouped('1234567')],
  ['1.234.567', grouped('1234567')],
  ['1,234.5', grouped('1234.5')],
  ['1.234,56', grouped('1234.56')],
  ["1'234.50", grouped('1234.50')],
  ['1 234', grouped('1234')],
  ['1,234,567.8912', grouped('1234567.8912')],
  ['1,234 567', general],
  ['1,234,5', general],
  ['123,456,789,012,345', grouped('123456789012345')],
  ['1,234,567,890,123,456', general],
  ['1234567890123456', general],
  ['12 USD', 'contains more than an amount: write only digits and one decimal point'],
  ['$12', 'contains more than an amount: write only digits and one decimal point'],
  ['USD', general],
  ['$', general],
  ['', general],
  ['1..2', general],
])('"%s" %s', (text, advice) => {
  expect(amountAdvice(text)).toBe(advice)
})

test.each([
  ['1.234', true],
  ['999.000', true],
  ['-12.345', true],
  ['0.123', false],
  ['1234.567', false],
  ['1.23', false],
  ['1.2345', false],
])('the point of %s may separate thousands: %s', (text, expected) => {
  expect(isTwoWayPoint(text)).toBe(expected)
})
