import { actionText, type PlanItem, type TriageAction, type TriagePlan } from '../../../../domain/tickets/bulk-plan.ts'
import { judge } from '../../../../domain/tickets/priority.ts'
import { backwards } from '../../../../domain/tickets/undo.ts'
import { stepStatus } from '../../../../domain/tickets/workflow.ts'
import { isProblem } from '../../../../kit/problem.ts'
import type { Book } from '../../../../operator/book/book.ts'
import { carryOut, type ItemResult } from '../../../../operator/tickets/apply-plan.ts'
import type { Audit } from '../../../../operator/tickets/audit-log.ts'
import { openSuspects, type Suspects } from '../../../../operator/tickets/duplicate-candidates.ts'
import type { WholeDeskTicket } from '../../../../operator/tickets/parse.ts'
import {
  actionsOf,
  endPlan,
  keepPlan,
  latestDone,
  movePlan,
  openPlan,
  orderOfSession,
  orderOfUndo,
  settleActions,
} from '../../../../operator/tickets/plan-journal.ts'
import type { DeskRooms } from '../../../../operator/tickets/rooms-api.ts'
import type { DeskAgent, TicketDesk } from '../../../../operator/tickets/tickets-api.ts'
import { durationMs } from '../../../arguments/moments.ts'
import type { Keyboard } from '../../../terminal/keyboard.ts'
import { oneLine } from '../../../terminal/text.ts'
import { agentFrom } from '../../chat/agent-name.ts'
import { letPass, type Phrasebook, textFor } from '../../chat/outgoing-text.ts'
import { isTakenBack, takenBackText } from '../../chat/undo-window.ts'
import { changedSince, differences } from '../changes.ts'
import { nameOfTicket, priorityName, priorityNames } from '../view.ts'
import { choice, type Decided, notHere, nothing } from './prompts.ts'
import { openRoom } from './room-panel.ts'
import { bodyOf } from './ticket-body.ts'

/** Going through a queue of tickets, one key each. What is decided goes through the same journal as a bulk order. */

export interface Session {
  readonly desk: TicketDesk
  readonly rooms: DeskRooms
  readonly book: Book
  /** The queue, and how far it was gone through. */
  readonly queue: TriagePlan
  readonly target: string
  readonly keyboard: Keyboard
  readonly phrases: Phrasebook
  readonly actor: string | undefined
  readonly audit?: Audit
  readonly stop: AbortSignal
  readonly makeId: () => string
  readonly now: () => Promise<number>
  readonly say: (text: string) => void
  /** How wide the screen is at this moment. */
  readonly width: () => number
  /** How long a public text can still be taken back. */
  readonly takeBackMs: number
}

export interface SessionSummary {
  readonly seen: number
  readonly decided: number
  readonly skipped: number
  readonly undone: number
  readonly left: number
}

/** How many of the next tickets are read ahead, so that none has to be waited for. */
const ahead = 5
/** How long what was read ahead is good for. */
const freshMs = 10_000
const keys = [
  's status',
  'c internal note',
  'r reply to the customer',
  'm macro',
  'p priority',
  'a whose it is',
  'z sleep',
  'd duplicate of another',
  'o the room: read, answer',
  'x all of it: every line and comment',
  'u undo',
  'n or space: skip',
  'q quit, and go on later',
] as const

/** The keys in as many columns as the screen has room for. */
function helpText(width: number): string {
  const cell = Math.max(...keys.map((key) => key.length)) + 2
  const across = Math.max(1, Math.floor((width - 2) / cell))
  const rows = Array.from({ length: Math.ceil(keys.length / across) }, (_, i) =>
    keys.slice(i * across, (i + 1) * across),
  )
  return rows.map((row) => `  ${row.map((key) => key.padEnd(cell)).join('')}`.trimEnd()).join('\n')
}

