// The lazily loaded part of the widget: the conversation.

import type { Context, Conversation, Session, Strings } from './context.ts'
import { chance } from './conversation/ambient.ts'
import { Composer } from './conversation/composer.ts'
import { Core } from './conversation/core.ts'
import { Feed } from './conversation/feed.ts'
import { Panel } from './conversation/panel.ts'
import { ReadMarks } from './conversation/read-marks.ts'
import { RoomAccess } from './conversation/room-access.ts'
import { SendQueue } from './conversation/send-queue.ts'
import type { TabNews } from './conversation/tabs.ts'
import { TypingIndicator } from './conversation/typing-indicator.ts'
import type { Extras } from './extras.ts'
import type { FileTray } from './files/tray.ts'

/** Opens the conversation of one session. It never reads or writes data of another session. */
export function start(ctx: Context, session: Session, strings: Strings): Conversation {
  return new CustomerConversation(ctx, session, strings)
}

const offer = (extras: Extras) => extras.offer()

/** Creates the parts of a conversation, and connects the callbacks of each to the others. */
class CustomerConversation implements Conversation {
  readonly #core: Core
  readonly #access: RoomAccess
  readonly #marks: ReadMarks
  readonly #feed: Feed
  readonly #queue: SendQueue
  readonly #typing: TypingIndicator
  readonly #panel: Panel
  readonly #composer: Composer
  /** Parts that are loaded on first use. */
  readonly #parts: { files?: FileTray; extras?: Extras } = {}
  /** Callbacks that wait until their part is loaded. */
  readonly #uses: { files?: unknown; extras?: unknown } = {}

  constructor(ctx: Context, session: Session, strings: Strings) {
    this.#core = new Core(ctx, session, strings)
    this.#access = new RoomAccess(this.#core)
    this.#marks = new ReadMarks(this.#core)
    this.#feed = new Feed(this.#core, this.#access, this.#marks)
    this.#queue = new SendQueue(this.#core, this.#access)
    this.#typing = new TypingIndicator(this.#core)
    this.#composer = new Composer(this.#core, this.#typing)
    this.#panel = new Panel(this.#core, this.#composer)
    this.#connectParts()
    this.#watchBrowser()
    this.identify()
    this.#queue.resume()
    this.#core.status.showIfOffline()
    this.configure()
  }

