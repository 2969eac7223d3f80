import type { PlanItem } from '../../../../domain/tickets/bulk-plan.ts'
import { urgencyOf } from '../../../../domain/tickets/priority.ts'
import { openSuspects, type Suspects } from '../../../../operator/tickets/duplicate-candidates.ts'
import type { WholeDeskTicket } from '../../../../operator/tickets/parse.ts'
import { endPlan, movePlan } from '../../../../operator/tickets/plan-journal.ts'
import type { TicketDesk } from '../../../../operator/tickets/tickets-api.ts'
import { oneLine } from '../../../terminal/text.ts'
import { changedSince, differences } from '../changes.ts'
import { nameOfTicket, priorityName } from '../view.ts'
import { finishBegun, undo } from './apply.ts'
import { decide } from './decisions.ts'
import { keys, readOrGone, type Session, type SessionSummary } from './session.ts'
import { bodyOf } from './ticket-body.ts'

/** Number of tickets that are loaded in advance. */
const ahead = 5
/** Maximum age of a ticket loaded in advance. */
const freshMs = 10_000
/** Lays out the keys in columns. */
function helpText(width: number): string {
  const cell = Math.max(...keys.map((key) => key.length)) + 2
  const across = Math.max(1, Math.floor((width - 2) / cell))
  const rows = Array.from({ length: Math.ceil(keys.length / across) }, (_, i) =>
    keys.slice(i * across, (i + 1) * across),
  )
  return rows.map((row) => `  ${row.map((key) => key.padEnd(cell)).join('')}`.trimEnd()).join('\n')
}

export async function triage(session: Session): Promise<SessionSummary> {
  const { book, desk, keyboard, say, stop } = session
  let { queue } = session
  const { items } = queue
  const reads = new Map<string, { readonly at: number; readonly ticket: Promise<WholeDeskTicket | undefined> }>()
  const fetched = (index: number): Promise<WholeDeskTicket | undefined> => {
    const item = items[index]
    if (!item) return Promise.resolve(undefined)
    const at = performance.now()
    const before = reads.get(item.ticketId)
    // Another agent may have changed the ticket since it was loaded.
    const read =
      before !== undefined && at - before.at < freshMs ? before : { at, ticket: readOrGone(desk, item.ticketId) }
    reads.set(item.ticketId, read)
    read.ticket.catch(() => reads.delete(item.ticketId))
    return read.ticket
  }
  const finder = openSuspects(desk)
  const suspicions = new Map<string, Promise<Suspects>>()
  const suspectsOf = (ticket: WholeDeskTicket): Promise<Suspects> => {
    const known = suspicions.get(ticket.ticketId) ?? finder(ticket)
    suspicions.set(ticket.ticketId, known)
    // A failed load is tried again when the ticket is shown.
    known.catch(() => suspicions.delete(ticket.ticketId))
    return known
  }
  /** Searches duplicates in advance for the current and the next ticket. */
  const suspectAhead = (index: number) =>
    void fetched(index)
      .then((ticket) => (ticket && !stop.aborted ? suspectsOf(ticket) : undefined))
      .catch(() => {})
  const counts = { seen: 0, decided: 0, skipped: 0, undone: 0 }
  const ownNames = await ownNamesOf(session)
  const shown = (ticket: WholeDeskTicket, index: number, now: number, version: number | null, isWhole = false) =>
    show(session, ticket, `${index + 1}/${items.length}`, { now, version, isWhole, ownNames })
  let position = queue.position ?? 0
  await finishBegun(session)
  say(
    `${items.length - position} ${items.length - position === 1 ? 'ticket' : 'tickets, most urgent first'}. Press a key to act on each; ? for help.`,
  )

  for (; position < items.length && !stop.aborted; ) {
    for (let i = position; i <= position + ahead; i++) void fetched(i).catch(() => {})
    const item = items[position]
    if (!item) break
    let ticket = await fetched(position)
    const isDoneByOthers = ticket !== undefined && (await isDoneMeanwhile(desk, ticket, item))
    if (ticket === undefined) say(`${nameOfTicket(item)} no longer exists.`)
    else if (isDoneByOthers) {
      const [how] = changedSince(ticket, queue.madeAt)
        .filter((change) => change.startsWith('status'))
        .slice(-1)
      say(
        `${nameOfTicket(ticket)} was finished in the meantime and is skipped: ${oneLine(how ?? `it is ${ticket.status}`)}.`,
      )
      ticket = undefined
    } else counts.seen++
    if (ticket) shown(ticket, position, await session.now(), item.version)
    if (ticket) for (const index of [position, position + 1]) suspectAhead(index)
    let isOver = false
    while (ticket && !isOver) {
      const key = await keyboard.key()
      if (key === undefined || key === 'q' || stop.aborted) {
        queue = await movePlan(book, queue, position)
        return { ...counts, left: items.length - position }
      }
      if (key === '?' || key === 'h') {
        say(helpText(session.width()))
        continue
      }
      if (key === 'x') {
        shown(ticket, position, await session.now(), item.version, true)
        continue
      }
      if (key === 'n' || key === ' ') {
        counts.skipped++
        isOver = true
        continue
      }
      if (key === 'u') {
        const undone = await undo(session)
        if (undone === undefined) continue
        counts.undone++
        reads.delete(undone)
        const back = items.findIndex(({ ticketId }) => ticketId === undone)
        position = (back >= 0 ? back : position) - 1
        isOver = true
        continue
      }
      const done = await decide(session, ticket, key, suspectsOf)
      if (done === 'nothing') continue
      reads.delete(item.ticketId)
      if (done === 'done-with') {
        counts.decided++
        isOver = true
        continue
      }
      // After a decision, or a rejection because of a change by others, the ticket is shown again.
      if (done === 'stay') counts.decided++
      const before = ticket
      ticket = await fetched(position)
      if (!ticket) continue
      shown(ticket, position, await session.now(), ticket.version)
      if (done === 'look-again')
        say(
          [
            'The ticket changed since it was shown, so nothing was done. Differences:',
            ...differences(before, ticket).map((line) => `   ${oneLine(line)}`),
            'Decide again.',
          ].join('\n'),
        )
    }
    position++
    // Saved before the next ticket is shown: after a crash the session resumes with the next one.
    queue = await movePlan(book, queue, position)
  }
  if (position >= items.length) {
    await endPlan(book, queue.planId)
    say('No more tickets.')
  }
  return { ...counts, left: Math.max(0, items.length - position) }
}

