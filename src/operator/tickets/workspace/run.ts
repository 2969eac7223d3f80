import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import type { FileStream } from '../../../http/client/download.ts'
import { realSleep } from '../../../http/client/sleep.ts'
import type { Transport } from '../../../http/contract/wire-types.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { Message, Room } from '../../../services/chat/api/schemas.ts'
import { keepFile, safeName } from '../fetch-media.ts'
import { latestMessages, messagesPerPage, readRooms } from '../rooms/read-rooms.ts'
import { macroNamed, type Phrases, textFor } from '../text/phrases.ts'
import type { TicketsApi } from '../tickets-api.ts'
import { type ChatWatch, watchChat } from '../watch.ts'
import { sendFailureOf } from './failures.ts'
import { type AgentClient, sendFile } from './send-file.ts'
import { type Effect, seenSeq, type WorkspaceState } from './state.ts'
import { step, type WorkspaceEvent, workspaceState } from './step.ts'
import type { WorkspaceStore } from './store.ts'

/** Services of the agent's screen. */
export interface WorkspaceServices {
  /** Client that repeats what can be repeated, for reads and states. */
  readonly agent: AgentClient
  /** Client that sends each request once, for messages: the screen repeats them itself, with their key. */
  readonly once: AgentClient
  readonly transport: Transport
  readonly listen: ChatWatch['listen']
  readonly store: WorkspaceStore
  readonly tickets: Pick<TicketsApi, 'form'>
  readonly phrases: Phrases
  readonly fetchFile: <T>(
    file: { readonly link: string },
    read: (stream: FileStream) => Promise<T>,
    signal: AbortSignal,
  ) => Promise<T>
  /** Opens a file with the program of the system, and returns why that failed. */
  readonly openFile: (path: string) => Promise<string | undefined>
  /** Folder that files of customers are saved to. */
  readonly folder: string
  readonly now: () => Promise<number>
  readonly makeId: () => string
  readonly random: () => number
  readonly stop: AbortSignal
  readonly onChange: (state: WorkspaceState) => void
}

/** Maximum number of rooms in the queue; the rest is counted. */
const maxQueue = 300
/** Interval of the clock of the screen. */
const tickMs = 500
/** Ticks after which a queue that is longer than the list is read again: 20 seconds. */
const reloadTicks = 40
/** Ticks between attempts to read what could not be read: 2 seconds. */
const retryTicks = 4
/** Minimum age of a room's last change, compared with a list, before its absence from the list counts. */
const listMarginMs = 5_000

type EffectOf<Kind extends Effect['kind']> = Extract<Effect, { kind: Kind }>

/** Runs the agent's screen: applies events to its state, and runs the effects of each step. */
export class WorkspaceRun {
  readonly #services: WorkspaceServices
  #state: WorkspaceState
  /** Changes of the book, one after another. */
  #writing: Promise<unknown> = Promise.resolve()
  #queueLoads = 0
  #ticks = 0
  readonly #ended = Promise.withResolvers<void>()
  readonly #leaving = new AbortController()

  constructor(services: WorkspaceServices, about: Parameters<typeof workspaceState>[0]) {
    this.#services = services
    this.#state = workspaceState(about)
  }

  get state(): WorkspaceState {
    return this.#state
  }