  #connectParts(): void {
    const { list, room, api, status, strings, tabs } = this.#core
    list.onView = () => this.#marks.look()
    list.onSent = (id) => this.#queue.remove(id)
    list.onRetry = (message) => this.#queue.retry(message)
    list.onEarlier = (seq) => this.#feed.loadHistory(seq).catch(() => status.show(strings.connecting))
    room.onMove = () => {
      // Message numbers are per room.
      list.remove(({ pending }) => !pending)
      this.#feed.restart()
    }
    api.onTokenRefused = (token) => {
      room.dropToken(token)
      status.connected()
      if (!room.isProven) this.identify()
    }
    tabs.onNews = (news) => this.#hear(news)
    this.#access.onRefused = () => this.#refuse()
    this.#composer.onText = this.#panel.onText = (text) => this.#send(text)
    this.#composer.onFiles = (files) => this.#withTray((tray) => tray.add(files))
    this.#composer.onSubmit = () => this.#parts.files?.send()
    this.#panel.onOptions = () => this.#withExtras((extras) => extras.toggle())
    list.onPicture = (link) => this.#withTray((tray) => tray.show(link))
    list.onDrawn = () => this.#offerExtras()
    this.#feed.onNews = () => {
      if (this.#core.session.load().sound) this.#withExtras((extras) => extras.ring())
    }
  }

  #watchBrowser(): void {
    const { status, waits, life } = this.#core
    const { signal } = life
    addEventListener(
      'online',
      () => {
        status.connected()
        waits.wake()
        this.#queue.flush()
      },
      { signal },
    )
    addEventListener('offline', () => status.show(this.#core.strings.offline), { signal })
    document.addEventListener(
      'visibilitychange',
      () => {
        if (document.visibilityState !== 'visible') return
        waits.wake()
        this.#marks.look()
      },
      { signal },
    )
  }

  /** Loads the part that sends files and shows pictures. */
  #withTray(use: (tray: FileTray) => void): void {
    this.#with<FileTray>('files', use)
  }

  /** Loads the part with the options, the rating and the email field. */
  #withExtras(use: (extras: Extras) => void): void {
    this.#with<Extras>('extras', use)
  }

  /** Loads a part once and uses it. Retries until the network is back, so that no chosen file is lost. */
  async #with<Part>(name: 'files' | 'extras', use: (part: Part) => void): Promise<void> {
    const core = this.#core
    const part = this.#parts[name]
    if (part) return use(part as Part)
    const waiting = this.#uses[name] as Set<(part: Part) => void> | undefined
    if (waiting) return void waiting.add(use)
    const uses = new Set([use])
    this.#uses[name] = uses
    for (let pause = 2_500; !core.isStopped; ) {
      const script = await core.ctx.load(name).catch(() => {})
      if (script && !core.isStopped) {
        if (pause > 2_500) core.status.connected()
        const made = script.start(core, this.#access, this.#panel, script.strings)
        this.#parts[name] = made
        for (const each of uses) each(made)
        return
      }
      core.status.showDisconnected()
      pause = Math.min(pause * 2, 60_000)
      await core.waits.sleep(pause)
    }
  }

  /** Shows the states of messages, the agent, office hours, the merchant's other channels and menu, and the rating. */
  #offerExtras(): void {
    const { ctx, room, list } = this.#core
    const { hours, replyMinutes, socialChannels, menu } = ctx.config
    const { assignee, rateable } = room.state || {}
    const isUsed = hours || replyMinutes || socialChannels?.length || menu?.length || assignee || rateable
    if (this.#parts.extras || isUsed || list.drawn.some(([{ seq }]) => seq)) this.#withExtras(offer)
  }

  #send(text: string): void {
    const { list, status } = this.#core
    this.#queue.add(text)
    list.toEnd()
    this.#typing.reset()
    if (navigator.onLine) status.show('')
    this.#queue.flush()
  }

  /** Handles a message of another tab: the room it is in, or an event of the room that both are in. */
  #hear({ event, data, id, at }: TabNews): void {
    const { room } = this.#core
    if (!room.isProven) return
    if (at !== room.id) room.adopt()
    if (data && at === room.id) this.#feed.receive(event, data, id)
  }

  /** Proves the customer's identity if necessary, and listens to the room. */
  async #identify(): Promise<void> {
    const { room, status, waits } = this.#core
    room.isProven = room.isProven && room.hasProof()
    for (let pause = 500; !room.isProven && !this.#core.isStopped; pause = Math.min(pause * 2, 30_000))
      await this.#access.prove().catch(({ retryMs }) => {
        if (this.#core.isStopped) return
        status.showDisconnected()
        return waits.sleep(retryMs || chance() * pause)
      })
    if (this.#core.isStopped) return
    status.connected()
    await (this.#feed.isLoaded ? this.#access.renew() : this.#feed.listen())
  }

  /** Ends the conversation after the server rejected this customer: nothing is stored, and nothing can be sent. */
  #refuse(): void {
    const { session, list, ctx, status } = this.#core
    if (this.#core.isStopped) return
    session.isRefused = true
    this.#end()
    session.forget()
    list.remove(() => true)
    this.#queue.clear()
    ctx.showUnread(0)
    this.#panel.lock()
    status.refuse()
    // biome-ignore lint/suspicious/noConsole: tells a page's owner why the customer cannot send messages
    console.warn(`ChatWidget: the identity of ${session.customer.account} is missing, wrongly signed or expired`)
  }

  #end(): void {
    this.#core.life.abort()
    this.#feed.disconnect()
    this.#core.waits.wake()
    this.#core.tabs.close()
  }

  configure(): void {
    this.#panel.configure()
    this.#core.list.render()
    this.#offerExtras()
  }

  show(isOpen: boolean, keepsFocus?: boolean): void {
    this.#panel.show(isOpen, keepsFocus)
    if (!isOpen) return
    this.#core.ctx.refresh()
    this.#offerExtras()
    this.#core.list.toEnd()
    this.#marks.look()
  }

  markRead(): void {
    this.#marks.mark()
  }

  identify(): void {
    this.#identify().catch(() => {})
  }

  stop(): void {
    this.#end()
    this.#panel.remove()
  }
}
