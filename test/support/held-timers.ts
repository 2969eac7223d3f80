import { onTestFinished, vi } from 'vitest'

type Start = (work: () => void, ms?: number, ...more: unknown[]) => NodeJS.Timeout

/**
 * Keeps timers and intervals of this duration from ending during the test, so that a slow machine does not reach a limit
 * of the product. Returns what they would run.
 */
export function holdTimersOf(ms: number): readonly (() => void)[] {
  const held: (() => void)[] = []
  for (const name of ['setTimeout', 'setInterval'] as const) {
    const start = globalThis[name] as Start
    const later: Start = (work, after, ...more) => {
      if (after !== ms) return start(work, after, ...more)
      held.push(work)
      return start(work, 2_000_000_000, ...more).unref()
    }
    const spy = vi.spyOn(globalThis, name).mockImplementation(later as never)
    onTestFinished(() => spy.mockRestore())
  }
  return held
}
