import { expect, test } from 'vitest'
import { incompleteProblem, newBulkCommand } from '../../../../../src/cli/topics/tickets/bulk/incomplete.ts'
import type { ItemResult } from '../../../../../src/operator/tickets/apply-bulk-action.ts'

const result = (ticketNumber: number, outcome: ItemResult['outcome'], code: string | null = null): ItemResult => ({
  item: { ticketId: `tkt_${ticketNumber}`, ticketNumber, version: 1, status: 'open', actions: [] },
  ...{ outcome, code, message: code, retryable: outcome === 'unknown' || outcome === 'failed' },
})

test('a bulk action that is completely done reports no problem', () => {
  expect(incompleteProblem([])).toBeUndefined()
  expect(incompleteProblem([result(1, 'applied'), result(2, 'no-op')])).toBeUndefined()
})

test('a partly done one names the tickets that are not done', () => {
  const results = [result(1, 'applied'), result(2, 'conflict', 'VERSION_CONFLICT'), result(3, 'failed', 'REMOTE_LOST')]
  expect(incompleteProblem(results)).toMatchObject({
    code: 'BATCH_PARTLY',
    message: 'Not everything is done: 1 changed in the meantime, 1 failed temporarily',
    detail: { conflict: 1, rejected: 0, failed: 1, unknown: 0 },
  })
})

test('an unknown outcome is looked up by the same command, unless the instance returns no comments', () => {
  const lost = result(1, 'unknown', 'REMOTE_LOST')
  const unseen = result(2, 'unknown', 'CANNOT_CONCLUDE')
  expect(incompleteProblem([lost, unseen])).toMatchObject({
    code: 'OUTCOME_UNKNOWN',
    message: expect.stringContaining('Run the same command again'),
    detail: { unknown: 2, unseen: ['#2'] },
  })
  const problem = incompleteProblem([unseen], newBulkCommand(['--filter', 'status=open stale=1h', '--new', '--apply']))
  expect(problem?.message).toContain('on: #2.')
  expect(problem?.message).toMatch(/countroom tickets bulk --filter ['"]status=open stale=1h['"] --apply --new$/)
  expect(newBulkCommand()).toBe('countroom tickets bulk --filter TERMS --new')
})