/** The name under which the decisions of a session are kept, so that a crash between deciding and doing is made good. */
const orderOf = (queue: TriagePlan): string => orderOfSession(queue.planId)

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
    // Read ahead of a ticket that was long looked at, it may have been somebody else's work meanwhile.
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
    // What failed is asked for again the next time.
    known.catch(() => suspicions.delete(ticket.ticketId))
    return known
  }
  /** Looked for ahead, for the ticket that is shown and the one after it. */
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
    `${items.length - position} ${items.length - position === 1 ? 'ticket' : 'tickets, the most urgent first'}. One key each; ? shows them.`,
  )

  for (; position < items.length && !stop.aborted; ) {
    for (let i = position; i <= position + ahead; i++) void fetched(i).catch(() => {})
    const item = items[position]
    if (!item) break
    let ticket = await fetched(position)
    const isDoneByOthers = ticket !== undefined && (await isDoneMeanwhile(desk, ticket, item))
    if (ticket === undefined) say(`${nameOfTicket(item)} is gone.`)
    else if (isDoneByOthers) {
      const [how] = changedSince(ticket, queue.madeAt)
        .filter((change) => change.startsWith('status'))
        .slice(-1)
      say(
        `${nameOfTicket(ticket)} was done meanwhile, and is passed over: ${oneLine(how ?? `it is ${ticket.status}`)}.`,
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
      // Decided, or refused because somebody changed it meanwhile: it is looked at anew.
      if (done === 'stay') counts.decided++
      const before = ticket
      ticket = await fetched(position)
      if (!ticket) continue
      shown(ticket, position, await session.now(), ticket.version)
      if (done === 'look-again')
        say(
          [
            'Somebody changed it since you saw it; nothing of yours was done. What is different:',
            ...differences(before, ticket).map((line) => `   ${oneLine(line)}`),
            'Decide anew.',
          ].join('\n'),
        )
    }
    position++
    // Before the next is shown: a crash from here on goes on with the next.
    queue = await movePlan(book, queue, position)
  }
  if (position >= items.length) {
    await endPlan(book, queue.planId)
    say('That was the last of them.')
  }
  return { ...counts, left: Math.max(0, items.length - position) }
}

/** The names under which an instance records what this session does: the actor's, and the agent's for what only agents can do. */
async function ownNamesOf({ desk, actor }: Session): Promise<ReadonlySet<string>> {
  const me = desk.canChange ? await desk.me().catch(() => undefined) : undefined
  return new Set([actor ?? unnamed, ...(me ? [me.displayName] : [])])
}

/** The name of whoever gives none. */
const unnamed = 'API'

/** Whether somebody else finished it since the queue was read: two who go through one queue do not look at each other's work. */
async function isDoneMeanwhile(desk: TicketDesk, ticket: WholeDeskTicket, item: PlanItem): Promise<boolean> {
  if (ticket.status === item.status) return false
  return (await desk.workflowOf(ticket)).done.includes(ticket.status)
}

async function readOrGone(desk: TicketDesk, ticketId: string): Promise<WholeDeskTicket | undefined> {
  try {
    return await desk.read(ticketId)
  } catch (error) {
    if (isProblem(error) && error.detail['status'] === 404) return undefined
    throw error
  }
}

/** How many colleagues are offered by a key each: with oneself, nobody and the rest there are nine keys. */
const mostNamed = 6

/** How many of a ticket's changes are told at most. */
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
  const { score, reasons } = judge(ticket, now)
  const who = [ticket.customerDisplayName, ticket.customerAccount, ticket.customerLanguage].filter(Boolean).join(', ')
  const changes = changedSince(ticket, queue.madeAt, ownNames)
  const shown = isWhole ? changes : changes.slice(-mostChanges)
  // By a history that shows nothing of others, it was this agent who changed it.
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

async function decide(
  session: Session,
  ticket: WholeDeskTicket,
  key: string,
  suspectsOf: Suspecting,
): Promise<Decided> {
  const { say, desk, keyboard } = session
  try {
    switch (key) {
      case 's':
        return await decideStatus(session, ticket)
      case 'c': {
        const content = await keyboard.line('Note:')
        if (content === undefined || content === '') return nothing(say)
        return await act(session, ticket, [{ kind: 'comment', content, visibility: 'internal' }], 'stay')
      }
      case 'r': {
        const content = await keyboard.line('To the customer:')
        return content === undefined || content === '' ? nothing(say) : await replyWith(session, ticket, content)
      }
      case 'm':
        return await decideMacro(session, ticket)
      case 'p': {
        if (!desk.canChange) return notHere(say)
        const priority = await choice(session, 'Priority', priorityNames)
        if (priority === undefined) return nothing(say)
        return await act(session, ticket, [{ kind: 'priority', priority: priority + 1 }], 'stay')
      }
      case 'a':
        return desk.canChange ? await decideAgent(session, ticket) : notHere(say)
      case 'z':
        return await decideSleep(session, ticket)
      case 'd':
        return await decideDuplicate(session, ticket, suspectsOf)
      case 'o':
        return await openRoom(session, ticket)
      default:
        say('No such key. ? shows them.')
        return 'nothing'
    }
  } catch (error) {
    if (!isProblem(error) || error.detail['status'] === 401) throw error
    say(`Not done: ${error.message} (${error.code})`)
    return 'nothing'
  }
}

