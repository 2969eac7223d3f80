import fc from 'fast-check'
import { expect, test } from 'vitest'
import { checkMoments, momentFrom } from '../../../src/cli/arguments/moments.ts'
import { refuseFaults } from '../../../src/cli/arguments/validate.ts'
import { typedCommand } from '../../../src/cli/framework/shell-quote.ts'
import { amountFault, currencyFault, txnFault, usernameFault } from '../../../src/domain/wallet/transfer-faults.ts'

test.each(['1', '0.0001', '100', '007', '5.0', '9'.repeat(15), `${'9'.repeat(15)}.9999`])('%s is an amount', (text) => {
  expect(amountFault(text)).toBeUndefined()
})

test.each([
  '',
  '0',
  '0.0000',
  '000',
  '-5',
  '+5',
  '1e3',
  '1.23456',
  '.5',
  '5.',
  '0x10',
  '1'.repeat(16),
  'NaN',
  'Infinity',
  ' 5',
  '5 ',
  '５',
  '1,000',
  '1 000',
  "1'000",
  '1_000',
  '5\n',
])('%j is none', (text) => {
  expect(amountFault(text)).toMatchObject({ field: 'amount', code: 'INVALID_AMOUNT' })
})

test('an unknown word is guessed only for the suggestion in the error', () => {
  expect(amountFault('1,000.50')?.message).toContain('write 1000.50 if that is meant')
  // The suggested spelling is valid and has the same digits.
  const odd = fc.string({ unit: fc.constantFrom(...'0123456789.,+-e '), minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(odd, (text) => {
      const [, suggestion] = /: write (-?[0-9][0-9.]*)/.exec(amountFault(text)?.message ?? '') ?? []
      if (suggestion === undefined) return
      expect(amountFault(suggestion.replace('-', ''))).toBeUndefined()
      if (suggestion.startsWith('-')) expect(text.trimStart()).toMatch(/^[+-]/)
      expect(suggestion.replace(/[^1-9]/g, '')).toBe(text.replace(/[^1-9]/g, ''))
    }),
    { numRuns: 5000 },
  )
  expect(amountFault('0.00')?.message).toContain('not above zero')
  expect(amountFault('0,123')?.message).toContain('has a decimal comma: write 0.123')
  expect(amountFault('1,234')?.message).toContain('can mean 1234 or 1.234')
  for (const text of ['0,000002', '-0,000002', '1,234567'])
    expect(amountFault(text)?.message).toContain('has a comma, and more than 4 digits after it')
})

test('usernames, currencies and txnIds must have the forms of the document', () => {
  for (const good of ['a', '-', 'A_b.c@d-e', 'x'.repeat(32)]) expect(usernameFault(good)).toBeUndefined()
  for (const bad of ['', 'a b', 'x'.repeat(33), 'é', 'a\n', 'a/b'])
    expect(usernameFault(bad)?.code).toBe('INVALID_USERNAME')
  for (const good of ['USD', 'usd', 'USDT', 'ABCDE']) expect(currencyFault(good)).toBeUndefined()
  for (const bad of ['', 'US', 'ABCDEF', 'U$D', 'US1']) expect(currencyFault(bad)?.code).toBe('INVALID_CURRENCY')
  for (const good of [undefined, 't', 'a:b.c-d_e', 'x'.repeat(64)]) expect(txnFault(good)).toBeUndefined()
  for (const bad of ['', 'a b', 'x'.repeat(65), 'a@b']) expect(txnFault(bad)?.code).toBe('INVALID_PARAMETER')
})

test('all errors are reported together, under the code of the first; a long text is cut', () => {
  expect(() => refuseFaults([undefined, undefined])).not.toThrow()
  const both = () => refuseFaults([undefined, currencyFault('$'), amountFault('x'.repeat(500))])
  expect(both).toThrowError(expect.objectContaining({ code: 'INVALID_CURRENCY' }))
  expect(both).toThrowError(/"\$".*INVALID|"\$" must have.*The amount "x{70}…"/)
})

test('a printed command line can be pasted as it is', () => {
  expect(typedCommand('wallet deposit', ['amy', '5', 'USD'], { txn: 't', create: true, profile: undefined })).toBe(
    'countroom wallet deposit amy 5 USD --txn t --create',
  )
  expect(typedCommand('wallet deposit', ['-x', '5', 'USD'], { txn: '-t' })).toBe(
    'countroom wallet deposit --txn=-t -- -x 5 USD',
  )
  expect(typedCommand('wallet transfer', ['t'], { book: "/a b/c'd" })).toBe(
    `countroom wallet transfer t --book '/a b/c'\\''d'`,
  )
})

test('a date must exist in its month', () => {
  expect(momentFrom('2024-02-29T23:00:00-05:00')).toBe(Date.UTC(2024, 2, 1, 4))
  expect(momentFrom('2026-12-31')).toBe(Date.UTC(2026, 11, 31))
  for (const text of ['2026-02-31', '2026-02-29T00:00:00Z', '2026-04-31T08:00:00+01:00'])
    expect(() => checkMoments(undefined, text)).toThrow(/Expected a time/)
})
