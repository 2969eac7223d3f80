import type { Customer, Session, StoredState } from '../context.ts'

/** The stored states of a tenant's customers. Each has its own key, so that no customer reads another's state. */
export class Sessions {
  readonly #store: string
  /** Called when another tab or the page has removed the state of this name. */
  onForgotten = (_name: string) => {}

  constructor(tenantKey: string) {
    this.#store = `cw:${tenantKey}`
  }

  nameOf(account: string | undefined): string {
    return this.#store + (account ? `:${account}` : '')
  }

  open(customer: Customer): Session {
    return new StoredSession(this, this.nameOf(customer.account), customer)
  }

  clear(shouldWipe: (name: string) => boolean): void {
    try {
      for (const name of Object.keys(localStorage))
        if ((name === this.#store || name.startsWith(`${this.#store}:`)) && shouldWipe(name))
          localStorage.removeItem(name)
    } catch {}
  }
}

class StoredSession implements Session {
  readonly #sessions: Sessions
  readonly name: string
  readonly customer: Customer
  isRefused = false
  // Changes that are not stored. If storage is full, blocked or absent, the state lasts for this page only.
  #memory: StoredState = {}
  /** The text that this page stored last. */
  #written: string | undefined
  #final: StoredState | undefined

  constructor(sessions: Sessions, name: string, customer: Customer) {
    this.#sessions = sessions
    this.name = name
    this.customer = customer
  }

  load(): StoredState {
    if (this.#final) return this.#final
    let stored: StoredState = {}
    try {
      stored = JSON.parse(localStorage.getItem(this.name) as string)
    } catch {}
    return { ...stored, ...this.#memory }
  }

  save(change: StoredState): void {
    if (this.#final) return
    this.#memory = { ...this.#memory, ...change }
    try {
      // Another tab or the page has removed the state: writing it again would undo that.
      if (this.#written && localStorage.getItem(this.name) === null) {
        queueMicrotask(() => this.#sessions.onForgotten(this.name))
        return
      }
      const text = JSON.stringify(this.load())
      localStorage.setItem(this.name, text)
      // Some storages discard values without an error.
      if (localStorage.getItem(this.name) !== text) return
      this.#written = text
      this.#memory = {}
    } catch {}
  }

  undo(): void {
    if (localStorage.getItem(this.name) === this.#written) this.forget()
  }

  forget(): void {
    this.end()
    this.#sessions.clear((name) => name === this.name)
  }

  // Pending requests still belong to this session's room, so its state stays in memory.
  end(): void {
    this.#final ||= this.load()
  }
}
