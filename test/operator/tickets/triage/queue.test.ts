import { expect, test } from 'vitest'
import { duplicatesIn, queueOf } from '../../../../src/operator/tickets/triage/queue.ts'
import { aTicket } from '../a-ticket.ts'

const tickets = [
  aTicket(1, { title: 'The card payment was declined twice' }),
  aTicket(2, { title: 'How do I change my address', createdAt: 1 }),
  aTicket(3, { title: 'The card payment was declined twice', createdAt: 2 }),
]

test('finds the earlier tickets that each ticket may duplicate', () => {
  expect(duplicatesIn(tickets, tickets)).toEqual([[], [], [{ ticketId: 'tkt_1', why: 'similar texts', likeness: 1 }]])
})

test('finds nothing if that takes too many comparisons, and reports that as unknown', () => {
  expect(duplicatesIn(tickets, tickets, 8)).toBeUndefined()
  expect(duplicatesIn(tickets, tickets, 9)).toHaveLength(3)
})

test('a queue has the tickets in order, without changes', () => {
  const plan = queueOf([aTicket(2, { version: null }), aTicket(1)], { planId: 'p', madeAt: 7 })
  expect(plan).toEqual({
    planId: 'p',
    madeAt: 7,
    items: [
      { ticketId: 'tkt_2', ticketNumber: 2, version: null, status: 'open', actions: [] },
      { ticketId: 'tkt_1', ticketNumber: 1, version: 1, status: 'open', actions: [] },
    ],
  })
})
