import { expect, test } from 'vitest'
import { countText, grouped, partText } from '../../src/kit/text/count-text.ts'

test.each([0, 7, 12, 999, 1_000, 12_345, 100_000, 1_234_567, 9_007_199_254_740_991, -5, -1_234])(
  'the count %d is written as the language rules of Node write it',
  (count) => expect(grouped(count)).toBe(count.toLocaleString('en-US')),
)

test('a count has its noun, and the number it is a part of', () => {
  expect(countText(1, 'ticket')).toBe('1 ticket')
  expect(countText(1_200, 'ticket')).toBe('1,200 tickets')
  expect(countText(2, 'entry', 'entries')).toBe('2 entries')
  expect(partText(1_500, 12_000, 'ticket')).toBe('1,500 of 12,000 tickets')
})
