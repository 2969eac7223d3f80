import { describe, expect, test } from 'vitest'
import type { TriageAction } from '../../../src/domain/tickets/bulk-action.ts'
import { backwards, type DoneAction, type UndoneTicket, undoActionsFor } from '../../../src/domain/tickets/undo.ts'

/** A ticket after the actions below. */
const ticket: UndoneTicket = {
  ticketId: 't',
  version: 9,
  status: 'resolved',
  priority: 4,
  assigneeId: 'bob',
  snoozedUntil: 50,
  allowedTransitions: ['open', 'closed'],
}
const done = (key: string, action: TriageAction, before: unknown): DoneAction => ({ key, action, before })
const comment = done('c', { kind: 'comment', content: 'x', visibility: 'public' }, undefined)
const assign = done('a', { kind: 'assign', assigneeId: 'bob' }, 'ann')
const priority = done('p', { kind: 'priority', priority: 4 }, 2)
const status = done('s', { kind: 'status', status: 'resolved' }, 'open')
const snooze = done('z', { kind: 'snooze', until: 50 }, 20)

describe('the inverse of an action', () => {
  test.each<[TriageAction, unknown, TriageAction | undefined]>([
    [status.action, 'open', { kind: 'status', status: 'open' }],
    [status.action, 2, undefined],
    [status.action, undefined, undefined],
    [priority.action, 2, { kind: 'priority', priority: 2 }],
    [priority.action, 'open', undefined],
    [assign.action, 'ann', { kind: 'assign', assigneeId: 'ann' }],
    [assign.action, null, { kind: 'assign', assigneeId: null }],
    [assign.action, 7, { kind: 'assign', assigneeId: null }],
    [snooze.action, 20, { kind: 'snooze', until: 20 }],
    [snooze.action, null, { kind: 'snooze', until: null }],
    [snooze.action, 'soon', { kind: 'snooze', until: null }],
    [comment.action, 'x', undefined],
    [comment.action, 2, undefined],
  ])('%j, before %j: %j', (action, was, expected) => {
    expect(backwards(action, was)).toEqual(expected)
  })
})

describe('undoing', () => {
  test('restores everything in one order, and keeps the comment', () => {
    expect(undoActionsFor(ticket, [comment, snooze, status, priority, assign], true)).toEqual({
      actions: [
        { kind: 'assign', assigneeId: 'ann' },
        { kind: 'priority', priority: 2 },
        { kind: 'status', status: 'open' },
        { kind: 'snooze', until: 20 },
      ],
      keys: ['a', 'p', 's', 'z'],
      stays: [{ action: comment.action, reason: 'a-comment-stays' }],
    })
  })

  test('kept changes are reported in the same order', () => {
    const elsewhere = { ...ticket, status: 'x', priority: 1, assigneeId: 'x', snoozedUntil: null }
    const { actions, keys, stays } = undoActionsFor(elsewhere, [comment, snooze, status, priority, assign], true)
    expect([actions, keys]).toEqual([[], []])
    expect(stays.map(({ action, reason }) => `${action.kind} ${reason}`)).toEqual([
      'assign changed-since',
      'priority changed-since',
      'status changed-since',
      'snooze changed-since',
      'comment a-comment-stays',
    ])
  })

  test('of several of a kind the first has the earlier value, and the last the required current one', () => {
    const first = done('p1', { kind: 'priority', priority: 3 }, 1)
    const between = done('p2', { kind: 'priority', priority: 2 }, 3)
    const last = done('p3', { kind: 'priority', priority: 4 }, 2)
    expect(undoActionsFor(ticket, [first, between, last], true)).toEqual({
      actions: [{ kind: 'priority', priority: 1 }],
      keys: ['p1', 'p2', 'p3'],
      stays: [],
    })
    expect(undoActionsFor({ ...ticket, priority: 3 }, [first, between, last], true).stays).toEqual(
      [first, between, last].map(({ action }) => ({ action, reason: 'changed-since' })),
    )
  })

  test('a value already restored counts as undone without an action', () => {
    expect(undoActionsFor({ ...ticket, priority: 2 }, [priority], false)).toEqual({
      actions: [],
      keys: ['p'],
      stays: [],
    })
  })

  test.each<
    [name: string, step: DoneAction, now: Partial<UndoneTicket>, canChange: boolean, reason: string | undefined]
  >([
    ['a priority where it can be changed', priority, {}, true, undefined],
    ['a priority where it cannot', priority, {}, false, 'not-here'],
    ['an assignment where it cannot', assign, {}, false, 'not-here'],
    ['a status where only that can be changed', status, {}, false, undefined],
    ['a status that the workflow lets follow', status, {}, true, undefined],
    ['a status that the workflow does not let follow', status, { allowedTransitions: ['closed'] }, true, 'not-allowed'],
    ['a status of an unknown workflow', status, { allowedTransitions: null }, true, undefined],
    ['a priority, in any workflow', priority, { allowedTransitions: [] }, true, undefined],
    ['a status with an unknown earlier value', done('s', status.action, null), {}, true, 'a-comment-stays'],
  ])('%s', (_, step, now, canChange, reason) => {
    const { actions, keys, stays } = undoActionsFor({ ...ticket, ...now }, [step], canChange)
    expect(stays).toEqual(reason === undefined ? [] : [{ action: step.action, reason }])
    expect([actions.length, keys.length]).toEqual(reason === undefined ? [1, 1] : [0, 0])
  })

  test('without actions there is nothing to undo', () => {
    expect(undoActionsFor(ticket, [], true)).toEqual({ actions: [], keys: [], stays: [] })
  })
})
