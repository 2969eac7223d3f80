import { expect, test } from 'vitest'
import { chatAccept, full, held, small } from './chat.ts'
import { chunkBytes, mostSentTimes } from './file.ts'

test('through lines that break and with a server killed at work every message is heard once and in order, and a file is the one that was sent, little of it twice', async () => {
  // How much waits in the sockets when a line breaks depends on the machine, but is never more than a chunk.
  held(await chatAccept(small), small, mostSentTimes(small.file, chunkBytes))
})

test('at full size a file may cost no more than 1.1 times its bytes', () => {
  expect(mostSentTimes(full.file)).toBeLessThanOrEqual(1.1)
})
