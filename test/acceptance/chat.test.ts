import { expect, test } from 'vitest'
import { chatAccept, full, held, small } from './chat.ts'
import { maxSentTimes } from './file.ts'

test('with broken connections and a killed server every message arrives once and in order, and a file is equal to the sent one and little of it sent twice', async () => {
  held(await chatAccept(small), small, maxSentTimes(small.file))
})

test('a file at full size may cost at most 1.1 times its bytes', () => {
  expect(maxSentTimes(full.file)).toBeLessThanOrEqual(1.1)
})
