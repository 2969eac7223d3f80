import { expect, test } from 'vitest'
import { accept, small } from './run.ts'

test('a night with kills ends in the same files, every day balances, and what was tampered with is named', async () => {
  const outcome = await accept(small)
  expect(outcome.rows).toBeGreaterThan(small.rounds * small.players)
  expect(outcome.days).toBeGreaterThan(0)
  expect(outcome.found).toHaveLength(3)
}, 180_000)