  /**
   * Runs until the agent leaves or a signal is received. Throws permanent refusals of the agent's API, such as that of
   * a revoked token.
   */
  async run(): Promise<WorkspaceState> {
    const { store, now, stop } = this.#services
    const onStop = () => this.dispatch({ kind: 'stop' })
    stop.addEventListener('abort', onStop, { once: true })
    const timer = setInterval(() => void this.#tick(), tickMs)
    try {
      this.dispatch({ kind: 'restored', stored: await store.restore(await now()) })
      const watching = this.#watch()
      this.#do({ kind: 'load-queue' })
      if (stop.aborted) onStop()
      await Promise.race([this.#ended.promise, watching.then(() => this.#ended.promise)])
    } finally {
      clearInterval(timer)
      stop.removeEventListener('abort', onStop)
      // Also after an error: it stores the texts that were typed last.
      this.dispatch({ kind: 'stop' })
      this.#leaving.abort()
      await this.#writing
    }
    return this.#state
  }

  dispatch(event: WorkspaceEvent): void {
    if (this.#state.end === 'ended') return
    const { state, effects } = step(this.#state, event)
    this.#state = state
    for (const effect of effects) this.#do(effect)
    if (state.end === 'ended') this.#ended.resolve()
    this.#services.onChange(state)
  }

  async #tick(): Promise<void> {
    this.#ticks += 1
    // Rooms beyond the list move up as those before them are answered.
    if (this.#ticks % reloadTicks === 0 && this.#state.total > this.#state.rooms.size) this.#do({ kind: 'load-queue' })
    if (this.#ticks % retryTicks === 0) this.#readAgain()
    this.dispatch({ kind: 'tick', now: await this.#services.now() })
  }

  /** Repeats failed reads of rooms, and of messages of the open conversation. */
  #readAgain(): void {
    const { list, open, rooms, conversations } = this.#state
    if (list === 'failed') this.#do({ kind: 'load-queue' })
    if (open === undefined || conversations.get(open)?.isLoading !== false) return
    const after = seenSeq(this.#state, open)
    if (after >= (rooms.get(open)?.lastSeq ?? 0)) return
    this.#do({ kind: 'load-messages', roomId: open, part: after === 0 ? 'latest' : { after } })
  }

  #watch(): Promise<void> {
    const { listen, random } = this.#services
    let isFirst = true
    return watchChat({
      listen,
      after: undefined,
      stop: this.#leaving.signal,
      sleep: realSleep,
      random,
      keep: () => {},
      onGap: () => {},
      onLive: (isLive) => {
        this.dispatch({ kind: 'connection', connection: isLive ? 'live' : 'lost' })
        // A change between the first list and the stream is in the second list.
        if (isLive && isFirst) this.#do({ kind: 'load-queue' })
        if (isLive) isFirst = false
      },
      take: (event) => this.dispatch({ kind: 'chat', event }),
    })
  }

  #do(effect: Effect): void {
    const work = this.#workOf(effect)
    work.catch((error: unknown) => {
      if (!isProblem(error) && !isFileError(error)) return this.#ended.reject(error)
      this.dispatch({ kind: 'notice', text: (error as Error).message, isBad: true })
    })
  }

  #workOf(effect: Effect): Promise<void> {
    switch (effect.kind) {
      case 'load-queue':
        return this.#loadQueue()
      case 'load-room':
        return this.#loadRoom(effect)
      case 'load-messages':
        return this.#loadMessages(effect)
      case 'keep-outgoing':
        return this.#write((store) => store.keepAnswer(effect.outgoing, null))
      case 'forget-outgoing':
        return this.#write((store) => store.forgetAnswer(effect.key))
      case 'keep-room':
        return this.#write((store) => store.keepRoom(effect.roomId, effect.draft, effect.snooze))
      case 'send':
        return this.#send(effect)
      case 'fill-macro':
        return this.#fillMacro(effect)
      case 'save-file':
        return this.#saveFile(effect)
      case 'open-file':
        return this.#openFile(effect)
      case 'read-file':
        return this.#readFile(effect)
      default:
        return this.#change(effect)
    }
  }

  /** Changes of rooms. */
  async #change(effect: EffectOf<'typing' | 'read' | 'unread' | 'assign' | 'set-open'>): Promise<void> {
    const { agent } = this.#services
    const params = { roomId: effect.roomId }
    switch (effect.kind) {
      case 'typing':
        // A notice that is valid for seconds needs no replay.
        await agent.typing({ params, body: { typing: effect.isTyping } }).catch(() => {})
        return
      case 'read':
        await agent.read({ params, body: { seq: effect.seq } })
        return
      case 'unread':
        await agent.unread({ params, body: { seq: effect.seq } })
        return this.#room(agent.room({ params }))
      case 'assign':
        return this.#assign(effect)
      case 'set-open':
        return this.#room(effect.isOpen ? agent.reopen({ params }) : agent.close({ params }))
    }
  }

  async #assign({ roomId, agentId, expected }: EffectOf<'assign'>): Promise<void> {
    const { agent } = this.#services
    const params = { roomId }
    try {
      await this.#room(agent.assign({ params, body: { agentId, expectedAssignee: expected } }))
    } catch (error) {
      if (!isProblem(error, 'ASSIGNEE_CONFLICT')) throw error
      await this.#room(agent.room({ params }))
      this.dispatch({ kind: 'notice', text: 'Another agent was faster; nothing was changed.', isBad: true })
    }
  }

  async #room(reading: Promise<Room>): Promise<void> {
    this.dispatch({ kind: 'room', room: await reading })
  }

  #write(change: (store: WorkspaceStore) => Promise<void>): Promise<void> {
    const next = this.#writing.then(() => change(this.#services.store))
    this.#writing = next.catch(() => {})
    return next
  }

  async #loadQueue(): Promise<void> {
    const { agent, now } = this.#services
    this.#queueLoads += 1
    const load = this.#queueLoads
    const { whose, keyword } = this.#state.filter
    const asOf = (await now()) - listMarginMs
    const query = {
      status: 'open' as const,
      ...(whose === 'mine' ? { assignee: 'me' } : whose === 'unassigned' ? { assignee: 'none' } : {}),
      ...(keyword === '' ? {} : { keyword }),
    }
    try {
      const { rooms, total } = await readRooms(
        (page) => agent.rooms({ query: { ...query, ...page } }),
        maxQueue,
        async () => load === this.#queueLoads && !this.#leaving.signal.aborted,
      )
      if (load === this.#queueLoads) this.dispatch({ kind: 'queue', rooms, total, asOf })
    } catch (error) {
      if (!isProblem(error)) throw error
      this.dispatch({ kind: 'queue-failed', text: `The rooms were not read: ${error.message}` })
    }
  }

  /** A room that cannot be read is not in the queue, so the list is read again. */
  async #loadRoom({ roomId }: EffectOf<'load-room'>): Promise<void> {
    try {
      await this.#room(this.#services.agent.room({ params: { roomId } }))
    } catch (error) {
      if (!isProblem(error) || error.code === 'ROOM_NOT_FOUND') throw error
      this.dispatch({ kind: 'queue-failed', text: `A room was not read: ${error.message}` })
    }
  }

