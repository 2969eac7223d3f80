import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import {
  actionText,
  type LeftOut,
  type PlanItem,
  type TriageAction,
  type TriagePlan,
  tally,
} from '../../../domain/tickets/bulk-plan.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { ItemResult } from '../../../operator/tickets/apply-plan.ts'
import type { DeskTicket } from '../../../operator/tickets/parse.ts'
import type { DeskWays, TicketDesk } from '../../../operator/tickets/tickets-api.ts'
import { durationMs } from '../../arguments/moments.ts'
import { Flags } from '../../framework/flags.ts'
import { batchCategory, type Category, categoryOf } from '../../outcome/exit-codes.ts'
import { oneLine } from '../../terminal/text.ts'
import { ChatCommand } from '../chat/command.ts'
import { bookFlag } from '../wallet/transfer-command.ts'
import { nameOfTicket } from './view.ts'

export const planFlags = {
  actor: Flags.string({ summary: 'In whose name; the agent’s own without', helpValue: 'NAME' }),
  wait: Flags.string({ summary: 'How long to wait for another run to end', helpValue: 'DURATION' }),
  ...bookFlag,
}

/** A plan as it is kept in a file. */
export interface PlanFile {
  readonly schemaVersion: 1
  readonly kind: 'countroom ticket plan'
  readonly target: string
  readonly order: string
  readonly plan: TriagePlan
}

/** What is said of the field. */
export const auditText = 'The file that says who did what, a JSON object a line; null when nothing was done'

/** The place and the terms of a queue. */
interface QueueOf {
  readonly target: string
  readonly order: string
}

/** How many different texts are shown before they are sent. */
const mostShown = 5

/** How many tickets are worked on at once. */
const atOnce = 8

/** What the commands that change tickets by the book have in common: journal, lock, pace, carrying a plan out. */
export abstract class TicketBookCommand extends ChatCommand {
  static override writes = true
  static override exits = [
    'confirmation',
    'permission',
    'not-found',
    'conflict',
    'temporary',
    'partial',
    'unknown-outcome',
    'locked',
  ] as const
  static override files = [
    'the book: what was planned and how far it was carried out (COUNTROOM_BOOK)',
    'audit/tickets-SESSION.jsonl in the state folder: who did what to which ticket, with the request ids (mode 0600)',
  ]
  #book: Promise<import('../../../operator/book/book.ts').Book> | undefined
  #desk: Promise<TicketDesk> | undefined
  #ways: Promise<DeskWays> | undefined
  readonly #losses: AbortSignal[] = []

