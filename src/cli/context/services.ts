import type { OnExchange } from '../../http/client/transport.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from '../../operator/book/book.ts'
import { noAgent } from '../../operator/tickets/no-agent.ts'
import type { TicketsApi } from '../../operator/tickets/tickets-api.ts'
import type { AgentClient } from '../../world/clients/agent-client.ts'
import type { Clients } from '../../world/clients/casino.ts'
import type { ChatClients } from '../../world/clients/chat.ts'
import type { GatewayClients } from '../../world/clients/gateway.ts'
import type { NamedProfile } from '../../world/config/profile-schema.ts'
import type { World } from '../../world/world.ts'
import { exchangeText, retryText } from '../outcome/request-log.ts'
import type { CommandContext } from './context.ts'
import { noBook } from './no-book.ts'
import { bannerOf, type OpenedTarget } from './profile-banner.ts'

/** Start of a run in the audit trail: its first service, its first change (for a run that may only read), or never. */
export type AuditedFrom = 'first-service' | 'first-change' | 'never'

/** The run that services are opened for. */
interface ServicesOf {
  readonly run: Pick<
    CommandContext,
    | 'profile'
    | 'settings'
    | 'stop'
    | 'words'
    | 'subject'
    | 'isDryRun'
    | 'maxWaitMs'
    | 'screen'
    | 'note'
    | 'detail'
    | 'closeLater'
  >
  /** True if the command changes something. Its target is then named also for programs. */
  readonly isWriting: boolean
  readonly audited: AuditedFrom
  /** The argument CODE: a command about a tenant counts as a Console login. */
  readonly tenant: unknown
}

/** An opened book and where it is. */
export interface OpenBook {
  readonly book: Book
  readonly url: string
}

/** Receives every request of a run's services, with its content. */
export type CallRecorder = (service: string, ...call: Parameters<OnExchange>) => void

/** Remote profiles do not need the world's code. */
const loadLocalWorld = () => import('../../world/clients/local-world.ts')
const loadAuditTrail = () => import('./audit-trail.ts')

/** The services of a run's profile, its local world and its book. Each is opened by the first call and closed when the command ends. */
export class Services {
  readonly #of: ServicesOf
  readonly #opened = new Map<string, Promise<unknown>>()
  #isNamed = false
  #endAudit: ((outcome: string) => Promise<void>) | undefined
  #recorder: CallRecorder | undefined
  #shared: World | undefined

  constructor(of: ServicesOf) {
    this.#of = of
  }

  /** True if the run has opened the chat. Its output then has texts of customers. */
  get hasChat(): boolean {
    return this.#opened.has('chat')
  }

