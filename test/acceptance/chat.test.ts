import { expect, test } from 'vitest'
import { chatAccept, full, held, small } from './chat.ts'
import { maxSentTimes } from './file.ts'

test('through lines that break and with a server killed at work every message is heard once and in order, and a file is the one that was sent, little of it twice', async () => {
  held(await chatAccept(small), small, maxSentTimes(small.file))
})

test('at full size a file may cost no more than 1.1 times its bytes', () => {
  expect(maxSentTimes(full.file)).toBeLessThanOrEqual(1.1)
})