async function decideStatus(session: Session, ticket: WholeDeskTicket): Promise<Decided> {
  const { desk, say, keyboard } = session
  const workflow = await desk.workflowOf(ticket)
  const codes = ticket.allowedTransitions ?? workflow.codes.filter((code) => code !== ticket.status)
  const chosen = await choice(session, 'Status', codes)
  const status = chosen === undefined ? undefined : codes[chosen]
  if (status === undefined) return nothing(say)
  const isSilent = workflow.done.includes(status) && ticket.lastPublicAuthorType !== 'agent'
  const form = ticket.formCode === null ? undefined : await desk.form(ticket.formCode)
  const wantsNote = form && stepStatus(form.workflow, ticket.status, status, false).step === 'needs-comment'
  if (!isSilent && !wantsNote) return act(session, ticket, [{ kind: 'status', status }], 'done-with')
  const asked = isSilent ? `${status} without a reply` : `Its workflow wants a note with ${status}`
  const why = await keyboard.line(`${asked}. Why (for the house):`)
  if (why === undefined || why === '') return nothing(say)
  return act(
    session,
    ticket,
    [
      { kind: 'comment', content: why, visibility: 'internal' },
      { kind: 'status', status },
    ],
    'done-with',
  )
}

/** Gives the ticket to oneself, to nobody, or to a colleague by name or id. */
async function decideAgent(session: Session, ticket: WholeDeskTicket): Promise<Decided> {
  const { desk, say, keyboard } = session
  const [me, agents] = await Promise.all([desk.me(), desk.agents()])
  const others = (agents ?? []).filter(({ agentId }) => agentId !== me?.agentId)
  // As many colleagues as there are keys for; a larger desk is asked by name.
  const named = others.length <= mostNamed ? others : []
  const options: { name: string; agent: DeskAgent | null | 'ask' }[] = [
    ...(me ? [{ name: `me (${me.displayName})`, agent: me }] : []),
    { name: 'nobody', agent: null },
    ...named.map((agent) => ({ name: agent.displayName, agent })),
    ...(named.length < others.length || agents === undefined ? [{ name: 'somebody else', agent: 'ask' as const }] : []),
  ]
  const chosen = await choice(
    session,
    'Whose',
    options.map(({ name }) => name),
  )
  let agent = chosen === undefined ? undefined : options[chosen]?.agent
  if (agent === 'ask') {
    const said = await keyboard.line(agents === undefined ? 'Agent (id):' : 'Agent (name or id):')
    agent = said === undefined || said === '' ? undefined : await agentFrom(said, desk)
  }
  if (agent === undefined) return nothing(say)
  const assigneeId = agent?.agentId ?? null
  if (assigneeId === ticket.assigneeId) {
    say(agent === null ? 'It is nobody’s already.' : `It is with ${agent.displayName} already.`)
    return 'nothing'
  }
  return act(session, ticket, [{ kind: 'assign', assigneeId }], 'stay', {
    told: agent === null ? 'with nobody' : `with ${agent.displayName}`,
  })
}

async function decideMacro(session: Session, ticket: WholeDeskTicket): Promise<Decided> {
  const { phrases, say } = session
  if (phrases.macros.length === 0) {
    say('There are no macros: put some into macros.yaml among the settings.')
    return 'nothing'
  }
  const chosen = await choice(
    session,
    'Macro',
    phrases.macros.map(({ name }) => name),
  )
  const macro = chosen === undefined ? undefined : phrases.macros[chosen]
  return macro === undefined
    ? nothing(say)
    : replyWith(session, ticket, await textFor({ macro }, ticket, session.desk, phrases.file))
}

/** A public text is looked at, shown as it will arrive, asked about, and can be taken back for some seconds. */
async function replyWith(session: Session, ticket: WholeDeskTicket, content: string): Promise<Decided> {
  const { say, keyboard, phrases, takeBackMs } = session
  if (!(await letPass(content, phrases, session))) return nothing(say)
  say(
    `To ${oneLine(ticket.customerDisplayName ?? ticket.customerAccount ?? 'the customer')} (${oneLine(ticket.customerLanguage ?? 'language unknown')}), as it will arrive:\n\n${content}\n\nSend it? y sends, any other key does not.`,
  )
  if ((await keyboard.key()) !== 'y') return nothing(say)
  if (await isTakenBack(keyboard, say, { ms: takeBackMs, stop: session.stop })) {
    say(`${takenBackText}.`)
    return 'nothing'
  }
  return act(session, ticket, [{ kind: 'comment', content, visibility: 'public' }], 'stay')
}

