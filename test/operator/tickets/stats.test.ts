import { expect, test } from 'vitest'
import { ticketStats } from '../../../src/operator/tickets/stats.ts'
import { aTicket } from './a-ticket.ts'

const hour = 3_600_000

test('counts the tickets that are overdue, unassigned or wait for a reply, and finds the oldest', () => {
  const tickets = [
    aTicket(1, { createdAt: 10 * hour, assigneeId: 'a1', lastPublicAuthorType: 'agent' }),
    aTicket(2, { createdAt: 5 * hour, lastPublicAuthorType: 'customer' }),
    aTicket(3, { createdAt: 6 * hour, priority: 4, assigneeId: 'a1', lastPublicAuthorType: 'agent' }),
    aTicket(4, { createdAt: Number.NaN, lastPublicAuthorType: 'agent' }),
  ]
  expect(ticketStats(tickets, 9 * hour)).toEqual({
    ...{ open: 4, needsReply: 1, overdue: 1, unassigned: 2 },
    ...{ oldestMs: 4 * hour, oldestTicketId: 'tkt_2' },
  })
})

test('an empty queue has no oldest ticket, and a ticket of the future has no age', () => {
  expect(ticketStats([], 0)).toMatchObject({ open: 0, oldestMs: null, oldestTicketId: null })
  expect(ticketStats([aTicket(1, { createdAt: hour })], 0)).toMatchObject({ oldestMs: 0, oldestTicketId: 'tkt_1' })
})
