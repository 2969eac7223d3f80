import { expect, test } from 'vitest'
import { createCache } from '../../src/kit/cache.ts'

test('a value is made once, undefined ones too, until more than the maximum would be kept', () => {
  const made: string[] = []
  const cache = createCache<number | undefined>(2)
  const get = (key: string, value?: number) =>
    cache(key, () => {
      made.push(key)
      return value
    })
  expect([get('a', 1), get('b'), get('a', 9), get('b', 9)]).toEqual([1, undefined, 1, undefined])
  expect(made).toEqual(['a', 'b'])
  expect([get('c', 3), get('c', 9), get('a', 4)]).toEqual([3, 3, 4])
  expect(made).toEqual(['a', 'b', 'c', 'a'])
})