  async #loadMessages({ roomId, part }: EffectOf<'load-messages'>): Promise<void> {
    const { agent } = this.#services
    const pageOf = (page: number) => agent.messages({ params: { roomId }, query: { page } })
    try {
      const messages =
        part === 'latest'
          ? await latestMessages(pageOf, (await agent.room({ params: { roomId } })).lastSeq, messagesPerPage)
          : 'before' in part
            ? (await pageOf(pageWith(part.before - 1))).items
            : await messagesAfter(pageOf, part.after)
      this.dispatch({ kind: 'messages', roomId, messages })
    } catch (error) {
      if (!isProblem(error)) throw error
      this.dispatch({ kind: 'messages-failed', roomId, text: `The messages were not loaded: ${error.message}` })
    }
  }

  /** Sends an answer once. What the first attempt expected is stored before, so that a later run repeats the same request. */
  async #send({ outgoing, expectedLastSeq }: EffectOf<'send'>): Promise<void> {
    const { store, once, transport } = this.#services
    const { key, roomId, text, file } = outgoing
    try {
      const expected = Math.max(expectedLastSeq, (await store.expectedSeqOf(key)) ?? 0)
      await this.#write((kept) => kept.keepAnswer(outgoing, expected))
      const message =
        file === undefined
          ? await once.reply({
              params: { roomId },
              body: { text, clientMessageId: key, expectedLastSeq: expected },
            })
          : await sendFile({ agent: once, transport }, { roomId, path: file, key })
      this.dispatch({ kind: 'sent', message })
    } catch (error) {
      this.dispatch({ kind: 'send-failed', key, failure: sendFailureOf(error) })
    }
  }

  async #fillMacro({ roomId, macro }: EffectOf<'fill-macro'>): Promise<void> {
    const { phrases, tickets } = this.#services
    const room = this.#state.rooms.get(roomId)
    if (!room) return
    const text = await textFor({ macro: macroNamed(macro, phrases) }, subjectOf(room), tickets, phrases.file)
    this.dispatch({ kind: 'macro', roomId, text })
  }

  async #saveFile({ roomId, seq, mediaId }: EffectOf<'save-file'>): Promise<void> {
    const { agent, fetchFile, folder } = this.#services
    // Links expire, so the message is read again.
    const { items } = await agent.messages({ params: { roomId }, query: { page: pageWith(seq) } })
    const file = items.flatMap(({ attachments }) => attachments).find((each) => each.mediaId === mediaId)
    if (!file) throw new Problem('NOT_FOUND', 'The file no longer exists')
    const path = freePath(folder, safeName(file.fileName, mediaId))
    const { bytes } = await fetchFile(
      { link: file.downloadUrl },
      (stream) => keepFile(stream, path, { sizeBytes: file.sizeBytes, sha256: file.sha256 }),
      this.#leaving.signal,
    )
    this.dispatch({ kind: 'file-saved', path, bytes })
  }

  async #openFile({ path }: EffectOf<'open-file'>): Promise<void> {
    const failure = await this.#services.openFile(path)
    const text = failure === undefined ? `Opened ${path}.` : `Not opened: ${failure}. The file is ${path}.`
    this.dispatch({ kind: 'notice', text, isBad: failure !== undefined })
  }

  async #readFile({ roomId, path: typed }: EffectOf<'read-file'>): Promise<void> {
    const path = typed.startsWith('~/') ? join(homedir(), typed.slice(2)) : typed
    if (!statSync(path).isFile()) throw new Problem('INVALID_FILE', `${path} is not a file`)
    this.dispatch({ kind: 'file-to-send', roomId, path, name: basename(path), key: this.#services.makeId() })
  }
}

