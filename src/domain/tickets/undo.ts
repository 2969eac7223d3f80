import { type CurrentTicket, isApplied, type TriageAction } from './bulk-action.ts'

/** Undo of a triage session's decisions on one ticket, with the reasons for what cannot be undone. */

/** An applied action, with the previous values of what it changed. */
export interface DoneAction {
  readonly key: string
  readonly action: TriageAction
  readonly before: unknown
}

export interface UndoActions {
  /** Actions that restore the ticket. */
  readonly actions: readonly TriageAction[]
  /** Keys of the actions they undo, and of those that are already undone. */
  readonly keys: readonly string[]
  readonly stays: readonly { readonly action: TriageAction; readonly reason: UndoObstacle }[]
}

export type UndoObstacle = 'a-comment-stays' | 'changed-since' | 'not-allowed' | 'not-here'

/** A ticket with the transitions its workflow allows; null if the instance does not provide them. */
export type UndoneTicket = CurrentTicket & { readonly allowedTransitions: readonly string[] | null }

/**
 * Returns the actions that restore each field to its value before the first decision, but only if it still has the value
 * of the last decision: later changes by others are kept. A comment cannot be undone.
 */
export function undoActionsFor(ticket: UndoneTicket, done: readonly DoneAction[], canChange: boolean): UndoActions {
  const actions: TriageAction[] = []
  const keys: string[] = []
  const stays: { action: TriageAction; reason: UndoObstacle }[] = []
  for (const kind of ['assign', 'priority', 'status', 'snooze', 'comment'] as const) {
    const sameKind = done.filter(({ action }) => action.kind === kind)
    const [first] = sameKind
    const last = sameKind.at(-1)
    if (first === undefined || last === undefined) continue
    const leave = (reason: UndoObstacle) => stays.push(...sameKind.map(({ action }) => ({ action, reason })))
    const back = backwards(first.action, first.before)
    if (kind === 'comment' || back === undefined) leave('a-comment-stays')
    else if (isApplied(back, ticket)) keys.push(...sameKind.map(({ key }) => key))
    else if (!isApplied(last.action, ticket)) leave('changed-since')
    else if (back.kind !== 'status' && !canChange) leave('not-here')
    else if (back.kind === 'status' && ticket.allowedTransitions?.includes(back.status) === false) leave('not-allowed')
    else {
      actions.push(back)
      keys.push(...sameKind.map(({ key }) => key))
    }
  }
  return { actions, keys, stays }
}

/** Returns the action that reverts another one; undefined for a comment. */
export function backwards(action: TriageAction, was: unknown): TriageAction | undefined {
  if (action.kind === 'status' && typeof was === 'string') return { kind: 'status', status: was }
  if (action.kind === 'priority' && typeof was === 'number') return { kind: 'priority', priority: was }
  if (action.kind === 'assign') return { kind: 'assign', assigneeId: typeof was === 'string' ? was : null }
  if (action.kind === 'snooze') return { kind: 'snooze', until: typeof was === 'number' ? was : null }
  return undefined
}
