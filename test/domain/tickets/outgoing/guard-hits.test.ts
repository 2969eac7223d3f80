import { describe, expect, test } from 'vitest'
import { guard } from '../../../../src/domain/tickets/outgoing/guard.ts'

/** The shown parts of a match, and matches at the limits of a rule. */

const rulesOf = (text: string) => guard(text).map(({ rule }) => rule)
const key = 'ek_l_abcdefghijkABCDEFGHIJ123'

describe('an unfilled placeholder', () => {
  test('does not match within a secret, from its first character to its last', () => {
    expect(rulesOf('Your password is aB{0}cD12!')).toEqual(['secret'])
    expect(rulesOf('Your password is {0}aBcD123!')).toEqual(['secret'])
    expect(rulesOf('Your password is aBcD123{0}')).toEqual(['secret'])
  })

  test('matches before a secret, directly after it and further on', () => {
    expect(rulesOf(`{0} has ${key}`)).toEqual(['placeholder', 'api-key'])
    expect(rulesOf(`${key}{0}`)).toEqual(['placeholder', 'api-key'])
    expect(rulesOf(`${key} for {0}`)).toEqual(['placeholder', 'api-key'])
    expect(rulesOf(`{0}: ${key}, ${key}X: {1}`)).toEqual(['placeholder', 'placeholder', 'api-key', 'api-key'])
  })

  test.each([
    [59, 59, ''],
    [60, 60, ''],
    [61, 59, '…'],
    [200, 59, '…'],
  ])('of %i characters is shown by %i', (length, shown, rest) => {
    const place = `{{${'a'.repeat(length - 4)}}}`
    expect(guard(`Dear ${place},`)[0]?.found).toBe(place.slice(0, shown) + rest)
  })
})

describe('of a secret a quarter is shown, at most six characters, and the text before it:', () => {
  test.each([
    // 29 characters.
    [key, 'ek_l_a…'],
    // 8, 11 and 12 characters.
    ['your password: Abc12345', 'password: Ab…'],
    ['your password: Abc12345678', 'password: Ab…'],
    ['your password: Abc123456789', 'password: Abc…'],
    // 16 and 28 characters.
    ['https://x.example/reset?token=0123456789abcdef', 'token=0123…'],
    ['https://x.example/reset?token=0123456789abcdef0123456789ab', 'token=012345…'],
    ['https://x.example/reset?token=0123456789abcdef0123', 'token=01234…'],
  ])('%s: %s', (text, expected) => {
    expect(guard(text).map((hit) => hit.found)).toEqual([expected])
  })
})

describe('a card number', () => {
  // Numbers for tests, published by the card schemes' processors.
  const numbers = [
    ['Visa of 13 digits', '4222222222222'],
    ['Diners Club', '30569309025904'],
    ['American Express', '378282246310005'],
    ['Visa', '4012888888881881'],
    ['Mastercard', '5555555555554444'],
    ['Discover', '6011000990139424'],
    ['JCB', '3530111333300000'],
    ['Maestro of 19 digits', '6304000000000000000'],
    ['UnionPay of 19 digits', '6205500000000000004'],
  ] as const
  test.each(numbers)('%s is blocked, and shown by its first six digits', (_, number) => {
    expect(guard(`My card is ${number}, thanks`)).toEqual([
      { rule: 'card-number', found: `${number.slice(0, 6)}…`, what: null },
    ])
    const inGroups = number.replace(/(.{4})(?=.)/g, '$1 ')
    expect(guard(`card ${inGroups}`)[0]?.found).toBe(`${inGroups.slice(0, 6)}…`)
  })

  test.each(numbers)('%s with any other check digit is an order number', (_, number) => {
    const last = Number(number.at(-1))
    for (let more = 1; more < 10; more++)
      expect(rulesOf(`order ${number.slice(0, -1)}${(last + more) % 10}`)).toEqual([])
  })

  test('has 13 to 19 digits, and at least two different ones', () => {
    // The check digits of these are valid.
    expect(rulesOf('order 411111111117')).toEqual([])
    expect(rulesOf('order 62055000000000000009')).toEqual([])
    expect(rulesOf('0000000000000000')).toEqual([])
    expect(rulesOf('8888888888888888')).toEqual([])
  })
})
