import { expect, test } from 'vitest'
import { halfOf } from '../../../src/world/desk/browser/format.ts'

test.each([
  [100.12, '50'],
  [3, '1'],
  [1.5, '0.75'],
  [1, '0.5'],
  [0.0002, '0.0001'],
  [0.00016423, '0.00008211'],
  [0.00000001, '0.00000001'],
])('half of %d, as the form of a part payment begins with, is %s', (amount, half) => {
  expect(halfOf(amount)).toBe(half)
})
