import type {
  Context,
  Control,
  Conversation,
  Customer,
  Identification,
  Listener,
  Session,
  Strings,
} from '../context.ts'
import { customerOf } from './customer.ts'
import { make } from './dom.ts'
import { browserLanguage } from './language.ts'
import { Launcher } from './launcher.ts'
import { Sessions } from './sessions.ts'

/** The conversation's script, to which the server has added the texts of one language. */
type App = typeof import('../app.ts') & { readonly strings: Strings }

/** The widget on one page: its launcher, its customer, and the conversation once that is loaded. */
export class Widget {
  readonly #launcher: Launcher
  readonly #sessions: Sessions
  readonly #ctx: Context
  readonly #listeners: Record<string, Listener[]> = {}
  /** Aborted when the widget is removed. */
  readonly #life = new AbortController()
  #session: Session
  #unread: number
  #conversation: Conversation | undefined
  /** Scripts that are loaded or being loaded, by name. */
  readonly #scripts: Record<string, Promise<unknown>> = {}
  #attempts = 0
  #configuredAt = 0
  /** Text that this widget has put before the page's title. */
  #titlePrefix = ''

  /** Reads the attributes of the script tag. Its URL contains the address of the widget's server. */
  constructor({ dataset: data, src }: HTMLScriptElement) {
    const base = new URL('.', src).href.slice(0, -1)
    this.#launcher = new Launcher(data)
    this.#sessions = new Sessions(data['tenantKey'] || '')
    this.#ctx = this.#contextOf(data, base)
    this.#session = this.#sessions.open(
      customerOf({
        account: data['account'],
        identity: data['identity'],
        name: data['customerName'],
        email: data['customerEmail'],
      }),
    )
    // A page without an account may still identify a customer later, so it removes nothing.
    if (this.#session.customer.account) this.#sessions.clear((name) => name !== this.#session.name)
    this.#unread = this.#session.load().unread || 0
    this.#sessions.onForgotten = (name) => this.#forgotten(name)
    this.#launcher.button.onclick = () => this.#show(!this.#ctx.isOpen)
    const { signal } = this.#life
    addEventListener('storage', (event) => this.#stored(event), { signal })
  }

  /** Returns the object for pages, `window.ChatWidget`. */
  control(): Control {
    return {
      open: () => this.#show(true),
      close: () => this.#show(false),
      toggle: () => this.#show(!this.#ctx.isOpen),
      getUnreadCount: () => this.#unread,
      markRead: () => {
        if (this.#session.load().roomId) this.#load().then((it) => it?.markRead())
      },
      identify: (identification) => this.#identify(identification),
      reset: () => {
        if (!this.#isGone) this.#become({}, () => true)
      },
      on: (name, listener) => {
        this.#listeners[name] = [...(this.#listeners[name] || []), listener]
      },
      off: (name, listener) => {
        this.#listeners[name] = (this.#listeners[name] || []).filter((each) => each !== listener)
      },
      destroy: () => this.#destroy(),
    }
  }

  /** Puts the launcher on the page, and applies the back office's settings once they are loaded. */
  async begin(): Promise<void> {
    if (this.#isGone) return
    const { align } = this.#launcher
    this.#launcher.attach()
    this.#launcher.applyLook({})
    this.#showUnread(this.#unread)
    addEventListener('resize', align, { signal: this.#life.signal })
    dispatchEvent(new Event('chatwidget:ready'))
    if (!(await this.#configure())) return
    // A returning customer gets replies without opening the widget.
    this.#resume()
  }

  get #isGone(): boolean {
    return this.#life.signal.aborted
  }

  #contextOf(data: DOMStringMap, base: string): Context {
    const { wrap, root, button } = this.#launcher
    return {
      data,
      key: data['tenantKey'] || '',
      base,
      wrap,
      root,
      launcher: button,
      emit: (name, detail) => this.#emit(name, detail),
      make,
      showUnread: (count) => this.#showUnread(count),
      browserLanguage,
      load: (name) => this.#script(name),
      config: {},
      isOpen: false,
      removeWidget: () => {
        // biome-ignore lint/suspicious/noConsole: the only hint for a page's owner why the widget is missing
        if (!this.#isGone) console.warn('ChatWidget: the tenant key is not valid; the widget is hidden')
        this.#destroy()
      },
      close: () => this.#show(false),
      refresh: () => {
        if (performance.now() - this.#configuredAt > 60_000) this.#configure()
      },
    }
  }

  /** Reads and applies the back office's settings. Returns whether the page may have the widget. */
  async #configure(): Promise<boolean> {
    this.#configuredAt = performance.now()
    if (!(await this.#readConfig())) return false
    this.#launcher.applyLook(this.#ctx.config)
    this.#launcher.showUnread(this.#unread)
    this.#conversation?.configure()
    return true
  }

  /** Reads the back office's settings. Returns whether the page may have the widget. */
  async #readConfig(): Promise<boolean> {
    const { data, key, base } = this.#ctx
    const query = new URLSearchParams({ tenantKey: key, language: browserLanguage() })
    if (data['inboxCategoryCode']) query.set('inboxCategoryCode', data['inboxCategoryCode'])
    try {
      const response = await fetch(`${base}/api/widget/v1/config?${query}`, { credentials: 'omit' })
      if (response.status === 401 || response.status === 403) {
        this.#ctx.removeWidget()
        return false
      }
      if (response.ok) this.#ctx.config = await response.json()
      else if (response.status === 400) {
        // biome-ignore lint/suspicious/noConsole: tells a page's owner which attribute is ignored
        console.warn(`ChatWidget: there is no inbox category ${data['inboxCategoryCode']}`)
        delete data['inboxCategoryCode']
      }
    } catch {
      // Offline: the widget stays as it is, and shows an error when it is opened.
    }
    return true
  }

  #emit(name: string, detail?: unknown): void {
    for (const listener of this.#listeners[name] || [])
      try {
        listener(detail)
      } catch (error) {
        reportError(error)
      }
  }

  #showUnread(count: number): void {
    if (count !== this.#unread) this.#emit('unread', count)
    this.#unread = count
    this.#launcher.showUnread(count)
    this.#countInTitle(count)
    this.#session.save({ unread: count })
  }

  /** Shows the number of unread messages before the page's title, which the page may have changed by now. */
  #countInTitle(count: number): void {
    const { title } = document
    const rest = title.startsWith(this.#titlePrefix) ? title.slice(this.#titlePrefix.length) : title
    this.#titlePrefix = count ? `(${count}) ` : ''
    if (title !== this.#titlePrefix + rest) document.title = this.#titlePrefix + rest
  }

  #script(name: string): Promise<unknown> {
    // Browsers may cache a failed import by its URL, so each retry uses another URL.
    const address = `${this.#ctx.base}/widget-${name}.js?lang=${browserLanguage()}`
    this.#scripts[name] ||= import(`${address}${this.#attempts ? `&${this.#attempts}` : ''}`).catch((error) => {
      this.#attempts++
      delete this.#scripts[name]
      throw error
    })
    return this.#scripts[name]
  }

  async #load(): Promise<Conversation | undefined> {
    let app: App
    try {
      app = (await this.#script('app')) as App
    } catch {
      if (this.#ctx.isOpen) this.#showOffline()
      return undefined
    }
    if (!this.#isGone) this.#conversation ||= app.start(this.#ctx, this.#session, app.strings)
    return this.#conversation
  }

  /**
   * Shows that the conversation could not be loaded. It is loaded again when it is opened, or when the network is back.
   */
  #showOffline(): void {
    this.#ctx.isOpen = false
    this.#launcher.showOpen(false)
    this.#launcher.showOffline(true)
    this.#launcher.align()
    addEventListener('online', () => this.#launcher.isOffline && this.#show(true), { once: true })
  }

  #show(isOpen: boolean): void {
    if (this.#isGone || this.#ctx.isOpen === isOpen) return
    this.#ctx.isOpen = isOpen
    this.#launcher.showOpen(isOpen)
    this.#load().then((it) => {
      if (it) this.#launcher.showOffline(false)
      it?.show(this.#ctx.isOpen)
    })
    this.#emit(isOpen ? 'open' : 'close')
  }

  /** Loads the conversation if there is one, or an identity to verify while its signature is fresh. */
  #resume(): void {
    if (this.#session.customer.account || this.#session.load().roomId) this.#load()
  }

  #identify(identification: Identification): void {
    const customer = customerOf(identification || {})
    if (this.#isGone) return
    const current = this.#session.customer
    if (customer.account && (customer.account !== current.account || this.#session.isRefused)) {
      const next = this.#sessions.nameOf(customer.account)
      this.#become(customer, (name) => name !== next)
      return
    }
    for (const [name, value] of Object.entries(customer)) if (value) current[name as 'name'] = value
    this.#conversation?.identify()
  }

  /** Changes to another customer, with a new session and a new conversation: a conversation has only one session. */
  #become(customer: Customer, isWiped?: (name: string) => boolean): void {
    const hadFocus = this.#launcher.root.activeElement
    this.#conversation?.stop()
    this.#conversation = undefined
    this.#session.end()
    if (isWiped) this.#sessions.clear(isWiped)
    this.#session = this.#sessions.open(customer)
    this.#showUnread(this.#session.load().unread || 0)
    if (this.#ctx.isOpen) this.#load().then((it) => it?.show(this.#ctx.isOpen, !hadFocus))
    else this.#resume()
  }

  #stored({ key, newValue }: StorageEvent): void {
    if (newValue === null) this.#forgotten(key || this.#session.name)
  }

  /** Handles that another tab or the page has removed the state of a customer. */
  #forgotten(name: string): void {
    if (this.#isGone || name !== this.#session.name) return
    this.#session.undo()
    this.#become({})
  }

  #destroy(): void {
    this.#life.abort()
    this.#countInTitle(0)
    this.#launcher.remove()
    this.#conversation?.stop()
  }
}
