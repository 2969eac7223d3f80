import { setTimeout } from 'node:timers/promises'

/** Waits; rejects with the signal's reason when aborted. Passed as a parameter, so that tests do not wait. */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

export const realSleep: Sleep = async (ms, signal) => {
  try {
    await setTimeout(ms, undefined, signal ? { signal } : {})
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