  /** Aborted by the first signal, and when a lock that was taken is lost: from there on others may do the same. */
  protected get halt(): AbortSignal {
    return AbortSignal.any([this.stop, ...this.#losses])
  }

  /** Ends the run in a refusal when it was cut short by the loss of its lock; `done` says how far it came. */
  protected complainOfLoss(done: string): boolean {
    const isLost = this.#losses.some(({ aborted }) => aborted)
    if (isLost)
      this.endWith('LOCK_LOST', `The connection that held the lock broke: ${done}. The same command goes on`, {
        category: 'temporary',
      })
    return isLost
  }

  protected book() {
    this.#book ??= this.#openBook()
    return this.#book
  }

  async #openBook() {
    const { openBookHere } = await import('../../../world/clients/book-location.ts')
    const book = await openBookHere(this.settings, this.profile)
    this.closeLater(() => book.close())
    return book
  }

  /** One run at a time carries out plans that are in a book whole: orders, files, what is taken back. */
  protected lock(wait: string | undefined): Promise<void> {
    return this.#take('tickets', undefined, wait, 'Another run holds the lock: waiting for it to end')
  }

  /**
   * One terminal at a time goes through a queue. This is apart from the lock of the runs, since a terminal is left open over
   * lunch, and what runs by the clock is not to wait for it: the decisions of a session are plans of their own, which no run
   * comes upon but by naming them. Queues of the same place and terms are one.
   */
  protected async lockQueue(queue: QueueOf, wait: string | undefined): Promise<void> {
    const { sha256Hex } = await import('../../../kit/hmac.ts')
    const name = sha256Hex(`${queue.target}\n${queue.order}`).slice(0, 16)
    await this.#take('triage', name, wait, 'Another terminal goes through these tickets: waiting for it to end')
  }

  /** Takes the lock for a plan in the book that is named, or is to be taken back: with that of its queue, where it belongs to one that is open. */
  protected async lockFor(planId: string, order: string | undefined, wait: string | undefined): Promise<void> {
    const [{ planNamed, queueBehind }, book] = await Promise.all([
      import('../../../operator/tickets/plan-journal.ts'),
      this.book(),
    ])
    const row = (await planNamed(book, planId))?.row
    const text = row?.order_text ?? order
    const queue = row?.kind === 'triage' ? row : text === undefined ? undefined : await queueBehind(book, text)
    // One that was gone through to its end is opened by nobody again.
    if (queue?.state === 'open') await this.lockQueue({ target: queue.target, order: queue.order_text }, wait)
    await this.lock(wait)
  }

  async #take(job: string, of: string | undefined, wait: string | undefined, waiting: string): Promise<void> {
    const [{ lockBook }, { bookUrlOf }, { realSleep }] = await Promise.all([
      import('../../../operator/book/lock.ts'),
      import('../../../world/clients/book-location.ts'),
      import('../../../http/client/sleep.ts'),
    ])
    const waitMs = wait === undefined ? 0 : durationMs(wait)
    if (waitMs === undefined) throw new Problem('INVALID_USAGE', `--wait must be a duration such as 90s, not ${wait}`)
    const held = await lockBook(await this.book(), {
      url: bookUrlOf(this.settings, this.profile),
      job,
      ...(of === undefined ? {} : { of }),
      me: { pid: process.pid, host: hostname(), command: (this.id ?? 'tickets').replaceAll(':', ' ') },
      waitMs,
      sleep: realSleep,
      signal: this.stop,
      onWait: () => this.note(waiting),
    })
    this.#losses.push(held.lost)
    this.closeLater(() => held.release())
  }

  /** The desk, asked no faster than it lets itself be asked, whichever part of the command asks. */
  protected override desk() {
    this.#desk ??= this.#openDesk()
    return this.#desk
  }