/** Errors of the file system: of a path that was typed, or a full disk. */
const isFileError = (error: unknown): boolean =>
  error instanceof Error && typeof Reflect.get(error, 'syscall') === 'string'

/** Returns the page with a message. */
const pageWith = (seq: number): number => Math.max(1, Math.ceil(seq / messagesPerPage))

async function messagesAfter(
  pageOf: (page: number) => Promise<{ readonly items: readonly Message[]; readonly hasMore: boolean }>,
  seq: number,
): Promise<Message[]> {
  const messages: Message[] = []
  for (let page = pageWith(seq + 1); ; page++) {
    const { items, hasMore } = await pageOf(page)
    messages.push(...items.filter((message) => message.seq > seq))
    if (!hasMore || items.length === 0) return messages
  }
}

/** Returns a path in the folder that does not exist: a second file of a name gets a number. */
function freePath(folder: string, name: string): string {
  const [, stem = name, end = ''] = /^(.+?)(\.[^.]*)?$/.exec(name) ?? []
  for (let i = 1; ; i++) {
    const path = join(folder, i === 1 ? name : `${stem} (${i})${end}`)
    if (!existsSync(path)) return path
  }
}

/** The customer of a room, for macros. Variables of tickets are empty, so that a macro that needs them is refused. */
function subjectOf(room: Room): Parameters<typeof textFor>[1] {
  return {
    ticketId: '',
    ticketNumber: 0,
    title: '',
    status: '',
    priority: Number.NaN,
    formCode: null,
    assigneeName: room.assignee?.displayName ?? null,
    customerAccount: room.customerAccount,
    customerDisplayName: room.customerDisplayName,
    customerLanguage: room.customerLanguage,
    createdAt: Number.NaN,
    updatedAt: Number.NaN,
    fieldValues: [],
  }
}