async function decideSleep(session: Session, ticket: WholeDeskTicket): Promise<Decided> {
  const { desk, keyboard, say } = session
  if (!desk.canChange) return notHere(say)
  const said = await keyboard.line('Sleep for (such as 24h):')
  const ms = said === undefined ? undefined : durationMs(said)
  if (ms === undefined) return nothing(say)
  const why = await keyboard.line('Why:')
  if (why === undefined || why === '') return nothing(say)
  return act(
    session,
    ticket,
    [
      { kind: 'comment', content: `Asleep for ${said}: ${why}`, visibility: 'internal' },
      { kind: 'snooze', until: (await session.now()) + ms },
    ],
    'done-with',
  )
}

/** How many possible originals are shown. */
const mostSuspects = 9
type Suspecting = (ticket: WholeDeskTicket) => Promise<Suspects>

const quoted = (words: readonly string[]): string => words.map((word) => `"${oneLine(word)}"`).join(', ')

/** Among how many it was looked, so that none found is not taken for none there. */
function lookedText({ suspects, looked, total, words }: Suspects, shown: number): string {
  const rest = suspects.length - shown
  const more = suspects.length === 0 ? 'Nothing like it was found. ' : rest > 0 ? `${rest} more may be the same. ` : ''
  const others = total === null ? null : Math.max(0, total - 1)
  if (others !== null && looked >= others) return `${more}Looked at all other tickets (${looked}).`
  const ways = ['the latest', 'the customer’s own', ...(words.length > 0 ? [`those with ${quoted(words)}`] : [])]
  const among = others === null ? `${looked} other tickets` : `${looked} of ${others} other tickets`
  return `${more}Looked at ${among} (${ways.join(', ')}); there may be more.`
}

