import { describe, expect, test } from 'vitest'
import {
  actionText,
  type BulkItem,
  type CurrentTicket,
  isApplied,
  nextStep,
  type TriageAction,
  tally,
} from '../../../src/domain/tickets/bulk-action.ts'

const ticket: CurrentTicket = {
  ticketId: 't',
  version: 3,
  status: 'open',
  priority: 2,
  assigneeId: 'ann',
  snoozedUntil: 7,
}
const anItem = (more: Partial<BulkItem> = {}): BulkItem => ({
  ticketId: 't',
  ticketNumber: 1,
  version: 3,
  status: 'open',
  actions: [{ kind: 'status', status: 'resolved' }],
  ...more,
})
const stepOf = (item: BulkItem, now: CurrentTicket, done: readonly string[] = []) =>
  nextStep({ planId: 'p', madeAt: 0, items: [item] }, item, now, new Set(done)).step

describe('the state of a ticket compared with an action', () => {
  test.each<[TriageAction, boolean]>([
    [{ kind: 'status', status: 'open' }, true],
    [{ kind: 'status', status: 'closed' }, false],
    [{ kind: 'priority', priority: 2 }, true],
    [{ kind: 'priority', priority: 3 }, false],
    [{ kind: 'assign', assigneeId: 'ann' }, true],
    [{ kind: 'assign', assigneeId: 'bob' }, false],
    [{ kind: 'assign', assigneeId: null }, false],
    [{ kind: 'snooze', until: 7 }, true],
    [{ kind: 'snooze', until: 8 }, false],
    [{ kind: 'snooze', until: null }, false],
    [{ kind: 'comment', content: 'x', visibility: 'public' }, false],
  ])('%j: %s', (action, expected) => {
    expect(isApplied(action, ticket)).toBe(expected)
  })

  test('no change is left if all of it is applied', () => {
    expect(stepOf(anItem({ actions: [{ kind: 'status', status: 'open' }] }), ticket)).toBe('no-op')
    expect(stepOf(anItem({ actions: [] }), ticket)).toBe('no-op')
  })
})

describe('changes of a ticket since the plan was created', () => {
  test.each<[item: Partial<BulkItem>, now: Partial<CurrentTicket>, step: string]>([
    [{}, {}, 'do'],
    [{}, { version: 4 }, 'conflict'],
    // The same version is the same ticket, with any name of the status.
    [{}, { status: 'waiting' }, 'do'],
    // If either side has no version, the status decides.
    [{ version: null }, {}, 'do'],
    [{ version: null }, { status: 'waiting' }, 'conflict'],
    [{}, { version: null }, 'do'],
    [{}, { version: null, status: 'waiting' }, 'conflict'],
  ])('planned %j, now %j: %s', (item, now, step) => {
    expect(stepOf(anItem(item), { ...ticket, ...now })).toBe(step)
  })

  test('a conflict names both states, and the version only if there is one', () => {
    const item = anItem({ version: null })
    expect(nextStep({ planId: 'p', madeAt: 0, items: [] }, item, { ...ticket, status: 'waiting' }, new Set())).toEqual({
      step: 'conflict',
      planned: 'open',
      now: 'waiting (version 3)',
    })
  })

  test("the plan's own change is no conflict, even if only one of two actions was applied", () => {
    const item = anItem({
      actions: [
        { kind: 'priority', priority: 4 },
        { kind: 'status', status: 'resolved' },
      ],
    })
    expect(stepOf(item, { ...ticket, version: 4, priority: 4 }, ['p:t:0'])).toBe('do')
    expect(stepOf(item, { ...ticket, version: 4, priority: 4 }, ['p:other:0'])).toBe('conflict')
  })
})

test('a plan is complete when each part was applied or already had its value', () => {
  const none = { applied: 0, 'no-op': 0, conflict: 0, rejected: 0, failed: 0, unknown: 0 }
  expect(tally([])).toEqual({ ...none, isComplete: true })
  expect(tally(['applied', 'no-op', 'no-op'])).toEqual({ ...none, applied: 1, 'no-op': 2, isComplete: true })
  for (const outcome of ['conflict', 'rejected', 'failed', 'unknown'] as const) {
    expect(tally(['applied', outcome, outcome])).toEqual({ ...none, applied: 1, [outcome]: 2, isComplete: false })
  }
})

describe('an action in words', () => {
  const letters = (count: number) => 'ab'.repeat(count).slice(0, count)
  test.each<[TriageAction, string]>([
    [{ kind: 'status', status: 'closed' }, 'open → closed'],
    [{ kind: 'comment', content: 'Thanks', visibility: 'public' }, 'to the customer: Thanks'],
    [{ kind: 'comment', content: 'Seen\nby me', visibility: 'internal' }, 'note: Seen'],
    [{ kind: 'comment', content: letters(60), visibility: 'internal' }, `note: ${letters(60)}`],
    [{ kind: 'comment', content: letters(61), visibility: 'internal' }, `note: ${letters(60)}…`],
    [{ kind: 'priority', priority: 1 }, 'priority low'],
    [{ kind: 'priority', priority: 2 }, 'priority normal'],
    [{ kind: 'priority', priority: 3 }, 'priority high'],
    [{ kind: 'priority', priority: 4 }, 'priority urgent'],
    [{ kind: 'priority', priority: 9 }, 'priority 9'],
    [{ kind: 'assign', assigneeId: null }, 'to nobody'],
    [{ kind: 'assign', assigneeId: 'u1' }, 'to Ann'],
    [{ kind: 'assign', assigneeId: 'u2' }, 'to u2'],
    [{ kind: 'snooze', until: null }, 'awake'],
    [{ kind: 'snooze', until: 0 }, 'snoozed until 1970-01-01 00:00 UTC'],
  ])('%j: %s', (action, text) => {
    expect(actionText(action, 'open', new Map([['u1', 'Ann']]))).toBe(text)
  })
})
