import { expect, test } from 'vitest'
import { changedSince } from '../../../../src/cli/topics/tickets/changes.ts'
import { readTicket } from '../../../../src/operator/tickets/parse.ts'

test('changes since a time include that time, also on an instance that stores whole seconds', () => {
  const since = Date.parse('2026-03-01T10:00:00.400Z')
  const at = (moment: string) => {
    const change = { at: moment, kind: 'statusChanged', from: 'open', to: 'resolved', actorDisplayName: 'Bea' }
    const ticket = readTicket({ ticketId: 'T1', status: 'resolved', history: [change] })
    return ticket && changedSince(ticket, since)
  }
  const expected = ['status open → resolved by Bea']
  expect(at('2026-03-01T10:00:00.399Z')).toEqual([])
  expect(at('2026-03-01T10:00:00.400Z')).toEqual(expected)
  expect(at('2026-03-01T10:00:00Z')).toEqual(expected)
  expect(at('2026-03-01T09:59:59Z')).toEqual([])
})