  /** Clients of the casino platform. */
  casino(): Promise<Clients> {
    return this.#once('casino', async () => {
      const { openClients } = await import('../../world/clients/casino.ts')
      return this.#reached((named) => openClients(named, this.#run.settings, this.#observers('casino')))
    })
  }

  /** Clients of the payment gateway. */
  gateway(): Promise<GatewayClients> {
    return this.#once('gateway', async () => {
      const { openGatewayClients } = await import('../../world/clients/gateway.ts')
      return this.#reached((named) => openGatewayClients(named, this.#run.settings, this.#observers('gateway')))
    })
  }

  /** Clients of the chat. */
  chat(): Promise<ChatClients> {
    return this.#once('chat', async () => {
      const { settings, maxWaitMs } = this.#run
      const wait = maxWaitMs === undefined ? {} : { maxWaitMs }
      const { openChatClients } = await import('../../world/clients/chat.ts')
      return this.#reached((named) => openChatClients(named, settings, { ...wait, ...this.#observers('chat') }))
    })
  }

  /** The ticket API. */
  tickets(): Promise<TicketsApi> {
    return this.#once('tickets', async () => {
      const [{ bot, agent }, { openTicketsApi }] = await Promise.all([
        this.chat(),
        import('../../operator/tickets/tickets-api.ts'),
      ])
      return openTicketsApi({ bot, agent })
    })
  }

  /** The client of the chat's agent API. */
  agent(): Promise<AgentClient> {
    return this.#once('agent', async () => {
      const [{ agent, access }, { openAgentClient }] = await Promise.all([
        this.chat(),
        import('../../world/clients/agent-client.ts'),
      ])
      if (agent) return openAgentClient(agent.retrying)
      throw noAgent(access)
    })
  }

  /**
   * The world of the local profile, for commands that act as the platform's staff or the outside world. They work next to a
   * running `serve` on the same database, and take effect there at once.
   */
  world(): Promise<World> {
    return this.#once('world', async () => {
      const { profile: named, settings, isDryRun } = this.#run
      const { name, profile } = named
      if (profile.kind !== 'local')
        throw new Problem(
          'INVALID_USAGE',
          `This command needs a local world, but profile "${name}" is remote. For the world of this machine, pass --profile local`,
          { profile: name },
        )
      const { openWorldAsStaff, closeWorld } = await loadLocalWorld()
      const { tenant } = this.#of
      const world = await this.#named(async () => {
        await this.audit()
        const opened = await openWorldAsStaff(profile, settings, {
          isDryRun,
          tenant: typeof tenant === 'string' ? tenant : undefined,
        })
        this.#run.closeLater(() => (isDryRun ? opened.close() : closeWorld(opened)))
        return opened
      })
      if (isDryRun) this.#run.note('Dry run: everything is validated, nothing is changed.')
      return world
    })
  }

  /**
   * Opens the services of a local profile in one world from now on, because a process can open a database file only once. Call it
   * before the services are used.
   */
  async shareWorld(): Promise<void> {
    const { profile: named, settings } = this.#run
    if (named.profile.kind !== 'local' || this.#shared) return
    const { openLocalWorld, closeWorld } = await loadLocalWorld()
    const world = await openLocalWorld(named.profile, settings)
    this.#run.closeLater(() => closeWorld(world))
    this.#shared = world
  }

  /** The existing book. It is never created here: a mistyped path would give a new, empty book. */
  async book(): Promise<OpenBook> {
    const { book, url } = await this.#bookThere()
    if (!book) throw noBook('BOOK_NOT_FOUND', url, this.#run.settings)
    return { book, url }
  }

  /** The book if there is one. */
  async bookIfThere(): Promise<Book | undefined> {
    return (await this.#bookThere()).book
  }

  #bookThere(): Promise<{ readonly book: Book | undefined; readonly url: string }> {
    return this.#once('book', async () => {
      const { settings, profile } = this.#run
      const { openExistingBook, bookUrlOf } = await import('../../world/clients/book-location.ts')
      const url = bookUrlOf(settings, profile)
      this.nameTarget({ book: url })
      const book = await openExistingBook(settings, profile)
      if (book) await this.audit()
      return { book: book && this.#closing(book), url }
    })
  }

  get #run() {
    return this.#of.run
  }

  /**
   * Names the target of this run, once, before anything else is printed. A program that only reads (`--json`) and has no
   * person at its terminal gets no such line.
   */
  nameTarget(opened: OpenedTarget = {}): void {
    if (this.#mustName) this.#run.note(bannerOf(this.#run.profile, opened))
    this.#isNamed = true
  }

  get #mustName(): boolean {
    const { screen } = this.#run
    return !this.#isNamed && !screen.isQuiet && (this.#of.isWriting || !screen.isJson || screen.canAsk)
  }

  /** Opens the clients of a service and names the target first. */
  async #reached<Opened extends { close(): Promise<unknown>; servedAt(): Promise<string | null> }>(
    open: (named: NamedProfile) => Promise<Opened>,
  ): Promise<Opened> {
    const { profile } = this.#run
    if (profile.profile.kind === 'remote') this.nameTarget()
    return this.#named(async () => {
      await this.audit()
      return this.#closing(await open(profile))
    })
  }

  /** Names the target after it was opened, because a local world itself knows where it is served; also if opening fails. */
  async #named<Opened extends { servedAt(): Promise<string | null> }>(open: () => Promise<Opened>): Promise<Opened> {
    try {
      const opened = await open()
      if (this.#mustName) this.nameTarget({ servedAt: await urlOf(opened) })
      return opened
    } catch (error) {
      this.nameTarget()
      throw error
    }
  }

  /**
   * Records in the book that this run begins to change something, if it is one that is recorded. Called before the first
   * change; opening a service or the book calls it. If the entry cannot be written, nothing is changed.
   */
  audit(): Promise<void> {
    return this.#of.audited === 'first-service' ? this.auditChanges() : Promise.resolve()
  }

  /** Same for a run that may only read: called directly before its first change, with more about what it changes. */
  auditChanges(...more: readonly string[]): Promise<void> {
    if (this.#of.audited === 'never') return Promise.resolve()
    return this.#once('audit', async () => {
      const { settings, words, subject } = this.#run
      const { beginAudit } = await loadAuditTrail()
      const added = more.filter((part) => !subject.split(' ').includes(part))
      const run = { settings, words, subject: [subject, ...added].filter(Boolean).join(' ') }
      this.#endAudit = await beginAudit(run, this.#run.profile)
    })
  }

  /**
   * Same for a change of settings, in the book of the profile that they apply to. Without a book there is no work that
   * the settings could have touched, and a settings command creates none.
   */
  auditSettings(profile: NamedProfile): Promise<void> {
    if (this.#of.audited === 'never') return Promise.resolve()
    return this.#once('audit', async () => {
      const { beginAudit, hasBook } = await loadAuditTrail()
      if (hasBook(this.#run, profile)) this.#endAudit = await beginAudit(this.#run, profile)
    })
  }

  /** Records the outcome of a run whose beginning was recorded. */
  async endAudit(outcome: string): Promise<void> {
    await this.#endAudit?.(outcome)
  }

  /** Hands every request of the services to a function from now on. Call it before the services are used. */
  recordCalls(recorder: CallRecorder): void {
    this.#recorder = recorder
  }

  #observers(service: string) {
    return {
      world: this.#shared,
      stop: this.#run.stop,
      onRetry: (retry: Parameters<typeof retryText>[0]) => this.#run.note(retryText(retry)),
      onExchange: (...call: Parameters<OnExchange>) => {
        this.#run.detail(exchangeText(call[0]))
        this.#recorder?.(service, ...call)
      },
    }
  }

  #closing<Opened extends { close(): Promise<unknown> }>(opened: Opened): Opened {
    this.#run.closeLater(() => opened.close())
    return opened
  }

  #once<Opened>(name: string, open: () => Promise<Opened>): Promise<Opened> {
    const known = this.#opened.get(name) ?? open()
    this.#opened.set(name, known)
    // The only writer of this name has this type.
    return known as Promise<Opened>
  }
}

/** Returns the URL at which a process serves an opened local world; null if none answers there. */
async function urlOf(opened: { servedAt(): Promise<string | null> }): Promise<string | null> {
  const url = await opened.servedAt()
  if (url === null) return null
  const { isServed } = await import('../../world/clients/is-served.ts')
  return (await isServed(url)) ? url : null
}
