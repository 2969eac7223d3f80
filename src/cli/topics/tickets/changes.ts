import type { DeskChange, WholeDeskTicket } from '../../../operator/tickets/parse.ts'
import { priorityName } from './view.ts'

/** What others did to a ticket while somebody was looking at it, said so that it can be decided anew. */

/**
 * Who changed what since that moment, by the ticket's own history; nothing where the instance shows none. What happened
 * within the moment itself counts: told once too often is better than not told. Changes under one of `ownNames` are left out.
 */
export function changedSince(
  ticket: WholeDeskTicket,
  since: number,
  ownNames: ReadonlySet<string> = new Set(),
): string[] {
  return (ticket.history ?? [])
    .filter(({ actorType, actorDisplayName: name }) => actorType === 'customer' || !ownNames.has(name ?? ''))
    .filter(({ at, kind }) => kind !== 'created' && at !== null && lastMsOf(at) >= since)
    .map((change) => `${changeText(ticket, change)} by ${change.actorDisplayName ?? 'somebody'}`)
}

/** The last millisecond a written moment may mean: some instances write whole seconds. */
const lastMsOf = (at: string): number => Date.parse(at) + (at.includes('.') ? 0 : 999)

/** A change in words; one of a kind nobody here knows is told as it comes. */
function changeText(ticket: WholeDeskTicket, { kind, from, to }: DeskChange): string {
  const agent = (id: string | null) => (id === ticket.assigneeId ? (ticket.assigneeName ?? id) : id)
  const priority = (said: string | null) => priorityName(Number(said))
  switch (kind) {
    case 'commentAdded':
      return to === 'public' ? 'a text to the customer' : 'a note'
    case 'statusChanged':
      return `status ${from} → ${to}`
    case 'assigneeChanged':
      return to === null ? 'given to nobody' : `given to ${agent(to)}`
    case 'priorityChanged':
      return `priority ${priority(from)} → ${priority(to)}`
    case 'snoozed':
      return to === null ? 'woken up' : `put to sleep until ${to}`
    case 'fieldChanged':
      return `a field: ${from ?? 'nothing'} → ${to ?? 'nothing'}`
    default:
      return from === null && to === null ? kind : `${kind} ${from ?? 'nothing'} → ${to ?? 'nothing'}`
  }
}

/** How a ticket differs from how it was shown before. */
export function differences(was: WholeDeskTicket, is: WholeDeskTicket): string[] {
  const found: string[] = []
  const add = (name: string, before: string | null, after: string | null) => {
    if (before !== after) found.push(`${name}: ${before ?? 'none'} → ${after ?? 'none'}`)
  }
  add('status', was.status, is.status)
  add('priority', priorityName(was.priority), priorityName(is.priority))
  add('agent', was.assigneeName ?? was.assigneeId, is.assigneeName ?? is.assigneeId)
  add('asleep until', momentText(was.snoozedUntil), momentText(is.snoozedUntil))
  add('title', was.title, is.title)
  if (was.description !== is.description) found.push('description: another text')
  const known = was.comments?.length ?? 0
  for (const { visibility, authorDisplayName, content } of (is.comments ?? []).slice(known))
    found.push(
      `new ${visibility === 'public' ? 'text to the customer' : 'note'} by ${authorDisplayName ?? 'somebody'}: ${content.split('\n')[0]}`,
    )
  for (const { fieldCode, value } of is.fieldValues) {
    const before = was.fieldValues.find((field) => field.fieldCode === fieldCode)
    add(`field ${fieldCode}`, before === undefined ? null : String(before.value), String(value))
  }
  return found
}

function momentText(at: number | null): string | null {
  return at === null || Number.isNaN(at) ? null : new Date(at).toISOString()
}
