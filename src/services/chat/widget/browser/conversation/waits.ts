/** The pauses before another attempt. */
export class Waits {
  readonly #sleepers = new Set<() => void>()

  sleep(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#sleepers.add(resolve)
      setTimeout(resolve, ms)
    })
  }

  /** Ends all pauses: the network is back, the page is looked at, or the conversation ends. */
  wake(): void {
    for (const resolve of this.#sleepers) resolve()
    this.#sleepers.clear()
  }
}
