import { setTimeout } from 'node:timers/promises'

/**
 * Waits; rejects with the signal's reason when aborted. A parameter wherever something waits, so that tests never do.
 */
export type Sleep = (ms: number, signal?: AbortSignal) => Promise<void>

export const realSleep: Sleep = async (ms, signal) => {
  try {
    await setTimeout(ms, undefined, signal ? { signal } : {})
  } catch (error) {
    signal?.throwIfAborted()
    throw error
  }
}
