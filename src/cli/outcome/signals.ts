/** Signal handling of the process. Long work holds `stopSignal` and checks it between two units. */

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const
export type StopSignal = keyof typeof exitCodes

/** Two equal signals within this time count as one: on Ctrl-C, npm passes on the signal that we also get directly. */
const sameWithinMs = 25

const controller = new AbortController()
let first: { signal: StopSignal; at: number } | undefined

/** Aborted by the first signal. */
export const stopSignal: AbortSignal = controller.signal

/** Returns the signal that stopped the run, if any. */
export const stoppedBy = (): StopSignal | undefined => first?.signal

export const exitCodeOf = (signal: StopSignal): number => exitCodes[signal]

/**
 * Installs the handlers. The first signal asks to stop: the command finishes its unit, commits and returns. The second
 * exits at once. SIGHUP keeps its default, so that `nohup` works; written data is consistent at any time.
 */
export function watchSignals(on: { first(signal: StopSignal): void; second(signal: StopSignal): void }): void {
  const onSignal = (signal: StopSignal) => {
    if (first === undefined) {
      first = { signal, at: performance.now() }
      on.first(signal)
      controller.abort(signal)
    } else if (signal !== first.signal || performance.now() - first.at > sameWithinMs) {
      on.second(first.signal)
    }
  }
  for (const signal of Object.keys(exitCodes) as StopSignal[]) process.on(signal, () => onSignal(signal))
}

/** Treats Ctrl-C inside a prompt as SIGINT: the terminal sends it to the prompt as a key. */
export function stopFromPrompt(): void {
  first ??= { signal: 'SIGINT', at: performance.now() }
  controller.abort('SIGINT')
}
