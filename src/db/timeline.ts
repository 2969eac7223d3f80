import { AsyncLocalStorage } from 'node:async_hooks'
import { isProblem, Problem } from '../kit/problem.ts'

/**
 * The line of history that a database is on. It changes when the content is replaced by an earlier one, in this process or
 * another. Every transaction reads its name, so that no request does one half before and the other half after: it is run
 * again from its beginning.
 */
export class Timeline {
  #name: string | null | undefined
  #adopting: Promise<unknown> | undefined
  readonly #listeners = new Set<() => unknown>()
  /** Leaves the transaction in which a change is noticed: listeners open their own. */
  readonly #outside = AsyncLocalStorage.snapshot()

  /** Name of the line that this process follows; undefined before the first transaction. */
  get name(): string | null | undefined {
    return this.#name
  }

  /** Calls `adopt` after each change, before the next request begins: what is cached must be read again. */
  onChange(adopt: () => unknown): void {
    this.#listeners.add(adopt)
  }

  /**
   * Takes the name that a transaction has read. Returns what admits a work of that transaction, or throws when the work
   * belongs to a request that began on another line.
   */
  seen(name: string | null): () => void {
    const isChanged = this.#name !== undefined && this.#name !== name
    this.#name = name
    if (isChanged) this.#adopting = this.#outside(() => this.#adopt())
    return () => {
      const scope = scopes.getStore()
      if (scope?.of === this) {
        if (scope.name === undefined) scope.name = name
        if (scope.name !== name) throw changed()
      } else if (isChanged) throw changed()
    }
  }

  /** Runs a request on one line. It is repeated from its beginning when the line changes while it runs. */
  async run<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      await this.#adopting
      const scope: Scope = { of: this, name: this.#name }
      try {
        return await scopes.run(scope, work)
      } catch (error) {
        if (!isTimelineChange(error) || scope.name === this.#name) throw error
      }
    }
  }

  /** Runs a job on one line. What is left of it when the line changes is dropped. */
  async runOnce<T>(work: () => Promise<T>, dropped: T): Promise<T> {
    await this.#adopting
    try {
      return await scopes.run({ of: this, name: this.#name }, work)
    } catch (error) {
      if (!isTimelineChange(error)) throw error
      return dropped
    }
  }

  /** Resolves when all listeners have followed the last change. */
  async adopted(): Promise<void> {
    await this.#adopting
  }

  async #adopt(): Promise<void> {
    for (const adopt of this.#listeners) await adopt()
  }
}

/** A request, with the line that it began on. */
interface Scope {
  readonly of: Timeline
  name: string | null | undefined
}

const scopes = new AsyncLocalStorage<Scope>()

/**
 * Throws when the current request began on another line. For work that is handed to a transaction of another request,
 * which checks only that one.
 */
export function checkTimeline(): void {
  const scope = scopes.getStore()
  if (scope?.name !== undefined && scope.name !== scope.of.name) throw changed()
}

const code = 'TIMELINE_CHANGED'

/** Returns whether a request failed only because the content of the database was replaced while it ran. */
export function isTimelineChange(error: unknown): boolean {
  return isProblem(error, code)
}

function changed(): Problem {
  return new Problem(code, 'A snapshot was loaded while this was running; nothing was changed since. Run it again', {
    outcome: 'none',
    category: 'temporary',
    repeats: true,
  })
}
