import { dryRunFlag, Flags } from '../../src/cli/framework/flags.ts'
import type { Shapes } from '../../src/cli/outcome/result-schema.ts'
import { printable } from '../../src/cli/terminal/text.ts'
import { auditText, TicketBookCommand } from '../../src/cli/topics/tickets/book-command.ts'
import { planFlags } from '../../src/cli/topics/tickets/plan-command.ts'
import { nameOfTicket, shortMoment } from '../../src/cli/topics/tickets/view.ts'
import { actionText, type PlanItem, type TriageAction, type TriagePlan } from '../../src/domain/tickets/bulk-plan.ts'
import { type Stay, takeBack } from '../../src/domain/tickets/undo.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { isProblem, Problem } from '../../src/kit/problem.ts'

const reasons: Readonly<Record<Stay | 'gone', string>> = {
  'a-comment-stays': 'comments cannot be undone',
  'changed-since': 'it changed in the meantime',
  'not-allowed': 'its workflow does not allow it',
  'not-here': 'the agent API is needed, and the profile has no agentToken',
  gone: 'the ticket no longer exists',
}

/** Maximum number of sessions in the list. */
const mostSessions = 20

export default class TicketsUndo extends TicketBookCommand {
  static override summary = 'Preview the undo of a bulk action or triage session; --apply carries it out'
  static override description =
    'Restores status, priority, assignee and snooze, if they are unchanged since the session and the workflow allows it. Changes that cannot be undone, such as comments and room messages, are listed with the reason. Without --session, lists the sessions. After an interruption, run the same command to continue; each change is made once.'
  static override examples = [
    { command: 'countroom tickets undo', description: 'List the sessions' },
    { command: 'countroom tickets undo --session 01J8Z3V5Q8T9X0Y1Z2A3B4C5D6', description: 'Preview the undo' },
    { command: 'countroom tickets undo --session 01J8Z3V5Q8T9X0Y1Z2A3B4C5D6 --apply', description: 'Undo the changes' },
  ]
  static override completes = { book: 'files' }
  static override flags = {
    session: Flags.string({ summary: 'Session ID, or planId of a bulk action', helpValue: 'ID' }),
    apply: Flags.boolean({ summary: 'Undo the changes', exclusive: ['dry-run'], dependsOn: ['session'] }),
    ...planFlags,
    ...dryRunFlag,
  }
  static override data = ({ Type }: Shapes) => {
    const text = Type.Union([Type.String(), Type.Null()])
    const count = Type.Integer()
    const session = Type.Object({
      sessionId: Type.String(),
      kind: Type.Enum(['bulk', 'triage']),
      madeAt: Type.String(),
      tickets: count,
      done: Type.Integer({ description: 'Number of its changes and comments still in effect.' }),
    })
    const item = Type.Object({
      ticketId: Type.String(),
      ticketNumber: Type.Union([Type.Integer(), Type.Null()]),
      status: text,
      actions: Type.Array(Type.Unknown(), { description: 'Actions that restore the previous values.' }),
      stays: Type.Array(Type.Object({ action: Type.Unknown(), why: Type.String() })),
      outcome: Type.Enum([
        'planned',
        'applied',
        'no-op',
        'conflict',
        'rejected',
        'failed',
        'unknown',
        'not-begun',
        'stays',
      ]),
      message: text,
    })
    const answer = Type.Object({
      ticketId: Type.String(),
      ticketNumber: Type.Union([Type.Integer(), Type.Null()]),
      at: Type.String(),
      roomId: Type.String(),
      content: Type.String(),
    })
    return Type.Object({
      sessions: Type.Array(session, { description: 'Without --session: sessions that can be undone, newest first.' }),
      sessionId: text,
      applied: Type.Boolean({ description: 'True if anything was written; false for a preview.' }),
      audit: Type.Union([Type.String(), Type.Null()], { description: auditText }),
      items: Type.Array(item),
      roomAnswers: Type.Array(answer, { description: 'Room messages, which cannot be undone.' }),
    })
  }

  override async run() {
    const { flags } = await this.parse(TicketsUndo)
    const { access, now } = await this.services.chat()
    const sessionId = flags.session?.toUpperCase()
    if (sessionId === undefined) return this.#list(access.target)
    if (flags.apply) await this.lockFor(sessionId, undefined, flags.wait)
    const found = await this.#find(access.target, sessionId)
    const items = found.map(({ item }) => item).filter(({ actions }) => actions.length > 0)
    const plan: TriagePlan = { planId: realAmbient().id(), madeAt: await now(), items }
    const isDone = flags.apply === true
    const { keepPlan, orderOfUndo, settleActions } = await import('../../src/operator/tickets/plan-journal.ts')
    if (isDone && items.length > 0)
      await keepPlan(await this.book(), plan, { kind: 'bulk', target: access.target, order: orderOfUndo(sessionId) })
    const results = isDone ? await this.carry(plan, { actor: flags.actor, isTakeBack: true }) : []
    const outcomes = new Map(results.map((result) => [result.item.ticketId, result]))
    const rows = found.map(({ item, keys, stays }) => {
      const result = outcomes.get(item.ticketId)
      const none = item.actions.length === 0
      const outcome: string = none
        ? stays.length > 0
          ? 'stays'
          : 'no-op'
        : (result?.outcome ?? (isDone ? 'not-begun' : 'planned'))
      return {
        ticketId: item.ticketId,
        ticketNumber: item.ticketNumber === 0 ? null : item.ticketNumber,
        status: item.status === '' ? null : item.status,
        actions: [...item.actions],
        stays: stays.map(({ action, why }) => ({ action, why: reasons[why] })),
        outcome,
        message: result?.message ?? null,
        keys,
      }
    })
    if (isDone) {
      const settled = rows.filter(({ outcome }) => outcome === 'applied' || outcome === 'no-op' || outcome === 'stays')
      await settleActions(
        await this.book(),
        settled.flatMap(({ keys }) => keys),
        'undone',
      )
    }
    const file = this.auditOf(sessionId)
    const { roomAnswersIn } = await import('../../src/operator/tickets/audit-log.ts')
    const roomAnswers = file === null ? [] : roomAnswersIn(file)
    const names = await this.agentNames(
      rows.flatMap(({ actions, stays }) => [...actions, ...stays.map(({ action }) => action)]),
    )
    this.#tell(rows, isDone, names)
    for (const { ticketId, ticketNumber, roomId, content } of roomAnswers)
      this.footnote(
        `Cannot undo the message in room ${roomId} about ${nameOfTicket({ ticketId, ticketNumber: ticketNumber ?? 0 })}: ${printable(content.replace(/\s+/g, ' '))}`,
      )
    return {
      sessions: [],
      sessionId,
      applied: isDone,
      audit: isDone ? this.auditOf(plan.planId) : null,
      items: rows.map(({ keys: _keys, ...row }) => row),
      roomAnswers,
    }
  }

