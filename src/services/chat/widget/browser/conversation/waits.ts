/** Pauses before retries. */
export class Waits {
  readonly #sleepers = new Set<() => void>()

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#sleepers.add(resolve)
      setTimeout(resolve, ms)
    })
  }

  /** Ends all pauses, because the network is back, the page is visible, or the conversation ends. */
  wake(): void {
    for (const resolve of this.#sleepers) resolve()
    this.#sleepers.clear()
  }
}
