import { isSo, type PlannedTicket, type TriageAction } from './bulk-plan.ts'

/** What of a session's decisions on one ticket can be taken back, and why the rest cannot. */

/** One thing that was done, with what it changed as it was before. */
export interface DoneAction {
  readonly key: string
  readonly action: TriageAction
  readonly before: unknown
}

export interface TakenBack {
  /** What puts the ticket back. */
  readonly actions: readonly TriageAction[]
  /** The keys of what is taken back by it, and of what is so already. */
  readonly keys: readonly string[]
  readonly stays: readonly { readonly action: TriageAction; readonly why: Stay }[]
}

export type Stay = 'a-comment-stays' | 'changed-since' | 'not-allowed' | 'not-here'

/** A ticket as it is now, and what its workflow lets it become; null where the instance does not tell. */
export type UndoneTicket = PlannedTicket & { readonly allowedTransitions: readonly string[] | null }

/**
 * Puts each thing back to what it was before the first of the decisions, but only where it is still as the last of them
 * left it: what somebody did since is not ours to take back. A comment that was read stays read.
 */
export function takeBack(ticket: UndoneTicket, done: readonly DoneAction[], canChange: boolean): TakenBack {
  const actions: TriageAction[] = []
  const keys: string[] = []
  const stays: { action: TriageAction; why: Stay }[] = []
  for (const kind of ['assign', 'priority', 'status', 'snooze', 'comment'] as const) {
    const alike = done.filter(({ action }) => action.kind === kind)
    const [first] = alike
    const last = alike.at(-1)
    if (first === undefined || last === undefined) continue
    const leave = (why: Stay) => stays.push(...alike.map(({ action }) => ({ action, why })))
    const back = backwards(first.action, first.before)
    if (kind === 'comment' || back === undefined) leave('a-comment-stays')
    else if (isSo(back, ticket)) keys.push(...alike.map(({ key }) => key))
    else if (!isSo(last.action, ticket)) leave('changed-since')
    else if (back.kind !== 'status' && !canChange) leave('not-here')
    else if (back.kind === 'status' && ticket.allowedTransitions?.includes(back.status) === false) leave('not-allowed')
    else {
      actions.push(back)
      keys.push(...alike.map(({ key }) => key))
    }
  }
  return { actions, keys, stays }
}

/** What puts back what an action changed; nothing for a comment. */
export function backwards(action: TriageAction, was: unknown): TriageAction | undefined {
  if (action.kind === 'status' && typeof was === 'string') return { kind: 'status', status: was }
  if (action.kind === 'priority' && typeof was === 'number') return { kind: 'priority', priority: was }
  if (action.kind === 'assign') return { kind: 'assign', assigneeId: typeof was === 'string' ? was : null }
  if (action.kind === 'snooze') return { kind: 'snooze', until: typeof was === 'number' ? was : null }
  return undefined
}
