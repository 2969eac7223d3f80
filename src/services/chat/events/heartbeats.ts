import type { WatchedCredential } from './watched-credential.ts'

/** Interval of a stream's heartbeats. */
const everyMs = 15_000
/** Number of groups of streams. One group at a time gets heartbeats: thousands at once would delay events. */
const parts = 150

/** Sends heartbeats to open streams, one group at a time. */
export class Heartbeats {
  /** Interval of `beat`. */
  static readonly everyMs = everyMs / parts
  readonly #parts = Array.from({ length: parts }, () => new Set<WatchedCredential>())
  #beaten = 0
  #joined = 0

  /** Adds a stream, and returns its group. */
  add(credential: WatchedCredential): Set<WatchedCredential> | undefined {
    return this.#parts[this.#joined++ % parts]?.add(credential)
  }

  beat(): void {
    this.#beaten = (this.#beaten + 1) % parts
    for (const credential of this.#parts[this.#beaten] ?? []) credential.beat()
  }
}
