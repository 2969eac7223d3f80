import type { Problem } from '../../kit/problem.ts'
import { exitOf, reportOf } from './exit-codes.ts'
import { exitCodeOf, stoppedBy } from './signals.ts'

/** Returns the exit code of a run: that of the signal if one came, else that of the problem. */
export function exitCodeFor(problem: Problem | undefined): number {
  const signal = stoppedBy()
  if (signal !== undefined) return exitCodeOf(signal)
  return problem === undefined ? 0 : exitOf(reportOf(problem).category)
}
