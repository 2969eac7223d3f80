import { describe, expect, test } from 'vitest'
import { readKeyword, termsOf } from '../../../src/domain/tickets/search-terms.ts'

const digits = (count: number) => '0123456789'.repeat(20).slice(0, count)

test.each([
  [1, [[0, 1]]],
  [64, [[0, 64]]],
  [
    65,
    [
      [0, 64],
      [32, 65],
      [64, 65],
    ],
  ],
  [
    96,
    [
      [0, 64],
      [32, 96],
      [64, 96],
    ],
  ],
  [
    97,
    [
      [0, 64],
      [32, 96],
      [64, 97],
      [96, 97],
    ],
  ],
])('a word of %i letters is indexed in pieces of 64, each beginning 32 after the previous one', (length, pieces) => {
  expect([...termsOf(digits(length)).words]).toEqual(pieces.map(([from, to]) => digits(length).slice(from, to)))
})

describe('the terms of a keyword', () => {
  test.each([
    ['#12', { numbers: [12], texts: [] }],
    ['#12 abc', { numbers: [12], texts: ['abc'] }],
    ['abc', { questions: [{ kind: 'word', part: 'abc' }], exact: [] }],
    ['ab', { questions: [{ kind: 'word', part: 'ab' }], exact: [] }],
    ['a', { questions: [], exact: ['a'] }],
    ['%', { questions: [{ kind: 'term', term: '%' }], exact: [] }],
    ['%%', { questions: [{ kind: 'term', term: '%' }], exact: ['%%'] }],
    // An invisible character is not indexed.
    ['ab\u200b', { questions: [{ kind: 'word', part: 'ab' }], exact: ['ab\u200b'] }],
    ['存', { questions: [{ kind: 'prefix', prefix: '存' }], exact: [] }],
    ['存款', { questions: [{ kind: 'term', term: '存款' }], exact: [] }],
    ['存abc', { questions: [{ kind: 'word', part: 'abc' }], exact: ['存abc'] }],
    [
      '"存 款"',
      {
        questions: [
          { kind: 'prefix', prefix: '存' },
          { kind: 'prefix', prefix: '款' },
        ],
        exact: ['存 款'],
      },
    ],
    [digits(32), { questions: [{ kind: 'word', part: digits(32) }], exact: [] }],
    [digits(33), { questions: [{ kind: 'word', part: digits(32) }], exact: [digits(33)] }],
  ])('%s: %j', (keyword, expected) => {
    expect(readKeyword(keyword)).toMatchObject(expected)
  })
})
