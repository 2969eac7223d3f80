import { expect, test } from 'vitest'
import type { BookTicketActionRow } from '../../../../src/db/schema/book.ts'
import type { TriageAction } from '../../../../src/domain/tickets/bulk-action.ts'
import { Problem } from '../../../../src/kit/problem.ts'
import type { ItemResult } from '../../../../src/operator/tickets/apply-bulk-action.ts'
import { planUndo, settledKeys, undoOutcome } from '../../../../src/operator/tickets/bulk/plan-undo.ts'
import { aWholeTicket } from '../a-ticket.ts'

const row = (key: string, ticketId: string, action: TriageAction, before: unknown): BookTicketActionRow => ({
  key,
  plan_id: 'plan',
  ticket_id: ticketId,
  action: JSON.stringify(action),
  before: JSON.stringify(before),
  state: 'done',
  reason: null,
  changed_at: 0,
})

const tickets = new Map([
  ['tkt_1', aWholeTicket(1, { status: 'resolved', priority: 4 })],
  ['tkt_2', aWholeTicket(2, { status: 'closed' })],
])
const ticketsApi = {
  canChange: true,
  read: async (ticketId: string) => {
    const ticket = tickets.get(ticketId)
    if (ticket) return ticket
    throw new Problem('NOT_FOUND', 'not found', { status: 404 })
  },
}

const resolved: TriageAction = { kind: 'status', status: 'resolved' }
const done = [
  row('k1', 'tkt_1', resolved, 'open'),
  row('k2', 'tkt_2', resolved, 'open'),
  row('k3', 'tkt_1', { kind: 'comment', content: 'Paid', visibility: 'public' }, 0),
  row('k4', 'tkt_3', resolved, 'open'),
]

test('plans the undo of each ticket once, by its current state', async () => {
  const read: number[] = []
  const undos = await planUndo(ticketsApi, done, (count) => read.push(count))
  expect(read).toEqual([1, 2, 3])
  expect(undos).toMatchObject([
    {
      item: { ticketId: 'tkt_1', status: 'resolved', actions: [{ kind: 'status', status: 'open' }] },
      keys: ['k1'],
      stays: [{ reason: 'a-comment-stays' }],
    },
    { item: { ticketId: 'tkt_2', actions: [] }, keys: [], stays: [{ reason: 'changed-since' }] },
    {
      item: { ticketId: 'tkt_3', ticketNumber: 0, status: '' },
      keys: [],
      stays: [{ action: resolved, reason: 'gone' }],
    },
  ])
})

test('fails with errors other than a missing ticket', async () => {
  const read = () => Promise.reject(new Problem('REMOTE_LOST', 'lost', { outcome: 'none' }))
  await expect(planUndo({ canChange: true, read }, done)).rejects.toMatchObject({ code: 'REMOTE_LOST' })
})

test('settles the actions of tickets that are restored, need nothing or keep their changes', async () => {
  const [restored, stays] = await planUndo(ticketsApi, done)
  if (!restored || !stays) throw new Error('two tickets have an undo')
  const result = (outcome: ItemResult['outcome']): ItemResult => ({
    item: restored.item,
    outcome,
    code: null,
    message: null,
    retryable: false,
  })
  expect(undoOutcome(restored, undefined, false)).toBe('planned')
  expect(undoOutcome(restored, undefined, true)).toBe('not-begun')
  expect(undoOutcome(restored, result('conflict'), true)).toBe('conflict')
  expect(undoOutcome(stays, undefined, true)).toBe('stays')
  expect(undoOutcome({ ...stays, stays: [] }, undefined, true)).toBe('no-op')
  expect(settledKeys(restored, 'applied')).toEqual(['k1'])
  expect(settledKeys(restored, 'no-op')).toEqual(['k1'])
  for (const outcome of ['conflict', 'unknown', 'not-begun', 'planned'] as const)
    expect(settledKeys(restored, outcome)).toEqual([])
})
