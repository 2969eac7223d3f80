import { existsSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { realSleep } from '../../../../http/client/sleep.ts'
import { throttled } from '../../../../http/client/throttle.ts'
import type { Transport } from '../../../../http/contract/wire-types.ts'
import { sha256Hex } from '../../../../kit/hmac.ts'
import { Problem } from '../../../../kit/problem.ts'
import type { Book } from '../../../../operator/book/book.ts'
import { lockBook } from '../../../../operator/book/lock.ts'
import { type Audit, openAudit } from '../../../../operator/tickets/audit-log.ts'
import { bulkActionById, queueBehind } from '../../../../operator/tickets/bulk-journal.ts'
import { type ChatTransports, openTicketsApi, type TicketsApi } from '../../../../operator/tickets/tickets-api.ts'
import { bookUrlOf, openBookHere } from '../../../../world/clients/book-location.ts'
import { durationMs } from '../../../arguments/moments.ts'
import type { CommandContext } from '../../../context/context.ts'

/** Target and filter of a queue. */
interface Queue {
  readonly target: string
  readonly order: string
}

/** Services of a command that changes tickets through the book: journal, locks, throttled clients and the audit log. */
export class BookServices {
  readonly context: CommandContext
  readonly #losses: AbortSignal[] = []
  #book: Promise<Book> | undefined
  #clients: Promise<ChatTransports> | undefined
  #tickets: Promise<TicketsApi> | undefined

  constructor(context: CommandContext) {
    this.context = context
  }

  /** Aborted by the first signal, and if the lock is lost, because another run may then do the same. */
  get stop(): AbortSignal {
    return AbortSignal.any([this.context.stop, ...this.#losses])
  }

  /** Fails the run if it lost its lock. `done` describes the progress. */
  failIfLockLost(done: string): boolean {
    const isLost = this.#losses.some(({ aborted }) => aborted)
    if (isLost)
      this.context.endWith(
        'LOCK_LOST',
        `Lost the connection that holds the lock: ${done}. To continue, run the same command again`,
        { category: 'temporary' },
      )
    return isLost
  }

  /** The book, created if it does not exist. */
  book(): Promise<Book> {
    this.#book ??= this.#openBook()
    return this.#book
  }

  async #openBook(): Promise<Book> {
    const book = await openBookHere(this.context.settings, this.context.profile)
    this.context.closeLater(() => book.close())
    return book
  }

  /** Takes the lock for bulk actions: one run at a time applies or undoes them. */
  lock(wait: string | undefined): Promise<void> {
    return this.#take('tickets', undefined, wait, 'Waiting for another run to finish')
  }

  /**
   * Takes the lock of a queue: one terminal at a time works through it. Separate from the lock of bulk actions, because a
   * terminal can stay open for hours, and scheduled runs must not wait for it. The decisions of a session are bulk actions of
   * their own, which other runs reach only by ID. Queues with the same target and filter share a lock.
   */
  async lockQueue(queue: Queue, wait: string | undefined): Promise<void> {
    const name = sha256Hex(`${queue.target}\n${queue.order}`).slice(0, 16)
    await this.#take('triage', name, wait, 'Waiting for another terminal that works on these tickets')
  }

  /** Takes the lock of an agent's screen: two would send and store the same texts. */
  async lockWorkspace(
    workspace: { readonly target: string; readonly agent: string },
    wait: string | undefined,
  ): Promise<void> {
    const name = sha256Hex(`${workspace.target}\n${workspace.agent}`).slice(0, 16)
    await this.#take('desk', name, wait, 'Waiting for another terminal of this agent')
  }

  /** Takes the lock for a stored bulk action that is applied or undone, including the lock of its queue if that is open. */
  async lockFor(planId: string, order: string | undefined, wait: string | undefined): Promise<void> {
    const book = await this.book()
    const row = (await bulkActionById(book, planId))?.row
    const text = row?.order_text ?? order
    const queue = row?.kind === 'triage' ? row : text === undefined ? undefined : await queueBehind(book, text)
    // A finished session is not opened again, so its queue needs no lock.
    if (queue?.state === 'open') await this.lockQueue({ target: queue.target, order: queue.order_text }, wait)
    await this.lock(wait)
  }

  async #take(job: string, of: string | undefined, wait: string | undefined, waiting: string): Promise<void> {
    const { context } = this
    const waitMs = wait === undefined ? 0 : durationMs(wait)
    if (waitMs === undefined)
      throw new Problem('INVALID_USAGE', `--wait must be a duration such as 90s; received ${wait}`)
    const held = await lockBook(await this.book(), {
      url: bookUrlOf(context.settings, context.profile),
      job,
      ...(of === undefined ? {} : { of }),
      me: { pid: process.pid, host: hostname(), command: context.words },
      waitMs,
      sleep: realSleep,
      signal: context.stop,
      onWait: () => context.note(waiting),
    })
    this.#losses.push(held.lost)
    context.closeLater(() => held.release())
  }

  /** The ticket API, throttled to its rate limit for all parts of the command. */
  tickets(): Promise<TicketsApi> {
    this.#tickets ??= this.clients().then(openTicketsApi)
    return this.#tickets
  }

  /** The clients of the chat; all share one throttle. */
  clients(): Promise<ChatTransports> {
    this.#clients ??= this.#openClients()
    return this.#clients
  }

  async #openClients(): Promise<ChatTransports> {
    const { bot, agent } = await this.context.services.chat()
    // A little below what our own chat allows a key; the API document states no rate.
    const limit = { perSecond: 45, burst: 90 }
    const pace = { limit, now: () => performance.now(), sleep: realSleep }
    const throttle = (client: { readonly once: Transport; readonly retrying: Transport }) => ({
      once: client.once,
      retrying: throttled(client.retrying, pace),
    })
    return { bot: throttle(bot), agent: agent && throttle(agent) }
  }

  /** Opens the audit log of a session. Its file is created by the first entry. */
  async audit(sessionId: string, actor: string | undefined): Promise<Audit> {
    const { access } = await this.context.services.chat()
    return openAudit(
      this.#auditFile(sessionId),
      { sessionId, command: this.context.words, actor: actor ?? null, target: access.target },
      Date.now,
    )
  }

  #auditFile(sessionId: string): string {
    return join(this.context.settings.paths.state, 'audit', `tickets-${sessionId}.jsonl`)
  }

  /** Returns the path of the audit log, or null if it is empty. */
  auditOf(sessionId: string): string | null {
    const file = this.#auditFile(sessionId)
    return existsSync(file) ? file : null
  }

  /** Prints the path of the audit log. */
  printAudit(sessionId: string): void {
    const file = this.auditOf(sessionId)
    if (file !== null) this.context.footnote(`Audit log: ${file}`)
  }
}
