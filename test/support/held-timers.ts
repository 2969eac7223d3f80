import { onTestFinished, vi } from 'vitest'

/**
 * Keeps timers of this duration from ending during the test: a limit of the product that the test does not examine is
 * then not reached on a slow machine.
 */
export function holdTimersOf(ms: number): void {
  const start = globalThis.setTimeout as (work: () => void, after?: number, ...more: unknown[]) => NodeJS.Timeout
  const later = (work: () => void, after?: number, ...more: unknown[]) =>
    start(work, after === ms ? 2_000_000_000 : after, ...more)
  const spy = vi.spyOn(globalThis, 'setTimeout').mockImplementation(later as typeof setTimeout)
  onTestFinished(() => spy.mockRestore())
}
