import { describe, expect, test } from 'vitest'
import {
  matchesFilter,
  needsReply,
  type Reason,
  type TriageFilter,
  type TriageTicket,
  urgencyOf,
} from '../../../src/domain/tickets/priority.ts'

const hour = 3_600_000
const now = 10_000 * hour

/** A ticket that was just answered, so that no reason applies. */
function quiet(more: Partial<TriageTicket> = {}): TriageTicket {
  return {
    ticketId: 't',
    ticketNumber: 1,
    title: '',
    description: '',
    status: 'open',
    statusCategory: 'open',
    priority: 1,
    customerAccount: null,
    assigneeId: null,
    createdAt: now,
    updatedAt: now,
    firstResponseAt: now,
    lastPublicAuthorType: 'agent',
    snoozedUntil: null,
    reopenCount: 0,
    ...more,
  }
}
const reason = (kind: Reason['kind'], more: Partial<TriageTicket>) => {
  const match = urgencyOf(quiet(more), now).reasons.find((each) => each.kind === kind)
  return match && [match.points, match.text]
}
const aged = (hours: number, priority = 1): Partial<TriageTicket> => ({ priority, createdAt: now - hours * hour })

describe('late', () => {
  test.each([
    [1, 72],
    [2, 24],
    [3, 8],
    [4, 2],
  ])('priority %i has %i hours: 40 points from then on, 100 at twice the time, and never more', (priority, target) => {
    const of = `over the target of ${target} h`
    expect(reason('overdue', aged(target, priority))).toBeUndefined()
    expect(reason('overdue', { priority, createdAt: now - target * hour - 1 })).toEqual([40, `0 min ${of}`])
    expect(reason('overdue', aged(1.5 * target, priority))?.[0]).toBe(70)
    expect(reason('overdue', aged(2 * target, priority))?.[0]).toBe(100)
    expect(reason('overdue', aged(3 * target, priority))?.[0]).toBe(100)
  })

  test.each([
    [0.5, '30 min'],
    [0.99, '59 min'],
    [1, '1 h'],
    [1.9, '1 h'],
    [47, '47 h'],
    [47.5, '47 h'],
    [48, '2 d'],
    [71, '2 d'],
    [72, '3 d'],
    [480, '20 d'],
  ])('by %d hours is shown as %s', (late, text) => {
    expect(reason('overdue', aged(2 + late, 4))?.[1]).toBe(`${text} over the target of 2 h`)
  })
})

test.each([
  [0, undefined],
  [1, undefined],
  [1.4, undefined],
  [2, [15, 'priority normal']],
  [3, [30, 'priority high']],
  [3.5, [45, 'priority urgent']],
  [4, [45, 'priority urgent']],
  [5, [45, 'priority urgent']],
])('priority %d: %j', (priority, expected) => {
  expect(reason('priority', { priority })).toEqual(expected)
})

test('a priority outside the four has the target of the nearest', () => {
  expect(reason('overdue', aged(144, 0))?.[0]).toBe(100)
  expect(reason('overdue', aged(4, 9))?.[0]).toBe(100)
})

test.each([
  [0, undefined],
  [1, [10, 'reopened once']],
  [2, [20, 'reopened 2 times']],
  [3, [30, 'reopened 3 times']],
  [4, [30, 'reopened 4 times']],
])('reopened %i times: %j', (reopenCount, expected) => {
  expect(reason('reopened', { reopenCount })).toEqual(expected)
})

test.each([
  [0.9, undefined],
  [1, [1, '1 h old']],
  [1.9, [1, '1 h old']],
  [23, [23, '23 h old']],
  [24, [24, '24 h old']],
  [25, [24, '25 h old']],
  [72, [24, '3 d old']],
  [-5, undefined],
])('waiting for %d hours: %j', (hours, expected) => {
  expect(reason('waiting', aged(hours))).toEqual(expected)
})

test.each<[Partial<TriageTicket>, boolean]>([
  [{ lastPublicAuthorType: null, firstResponseAt: null }, true],
  [{ lastPublicAuthorType: null, firstResponseAt: now }, false],
  [{ lastPublicAuthorType: 'agent', firstResponseAt: null }, false],
  [{ lastPublicAuthorType: 'customer', firstResponseAt: now }, true],
  [{ lastPublicAuthorType: 'customer', statusCategory: null }, true],
  [{ lastPublicAuthorType: 'customer', statusCategory: 'resolved' }, false],
  [{ lastPublicAuthorType: 'customer', statusCategory: 'waiting' }, true],
])('%j requires a reply: %s', (ticket, expected) => {
  expect(needsReply(quiet(ticket))).toBe(expected)
  expect(reason('needs-reply', ticket)?.[0]).toBe(expected ? 30 : undefined)
  expect(matchesFilter(quiet(ticket), { needsReply: true }, now)).toBe(expected)
})

test.each<[TriageFilter, Partial<TriageTicket>, boolean]>([
  [{ reopened: true }, { reopenCount: 0 }, false],
  [{ reopened: true }, { reopenCount: 1 }, true],
  [{ staleMs: 5 }, { updatedAt: now - 4 }, false],
  [{ staleMs: 5 }, { updatedAt: now - 5 }, true],
  [{ unassigned: true }, { assigneeId: null }, true],
  [{ assigneeId: 'x' }, { assigneeId: 'y' }, false],
  [{ includesSnoozed: true }, { snoozedUntil: now + 1 }, true],
  [{ includesSnoozed: true }, { snoozedUntil: null }, true],
  [{ snoozed: true }, { snoozedUntil: null }, false],
])('%j requires %j: %s', (filter, ticket, expected) => {
  expect(matchesFilter(quiet(ticket), filter, now)).toBe(expected)
})