/** Names under which the instance records the actions of this session: the actor's, and the agent's. */
async function ownNamesOf({ desk, actor }: Session): Promise<ReadonlySet<string>> {
  const me = desk.canChange ? await desk.me().catch(() => undefined) : undefined
  return new Set([actor ?? unnamed, ...(me ? [me.displayName] : [])])
}

/** Default name of an actor. */
const unnamed = 'API'

/** Returns whether somebody else finished the ticket since the queue was read. */
async function isDoneMeanwhile(desk: TicketDesk, ticket: WholeDeskTicket, item: PlanItem): Promise<boolean> {
  if (ticket.status === item.status) return false
  return (await desk.workflowOf(ticket)).done.includes(ticket.status)
}

/** Maximum number of changes shown per ticket. */
const mostChanges = 5

function show(
  { say, queue }: Session,
  ticket: WholeDeskTicket,
  place: string,
  {
    now,
    version: knownVersion,
    isWhole,
    ownNames,
  }: { now: number; version: number | null; isWhole: boolean; ownNames: ReadonlySet<string> },
): void {
  const { score, reasons } = urgencyOf(ticket, now)
  const who = [ticket.customerDisplayName, ticket.customerAccount, ticket.customerLanguage].filter(Boolean).join(', ')
  const changes = changedSince(ticket, queue.madeAt, ownNames)
  const shown = isWhole ? changes : changes.slice(-mostChanges)
  // If the history shows no other actor, this agent made the change.
  const isByOthers = ticket.history === null || changes.length > 0
  const isChanged = isByOthers && knownVersion !== null && ticket.version !== null && ticket.version !== knownVersion
  say(
    [
      '',
      `── ${place}  ${nameOfTicket(ticket)}  ${oneLine(ticket.title)}`,
      `   ${ticket.status}, ${priorityName(ticket.priority)}${ticket.assigneeName === null ? '' : `, ${oneLine(ticket.assigneeName)}`}${who === '' ? '' : `, from ${oneLine(who)}`}`,
      `   ${score} points: ${reasons.map(({ points, text }) => `${points} ${text}`).join(', ') || 'none'}`,
      ...(isChanged
        ? [
            `   Changed since the queue was read${changes.length > 0 ? `: ${oneLine([...(changes.length > shown.length ? [`… ${changes.length - shown.length} before`] : []), ...shown].join(', '))}` : ''}`,
          ]
        : []),
      ...bodyOf(ticket, isWhole),
    ].join('\n'),
  )
}
