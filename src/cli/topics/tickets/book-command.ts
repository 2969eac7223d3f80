import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type TriageAction, type TriagePlan, tally } from '../../../domain/tickets/bulk-plan.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { ItemResult } from '../../../operator/tickets/apply-plan.ts'
import type { DeskTicket } from '../../../operator/tickets/parse.ts'
import type { DeskWays, TicketDesk } from '../../../operator/tickets/tickets-api.ts'
import { durationMs } from '../../arguments/moments.ts'
import { batchCategory } from '../../outcome/exit-codes.ts'
import { ChatCommand } from '../chat/command.ts'
import { categoryOfResult } from './result-category.ts'
import { nameOfTicket } from './view.ts'

/** What is said of the field. */
export const auditText = 'The file that says who did what, a JSON object a line; null when nothing was done'

/** The place and the terms of a queue. */
interface QueueOf {
  readonly target: string
  readonly order: string
}

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