  async #list(target: string) {
    const { sessionsWithDone } = await import('../../src/operator/tickets/plan-journal.ts')
    const sessions = (await sessionsWithDone(await this.book(), target, mostSessions)).map((session) => ({
      sessionId: session.sessionId,
      kind: session.kind,
      madeAt: new Date(session.madeAt).toISOString(),
      tickets: session.tickets,
      done: session.done,
    }))
    this.table(
      sessions,
      [
        { key: 'sessionId', title: 'session', whole: true },
        'kind',
        { key: 'madeAt', title: 'created', whole: true, show: shortMoment },
        { key: 'tickets', kind: 'count' },
        { key: 'done', title: 'changes', kind: 'count' },
      ],
      'No sessions to undo.',
    )
    return { sessions, sessionId: null, applied: false, audit: null, items: [], roomAnswers: [] }
  }

  /** Returns the changes that can be undone, by the current state of the tickets. */
  async #find(target: string, sessionId: string) {
    const { doneInSession } = await import('../../src/operator/tickets/plan-journal.ts')
    const done = await doneInSession(await this.book(), target, sessionId)
    if (done.length === 0)
      throw new Problem(
        'PLAN_NOT_FOUND',
        `The book has no session ${sessionId} with changes in effect. To list the sessions: countroom tickets undo`,
        { sessionId },
      )
    const byTicket = Map.groupBy(done, ({ ticket_id: ticketId }) => ticketId)
    const ticketsApi = await this.ticketsApi()
    const progress = this.progress('Reading tickets', byTicket.size)
    const found: Found[] = []
    for (const [ticketId, rows] of byTicket) {
      const ticket = await ticketsApi.read(ticketId).catch((error: unknown) => {
        if (isProblem(error) && error.detail['status'] === 404) return undefined
        throw error
      })
      const acts = rows.map(({ key, action, before }) => ({
        key,
        action: JSON.parse(action) as TriageAction,
        before: before === null ? null : JSON.parse(before),
      }))
      if (!ticket)
        found.push({
          item: { ticketId, ticketNumber: 0, version: null, status: '', actions: [] },
          keys: [],
          stays: acts.map(({ action }) => ({ action, why: 'gone' })),
        })
      else {
        const { actions, keys, stays } = takeBack(ticket, acts, ticketsApi.canChange)
        const { ticketNumber, version, status } = ticket
        found.push({ item: { ticketId, ticketNumber, version, status, actions }, keys, stays })
      }
      progress.update(found.length)
    }
    progress.end(`${found.length} ${found.length === 1 ? 'ticket' : 'tickets'}`)
    return found
  }

  #tell(rows: readonly UndoRow[], isDone: boolean, names: ReadonlyMap<string, string>): void {
    this.table(
      rows.map((row) => ({
        no: nameOfTicket({ ticketId: row.ticketId, ticketNumber: row.ticketNumber ?? 0 }),
        change: row.actions.map((action) => actionText(action, row.status ?? '', names)).join('; '),
        stays: row.stays.map(({ action, why }) => `${actionText(action, '…', names)} (${why})`).join('; '),
        outcome: row.outcome,
        message: row.message,
      })),
      [
        { key: 'no', whole: true },
        { key: 'change', title: 'restored' },
        ...(rows.some(({ stays }) => stays.length > 0) ? [{ key: 'stays' }] : []),
        ...(isDone ? [{ key: 'outcome' }, { key: 'message', title: 'why' }] : []),
      ],
    )
    const many = rows.filter(({ actions }) => actions.length > 0).length
    if (!isDone)
      this.footnote(
        `${many} of ${rows.length} ${rows.length === 1 ? 'ticket' : 'tickets'} would be restored; nothing was written. To restore them, add --apply`,
      )
  }
}

interface Found {
  readonly item: PlanItem
  /** Returns the actions of the session that this undoes. */
  readonly keys: readonly string[]
  readonly stays: readonly { readonly action: TriageAction; readonly why: Stay | 'gone' }[]
}

interface UndoRow {
  readonly ticketId: string
  readonly ticketNumber: number | null
  readonly status: string | null
  readonly actions: readonly TriageAction[]
  readonly stays: readonly { readonly action: TriageAction; readonly why: string }[]
  readonly outcome: string
  readonly message: string | null
}
