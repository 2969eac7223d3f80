import { expect, test } from 'vitest'
import { field, roomOf, ticketChanges } from '../../../../src/operator/tickets/rooms/events.ts'

const change = { id: 'e.1', event: 'ticket.updated', data: { ticketId: 'tkt_1', ticketNumber: 12, status: 'resolved' } }

test.each([
  [{}, true],
  [{ ticket: '12' }, true],
  [{ ticket: 'tkt_1' }, true],
  [{ ticket: '1' }, false],
  [{ status: 'resolved' }, true],
  [{ status: 'open' }, false],
  [{ ticket: '12', status: 'open' }, false],
])('the filter %j of ticket changes', (filter, isIncluded) => {
  expect(ticketChanges(filter)(change)).toBe(isIncluded)
  expect(ticketChanges(filter)({ ...change, event: 'room.updated' })).toBe(false)
})

test('the room of an event is its own or that of its message', () => {
  expect(roomOf({ roomId: 'r1', message: { roomId: 'r2' } })).toBe('r1')
  expect(roomOf({ message: { roomId: 'r2' } })).toBe('r2')
  expect([null, 'text', {}, { message: null }].map(roomOf)).toEqual([undefined, undefined, undefined, undefined])
  expect(field({ a: { b: 0 } }, 'a', 'b')).toBe(0)
})
