import { expect, test } from 'vitest'
import type { BulkItem } from '../../../../src/domain/tickets/bulk-action.ts'
import { bulkReport } from '../../../../src/operator/tickets/bulk/report.ts'

const item = (ticketNumber: number): BulkItem => ({
  ticketId: `tkt_${ticketNumber}`,
  ticketNumber,
  version: 1,
  status: 'open',
  actions: [{ kind: 'status', status: 'resolved' }],
})
const plan = { planId: 'plan', madeAt: 0, items: [item(1), item(0), item(3)] }
const about = { resumed: false, out: null, audit: null, titles: new Map([['tkt_1', 'Lost card']]) }

test('a preview counts nothing as done', () => {
  const report = bulkReport(plan, undefined, about)
  expect(report).toMatchObject({ applied: false, counts: { tickets: 3, applied: 0, notBegun: 0 }, leftOut: [] })
  expect(report.items.map(({ ticketNumber, title, outcome }) => [ticketNumber, title, outcome])).toEqual([
    [1, 'Lost card', 'planned'],
    [null, null, 'planned'],
    [3, null, 'planned'],
  ])
})

test('an applied one has the outcome of each ticket, and counts those that were not started', () => {
  const results = [
    { item: item(1), outcome: 'applied' as const, code: null, message: null, retryable: false },
    { item: item(0), outcome: 'conflict' as const, code: 'VERSION_CONFLICT', message: 'changed', retryable: false },
  ]
  const report = bulkReport(plan, results, { ...about, audit: 'audit.jsonl' })
  expect(report).toMatchObject({ applied: true, audit: 'audit.jsonl' })
  expect(report.counts).toEqual({
    ...{ tickets: 3, applied: 1, noOp: 0, conflict: 1 },
    ...{ rejected: 0, failed: 0, unknown: 0, notBegun: 1 },
  })
  expect(report.items.map(({ outcome, code }) => [outcome, code])).toEqual([
    ['applied', null],
    ['conflict', 'VERSION_CONFLICT'],
    ['not-begun', null],
  ])
})