  async #openDesk() {
    const [ways, { openTicketDesk }] = await Promise.all([
      this.ways(),
      import('../../../operator/tickets/tickets-api.ts'),
    ])
    return openTicketDesk(ways)
  }

  /** The ways to the desk. There is one pace for all that goes through them. */
  protected ways() {
    this.#ways ??= this.#openWays()
    return this.#ways
  }

  async #openWays(): Promise<DeskWays> {
    const [{ bot, agent }, { withinRate }, { realSleep }] = await Promise.all([
      this.chat(),
      import('../../../operator/tickets/throttle.ts'),
      import('../../../http/client/sleep.ts'),
    ])
    const pace = { now: () => performance.now(), sleep: realSleep }
    const calm = (line: typeof bot) => ({ once: line.once, patient: withinRate(line.patient, pace) })
    return { bot: calm(bot), agent: agent && calm(agent) }
  }

  /** The record of a session: a file of its own, opened at the first thing that is done. */
  protected async audit(sessionId: string, actor: string | undefined) {
    const [{ openAudit }, { access }] = await Promise.all([
      import('../../../operator/tickets/audit-log.ts'),
      this.chat(),
    ])
    return openAudit(
      this.#auditFile(sessionId),
      { sessionId, command: (this.id ?? 'tickets').replaceAll(':', ' '), actor: actor ?? null, target: access.target },
      Date.now,
    )
  }

  /** What the agents are called to whom something is given, where the instance tells: for the eyes, so it is no reason not to go on. */
  protected async agentNames(actions: readonly TriageAction[]): Promise<ReadonlyMap<string, string>> {
    if (this.screen.isJson || !actions.some(({ kind }) => kind === 'assign')) return new Map()
    const agents = await (await this.desk()).agents().catch((error: unknown) => {
      if (isProblem(error)) return undefined
      throw error
    })
    return new Map(agents?.map(({ agentId, displayName }) => [agentId, displayName]))
  }

  /** Carries the plan out and tells how it went; the run ends in 0 only when all of it is done. */
  protected async carry(
    plan: TriagePlan,
    options: {
      actor: string | undefined
      fresh?: ReadonlyMap<string, DeskTicket>
      titles?: ReadonlyMap<string, string>
      isTakeBack?: boolean
    },
  ): Promise<ItemResult[]> {
    const [{ carryOut }, { endPlan }, book, desk] = await Promise.all([
      import('../../../operator/tickets/apply-plan.ts'),
      import('../../../operator/tickets/plan-journal.ts'),
      this.book(),
      this.desk(),
    ])
    const progress = this.progress('Working on tickets', plan.items.length)
    let count = 0
    const actor = await this.actorName(options.actor)
    const audit = await this.audit(plan.planId, actor)
    const results = await carryOut({
      desk,
      book,
      plan,
      actor,
      audit,
      isTakeBack: options.isTakeBack ?? false,
      atOnce,
      stop: this.halt,
      ...(options.fresh === undefined ? {} : { fresh: options.fresh }),
      onItem: () => {
        count++
        progress.update(count)
      },
    })
    progress.end(`${results.length} of ${plan.items.length} tickets`)
    this.tellAudit(plan.planId)
    const isOver = results.length === plan.items.length && !results.some(({ retryable }) => retryable)
    // What may get further another time stays open, so that the same order goes on with it.
    if (isOver) await endPlan(book, plan.planId)
    this.#complain(plan, results)
    return results
  }

  #auditFile(sessionId: string): string {
    return join(this.settings.paths.state, 'audit', `tickets-${sessionId}.jsonl`)
  }

  /** Where the session is written down; null when it has done nothing. */
  protected auditOf(sessionId: string): string | null {
    const file = this.#auditFile(sessionId)
    return existsSync(file) ? file : null
  }

  /** The same said to a person. */
  protected tellAudit(sessionId: string): void {
    const file = this.auditOf(sessionId)
    if (file !== null) this.footnote(`Who did what is in ${file}`)
  }

  #complain(plan: TriagePlan, results: readonly ItemResult[]): void {
    if (this.stop.aborted) {
      this.warn(`Stopped: ${results.length} of ${plan.items.length} tickets were worked on. The same command goes on.`)
      return
    }
    if (this.complainOfLoss(`${results.length} of ${plan.items.length} tickets were worked on`)) return
    const categories = results.map(categoryOfResult)
    const category = batchCategory(categories)
    if (category === 'ok') return
    const { conflict, rejected, failed, unknown } = tally(results.map(({ outcome }) => outcome))
    const message = `Not all was done: ${[
      [conflict, 'changed since they were planned'],
      [rejected, 'refused'],
      [failed, 'failed for now'],
      [unknown, 'sent without an answer'],
    ]
      .filter(([many]) => many !== 0)
      .map(([many, what]) => `${many} ${what}`)
      .join(', ')}`
    // What no further run can find out is for a person; the plan stays open meanwhile, so that nobody's next run writes it again.
    const unseen = results.filter(({ code }) => code === 'CANNOT_CONCLUDE').map(({ item }) => nameOfTicket(item))
    const counts = { category, conflict, rejected, failed, unknown, ...(unseen.length > 0 ? { unseen } : {}) }
    if (unknown > 0 && unseen.length === unknown) {
      this.endWith(
        'OUTCOME_UNKNOWN',
        `${message}. The instance shows no comments, so whether one is written is for a person to find out: ${unseen.join(', ')}. Comment by hand where it is missing; then "countroom tickets bulk … --new" plans anew, and until then the same order only says this again`,
        counts,
      )
      return
    }
    if (unknown === 0) {
      this.endWith('BATCH_PARTLY', message, counts)
      return
    }
    const them = unknown === 1 ? 'one of them was done' : `${unknown} of them were done`
    this.endWith(
      'OUTCOME_UNKNOWN',
      `${message}. It is not known whether ${them}: the same command looks for it first, and does nothing twice`,
      counts,
    )
  }
}

