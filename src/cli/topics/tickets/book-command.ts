import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type TriageAction, type TriagePlan, tally } from '../../../domain/tickets/bulk-plan.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { ItemResult } from '../../../operator/tickets/apply-plan.ts'
import type { RemoteTicket } from '../../../operator/tickets/parse.ts'
import type { ChatTransports, TicketsApi } from '../../../operator/tickets/tickets-api.ts'
import { durationMs } from '../../arguments/moments.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { chatFlags } from '../../framework/flags.ts'
import { quoted } from '../../framework/shell-quote.ts'
import { batchCategory } from '../../outcome/exit-codes.ts'
import { actorName } from '../chat/actor-name.ts'
import { categoryOfResult } from './result-category.ts'
import { nameOfTicket } from './view.ts'

/** Description of the field. */
export const auditText = 'Audit file with one JSON object per line. Null if nothing was done.'

/** Target and filter of a queue. */
interface QueueOf {
  readonly target: string
  readonly order: string
}

/** Number of tickets changed in parallel. */
const atOnce = 8

/** Base class of commands that change tickets through the book: journal, lock, throttle, applying bulk actions. */
export abstract class TicketBookCommand extends CountroomCommand {
  static override baseFlags = chatFlags
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
    'the book (COUNTROOM_BOOK): bulk actions and their progress',
    'audit/tickets-SESSION.jsonl in the state folder: audit log with request IDs (mode 0600)',
  ]
  #book: Promise<import('../../../operator/book/book.ts').Book> | undefined
  #ticketsApi: Promise<TicketsApi> | undefined
  #ways: Promise<ChatTransports> | undefined
  readonly #losses: AbortSignal[] = []

  /** Aborted by the first signal, and if the lock is lost, because another run may then do the same. */
  protected get halt(): AbortSignal {
    return AbortSignal.any([this.stop, ...this.#losses])
  }

  /** Fails the run if it lost its lock. `done` describes the progress. */
  protected complainOfLoss(done: string): boolean {
    const isLost = this.#losses.some(({ aborted }) => aborted)
    if (isLost)
      this.endWith(
        'LOCK_LOST',
        `Lost the connection that holds the lock: ${done}. To continue, run the same command again`,
        {
          category: 'temporary',
        },
      )
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

  /** Takes the lock for bulk actions: one run at a time applies or undoes them. */
  protected lock(wait: string | undefined): Promise<void> {
    return this.#take('tickets', undefined, wait, 'Waiting for another run to finish')
  }

  /**
   * Takes the lock of a queue: one terminal at a time works through it. Separate from the lock of bulk actions, because a
   * terminal can stay open for hours, and scheduled runs must not wait for it. The decisions of a session are bulk actions of
   * their own, which other runs reach only by ID. Queues with the same target and filter share a lock.
   */
  protected async lockQueue(queue: QueueOf, wait: string | undefined): Promise<void> {
    const { sha256Hex } = await import('../../../kit/hmac.ts')
    const name = sha256Hex(`${queue.target}\n${queue.order}`).slice(0, 16)
    await this.#take('triage', name, wait, 'Waiting for another terminal that works on these tickets')
  }

  /** Takes the lock for a stored bulk action that is applied or undone, including the lock of its queue if that is open. */
  protected async lockFor(planId: string, order: string | undefined, wait: string | undefined): Promise<void> {
    const [{ planNamed, queueBehind }, book] = await Promise.all([
      import('../../../operator/tickets/plan-journal.ts'),
      this.book(),
    ])
    const row = (await planNamed(book, planId))?.row
    const text = row?.order_text ?? order
    const queue = row?.kind === 'triage' ? row : text === undefined ? undefined : await queueBehind(book, text)
    // A finished session is not opened again, so its queue needs no lock.
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
    if (waitMs === undefined)
      throw new Problem('INVALID_USAGE', `--wait must be a duration such as 90s; received ${wait}`)
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

  /** The ticket API, throttled to its rate limit for all parts of the command. */
  protected ticketsApi() {
    this.#ticketsApi ??= this.#openApi()
    return this.#ticketsApi
  }

  async #openApi() {
    const [ways, { openTicketsApi }] = await Promise.all([
      this.ways(),
      import('../../../operator/tickets/tickets-api.ts'),
    ])
    return openTicketsApi(ways)
  }

  /** The clients of the chat; all share one throttle. */
  protected ways() {
    this.#ways ??= this.#openWays()
    return this.#ways
  }

  async #openWays(): Promise<ChatTransports> {
    const [{ bot, agent }, { throttled }, { realSleep }] = await Promise.all([
      this.services.chat(),
      import('../../../http/client/throttle.ts'),
      import('../../../http/client/sleep.ts'),
    ])
    // A little below what our own chat allows a key; the API document states no rate.
    const limit = { perSecond: 45, burst: 90 }
    const pace = { limit, now: () => performance.now(), sleep: realSleep }
    const calm = (line: typeof bot) => ({ once: line.once, retrying: throttled(line.retrying, pace) })
    return { bot: calm(bot), agent: agent && calm(agent) }
  }

  /** The audit log of a session. Its file is created by the first entry. */
  protected async audit(sessionId: string, actor: string | undefined) {
    const [{ openAudit }, { access }] = await Promise.all([
      import('../../../operator/tickets/audit-log.ts'),
      this.services.chat(),
    ])
    return openAudit(
      this.#auditFile(sessionId),
      { sessionId, command: (this.id ?? 'tickets').replaceAll(':', ' '), actor: actor ?? null, target: access.target },
      Date.now,
    )
  }

  /** Returns the names of assignees. For display only, so an instance without an agent list is not an error. */
  protected async agentNames(actions: readonly TriageAction[]): Promise<ReadonlyMap<string, string>> {
    if (this.screen.isJson || !actions.some(({ kind }) => kind === 'assign')) return new Map()
    const agents = await (await this.ticketsApi()).agents().catch((error: unknown) => {
      if (isProblem(error)) return undefined
      throw error
    })
    return new Map(agents?.map(({ agentId, displayName }) => [agentId, displayName]))
  }

  /** Applies the bulk action and reports it. Exits with 0 only if everything is done. */
  protected async carry(
    plan: TriagePlan,
    options: {
      actor: string | undefined
      fresh?: ReadonlyMap<string, RemoteTicket>
      titles?: ReadonlyMap<string, string>
      isTakeBack?: boolean
    },
  ): Promise<ItemResult[]> {
    const [{ carryOut }, { endPlan }, book, ticketsApi] = await Promise.all([
      import('../../../operator/tickets/apply-plan.ts'),
      import('../../../operator/tickets/plan-journal.ts'),
      this.book(),
      this.ticketsApi(),
    ])
    const progress = this.progress('Updating tickets', plan.items.length)
    let count = 0
    const actor = await actorName(this, options.actor)
    const audit = await this.audit(plan.planId, actor)
    const results = await carryOut({
      ticketsApi: ticketsApi,
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
    progress.end(`${results.length} of ${plan.items.length} ${plan.items.length === 1 ? 'ticket' : 'tickets'}`)
    this.tellAudit(plan.planId)
    const isOver = results.length === plan.items.length && !results.some(({ retryable }) => retryable)
    // A bulk action that another run may finish stays open, so that the same command resumes it.
    if (isOver) await endPlan(book, plan.planId)
    this.#complain(plan, results)
    return results
  }

  #auditFile(sessionId: string): string {
    return join(this.settings.paths.state, 'audit', `tickets-${sessionId}.jsonl`)
  }

  /** Returns the path of the audit log, or null if it is empty. */
  protected auditOf(sessionId: string): string | null {
    const file = this.#auditFile(sessionId)
    return existsSync(file) ? file : null
  }

  /** Prints the path of the audit log. */
  protected tellAudit(sessionId: string): void {
    const file = this.auditOf(sessionId)
    if (file !== null) this.footnote(`Audit log: ${file}`)
  }

  /** Returns the command of a new bulk action: that of this run, if it was one. */
  #newBulk(): string {
    const own = this.id === 'tickets:bulk' ? this.argv.filter((word) => word !== '--new') : ['--filter', 'TERMS']
    return `countroom tickets bulk ${[...own, '--new'].map(quoted).join(' ')}`
  }

  #complain(plan: TriagePlan, results: readonly ItemResult[]): void {
    if (this.stop.aborted) {
      this.warn(
        `Stopped after ${results.length} of ${plan.items.length} tickets. To continue, run the same command again`,
      )
      return
    }
    if (this.complainOfLoss(`${results.length} of ${plan.items.length} tickets were processed`)) return
    const categories = results.map(categoryOfResult)
    const category = batchCategory(categories)
    if (category === 'ok') return
    const { conflict, rejected, failed, unknown } = tally(results.map(({ outcome }) => outcome))
    const message = `Not everything is done: ${[
      [conflict, 'changed in the meantime'],
      [rejected, 'rejected'],
      [failed, 'failed temporarily'],
      [unknown, 'without a response'],
    ]
      .filter(([many]) => many !== 0)
      .map(([many, what]) => `${many} ${what}`)
      .join(', ')}`
    // An outcome that no run can find out is left to a person. The bulk action stays open, so that no run sends it again.
    const unseen = results.filter(({ code }) => code === 'CANNOT_CONCLUDE').map(({ item }) => nameOfTicket(item))
    const counts = { category, conflict, rejected, failed, unknown, ...(unseen.length > 0 ? { unseen } : {}) }
    if (unknown > 0 && unseen.length === unknown) {
      this.endWith(
        'OUTCOME_UNKNOWN',
        `${message}. The instance returns no comments, so check by hand whether the comment exists on: ${unseen.join(', ')}. Add it where it is missing, then start a new bulk action: ${this.#newBulk()}`,
        counts,
      )
      return
    }
    if (unknown === 0) {
      this.endWith('BATCH_PARTLY', message, counts)
      return
    }
    const them = unknown === 1 ? 'it was done' : 'they were done'
    this.endWith(
      'OUTCOME_UNKNOWN',
      `${message}. Unknown whether ${them}. Run the same command again: it checks first and does nothing twice`,
      counts,
    )
  }
}
