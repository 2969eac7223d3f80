import { minuteText } from '../../../kit/moment.ts'
import type { FullTicket, RemoteChange } from '../../../operator/tickets/parse.ts'
import { priorityName } from './view.ts'

/** Descriptions of changes by others while a ticket was shown. */

/**
 * Returns who changed what since a time, by the ticket's history; empty if the instance has none. Changes in the same
 * instant are included, because a duplicate is better than a gap. Skips changes by `ownNames`.
 */
export function changedSince(ticket: FullTicket, since: number, ownNames: ReadonlySet<string> = new Set()): string[] {
  return (ticket.history ?? [])
    .filter(({ actorType, actorDisplayName: name }) => actorType === 'customer' || !ownNames.has(name ?? ''))
    .filter(({ at, kind }) => kind !== 'created' && at !== null && lastMsOf(at) >= since)
    .map((change) => `${changeText(ticket, change)} by ${change.actorDisplayName ?? 'unknown'}`)
}

/** Returns the last millisecond that a timestamp can mean: some instances write whole seconds. */
const lastMsOf = (at: string): number => Date.parse(at) + (at.includes('.') ? 0 : 999)

/** Describes a change. Unknown kinds are shown unchanged. */
function changeText(ticket: FullTicket, { kind, from, to }: RemoteChange): string {
  const agent = (id: string | null) => (id === ticket.assigneeId ? (ticket.assigneeName ?? id) : id)
  const priority = (value: string | null) => priorityName(Number(value))
  switch (kind) {
    case 'commentAdded':
      return to === 'public' ? 'public comment' : 'internal comment'
    case 'statusChanged':
      return `status ${from} → ${to}`
    case 'assigneeChanged':
      return to === null ? 'unassigned' : `assigned to ${agent(to)}`
    case 'priorityChanged':
      return `priority ${priority(from)} → ${priority(to)}`
    case 'snoozed':
      return to === null ? 'snooze ended' : `snoozed until ${readable(to)}`
    case 'fieldChanged':
      return `field ${from ?? 'empty'} → ${to ?? 'empty'}`
    default:
      return from === null && to === null ? kind : `${kind} ${from ?? 'empty'} → ${to ?? 'empty'}`
  }
}

/** Formats a time of an instance; another text stays as it is. */
const readable = (text: string): string => (Number.isNaN(Date.parse(text)) ? text : minuteText(Date.parse(text)))

const untilText = ({ snoozedUntil }: FullTicket): string | null =>
  snoozedUntil === null || Number.isNaN(snoozedUntil) ? null : minuteText(snoozedUntil)

/** Describes the differences of a ticket from its previous state. */
export function differences(was: FullTicket, is: FullTicket): string[] {
  const changes: string[] = []
  const add = (name: string, before: string | null, after: string | null) => {
    if (before !== after) changes.push(`${name}: ${before ?? 'none'} → ${after ?? 'none'}`)
  }
  add('status', was.status, is.status)
  add('priority', priorityName(was.priority), priorityName(is.priority))
  add('agent', was.assigneeName ?? was.assigneeId, is.assigneeName ?? is.assigneeId)
  add('snoozed until', untilText(was), untilText(is))
  add('title', was.title, is.title)
  if (was.description !== is.description) changes.push('description changed')
  const known = was.comments?.length ?? 0
  for (const { visibility, authorDisplayName, content } of (is.comments ?? []).slice(known))
    changes.push(
      `new ${visibility === 'public' ? 'public' : 'internal'} comment by ${authorDisplayName ?? 'unknown'}: ${content.split('\n')[0]}`,
    )
  for (const { fieldCode, value } of is.fieldValues) {
    const before = was.fieldValues.find((field) => field.fieldCode === fieldCode)
    add(`field ${fieldCode}`, before === undefined ? null : String(before.value), String(value))
  }
  return changes
}
