import type { BulkItem } from '../../../../domain/tickets/bulk-action.ts'
import { urgencyOf } from '../../../../domain/tickets/priority.ts'
import { type Stake, stakeText } from '../../../../domain/tickets/stake.ts'
import { countText } from '../../../../kit/text/count-text.ts'
import { endBulkAction, saveQueuePosition } from '../../../../operator/tickets/bulk-journal.ts'
import type { FullTicket } from '../../../../operator/tickets/parse.ts'
import type { TicketsApi } from '../../../../operator/tickets/tickets-api.ts'
import { PreloadedTickets } from '../../../../operator/tickets/triage/preloaded-tickets.ts'
import { oneLine } from '../../../terminal/text.ts'
import { changedSince, differences } from '../changes.ts'
import { nameOfTicket, priorityName } from '../view.ts'
import { finishBegun, undo } from './apply.ts'
import { decide } from './decisions.ts'
import { keys, type Session, type SessionSummary } from './session.ts'
import { bodyOf } from './ticket-body.ts'

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
  return new TriageLoop(session, await ownNamesOf(session)).run()
}

/** Effect of a key: the session ends, the next ticket is due, or the same one stays. */
type Turn = 'quit' | 'next' | 'stay'

/** A ticket on the screen, and the version that its decisions are based on. */
interface DisplayedTicket {
  readonly ticket: FullTicket
  readonly item: BulkItem
}

/** Shows the tickets of a queue one after another, and acts on keys. */
class TriageLoop {
  readonly #session: Session
  readonly #ownNames: ReadonlySet<string>
  readonly #tickets: PreloadedTickets
  readonly #counts = { seen: 0, decided: 0, skipped: 0, undone: 0 }
  #queue: Session['queue']
  #position: number

  constructor(session: Session, ownNames: ReadonlySet<string>) {
    this.#session = session
    this.#ownNames = ownNames
    this.#queue = session.queue
    this.#position = session.queue.position ?? 0
    this.#tickets = new PreloadedTickets(session)
  }

  get #left(): number {
    return Math.max(0, this.#queue.items.length - this.#position)
  }