/** Marks a ticket as another's duplicate: a note on each that names the other, and this one is closed. */
async function decideDuplicate(session: Session, ticket: WholeDeskTicket, suspectsOf: Suspecting): Promise<Decided> {
  const { desk, say, keyboard } = session
  const found = await suspectsOf(ticket)
  const suspects = found.suspects.slice(0, mostSuspects)
  for (const { ticket: other, why, likeness } of suspects)
    say(`   ${nameOfTicket(other)}  ${oneLine(other.title)}  (${why}, ${Math.round(likeness * 100)} % alike)`)
  say(`   ${lookedText(found, suspects.length)}`)
  const said = await keyboard.line('Duplicate of (number or id):')
  if (said === undefined || said === '') return nothing(say)
  const original = await readOrGone(desk, said.replace(/^#/, ''))
  if (!original || original.ticketId === ticket.ticketId) {
    say(`There is no other ticket ${said}.`)
    return 'nothing'
  }
  const { done } = await desk.workflowOf(ticket)
  const status = done.find((code) => ticket.allowedTransitions?.includes(code) ?? code !== ticket.status)
  if (status === undefined) {
    say('Its workflow has no state to close it with.')
    return 'nothing'
  }
  const why = await keyboard.line('Why (for the house):')
  if (why === undefined || why === '') return nothing(say)
  const { ticketId, ticketNumber, version } = original
  const crossLink = `Also reported as ${nameOfTicket(ticket)}: ${why}`
  return act(
    session,
    ticket,
    [
      { kind: 'comment', content: `Duplicate of ${nameOfTicket(original)}: ${why}`, visibility: 'internal' },
      { kind: 'status', status },
    ],
    'done-with',
    {
      // In one plan, so that a crash between the two is made good; and only after the first was done.
      then: {
        ticketId,
        ticketNumber,
        version,
        status: original.status,
        actions: [{ kind: 'comment', content: crossLink, visibility: 'internal' }],
      },
    },
  )
}

/** Does something to a ticket through the journal, and says how it went. */
async function act(
  session: Session,
  ticket: WholeDeskTicket,
  actions: readonly TriageAction[],
  whenDone: 'done-with' | 'stay',
  { told, then }: { told?: string; then?: PlanItem } = {},
): Promise<Decided> {
  const { say } = session
  const { ticketId, ticketNumber, version, status } = ticket
  const plan: TriagePlan = {
    planId: session.makeId(),
    madeAt: await session.now(),
    items: [{ ticketId, ticketNumber, version, status, actions }, ...(then ? [then] : [])],
  }
  await keepPlan(session.book, plan, { kind: 'bulk', target: session.target, order: orderOf(session.queue) })
  const [result, second] = await foundOut(session, plan, await carried(session, plan))
  if (isDone(result)) {
    say(`${nameOfTicket(ticket)}: ${told ?? actions.map((action) => actionText(action, status)).join('; ')}`)
    if (then) say(secondText(then, second))
    return whenDone
  }
  // What is different is said when the ticket is shown anew.
  if (result?.outcome === 'conflict') return 'look-again'
  say(notDoneText(result))
  return 'nothing'
}

/** Where no answer came it is looked for at once, and done where it is not there; what stays unknown is for the next run. */
async function foundOut(
  session: Session,
  plan: TriagePlan,
  results: readonly ItemResult[],
): Promise<readonly ItemResult[]> {
  if (!results.some(({ outcome }) => outcome === 'unknown')) return results
  session.say('No answer came: finding out whether it was done.')
  const again = await carried(session, plan)
  // What was heard before stands, also where nothing more is heard now.
  return results.map((result, i) => (result.outcome === 'unknown' ? (again[i] ?? result) : result))
}

const notDoneText = (result: ItemResult | undefined): string =>
  result?.outcome === 'unknown'
    ? `It is not known whether this was done: ${result.message}. Do not do it again: triage looks for it when it is begun the next time, and finishes it.`
    : `Not done: ${result?.message ?? 'stopped'}`

const isDone = (result: ItemResult | undefined): boolean => result?.outcome === 'applied' || result?.outcome === 'no-op'

const secondText = (item: PlanItem, result: ItemResult | undefined): string =>
  isDone(result)
    ? `${nameOfTicket(item)}: ${item.actions.map((action) => actionText(action, item.status)).join('; ')}`
    : result?.outcome === 'unknown'
      ? `${nameOfTicket(item)} has no note of it yet, as far as is known: ${result.message}. Triage looks for it when it is begun the next time.`
      : `${nameOfTicket(item)} has no note of it: ${result?.message ?? 'stopped'}`

/** Carries a decision out; what hangs on the first part of it is not begun when that was not done. */
async function carried(session: Session, plan: TriagePlan, isTakeBack = false): Promise<readonly ItemResult[]> {
  const { desk, book, actor, audit } = session
  // Not the session's own signal: what was decided is finished before the program ends.
  const enough = new AbortController()
  const results = await carryOut({
    desk,
    book,
    plan,
    actor,
    isTakeBack,
    atOnce: 1,
    stop: enough.signal,
    onItem: (result) => {
      if (!isDone(result)) enough.abort()
    },
    ...(audit ? { audit } : {}),
  })
  // What may get further another time stays open, and is gone on with by the next run.
  if (!results.some(({ retryable }) => retryable)) await endPlan(book, plan.planId)
  return results
}

/** Finishes what was decided and cut off before it was done. */
async function finishBegun(session: Session): Promise<void> {
  const { book, target, queue, say } = session
  const kept = await openPlan(book, { kind: 'bulk', target, order: orderOf(queue) })
  if (!kept) return
  const [item] = kept.plan.items
  const [result] = await carried(session, kept.plan)
  if (item)
    say(
      `${nameOfTicket(item)} was decided and not finished: ${result?.outcome === 'applied' ? 'it is now' : `not done (${result?.message ?? 'stopped'})`}.`,
    )
}

/** Puts back what the latest decision changed; says which ticket that was. Comments stay: who was told was told. */
async function undo(session: Session): Promise<string | undefined> {
  const { book, desk, say } = session
  const kept = await latestDone(book, orderOf(session.queue))
  const [item] = kept?.plan.items ?? []
  if (!kept || !item) {
    say('There is nothing to undo.')
    return undefined
  }
  const done = [...(await actionsOf(book, kept.plan.planId)).values()].filter(({ state }) => state === 'done')
  const backward = done.flatMap(
    ({ action, before }) => backwards(JSON.parse(action), before === null ? null : JSON.parse(before)) ?? [],
  )
  const ticket = await readOrGone(desk, item.ticketId)
  if (ticket && backward.length > 0) {
    const { ticketId, ticketNumber, version, status } = ticket
    const plan: TriagePlan = {
      planId: session.makeId(),
      madeAt: await session.now(),
      items: [{ ticketId, ticketNumber, version, status, actions: backward }],
    }
    await keepPlan(book, plan, { kind: 'bulk', target: session.target, order: orderOfUndo(kept.plan.planId) })
    const [result] = await carried(session, plan, true)
    if (result?.outcome !== 'applied' && result?.outcome !== 'no-op') {
      say(`Not undone: ${result?.message ?? 'stopped'}`)
      return undefined
    }
  }
  await settleActions(
    book,
    done.map(({ key }) => key),
    'undone',
  )
  const stays = done.length - backward.length
  say(
    `${nameOfTicket(item)}: ${backward.length > 0 ? 'put back' : 'nothing to put back'}${stays > 0 ? '; its comment stays' : ''}.`,
  )
  return item.ticketId
}
