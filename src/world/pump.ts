import type { Log } from '../kit/log.ts'
import { isProblem } from '../kit/problem.ts'
import type { Pass } from '../outbox/pass.ts'

/** How much one round of a pass does at most: short enough that requests get their turn in between. */
const passLimit = 100
/** How many rounds `runPasses` makes before it calls the passes endless. */
const mostRounds = 10_000

/** Runs the passes until none finds anything to do; says how much they did. Bounded: what never ends is a bug. */
export async function runPasses(passes: readonly Pass[]): Promise<number> {
  let total = 0
  for (let round = 0; round < mostRounds; round++) {
    let done = 0
    for (const pass of passes) done += await pass.run(passLimit)
    if (done === 0) return total
    total += done
  }
  throw new Error(`the passes found something to do ${mostRounds} times in a row`)
}

/** The only timer: runs the passes again and again until it is told to stop, which waits for the round under way. */
export function startPump(passes: readonly Pass[], log: Log, everyMs = 1000): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  let isStopped = false
  const turn = async () => {
    for (const pass of passes) {
      if (isStopped) return
      try {
        await pass.run(passLimit)
      } catch (error) {
        // The next round tries again; a database that is away for a moment must not end the serving.
        log.warn(
          { pass: pass.name, code: isProblem(error) ? error.code : undefined, error: String(error) },
          'A pass failed',
        )
      }
    }
  }
  const next = () => {
    timer = setTimeout(() => {
      round = turn().then(() => {
        if (!isStopped) next()
      })
    }, everyMs)
  }
  next()
  return {
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await round
    },
  }
}
