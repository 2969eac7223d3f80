import type { Message } from '../context.ts'
import type { Core } from './core.ts'
import { dayText } from './days.ts'
import { messageItem } from './message-item.ts'

/** The messages of the conversation, and the element in which the customer scrolls through them. */
export class MessageList {
  readonly #core: Core
  /** Messages by id, or by client id until the server has assigned an id. */
  readonly #messages = new Map<string | null | undefined, Message>()
  readonly #items = new Map<Message, HTMLElement>()
  /** Day separators by their text. */
  readonly #days = new Map<string, HTMLElement>()
  readonly #list: HTMLElement
  readonly #earlier: HTMLElement
  readonly log: HTMLElement
  /** Container after the messages, for forms such as the rating. It scrolls with them. */
  readonly end: HTMLElement
  /** Button that scrolls to new messages below. */
  readonly more: HTMLElement
  #frame = 0
  #isPrepended = false
  /** True while the list shows its end. It then stays there when messages, loaded pictures or the text box grow. */
  #follows = true
  #top = 0
  /** Number of new messages below the visible ones. */
  #news = 0
  /** Called when other messages may have become visible. */
  onView = () => {}
  /** Called after every drawing of the list. */
  onDrawn = () => {}
  /** Called when the server has the message of this client id. */
  onSent = (_clientMessageId: string) => {}
  onRetry = (_: Message) => {}
  /** Called with the link of a picture that the customer has clicked. */
  onPicture = (_: HTMLAnchorElement) => {}
  /** Called when the customer requests messages before the one with this number. */
  onEarlier = (_seq: number) => {}

  constructor(core: Core) {
    this.#core = core
    const { strings } = core
    const { make } = core.ctx
    this.#list = make('ul', { role: 'list' })
    this.end = make('div', { hidden: true })
    this.#earlier = make('button', {
      type: 'button',
      className: 'o',
      textContent: strings.earlier,
      hidden: true,
      onclick: () => this.onEarlier(Math.min(...[...this.#messages.values()].map(({ seq }) => seq || Infinity))),
    })
    this.log = make(
      'div',
      {
        className: 'g',
        tabIndex: 0,
        role: 'log',
        ariaLabel: strings.title,
        onscroll: () => this.#scrolled(),
        onclick: (event) => this.#clicked(event),
      },
      this.#earlier,
      this.#list,
      this.end,
    )
    this.more = make('button', {
      type: 'button',
      className: 'd',
      hidden: true,
      onclick: () => {
        // The button disappears, so the focus moves to the messages.
        this.log.focus()
        this.toEnd()
      },
    })
    const grown = new ResizeObserver(() => {
      if (this.#follows || this.#isAtEnd()) this.toEnd()
      this.onView()
    })
    grown.observe(this.#list)
    grown.observe(this.log)
    grown.observe(this.end)
  }

  /** Returns the messages with their elements, as of the last drawing. */
  get drawn(): [Message, HTMLElement][] {
    return [...this.#items]
  }

  has(messageId: string): boolean {
    return this.#messages.has(messageId)
  }

  /** Adds or replaces a message. The response to a request and the pushed event may arrive in either order. */
  upsert(message: Message): void {
    const { clientMessageId: id, messageId, seq } = message
    if (id) this.#messages.delete(id)
    const known = this.#messages.get(messageId)
    if (!(known?.seq === seq && seq)) this.#messages.set(messageId || id, message)
    else if (message.isOut) Object.assign(known as Message, { isOut: true })
    if (!message.pending && id) this.onSent(id)
    this.render()
  }

  /** Adds a page of messages: the latest, or requested earlier ones. */
  addPage({ items, hasMoreBefore }: { items: Message[]; hasMoreBefore: boolean }, isEarlier: boolean): void {
    this.#earlier.hidden = !hasMoreBefore
    this.#isPrepended = isEarlier
    for (const each of items) this.upsert({ ...each, isOut: true })
  }

  remove(isGone: (message: Message) => boolean): void {
    for (const [id, message] of this.#messages) if (isGone(message)) this.#messages.delete(id)
    this.render()
  }

  /** Counts a new message. When it is drawn and the list does not show its end, a button to it appears. */
  announce(): void {
    this.#news++
  }

  toEnd(): void {
    this.#follows = true
    this.#offerMore()
    this.log.scrollTop = this.log.scrollHeight
    this.#top = this.log.scrollTop
  }

  /** Returns the highest number after `seq` of a visible message, or `seq`. */
  seenAfter(seq: number): number {
    const end = this.log.getBoundingClientRect().bottom + 8
    let seen = seq
    for (const [{ seq: each = 0 }, li] of this.#items)
      if (each > seen && li.getBoundingClientRect().bottom < end) seen = each
    return seen
  }

  /** Schedules a drawing, at most one per frame. */
  render(): void {
    this.#frame ||= requestAnimationFrame(() => {
      this.#frame = 0
      const below = this.log.scrollHeight - this.log.scrollTop
      this.#draw()
      // A list that shows its end stays there. After loading earlier messages, the visible ones stay in place.
      if (this.#follows) this.toEnd()
      else if (this.#isPrepended) this.log.scrollTop = this.log.scrollHeight - below
      this.#isPrepended = false
      this.#offerMore()
      this.onView()
    })
  }

  #draw(): void {
    const sorted = [...this.#messages.values()].sort((a, b) => (a.seq || Infinity) - (b.seq || Infinity) || 0)
    const { greeting } = this.#core.ctx.config
    if (greeting && !sorted.length && !this.#core.session.isRefused) sorted.push({ senderType: 'bot', text: greeting })
    // Existing elements are kept, so that a screen reader announces only new ones.
    const rows: HTMLElement[] = []
    for (const message of sorted) {
      if (message.createdAt) this.#addDay(rows, message.createdAt)
      const li = this.#items.get(message) || messageItem(this.#core, message, this.onRetry)
      this.#items.set(message, li)
      rows.push(li)
    }
    const { children } = this.#list
    rows.forEach((li, i) => {
      if (children[i] !== li) this.#list.insertBefore(li, children[i] || null)
    })
    while (children.length > rows.length) this.#list.lastChild?.remove()
    for (const message of this.#items.keys()) if (!sorted.includes(message)) this.#items.delete(message)
    this.onDrawn()
  }

  /** Adds a day separator if the message is the first one of its day. */
  #addDay(rows: HTMLElement[], createdAt: string): void {
    const { locale, api, ctx } = this.#core
    const text = dayText(locale, new Date(createdAt), new Date(api.now()))
    const li = this.#days.get(text) || ctx.make('li', { className: 'e j', textContent: text })
    this.#days.set(text, li)
    if (!rows.includes(li)) rows.push(li)
  }

  #offerMore(): void {
    if (this.#follows) this.#news = 0
    this.more.hidden = !this.#news
    const { newMessage, newMessages } = this.#core.strings
    this.more.textContent = `${this.#news > 1 ? newMessages.replace('%', String(this.#news)) : newMessage} ↓`
  }

  /** Shows a clicked picture on the page. With a modifier key, its link opens in a tab or window instead. */
  #clicked(event: MouseEvent): void {
    const link = (event.target as Element).closest('a')
    if (!link?.querySelector('img') || event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    this.onPicture(link)
  }

  #isAtEnd(): boolean {
    return this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < 80
  }

  #scrolled(): void {
    // Only scrolling back leaves the end: new content moves the end, but not the scroll position.
    this.#follows = this.#isAtEnd() || (this.#follows && this.log.scrollTop >= this.#top)
    this.#top = this.log.scrollTop
    this.#offerMore()
    this.onView()
  }
}
