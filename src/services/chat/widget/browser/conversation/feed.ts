import type { Message } from '../context.ts'
import { chance, now } from './ambient.ts'
import type { Answer } from './api.ts'
import type { Core } from './core.ts'
import { eventsOf } from './event-stream.ts'
import type { ReadMarks } from './read-marks.ts'
import type { RoomAccess } from './room-access.ts'
import type { TabNews } from './tabs.ts'

/** The events of the room: its history, and new events from a stream or, if a proxy buffers streams, by polling. */
export class Feed {
  readonly #core: Core
  readonly #access: RoomAccess
  readonly #marks: ReadMarks
  #cursor = ''
  #connection = new AbortController()
  #isListening = false
  /** True once the room's history was loaded. */
  isLoaded = false
  /** Called for a new message of the other side, in the tab that received it. */
  onNews = () => {}

  constructor(core: Core, access: RoomAccess, marks: ReadMarks) {
    this.#core = core
    this.#access = access
    this.#marks = marks
  }

  /**
   * Listens to the room until the conversation leaves it. Of several tabs, one has the stream and sends its events to
   * the others.
   */
  async listen(): Promise<void> {
    const { room, status, tabs, waits, session, life } = this.#core
    if (this.#isListening || !room.state || this.#core.isStopped || !room.isProven) return
    this.#isListening = true
    for (let pause = 500; room.state && !this.#core.isStopped && !this.isLoaded; pause = Math.min(pause * 2, 30_000))
      try {
        await this.#reload()
        await this.#access.renew()
      } catch {
        if (!room.state) break
        status.showDisconnected()
        await waits.sleep(chance() * pause)
      }
    // When the tab with the stream is closed, another one continues after the last event.
    await tabs.alone(session.name, () => this.#keepListening(), { signal: life.signal }).catch(() => {})
    this.#isListening = false
    // The conversation may have changed to another room.
    this.listen()
  }

  /** Discards the state of the previous room, and listens to the current one. */
  restart(): void {
    this.isLoaded = false
    this.#cursor = ''
    this.disconnect()
    this.listen()
  }

  disconnect(): void {
    this.#connection.abort()
  }

  async loadHistory(beforeSeq?: number): Promise<void> {
    const { api, list } = this.#core
    const page = await api.inRoom('GET', `/messages?limit=50${beforeSeq ? `&beforeSeq=${beforeSeq}` : ''}`)
    if (!beforeSeq) this.#cursor = page.eventCursor
    list.addPage(page, !!beforeSeq)
  }

  /** Handles an event of the room, received by this tab or another one. */
  receive(event: TabNews['event'], data: Answer, id: string | undefined): void {
    const { list, status, ctx, strings } = this.#core
    if (this.#core.isStopped) return
    if (event === 'message.created') {
      // A stream and a poll may deliver the same message.
      const isNew = !list.has(data.message.messageId)
      list.upsert({ ...data.message, isOut: true })
      if (isNew && isForCustomer(data.message)) {
        status.showTyping('')
        list.announce()
        ctx.emit('message', data.message)
      }
    }
    if (event === 'typing') status.showTyping(data.typing ? data.displayName || strings.support : '')
    if (data.room) this.#marks.update(data.room)
    // A stream starts after the history of its own tab, which may end later than this tab's history.
    if (event === 'resync' || (event === 'ready' && id !== this.#cursor))
      this.#reload().catch(() => {
        this.isLoaded = false
        this.disconnect()
      })
    if (id) this.#cursor = id
  }

  async #reload(): Promise<void> {
    const state = async () => this.#marks.update(await this.#core.api.inRoom('GET', ''))
    await Promise.all([this.loadHistory(), state()])
    this.isLoaded = true
  }

  async #keepListening(): Promise<void> {
    const { room, status, waits } = this.#core
    const isOver = () => this.#core.isStopped || !room.state
    let pause = 500
    while (!isOver()) {
      let isGood = false
      const isPolling = this.#polls()
      try {
        if (!this.isLoaded) await this.#reload()
        if (isPolling) {
          this.#connection = new AbortController()
          this.#share('ready', {}, this.#cursor)
          await this.#poll(this.#connection.signal)
        }
        isGood = isPolling || (await this.#stream())
      } catch {}
      if (isOver()) break
      if (isGood) pause = 500
      // After a buffered stream, polling starts at once.
      else if (this.#polls() && !isPolling) continue
      else status.showDisconnected()
      if (!(isGood && isPolling)) await waits.sleep(chance() * pause)
      pause = Math.min(pause * 2, 30_000)
    }
  }

  /** Returns whether a proxy is known to buffer streams. */
  #polls(): boolean {
    return (this.#core.session.load().polls || 0) > now()
  }

  /**
   * Reads one stream to its end. Returns false if its `ready` event did not arrive, as with a proxy that buffers it.
   */
  async #stream(): Promise<boolean> {
    const { api, waits, status, session } = this.#core
    const connection = new AbortController()
    this.#connection = connection
    const { signal } = connection
    let isReady = false
    let isBuffered = false
    let silence: ReturnType<typeof setTimeout> | undefined
    const alive = () => {
      clearTimeout(silence)
      silence = setTimeout(() => connection.abort(), 45_000)
    }
    alive()
    // A proxy that buffers streams does not even deliver their beginning. Poll responses are not affected.
    const race = setTimeout(async () => {
      while (!isReady && !signal.aborted) await this.#poll(signal).catch(() => waits.sleep(1_000))
    }, 1_500)
    const late = setTimeout(() => {
      isBuffered = true
      connection.abort()
    }, 10_000)
    try {
      const headers = this.#cursor ? { 'Last-Event-ID': this.#cursor } : {}
      const { body } = await api.inRoom('GET', '/events', undefined, { raw: true, signal, headers })
      for await (const { event, data, id } of eventsOf(body, alive)) {
        if (event === 'ready') {
          isReady = true
          clearTimeout(race)
          clearTimeout(late)
          status.connected()
        }
        if (event === 'goodbye') await waits.sleep(data.retryAfterMs)
        else this.#share(event, data, id)
      }
      // A lost connection or a stopped server is an error instead.
      isBuffered = !isReady
      return isReady
    } finally {
      for (const timer of [silence, race, late]) clearTimeout(timer)
      // However the stream ended, the connection is closed.
      connection.abort()
      // Polls for 10 minutes, also on the next pages, before another stream is tried.
      if (isBuffered && !this.#core.isStopped) session.save({ polls: now() + 600_000 })
    }
  }

  async #poll(signal: AbortSignal): Promise<void> {
    const path = `/events/poll?waitMs=25000&after=${encodeURIComponent(this.#cursor)}`
    const page = await this.#core.api.inRoom('GET', path, undefined, { signal })
    this.#core.status.connected()
    for (const { event, data, id } of page.events) this.#share(event, data, id)
    this.#cursor = page.eventCursor
  }

  #share(event: string, data: Answer, id: string | undefined): void {
    const { message } = data
    if (message && isForCustomer(message) && !this.#core.list.has(message.messageId)) this.onNews()
    this.receive(event, data, id)
    this.#core.tabs.post({ event, data, id, at: this.#core.room.id })
  }
}

/** Returns whether a message is from the other side. A rating is an event message, but it is the customer's own. */
function isForCustomer({ senderType, eventKind }: Message): boolean {
  return senderType !== 'customer' && eventKind !== 'roomRated'
}
