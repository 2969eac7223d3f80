import { AsyncLocalStorage } from 'node:async_hooks'
import { Problem, RequestRestart } from '../kit/problem.ts'

type TimelineName = string | null | undefined

/**
 * The timeline that a database is on: its content, and what follows from it. It changes when the content is replaced by an earlier one, in this process or
 * another. Every transaction reads its name, so that no request does one half before and the other half after: it is run
 * again from its beginning.
 */
export class Timeline {
  #name: TimelineName
  /** True from a change until all listeners have followed it. */
  #isBehind = false
  #adopting: Promise<void> | undefined
  readonly #listeners = new Set<() => unknown>()
  /** Leaves the transaction in which a change is noticed: listeners open their own. */
  readonly #outside = AsyncLocalStorage.snapshot()

  /** Name of the timeline that this process follows; undefined before the first transaction. */
  get name(): TimelineName {
    return this.#name
  }

  /** Calls `adopt` after each change, before the next request begins: what is cached must be read again. */
  onChange(adopt: () => unknown): void {
    this.#listeners.add(adopt)
  }

  /**
   * Takes the name that a transaction has read. Returns what admits a work of that transaction, or throws when the work
   * belongs to a request that began on another timeline.
   */
  seen(name: string | null): () => void {
    const isChanged = this.#name !== undefined && this.#name !== name
    this.#name = name
    if (isChanged) {
      this.#isBehind = true
      // A failure is reported to the next request, which tries again.
      this.adopted().catch(() => {})
    }
    return () => {
      const scope = openScope()
      if (scope?.of !== this) {
        if (isChanged) throw changed()
        return
      }
      if (scope.name === undefined) scope.name = name
      if (scope.name !== name) throw new RequestRestart()
    }
  }

  /** Runs a request on one timeline. It is repeated from its beginning when the timeline changes while it runs. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      if (this.#isBehind) await this.adopted()
      try {
        return await this.#within(work)
      } catch (error) {
        if (!(error instanceof RequestRestart)) throw error
      }
    }
  }

  /** Runs a job on one timeline. What is left of it when the timeline changes is dropped. */
  async runOnce<T>(work: () => Promise<T>, dropped: T): Promise<T> {
    await this.adopted()
    try {
      return await this.#within(work)
    } catch (error) {
      if (!(error instanceof RequestRestart)) throw error
      return dropped
    }
  }

  /** Resolves when all listeners have followed the last change. */
  async adopted(): Promise<void> {
    if (!this.#isBehind) return
    this.#adopting ??= this.#outside(() => this.#adopt()).finally(() => {
      this.#adopting = undefined
    })
    await this.#adopting
  }

  async #adopt(): Promise<void> {
    while (this.#isBehind) {
      const name = this.#name
      for (const adopt of this.#listeners) await adopt()
      this.#isBehind = this.#name !== name
    }
  }

  async #within<T>(work: () => Promise<T>): Promise<T> {
    const scope: Scope = { of: this, name: this.#name, isOver: false }
    try {
      return await scopes.run(scope, work)
    } finally {
      scope.isOver = true
    }
  }
}

/** A request, with the timeline that it began on. */
interface Scope {
  readonly of: Timeline
  name: TimelineName
  /** True after its end: what it has started, such as a stream, follows the changes. */
  isOver: boolean
}

const scopes = new AsyncLocalStorage<Scope>()

function openScope(): Scope | undefined {
  const scope = scopes.getStore()
  return scope?.isOver === false ? scope : undefined
}

/**
 * Returns the name of the timeline that the current request began on, or throws when that is no longer the timeline of its database.
 * A transaction that several requests share admits the first one only: it must be shared by requests of one timeline.
 */
export function currentTimeline(): TimelineName {
  const scope = openScope()
  if (scope?.name !== undefined && scope.name !== scope.of.name) throw new RequestRestart()
  return scope?.name
}

function changed(): Problem {
  return new Problem(
    'TIMELINE_CHANGED',
    'A snapshot was loaded while this was running; nothing was changed since. Run it again',
    { outcome: 'none', category: 'temporary' },
  )
}
