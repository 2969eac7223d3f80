import { dryRunFlag, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { fold, printable, utcText } from '../../src/cli/terminal/text.ts'
import { actorName } from '../../src/cli/topics/chat/actor-name.ts'
import { macrosHelp, readPhrasebook, textFlags } from '../../src/cli/topics/chat/outgoing-text.ts'
import { takeBackMs } from '../../src/cli/topics/chat/undo-window.ts'
import { auditText, TicketBookCommand } from '../../src/cli/topics/tickets/book-command.ts'
import {
  filterFlags,
  filterFrom,
  filterHelp,
  findTickets,
  leftOutText,
  meantOf,
  termsOfFlags,
} from '../../src/cli/topics/tickets/filter.ts'
import { planFlags } from '../../src/cli/topics/tickets/plan-command.ts'
import { movedText, priorityName, ticketFields, ticketRow } from '../../src/cli/topics/tickets/view.ts'
import { duplicatesOf } from '../../src/domain/tickets/duplicates.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { Problem } from '../../src/kit/problem.ts'
import type { RemoteTicket } from '../../src/operator/tickets/parse.ts'

export default class TicketsTriage extends TicketBookCommand {
  static override summary = 'Work through the ticket queue, most urgent first'
  static override description =
    `On a terminal, shows one ticket at a time with the reasons for its score; one key acts on it: status, note, reply, macro, priority, assignee, snooze, duplicate, room, full text, skip or undo. After a quit or a crash, the next run resumes at the same ticket; --new starts a new session. Without a terminal, and with --list or --json, lists the queue only.\n\n${filterHelp}`
  static override examples = [
    'countroom tickets triage',
    { command: 'countroom tickets triage --list --explain', description: 'List the queue with the scores' },
    { command: 'countroom tickets triage --needs-reply --stale 24h', description: 'Tickets that wait for a reply' },
  ]
  static override files = [...TicketBookCommand.files, macrosHelp]
  static override completes = { macros: 'files', book: 'files' }
  static override flags = {
    status: Flags.string({
      summary: 'Tickets in this status only (default: all that are not done)',
      helpValue: 'CODE',
    }),
    form: Flags.string({ summary: 'Tickets of this form only', helpValue: 'CODE' }),
    filter: Flags.string({
      summary: 'Filter terms; tickets must match all of them',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'TERMS',
    }),
    ...filterFlags,
    list: Flags.boolean({ summary: 'List the queue only' }),
    explain: Flags.boolean({ summary: 'Show the points of each reason' }),
    limit: Flags.integer({ summary: 'Maximum number of tickets', min: 1, max: 100_000, helpValue: 'N' }),
    new: Flags.boolean({ summary: 'Start a new session instead of resuming' }),
    resume: Flags.boolean({ summary: 'Resume the last session, or fail', exclusive: ['new'] }),
    macros: textFlags.macros,
    ...planFlags,
    ...dryRunFlag,
    ...listFlags,
  }
  static override list = 'queue'
  static override data = (shapes: Shapes) => {
    const { Type } = shapes
    const reason = Type.Object({ kind: Type.String(), points: Type.Integer(), text: Type.String() })
    const suspect = Type.Object({ ticketId: Type.String(), why: Type.String(), likeness: Type.Number() })
    const item = Type.Object({
      ...ticketFields(shapes),
      score: Type.Integer(),
      reasons: Type.Array(reason),
      duplicateOf: Type.Array(suspect),
    })
    const count = Type.Integer()
    return Type.Object({
      statuses: Type.Array(Type.String(), { description: 'Statuses that were searched.' }),
      queue: Type.Array(item),
      session: Type.Union([
        Type.Object({
          sessionId: Type.String({ description: 'Session ID, for "tickets undo".' }),
          audit: Type.Union([Type.String(), Type.Null()], { description: auditText }),
          seen: count,
          decided: count,
          skipped: count,
          undone: count,
          left: count,
        }),
        Type.Null(),
      ]),
    })
  }

  override async run() {
    const { flags } = await this.parse(TicketsTriage)
    const terms = [
      ...(flags.filter ?? []),
      ...(flags.status === undefined ? [] : [`status=${flags.status}`]),
      ...(flags.form === undefined ? [] : [`form=${flags.form}`]),
      ...termsOfFlags(flags),
    ]
    const filter = filterFrom(terms)
    const isOnlyShown = flags.list || this.isDryRun || this.screen.isJson || flags.csv || !this.screen.canAsk
    if (flags.resume && isOnlyShown) throw new Problem('INVALID_USAGE', '--resume needs a terminal')
    if (!isOnlyShown) {
      const gone = await this.#goOn(flags, terms)
      if (gone) return gone
    }
    const [ticketsApi, { now }] = await Promise.all([this.ticketsApi(), this.services.chat()])
    const at = await now()
    const found = await findTickets(ticketsApi, filter)
    if (!found.isWhole) this.warn(movedText)
    for (const doubt of found.doubts) this.warn(doubt)
    const { queued: all, leftOut } = meantOf(found, filter, at)
    if (leftOut.length > 0) this.warn(leftOutText(leftOut))
    const queued = all.slice(0, flags.limit)
    if (found.statuses.length > 0) this.detail(`Statuses searched: ${found.statuses.join(', ')}`)
    if (!isOnlyShown) {
      const plan = {
        planId: realAmbient().id(),
        madeAt: at,
        items: queued.map(({ ticket }) => ({
          ticketId: ticket.ticketId,
          ticketNumber: ticket.ticketNumber,
          version: ticket.version,
          status: ticket.status,
          actions: [],
        })),
      }
      return { statuses: [...found.statuses], queue: [], session: await this.#session(plan, flags, terms) }
    }
    const isComparable = queued.length * found.tickets.length <= mostComparisons
    if (!isComparable)
      this.warn(
        `Skipped the search for duplicates: comparing ${queued.length} with ${found.tickets.length} tickets is too slow. Narrow it with --limit or --filter`,
      )
    const others = isComparable ? found.tickets : []
    const queue = queued.map(({ ticket, score, reasons }) => ({
      ...ticketRow(ticket),
      score,
      reasons: [...reasons],
      duplicateOf: suspectsOf(ticket, others),
    }))
    this.table(
      queue.map((row) => ({
        ...row,
        why: row.reasons.map(({ points, text }) => (flags.explain ? `${points} ${text}` : text)).join(', '),
        suspect: row.duplicateOf[0]?.ticketId ?? null,
      })),
      [
        { key: 'score', kind: 'count' },
        { key: 'ticketNumber', title: 'number', kind: 'count' },
        'status',
        { key: 'priority', show: priorityName },
        'title',
        'why',
        ...(flags.csv ? ['ticketId', 'suspect', 'updatedAt'] : []),
      ],
      'No tickets in the queue.',
    )
    if (all.length > queued.length) this.footnote(`Showing ${queued.length} of ${all.length} tickets`)
    else if (queue.length > 0) this.footnote(`${queue.length} ${queue.length === 1 ? 'ticket' : 'tickets'}`)
    return { statuses: [...found.statuses], queue, session: null }
  }

  /** Resumes an unfinished session with the same filter. */
  async #goOn(flags: SessionFlags, terms: readonly string[]) {
    const [{ openPlan, endPlan }, { access }, book] = await Promise.all([
      import('../../src/operator/tickets/plan-journal.ts'),
      this.services.chat(),
      this.book(),
    ])
    const queue = { target: access.target, order: JSON.stringify(terms) }
    await this.lockQueue(queue, flags.wait)
    const kept = await openPlan(book, { kind: 'triage', ...queue })
    if (!kept && flags.resume) throw new Problem('PLAN_NOT_FOUND', 'No unfinished session with this filter')
    if (!kept) return undefined
    if (flags.new) {
      await endPlan(book, kept.plan.planId)
      return undefined
    }
    this.note(
      `Resuming the session of ${utcText(new Date(kept.row.made_at).toISOString())} (to start a new one, pass --new)`,
    )
    return { statuses: [], queue: [], session: await this.#session(kept.plan, flags, terms) }
  }

  async #session(
    plan: import('../../src/domain/tickets/bulk-plan.ts').TriagePlan,
    flags: SessionFlags,
    terms: readonly string[],
  ) {
    const phrases = await readPhrasebook(this.settings.paths, flags.macros)
    const [{ triage }, { openKeyboard }, { keepPlan }, { openRoomsApi }] = await Promise.all([
      import('../../src/cli/topics/tickets/triage/loop.ts'),
      import('../../src/cli/terminal/keyboard.ts'),
      import('../../src/operator/tickets/plan-journal.ts'),
      import('../../src/operator/tickets/rooms-api.ts'),
    ])
    const [{ access, now }, book, ways, ticketsApi] = await Promise.all([
      this.services.chat(),
      this.book(),
      this.ways(),
      this.ticketsApi(),
    ])
    if (plan.items.length > 0)
      await keepPlan(book, plan, { kind: 'triage', target: access.target, order: JSON.stringify(terms) })
    const keyboard = openKeyboard(process.stdin, process.stderr)
    this.closeLater(() => keyboard.close())
    const actor = await actorName(this, flags.actor)
    const summary = await triage({
      ticketsApi: ticketsApi,
      rooms: openRoomsApi(ways),
      book,
      queue: plan,
      target: access.target,
      keyboard,
      phrases,
      actor,
      audit: await this.audit(plan.planId, actor),
      width: () => this.screen.width(),
      stop: this.halt,
      makeId: realAmbient().id,
      now,
      say: (text) => this.note(fold(printable(text), this.screen.width())),
      takeBackMs,
    })
    keyboard.close()
    this.complainOfLoss(`${summary.left} ${summary.left === 1 ? 'ticket is' : 'tickets are'} left`)
    this.fields(summary)
    if (summary.decided > 0) this.footnote(`To undo this session: countroom tickets undo --session ${plan.planId}`)
    this.tellAudit(plan.planId)
    return { sessionId: plan.planId, audit: this.auditOf(plan.planId), ...summary }
  }
}

interface SessionFlags {
  readonly wait?: string | undefined
  readonly new?: boolean
  readonly resume?: boolean
  readonly macros?: string | undefined
  readonly actor?: string | undefined
}

/** Maximum number of comparisons; they take 1 to 2 seconds. */
const mostComparisons = 1_000_000

/** Finds earlier tickets that each ticket of the queue may duplicate. */
function suspectsOf(ticket: RemoteTicket, tickets: readonly RemoteTicket[]) {
  return duplicatesOf(ticket, tickets).map((each) => ({
    ticketId: each.ticket.ticketId,
    why: each.why,
    likeness: each.likeness,
  }))
}
