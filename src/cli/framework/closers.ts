import { isProblem, type Problem } from '../../kit/problem.ts'
import { problemOf } from '../outcome/exit-codes.ts'

/** The resources that a run has opened. */
export class Closers {
  readonly #closers: (() => Promise<unknown> | unknown)[] = []

  add(close: () => Promise<unknown> | unknown): void {
    this.#closers.push(close)
  }

  /** Closes all, the last one first, and returns the first problem. Jobs that were not run are a warning: the result is valid. */
  async closeAll(warn: (text: string) => void): Promise<Problem | undefined> {
    let failed: Problem | undefined
    for (const close of this.#closers.toReversed()) {
      try {
        await close()
      } catch (error) {
        if (isProblem(error, 'JOBS_NOT_RUN')) warn(error.message)
        else failed ??= problemOf(error)
      }
    }
    return failed
  }
}
