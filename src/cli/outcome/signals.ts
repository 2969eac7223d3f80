/** The one place where the process listens to signals. Whoever works long holds `stopSignal` and looks at it between two units. */

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const
export type StopSignal = keyof typeof exitCodes

/** Two of the same within this time are one: a terminal's Ctrl-C reaches npm and us, and npm passes its own on. */
const sameWithinMs = 25

const controller = new AbortController()
let first: { signal: StopSignal; at: number } | undefined

/** Aborted by the first signal. */
export const stopSignal: AbortSignal = controller.signal

/** Which signal asked to stop, if one did. */
export const stoppedBy = (): StopSignal | undefined => first?.signal

export const exitCodeOf = (signal: StopSignal): number => exitCodes[signal]

/**
 * Listens from here on. The first signal only asks: the command finishes its unit, commits and returns. The second
 * stops at once. SIGHUP keeps its usual meaning, so that `nohup` works as ever; what is written is safe at any instant.
 */
export function watchSignals(on: { first(signal: StopSignal): void; second(signal: StopSignal): void }): void {
  const hear = (signal: StopSignal) => {
    if (first === undefined) {
      first = { signal, at: performance.now() }
      on.first(signal)
      controller.abort(signal)
    } else if (signal !== first.signal || performance.now() - first.at > sameWithinMs) {
      on.second(first.signal)
    }
  }
  for (const signal of Object.keys(exitCodes) as StopSignal[]) process.on(signal, () => hear(signal))
}

/** Ctrl-C inside a prompt: the terminal gives it to the prompt as a key, not to the process as a signal. */
export function stopFromPrompt(): void {
  first ??= { signal: 'SIGINT', at: performance.now() }
  controller.abort('SIGINT')
}
