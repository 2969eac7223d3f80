import { expect, test } from 'vitest'
import { chatAccept, small } from './chat.ts'

test('through cut lines and a killed server every message is there once and in order, and a file is the one that was sent', async () => {
  const outcome = await chatAccept(small)
  expect(outcome).toMatchObject({
    heard: small.messages,
    repeated: 0,
    cuts: small.cuts,
    kills: small.kills,
    isFileEqual: true,
  })
  // What had arrived before a line broke was kept: little of the file was sent twice.
  expect(outcome.sentTimes).toBeLessThan(1.5)
}, 120_000)
