import type { Pass } from '../db/periodic-job.ts'
import type { Log } from '../kit/log.ts'
import { isProblem } from '../kit/problem.ts'

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

/** How long what is under way may go on when the pump is stopped, before it is given up. */
const stopWithinMs = 400

/**
 * The only timer: runs the passes again and again until it is told to stop, which waits for the round under way. A pass
 * that overlaps is started and not waited for, and goes on by itself as long as it finds something to do.
 */
export function startPump(passes: readonly Pass[], log: Log, everyMs = 1000): { stop(): Promise<void> } {
  const givenUp = new AbortController()
  const aside = new Set<Promise<void>>()
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> = Promise.resolve()
  let isStopped = false
  const attempt = async (pass: Pass) => {
    try {
      return await pass.run(passLimit, givenUp.signal)
    } catch (error) {
      // The next round tries again; a database that is away for a moment must not end the serving.
      log.warn(
        { pass: pass.name, code: isProblem(error) ? error.code : undefined, error: String(error) },
        'A pass failed',
      )
      return 0
    }
  }
  const untilDone = async (pass: Pass) => {
    while (!isStopped && (await attempt(pass)) > 0);
  }
  const turn = async () => {
    for (const pass of passes) {
      if (isStopped) return
      if (!pass.overlaps) {
        await attempt(pass)
        continue
      }
      const run = untilDone(pass).finally(() => aside.delete(run))
      aside.add(run)
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
      const patience = setTimeout(() => givenUp.abort(), stopWithinMs)
      await round
      await Promise.all(aside)
      clearTimeout(patience)
    },
  }
}