  async run(): Promise<SessionSummary> {
    const { book, print, stop } = this.#session
    await finishBegun(this.#session)
    const left = this.#left
    print(`${countText(left, 'ticket', 'tickets, most urgent first')}. Press a key to act on each; ? for help.`)
    while (this.#left > 0 && !stop.aborted) {
      if ((await this.#oneTicket()) === 'quit') {
        this.#queue = await saveQueuePosition(book, this.#queue, this.#position)
        return { ...this.#counts, left: this.#left }
      }
      this.#position++
      // Saved before the next ticket is shown: after a crash the session resumes with the next one.
      this.#queue = await saveQueuePosition(book, this.#queue, this.#position)
    }
    if (this.#left === 0) {
      await endBulkAction(book, this.#queue.planId)
      print('No more tickets.')
    }
    return { ...this.#counts, left: this.#left }
  }

  /** Shows the ticket at the position and acts on keys until it is done with. */
  async #oneTicket(): Promise<Exclude<Turn, 'stay'>> {
    this.#tickets.preload(this.#position)
    const item = this.#queue.items[this.#position]
    let ticket = item && (await this.#openTicket(item))
    if (!item || !ticket) return 'next'
    this.#counts.seen++
    this.#show(ticket, item.version, await this.#session.now())
    this.#tickets.searchDuplicates(this.#position)
    while (ticket) {
      const key = await this.#session.keyboard.key()
      if (key === undefined || key === 'q' || this.#session.stop.aborted) return 'quit'
      const turn = await this.#act(key, { ticket, item })
      if (typeof turn === 'string') {
        if (turn !== 'stay') return turn
        continue
      }
      ticket = turn.ticket
    }
    return 'next'
  }

  /** Returns the ticket of an item, unless it is gone or another agent finished it. */
  async #openTicket(item: BulkItem): Promise<FullTicket | undefined> {
    const { ticketsApi, print } = this.#session
    const ticket = await this.#tickets.at(this.#position)
    if (ticket === undefined) {
      print(`${nameOfTicket(item)} no longer exists.`)
      return undefined
    }
    if (!(await isDoneMeanwhile(ticketsApi, ticket, item))) return ticket
    const [lastChange] = changedSince(ticket, this.#queue.madeAt)
      .filter((change) => change.startsWith('status'))
      .slice(-1)
    print(
      `${nameOfTicket(ticket)} was finished in the meantime and is skipped: ${oneLine(lastChange ?? `it is ${ticket.status}`)}.`,
    )
    return undefined
  }

  /** Acts on a key. Returns the ticket as it is now if the key may have changed it. */
  async #act(
    key: string,
    { ticket, item }: DisplayedTicket,
  ): Promise<Turn | { readonly ticket: FullTicket | undefined }> {
    const { print, width, now } = this.#session
    switch (key) {
      case '?':
      case 'h':
        print(helpText(width()))
        return 'stay'
      case 'x':
        this.#show(ticket, item.version, await now(), true)
        return 'stay'
      case 'n':
      case ' ':
        this.#counts.skipped++
        return 'next'
      case 'u':
        return this.#undo()
      default:
        return this.#decide(key, { ticket, item })
    }
  }

  /** Undoes the last decision, and goes back to its ticket. */
  async #undo(): Promise<Turn> {
    const undone = await undo(this.#session)
    if (undone === undefined) return 'stay'
    this.#counts.undone++
    this.#tickets.remove(undone)
    const back = this.#queue.items.findIndex(({ ticketId }) => ticketId === undone)
    this.#position = (back >= 0 ? back : this.#position) - 1
    return 'next'
  }

  async #decide(
    key: string,
    { ticket: before, item }: DisplayedTicket,
  ): Promise<Turn | { readonly ticket: FullTicket | undefined }> {
    const { print, now } = this.#session
    const done = await decide(this.#session, before, key, (ticket) => this.#tickets.suspectsOf(ticket))
    if (done === 'nothing') return 'stay'
    this.#tickets.remove(item.ticketId)
    if (done !== 'look-again') this.#counts.decided++
    if (done === 'done-with') return 'next'
    // After a decision, or a rejection because of a change by others, the ticket is shown again.
    const ticket = await this.#tickets.at(this.#position)
    if (!ticket) return { ticket }
    this.#show(ticket, ticket.version, await now())
    if (done === 'look-again')
      print(
        [
          'The ticket changed since it was shown, so nothing was done. Differences:',
          ...differences(before, ticket).map((line) => `   ${oneLine(line)}`),
          'Decide again.',
        ].join('\n'),
      )
    return { ticket }
  }

  #show(ticket: FullTicket, version: number | null, now: number, isWhole = false): void {
    const progress = `${this.#position + 1}/${this.#queue.items.length}`
    show(this.#session, ticket, progress, { now, version, isWhole, ownNames: this.#ownNames })
  }
}

/** Names under which the instance records the actions of this session: the actor's, and the agent's. */
async function ownNamesOf({ ticketsApi, actor }: Session): Promise<ReadonlySet<string>> {
  const me = ticketsApi.canChange ? await ticketsApi.me().catch(() => undefined) : undefined
  return new Set([actor ?? unnamed, ...(me ? [me.displayName] : [])])
}

/** Default name of an actor. */
const unnamed = 'API'

/** Returns whether another agent finished the ticket since the queue was read. */
async function isDoneMeanwhile(ticketsApi: TicketsApi, ticket: FullTicket, item: BulkItem): Promise<boolean> {
  if (ticket.status === item.status) return false
  return (await ticketsApi.workflowOf(ticket)).done.includes(ticket.status)
}

/** Describes the origin of an open amount. */
function stakeOrigin({ breaks, transfers, source }: Stake): string {
  if (source === 'ticket') return 'as stated in the ticket'
  const parts = [
    ...(breaks > 0 ? [countText(breaks, 'open break')] : []),
    ...(transfers > 0 ? [`${countText(transfers, 'transfer')} with an unknown outcome`] : []),
  ]
  return parts.join(', ')
}

/** Maximum number of changes shown per ticket. */
const maxChanges = 5

function show(
  { print, queue, stakes }: Session,
  ticket: FullTicket,
  progress: string,
  {
    now,
    version: knownVersion,
    isWhole,
    ownNames,
  }: { now: number; version: number | null; isWhole: boolean; ownNames: ReadonlySet<string> },
): void {
  const { score, reasons } = urgencyOf(ticket, now)
  const customer = [ticket.customerDisplayName, ticket.customerAccount, ticket.customerLanguage]
    .filter(Boolean)
    .join(', ')
  const stake = stakes(ticket)
  const changes = changedSince(ticket, queue.madeAt, ownNames)
  const shown = isWhole ? changes : changes.slice(-maxChanges)
  // If the history shows no other actor, this agent made the change.
  const isByOthers = ticket.history === null || changes.length > 0
  const isChanged = isByOthers && knownVersion !== null && ticket.version !== null && ticket.version !== knownVersion
  print(
    [
      '',
      `── ${progress}  ${nameOfTicket(ticket)}  ${oneLine(ticket.title)}`,
      `   ${ticket.status}, ${priorityName(ticket.priority)}${ticket.assigneeName === null ? '' : `, ${oneLine(ticket.assigneeName)}`}${customer === '' ? '' : `, from ${oneLine(customer)}`}`,
      `   ${score} points: ${reasons.map(({ points, text }) => `${points} ${text}`).join(', ') || 'none'}`,
      ...(stake ? [`   At stake: ${oneLine(stakeText(stake))} (${stakeOrigin(stake)})`] : []),
      ...(isChanged
        ? [
            `   Changed since the queue was read${changes.length > 0 ? `: ${oneLine([...(changes.length > shown.length ? [`… ${changes.length - shown.length} before`] : []), ...shown].join(', '))}` : ''}`,
          ]
        : []),
      ...bodyOf(ticket, isWhole),
    ].join('\n'),
  )
}
