/**
 * Statuses of a ticket and the transitions between them (3-chat-api: codes are defined per form; the categories are
 * ours).
 */

export const statusCategories = ['new', 'open', 'waiting', 'resolved', 'closed'] as const
/** Category of a status code. Its name in a form does not matter. */
export type StatusCategory = (typeof statusCategories)[number]

export interface WorkflowStatus {
  readonly code: string
  readonly label: string
  readonly category: StatusCategory
  /** A code in use is never deleted, only deactivated. */
  readonly active?: boolean | undefined
}

export interface Transition {
  /** A status code, or `*` for any. */
  readonly from: string
  readonly to: string
  readonly requiresComment?: boolean | undefined
}

export interface Workflow {
  readonly initialStatus: string
  readonly statuses: readonly WorkflowStatus[]
  /** `null`: every transition is allowed. */
  readonly transitions: readonly Transition[] | null
}

/** Returns the active status codes in the order of the form. */
export function validCodes(workflow: Workflow): string[] {
  return workflow.statuses.filter(({ active }) => active !== false).map(({ code }) => code)
}

export function statusNamed(workflow: Workflow, code: string): WorkflowStatus | undefined {
  return workflow.statuses.find((status) => status.code === code)
}

/** Returns the codes that may follow a status. */
export function allowedTransitions(workflow: Workflow, from: string): string[] {
  return validCodes(workflow).filter((to) => to !== from && stepTo(workflow, from, to) !== undefined)
}

export type StatusStep =
  | { readonly step: 'same' }
  | { readonly step: 'unknown' }
  | { readonly step: 'forbidden' }
  | { readonly step: 'needs-comment' }
  | { readonly step: 'allowed'; readonly to: WorkflowStatus }

/** Checks a transition, and returns why it is refused. */
export function stepStatus(workflow: Workflow, from: string, to: string, hasComment: boolean): StatusStep {
  const target = validCodes(workflow).includes(to) ? statusNamed(workflow, to) : undefined
  if (!target) return { step: 'unknown' }
  if (from === to) return { step: 'same' }
  const transition = stepTo(workflow, from, to)
  if (!transition) return { step: 'forbidden' }
  if (transition.requiresComment && !hasComment) return { step: 'needs-comment' }
  return { step: 'allowed', to: target }
}

function stepTo({ transitions }: Workflow, from: string, to: string): Transition | undefined {
  if (transitions === null) return { from, to }
  return transitions.find((each) => (each.from === from || each.from === '*') && each.to === to)
}

/** Times of a ticket that follow from its status. */
export interface Milestones {
  readonly resolvedAt: number | null
  readonly closedAt: number | null
  readonly reopenCount: number
}

/**
 * Returns the times after a change of category: resolved and closed tickets are done, and leaving that is a reopening.
 */
export function afterStep(before: Milestones, from: StatusCategory, to: StatusCategory, at: number): Milestones {
  const wasDone = isDone(from)
  if (!isDone(to)) {
    return { resolvedAt: null, closedAt: null, reopenCount: before.reopenCount + (wasDone ? 1 : 0) }
  }
  return {
    resolvedAt: before.resolvedAt ?? at,
    closedAt: to === 'closed' ? (before.closedAt ?? at) : null,
    reopenCount: before.reopenCount,
  }
}

export function isDone(category: StatusCategory): boolean {
  return category === 'resolved' || category === 'closed'
}
