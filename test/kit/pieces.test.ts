import { expect, test } from 'vitest'
import { piecesOf } from '../../src/kit/pieces.ts'

test.each([
  [[], []],
  [['a'], [['a']]],
  [['a', 'b'], [['a', 'b']]],
  [
    ['a', 'b', 'c'],
    [['a', 'b'], ['c']],
  ],
  [
    ['a', 'b', 'c', 'd'],
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
])('%j split into pieces of two is %j', (list, pieces) => {
  expect([...piecesOf(list, 2)]).toEqual(pieces)
})
