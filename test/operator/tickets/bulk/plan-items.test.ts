import { expect, test } from 'vitest'
import { type BulkChange, planItems } from '../../../../src/operator/tickets/bulk/plan-items.ts'
import { aTicket } from '../a-ticket.ts'
import { parseMacro } from './parse-macro.ts'

const nothing: BulkChange = {
  status: undefined,
  comment: undefined,
  macroFile: null,
  visibility: 'internal',
  priority: undefined,
  assigneeId: undefined,
  until: undefined,
}

const ticketsApi = {
  form: async () => undefined,
  workflowOf: async () => ({ codes: ['open', 'resolved'], done: ['resolved'], knownBy: 'form' as const }),
}

test('plans the comment first and the snooze last, and no value that is set already', async () => {
  const order = { ...nothing, status: 'resolved', comment: { text: 'Paid' }, priority: 2, assigneeId: 'a1', until: 5 }
  const { items, leftOut } = await planItems(
    ticketsApi,
    [aTicket(1), aTicket(2, { assigneeId: 'a1', priority: 1 })],
    order,
  )
  expect(items.map(({ ticketId, actions }) => [ticketId, actions.map(({ kind }) => kind)])).toEqual([
    ['tkt_1', ['comment', 'assign', 'status', 'snooze']],
    ['tkt_2', ['comment', 'priority', 'status', 'snooze']],
  ])
  expect(leftOut).toEqual([])
})

test('skips tickets that need no change or do not allow it, with the reason', async () => {
  const tickets = [
    aTicket(1, { status: 'resolved' }),
    aTicket(2, { allowedTransitions: ['closed'] }),
    aTicket(0, { allowedTransitions: [] }),
    aTicket(3, { allowedTransitions: ['resolved'] }),
  ]
  const { items, leftOut } = await planItems(ticketsApi, tickets, { ...nothing, status: 'resolved' })
  expect(items.map(({ ticketNumber }) => ticketNumber)).toEqual([3])
  expect(leftOut.map(({ ticketNumber, why, text }) => [ticketNumber, why, text])).toEqual([
    [1, 'nothing-to-do', 'no change: already resolved'],
    [2, 'not-allowed', 'its workflow does not allow the status resolved'],
    [null, 'not-allowed', 'its workflow does not allow the status resolved'],
  ])
})

test('rejects a status that the workflow does not have, and an empty comment', async () => {
  await expect(planItems(ticketsApi, [aTicket(1)], { ...nothing, status: 'resolvd' })).rejects.toMatchObject({
    code: 'INVALID_STATUS',
    detail: { nearest: ['resolved'] },
  })
  await expect(planItems(ticketsApi, [aTicket(1)], { ...nothing, comment: { text: ' ' } })).rejects.toThrow(
    'The comment is empty',
  )
})

test('reports all tickets with an incomplete macro together, and names at most five', async () => {
  const macro = await parseMacro('hello: { default: "Dear {{customerDisplayName}}" }')
  const order = { ...nothing, comment: { macro } }
  const named = aTicket(9, { customerDisplayName: 'Amy' })
  const nameless = [1, 2, 3, 4, 5, 6].map((number) => aTicket(number))
  await expect(planItems(ticketsApi, [named], order)).resolves.toMatchObject({
    items: [{ actions: [{ kind: 'comment', content: 'Dear Amy' }] }],
  })
  await expect(planItems(ticketsApi, [named, ...nameless.slice(0, 1)], order)).rejects.toMatchObject({
    detail: { macro: 'hello', ticketId: 'tkt_1', missing: ['customerDisplayName'] },
  })
  const error = await planItems(ticketsApi, [...nameless, named], order).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ code: 'INVALID_USAGE', detail: { macro: 'hello' } })
  expect((error as { detail: { tickets: unknown[] } }).detail.tickets).toHaveLength(6)
  expect(String(error)).toMatch(/for 6 tickets: tkt_1: .* … and 1 more/)
  expect(String(error)).not.toContain('tkt_6')
})
