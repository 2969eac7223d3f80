/** Parts of a deadline. Of any time in which the process does not run, at most one is counted. */
export const deadlineParts = 20

/** A deadline for a response. */
export interface Deadline {
  /** Aborted when the time is over. */
  readonly signal: AbortSignal
  /** Ends the deadline: the signal is not aborted any more. */
  end(): void
}

/**
 * Starts a deadline of this time. After a time in which the process was stopped, its timers run before it reads what has
 * arrived: one timer for the whole time would report a response that arrived in time as late.
 */
export function startDeadline(ms: number): Deadline {
  const late = new AbortController()
  let left = deadlineParts
  const tick = () => {
    left -= 1
    if (left > 0) return
    clearInterval(timer)
    late.abort()
  }
  const timer = setInterval(tick, Math.ceil(ms / deadlineParts))
  return { signal: late.signal, end: () => clearInterval(timer) }
}
