import type { Strings } from '../context.ts'
import type { Failure } from '../conversation/api.ts'
import type { Core } from '../conversation/core.ts'
import type { Panel } from '../conversation/panel.ts'
import type { RoomAccess } from '../conversation/room-access.ts'
import { type Form, idsByContent, ticketForm } from './form.ts'

interface Summary {
  readonly ticketId: string
  readonly ticketNumber: number
  readonly title: string
  readonly statusLabel: string
  readonly isDone: boolean
  readonly updatedAt: string
}

interface Ticket extends Summary {
  readonly description: string
  readonly createdAt: string
  readonly fields: readonly { readonly label: string; readonly value: string }[]
  readonly comments: readonly {
    readonly authorType: string
    readonly authorDisplayName: string
    readonly content: string
    readonly createdAt: string
  }[]
}

/**
 * Pages of the customer's own tickets: the list, one ticket, and the form for a new one. They cover the conversation.
 */
export class TicketPages {
  readonly #core: Core
  readonly #access: RoomAccess
  readonly #panel: Panel
  readonly #strings: Strings
  readonly #page: HTMLElement
  /** Increases with each page, so that a late response does not replace another page. */
  #visit = 0

  constructor(core: Core, access: RoomAccess, panel: Panel, strings: Strings) {
    this.#core = core
    this.#access = access
    this.#panel = panel
    this.#strings = strings
    this.#page = core.ctx.make('div', { className: 'pg', tabIndex: -1, role: 'region', ariaLabel: strings.tickets })
    panel.element.querySelector('.pg')?.remove()
    panel.element.append(this.#page)
    panel.element.classList.add('full')
  }

  list(): void {
    const strings = this.#strings
    this.#load<{ items: Summary[]; total: number }>('/tickets', ({ items, total }) => {
      const { make } = this.#core.ctx
      const rows = items.map((ticket) =>
        make(
          'li',
          {},
          make(
            'button',
            { type: 'button', onclick: () => this.#ticket(ticket.ticketId) },
            make('span', { textContent: `#${ticket.ticketNumber} ${ticket.title}`, dir: 'auto' }),
            make('small', { textContent: `${ticket.statusLabel} · ${this.#time(ticket.updatedAt)}` }),
          ),
        ),
      )
      return [
        this.#bar(
          () => this.#leave(),
          this.#button(strings.newTicket, () => this.#new(), 'b'),
        ),
        make('h3', { textContent: strings.tickets }),
        rows.length ? make('ul', { role: 'list' }, ...rows) : make('p', { textContent: strings.noTickets }),
        ...(total > items.length ? [make('p', { textContent: `${items.length} / ${total}` })] : []),
      ]
    })
  }

  #ticket(id: string): void {
    this.#load<Ticket>(`/tickets/${id}`, (ticket) => {
      const { make } = this.#core.ctx
      const text = (content: string) => make('p', { textContent: content, dir: 'auto' })
      const comments = ticket.comments.map(({ authorType, authorDisplayName, content, createdAt }) => {
        const author = authorType === 'customer' ? this.#strings.you : authorDisplayName || this.#strings.support
        return make(
          'article',
          {},
          make('small', { textContent: `${author} · ${this.#time(createdAt)}` }),
          text(content),
        )
      })
      const fields = ticket.fields.flatMap(({ label, value }) => [
        make('dt', { textContent: label }),
        make('dd', { textContent: value, dir: 'auto' }),
      ])
      return [
        this.#bar(() => this.list()),
        make('h3', { textContent: `#${ticket.ticketNumber} ${ticket.title}`, dir: 'auto' }),
        make('small', { textContent: `${ticket.statusLabel} · ${this.#time(ticket.createdAt)}` }),
        text(ticket.description),
        make('dl', {}, ...fields),
        ...comments,
        ...(ticket.isDone ? [] : [this.#reply(id)]),
      ]
    })
  }

  /** Creates the form for a reply. */
  #reply(id: string): HTMLElement {
    const { make } = this.#core.ctx
    const idOf = idsByContent()
    const box = make('textarea', { rows: 2, maxLength: 5000, dir: 'auto' })
    const news = make('em', { role: 'status' })
    const send = this.#button(
      this.#strings.send,
      async () => {
        const content = box.value.trim()
        if (!content) return box.focus()
        send.disabled = true
        try {
          await this.#core.api.call('POST', `/tickets/${id}/comments`, { content, clientCommentId: idOf(content) })
          this.#ticket(id)
        } catch {
          news.textContent = this.#strings.failed
          send.disabled = false
        }
      },
      'b',
    )
    return make('div', {}, make('label', {}, make('span', { textContent: this.#strings.reply }), box), news, send)
  }

  #new(): void {
    this.#load<{ items: Form[] }>('/forms', ({ items }) => [
      this.#bar(() => this.list()),
      this.#core.ctx.make('h3', { textContent: this.#strings.newTicket }),
      ticketForm(this.#core, this.#strings, items, (id) => this.#ticket(id)),
    ])
  }

  /** Loads and draws a page, or shows that it could not be loaded. */
  async #load<Data>(path: string, draw: (data: Data) => HTMLElement[]): Promise<void> {
    const { make } = this.#core.ctx
    const visit = ++this.#visit
    this.#show([this.#bar(() => this.#leave()), make('p', { role: 'status', textContent: this.#strings.connecting })])
    try {
      // The identity is verified first; no room is created for it.
      if (!this.#core.room.token) await this.#access.prove()
      const get = (): Promise<Data> => this.#core.api.call('GET', path)
      const data = await get().catch(async ({ status }: Failure) => {
        if (status !== 401) throw new Error(path)
        // Status 401: the token has expired.
        await this.#access.prove()
        return get()
      })
      if (visit === this.#visit) this.#show(draw(data))
    } catch {
      const again = this.#button(this.#strings.back, () => this.#leave(), 'x')
      if (visit === this.#visit) this.#show([again, make('p', { role: 'alert', textContent: this.#strings.failed })])
    }
  }

  #show(content: readonly HTMLElement[]): void {
    const hadFocus =
      this.#panel.element.contains(this.#core.ctx.root.activeElement) || !this.#core.ctx.root.activeElement
    this.#page.replaceChildren(...content)
    if (hadFocus && this.#core.ctx.isOpen) this.#page.focus()
  }

  #bar(back: () => void, ...more: HTMLElement[]): HTMLElement {
    return this.#core.ctx.make('div', { className: 'bar' }, this.#button(this.#strings.back, back, 'x'), ...more)
  }

  #button(textContent: string, onclick: () => void, className: string): HTMLButtonElement {
    return this.#core.ctx.make('button', { type: 'button', className, textContent, onclick })
  }

  #leave(): void {
    this.#visit++
    this.#page.remove()
    this.#panel.element.classList.remove('full')
    this.#core.ctx.root.querySelector<HTMLElement>('.f textarea')?.focus()
  }

  #time(text: string): string {
    return new Date(text).toLocaleString(this.#core.locale, { dateStyle: 'medium', timeStyle: 'short' })
  }
}
