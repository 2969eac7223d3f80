/**
 * A ticket in simple rules from 3-chat-api and chat-shapes 1.4 to 1.6. Written from these pages, not from the program.
 */

export type Category = 'new' | 'open' | 'waiting' | 'resolved' | 'closed'

export interface ModelForm {
  readonly version: number
  readonly initialStatus: string
  readonly statuses: readonly { code: string; category: Category; active: boolean }[]
  readonly transitions: readonly { from: string; to: string; requiresComment: boolean }[] | null
  /** The status that a ticket enters only with the field `ref` filled. */
  readonly refOnStatus: string | null
}

export interface ModelTicket {
  number: number
  form: ModelForm
  title: string
  account: string | null
  hasRoom: boolean
  status: string
  priority: number
  ref: string | null
  version: number
  comments: { content: string; visibility: 'internal' | 'public'; authorType: 'customer' | 'agent' }[]
  history: string[]
  lastPublic: 'customer' | 'agent' | null
  snoozedUntil: string | null
  hasFirstResponse: boolean
  isResolved: boolean
  isClosed: boolean
  reopenCount: number
}

export const isDone = (category: Category) => category === 'resolved' || category === 'closed'

export function categoryOf(form: ModelForm, code: string): Category {
  const status = form.statuses.find((each) => each.code === code)
  if (!status) throw new Error(`the model has no status ${code}`)
  return status.category
}

/** 1.6: without a list any active code may follow any other; with one only its steps, `*` being any. */
export function stepIn(
  form: ModelForm,
  from: string,
  to: string,
): 'unknown' | 'same' | 'forbidden' | 'comment' | 'yes' {
  const target = form.statuses.find((each) => each.code === to)
  if (!target?.active) return 'unknown'
  if (from === to) return 'same'
  if (form.transitions === null) return 'yes'
  const step = form.transitions.find((each) => each.to === to && (each.from === '*' || each.from === from))
  if (!step) return 'forbidden'
  return step.requiresComment ? 'comment' : 'yes'
}

export const allowedFrom = (form: ModelForm, from: string): string[] =>
  form.statuses.map(({ code }) => code).filter((to) => ['comment', 'yes'].includes(stepIn(form, from, to)))

/** Sets the new status, its milestones and its history entry. A change from a finished status counts as a reopening. */
export function enter(ticket: ModelTicket, to: string): void {
  const [before, after] = [categoryOf(ticket.form, ticket.status), categoryOf(ticket.form, to)]
  if (isDone(before) && !isDone(after)) ticket.reopenCount++
  ticket.isResolved = isDone(after)
  ticket.isClosed = after === 'closed'
  ticket.history.push(`statusChanged ${ticket.status}>${to}`)
  ticket.status = to
}

export function wake(ticket: ModelTicket): void {
  if (ticket.snoozedUntil === null) return
  ticket.history.push(`snoozed ${ticket.snoozedUntil}>null`)
  ticket.snoozedUntil = null
}

/** 1.5: a first public comment of an agent is the first response. */
export function addComment(
  ticket: ModelTicket,
  content: string,
  visibility: 'internal' | 'public',
  authorType: 'customer' | 'agent',
): void {
  ticket.comments.push({ content, visibility, authorType })
  ticket.history.push(`commentAdded null>${visibility}`)
  if (visibility === 'internal') return
  ticket.lastPublic = authorType
  if (authorType === 'agent') ticket.hasFirstResponse = true
}

/**
 * docs/decisions: the newest waiting ticket of the room, else the newest open one; waiting ends if the workflow allows
 * it.
 */
export function answer(tickets: readonly ModelTicket[], account: string, text: string): void {
  const live = tickets
    .filter((each) => each.account === account && each.hasRoom && !isDone(categoryOf(each.form, each.status)))
    .sort((a, b) => b.number - a.number)
  const ticket = live.find((each) => categoryOf(each.form, each.status) === 'waiting') ?? live[0]
  if (!ticket) return
  ticket.version++
  addComment(ticket, text, 'public', 'customer')
  if (categoryOf(ticket.form, ticket.status) === 'waiting') {
    const next = allowedFrom(ticket.form, ticket.status).filter(
      (code) => ticket.ref !== null || ticket.form.refOnStatus !== code,
    )
    const to =
      next.find((code) => categoryOf(ticket.form, code) === 'open') ??
      next.find((code) => categoryOf(ticket.form, code) === 'new')
    if (to !== undefined) enter(ticket, to)
  }
  wake(ticket)
}