/** What the commands that show a plan and carry it out have in common. */
export abstract class TicketPlanCommand extends TicketBookCommand {
  static override data = async () => {
    const { Type } = await import('typebox')
    const text = Type.Union([Type.String(), Type.Null()])
    const item = Type.Object({
      ticketId: Type.String(),
      ticketNumber: Type.Union([Type.Integer(), Type.Null()]),
      title: text,
      status: Type.String({ description: 'When the plan was made' }),
      actions: Type.Array(Type.Unknown()),
      outcome: Type.Union([
        Type.Enum(['planned', 'applied', 'no-op', 'conflict', 'rejected', 'failed', 'unknown', 'not-begun']),
        Type.Null(),
      ]),
      code: text,
      message: text,
    })
    const count = Type.Integer()
    return Type.Object({
      planId: text,
      applied: Type.Boolean({ description: 'Whether anything was written; otherwise it is a preview' }),
      resumed: Type.Boolean({ description: 'Whether this went on with a plan that had been begun' }),
      out: text,
      audit: Type.Union([Type.String(), Type.Null()], { description: auditText }),
      counts: Type.Object({
        tickets: count,
        applied: count,
        noOp: count,
        conflict: count,
        rejected: count,
        failed: count,
        unknown: Type.Integer({ description: 'Sent, and no answer came: it may be done' }),
        notBegun: count,
      }),
      items: Type.Array(item),
      leftOut: Type.Array(
        Type.Object({
          ticketId: Type.String({ description: 'As it was named, where there is none such' }),
          ticketNumber: Type.Union([Type.Integer(), Type.Null()]),
          why: Type.Enum(['not-found', 'other-term', 'nothing-to-do', 'not-allowed', 'limit']),
          text: Type.String(),
        }),
        { description: 'Tickets that were named one by one and are not worked on' },
      ),
    })
  }

  /** Asks before the public texts of a plan go out, each shown as it will arrive, and lets them be taken back, all or none. */
  protected async confirmTexts(texts: readonly PublicText[], isYes: boolean): Promise<void> {
    if (texts.length === 0) return
    const kinds = [...Map.groupBy(texts, ({ content, language }) => `${language ?? ''}\n${content}`).values()]
    const shown = kinds.slice(0, mostShown).map((alike) => {
      const [first] = alike
      const to = alike.length === 1 ? (first?.to ?? 'one customer') : `${alike.length} customers`
      return `To ${oneLine(to)} (${oneLine(first?.language ?? 'language unknown')}), as it will arrive:\n\n${first?.content}\n`
    })
    if (kinds.length > mostShown)
      shown.push(`… and ${kinds.length - mostShown} more texts: a plan written with --out holds them all\n`)
    const many = texts.length === 1 ? 'one customer' : `${texts.length} customers`
    await this.confirmPublic(shown.join('\n'), `Send this to ${many}`, isYes)
  }

  /** What is told of a plan, carried out or not. */
  protected report(
    plan: TriagePlan,
    results: readonly ItemResult[] | undefined,
    about: {
      resumed: boolean
      out: string | null
      titles: ReadonlyMap<string, string>
      leftOut?: readonly LeftOut[]
    },
  ) {
    const byTicket = new Map(results?.map((result) => [result.item.ticketId, result]))
    const counts = tally(results?.map(({ outcome }) => outcome) ?? [])
    return {
      planId: plan.planId,
      applied: results !== undefined,
      resumed: about.resumed,
      out: about.out,
      audit: results === undefined ? null : this.auditOf(plan.planId),
      counts: {
        tickets: plan.items.length,
        applied: counts.applied,
        noOp: counts['no-op'],
        conflict: counts.conflict,
        rejected: counts.rejected,
        failed: counts.failed,
        unknown: counts.unknown,
        notBegun: results === undefined ? 0 : plan.items.length - results.length,
      },
      items: plan.items.map((item) => {
        const result = byTicket.get(item.ticketId)
        return {
          ticketId: item.ticketId,
          ticketNumber: item.ticketNumber === 0 ? null : item.ticketNumber,
          title: about.titles.get(item.ticketId) ?? null,
          status: item.status,
          actions: [...item.actions],
          outcome: results === undefined ? ('planned' as const) : (result?.outcome ?? ('not-begun' as const)),
          code: result?.code ?? null,
          message: result?.message ?? null,
        }
      }),
      leftOut: [...(about.leftOut ?? [])],
    }
  }

