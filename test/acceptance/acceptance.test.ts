import { expect, test } from 'vitest'
import { accept, small } from './run.ts'

test('after a night with kills the files are equal, every day balances, and the tampered slip is named', async () => {
  const outcome = await accept(small)
  expect(outcome.slips).toBeGreaterThan((small.rounds * small.players) / 2)
  expect(outcome.rows).toBeGreaterThan(outcome.slips)
  expect(outcome.days).toBeGreaterThan(0)
  expect(outcome.detections).toHaveLength(3)
})
