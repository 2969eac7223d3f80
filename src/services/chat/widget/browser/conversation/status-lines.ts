import type { Core } from './core.ts'

/** The lines around the messages: the state of the connection, and who is typing. */
export class StatusLines {
  readonly #core: Core
  readonly state: HTMLElement
  readonly typing: HTMLElement
  #typingTimer: ReturnType<typeof setTimeout> | undefined

  constructor(core: Core) {
    this.#core = core
    this.state = core.ctx.make('p', { className: 's', role: 'status' })
    this.typing = core.ctx.make('p', { className: 'y', role: 'status' })
  }

  show(text: string): void {
    if (!this.#core.isStopped) put(this.state, text)
  }

  showDisconnected(): void {
    this.show(navigator.onLine ? this.#core.strings.connecting : this.#core.strings.offline)
  }

  showIfOffline(): void {
    if (!navigator.onLine) this.showDisconnected()
  }

  /** Removes a notice about the connection. A notice about a file stays. */
  connected(): void {
    const { connecting, offline } = this.#core.strings
    const { textContent } = this.state
    if (textContent === connecting || textContent === offline) this.show('')
  }

  /** Shows for 6 seconds who is typing. An empty name hides the line. */
  showTyping(name: string): void {
    clearTimeout(this.#typingTimer)
    put(this.typing, name && this.#core.strings.writing.replace('%', () => `\u2068${name}\u2069`))
    if (name) this.#typingTimer = setTimeout(() => this.showTyping(''), 6_000)
  }

  /** Shows that the server has rejected the customer's identity. */
  refuse(): void {
    this.showTyping('')
    this.state.className = 's r'
    put(this.state, this.#core.strings.notIdentified)
  }
}

// Unchanged text is not written again: a screen reader would repeat it.
function put(line: HTMLElement, text: string): void {
  if (line.textContent !== text) line.textContent = text
}