  /** The same for people. */
  protected async tellReport(report: ReturnType<TicketPlanCommand['report']>): Promise<void> {
    const names = await this.agentNames(report.items.flatMap(({ actions }) => actions))
    const rows = report.items.map((item) => ({
      ...item,
      no: item.ticketNumber === null ? item.ticketId : `#${item.ticketNumber}`,
      change: (item.actions as TriageAction[]).map((action) => actionText(action, item.status, names)).join('; '),
    }))
    this.table(
      rows,
      [
        { key: 'no', whole: true },
        ...(rows.some(({ title }) => title !== null) ? [{ key: 'title' }] : []),
        { key: 'change' },
        ...(report.applied
          ? [
              {
                key: 'outcome',
                tint: (outcome: unknown) =>
                  outcome === 'applied'
                    ? ('green' as const)
                    : outcome === 'no-op'
                      ? ('dim' as const)
                      : ('red' as const),
              },
              { key: 'message', title: 'why' },
            ]
          : []),
      ],
      report.leftOut.length > 0 ? 'None of the tickets that were named is worked on.' : 'No tickets are meant.',
    )
  }
}

function categoryOfResult({ outcome, code }: ItemResult): Category {
  if (outcome === 'applied' || outcome === 'no-op') return 'ok'
  if (outcome === 'conflict') return 'conflict'
  if (outcome === 'unknown') return 'unknown-outcome'
  const category = categoryOf(code ?? 'UNEXPECTED')
  return category === 'unexpected' && outcome === 'failed' ? 'temporary' : category
}

/** A plan out of a file, or the refusal that says what is wrong with it: files get edited. */
export function planFrom(value: unknown, where: string): PlanFile {
  const unfit = (why: string) => new Problem('INVALID_FILE', `${where}: ${why}`, { file: where })
  if (!isFields(value) || value['kind'] !== 'countroom ticket plan') throw unfit('it is no plan for tickets')
  if (value['schemaVersion'] !== 1) throw unfit('it is of another version')
  const { plan, target, order } = value
  if (!isFields(plan) || typeof target !== 'string' || typeof order !== 'string') throw unfit('it is not whole')
  const { planId, madeAt, items } = plan
  if (typeof planId !== 'string' || !/^[0-9A-Z]{26}$/.test(planId)) throw unfit('its planId is none')
  if (typeof madeAt !== 'number' || !Array.isArray(items)) throw unfit('it has no list of items')
  return {
    schemaVersion: 1,
    kind: 'countroom ticket plan',
    target,
    order,
    plan: {
      planId,
      madeAt,
      items: items.map((item, i) => itemFrom(item, () => unfit(`item ${i + 1} is not in form`))),
    },
  }
}

function itemFrom(value: unknown, unfit: () => Problem): PlanItem {
  if (!isFields(value)) throw unfit()
  const { ticketId, ticketNumber, version, status, actions } = value
  const isVersion = version === null || typeof version === 'number'
  if (typeof ticketId !== 'string' || typeof ticketNumber !== 'number' || !isVersion) throw unfit()
  if (typeof status !== 'string' || !Array.isArray(actions)) throw unfit()
  return { ticketId, ticketNumber, version, status, actions: actions.map((action) => actionFrom(action, unfit)) }
}

function actionFrom(value: unknown, unfit: () => Problem): TriageAction {
  if (!isFields(value)) throw unfit()
  const { kind, status, content, visibility, priority, assigneeId, until } = value
  if (kind === 'status' && typeof status === 'string') return { kind, status }
  if (kind === 'comment' && typeof content === 'string' && (visibility === 'internal' || visibility === 'public'))
    return { kind, content, visibility }
  if (kind === 'priority' && typeof priority === 'number') return { kind, priority }
  if (kind === 'assign' && (assigneeId === null || typeof assigneeId === 'string')) return { kind, assigneeId }
  if (kind === 'snooze' && (until === null || typeof until === 'number')) return { kind, until }
  throw unfit()
}

function isFields(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A text that a customer is going to read. */
export interface PublicText {
  readonly ticketId: string
  readonly content: string
  /** Whom it goes to, and in which language, where that is known. */
  readonly to: string | null
  readonly language: string | null
}

/** The public texts of a plan; with the tickets it was made from, also whom they go to. */
export function publicTexts({ items }: TriagePlan, tickets: readonly DeskTicket[] = []): PublicText[] {
  const known = new Map(tickets.map((ticket) => [ticket.ticketId, ticket]))
  return items.flatMap(({ ticketId, actions }) =>
    actions.flatMap((action) => {
      if (action.kind !== 'comment' || action.visibility !== 'public') return []
      const ticket = known.get(ticketId)
      const to = ticket?.customerDisplayName ?? ticket?.customerAccount ?? null
      return [{ ticketId, content: action.content, to, language: ticket?.customerLanguage ?? null }]
    }),
  )
}
