import { dryRunFlag, Flags, listFlags } from '../../src/cli/framework/flags.ts'
import { fold, printable } from '../../src/cli/terminal/text.ts'
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
import type { DeskTicket } from '../../src/operator/tickets/parse.ts'

export default class TicketsTriage extends TicketBookCommand {
  static override summary = 'Go through the tickets that want to be looked at, the most urgent first, one key each'
  static override description =
    `On a terminal each ticket is shown with the reasons for its place, and one key decides: status, note, reply, macro, priority, whose it is, sleep, duplicate, the customer’s room, all of its text, skip, undo. The next ones are read ahead. Quit or crash, and the next run goes on at the same ticket; --new begins anew. Off a terminal, and with --list or --json, the queue is only shown. ${filterHelp}`
  static override examples = [
    'countroom tickets triage',
    { command: 'countroom tickets triage --list --explain', description: 'The queue, and why it is in this order' },
    { command: 'countroom tickets triage --needs-reply --stale 24h', description: 'Those that wait for us' },
  ]
  static override files = [...TicketBookCommand.files, macrosHelp]
  static override completes = { macros: 'files', book: 'files' }
  static override flags = {
    status: Flags.string({ summary: 'Only those in this status; all that are not done without', helpValue: 'CODE' }),
    form: Flags.string({ summary: 'Only those of this form', helpValue: 'CODE' }),
    filter: Flags.string({
      summary: 'Which tickets: terms that must all hold',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'TERMS',
    }),
    ...filterFlags,
    list: Flags.boolean({ summary: 'Only show the queue' }),
    explain: Flags.boolean({ summary: 'Show each reason with its points' }),
    limit: Flags.integer({ summary: 'At most so many', min: 1, max: 100_000, helpValue: 'N' }),
    new: Flags.boolean({ summary: 'Begin anew, also where a session was cut off' }),
    resume: Flags.boolean({ summary: 'Go on with the session that was left, and with no other', exclusive: ['new'] }),
    macros: textFlags.macros,
    ...planFlags,
    ...dryRunFlag,
    ...listFlags,
  }
  static override list = 'queue'
  static override data = async () => {
    const { Type } = await import('typebox')
    const reason = Type.Object({ kind: Type.String(), points: Type.Integer(), text: Type.String() })
    const suspect = Type.Object({ ticketId: Type.String(), why: Type.String(), likeness: Type.Number() })
    const item = Type.Object({
      ...(await ticketFields()),
      score: Type.Integer(),
      reasons: Type.Array(reason),
      duplicateOf: Type.Array(suspect),
    })
    const count = Type.Integer()
    return Type.Object({
      statuses: Type.Array(Type.String(), { description: 'The statuses that were looked in' }),
      queue: Type.Array(item),
      session: Type.Union([
        Type.Object({
          sessionId: Type.String({ description: 'For "tickets undo"' }),
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
    if (flags.resume && isOnlyShown)
      throw new Problem('INVALID_USAGE', '--resume goes on with a session, which needs a terminal')
    if (!isOnlyShown) {
      const gone = await this.#goOn(flags, terms)
      if (gone) return gone
    }
    const [desk, { now }] = await Promise.all([this.desk(), this.chat()])
    const at = await now()
    const found = await findTickets(desk, filter)
    if (!found.isWhole) this.warn(movedText)
    for (const doubt of found.doubts) this.warn(doubt)
    const { queued: all, leftOut } = meantOf(found, filter, at)
    if (leftOut.length > 0) this.warn(leftOutText(leftOut))
    const queued = all.slice(0, flags.limit)
    if (found.statuses.length > 0) this.detail(`Looked in ${found.statuses.join(', ')}`)
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
        `Duplicates were not looked for: ${queued.length} tickets against ${found.tickets.length} are too many; --limit or a filter narrows it`,
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
        { key: 'ticketNumber', title: 'no', kind: 'count' },
        'status',
        { key: 'priority', show: priorityName },
        'title',
        'why',
        ...(flags.csv ? ['ticketId', 'suspect', 'updatedAt'] : []),
      ],
      'Nothing wants to be looked at.',
    )
    if (all.length > queued.length) this.footnote(`${queued.length} of ${all.length} tickets`)
    else if (queue.length > 0) this.footnote(`${queue.length} tickets`)
    return { statuses: [...found.statuses], queue, session: null }
  }

  /** Goes on with a session of the same terms that was left. */
  async #goOn(flags: SessionFlags, terms: readonly string[]) {
    const [{ openPlan, endPlan }, { access }, book] = await Promise.all([
      import('../../src/operator/tickets/plan-journal.ts'),
      this.chat(),
      this.book(),
    ])
    const queue = { target: access.target, order: JSON.stringify(terms) }
    await this.lockQueue(queue, flags.wait)
    const kept = await openPlan(book, { kind: 'triage', ...queue })
    if (!kept && flags.resume) throw new Problem('PLAN_NOT_FOUND', 'No session of these terms was left')
    if (!kept) return undefined
    if (flags.new) {
      await endPlan(book, kept.plan.planId)
      return undefined
    }
    this.note(`Going on with the session of ${new Date(kept.row.made_at).toISOString()} (--new begins anew)`)
    return { statuses: [], queue: [], session: await this.#session(kept.plan, flags, terms) }
  }

  async #session(
    plan: import('../../src/domain/tickets/bulk-plan.ts').TriagePlan,
    flags: SessionFlags,
    terms: readonly string[],
  ) {
    const phrases = await readPhrasebook(this.settings.paths, flags.macros)
    const [{ triage }, { openKeyboard }, { keepPlan }, { openDeskRooms }] = await Promise.all([
      import('../../src/cli/topics/tickets/triage/loop.ts'),
      import('../../src/cli/terminal/keyboard.ts'),
      import('../../src/operator/tickets/plan-journal.ts'),
      import('../../src/operator/tickets/rooms-api.ts'),
    ])
    const [{ access, now }, book, ways, desk] = await Promise.all([this.chat(), this.book(), this.ways(), this.desk()])
    if (plan.items.length > 0)
      await keepPlan(book, plan, { kind: 'triage', target: access.target, order: JSON.stringify(terms) })
    const keyboard = openKeyboard(process.stdin, process.stderr)
    this.closeLater(() => keyboard.close())
    const actor = await this.actorName(flags.actor)
    const summary = await triage({
      desk,
      rooms: openDeskRooms(ways),
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
    this.complainOfLoss(`${summary.left} tickets are left`)
    this.fields(summary)
    if (summary.decided > 0) this.footnote(`"countroom tickets undo --session ${plan.planId}" takes it back.`)
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

/** So many comparisons take a second or two. */
const mostComparisons = 1_000_000

/** Which earlier tickets each one of the queue may repeat. */
function suspectsOf(ticket: DeskTicket, tickets: readonly DeskTicket[]) {
  return duplicatesOf(ticket, tickets).map((each) => ({
    ticketId: each.ticket.ticketId,
    why: each.why,
    likeness: each.likeness,
  }))
}
