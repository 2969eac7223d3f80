/** Limits concurrent work; the rest waits in order of arrival. */
export interface Semaphore {
  run<T>(work: () => Promise<T>): Promise<T>
  /** Resolves when nothing runs or waits. */
  idle(): Promise<void>
}

export function createSemaphore(size: number): Semaphore {
  let free = size
  const waiting: (() => void)[] = []
  const idleWaiters: (() => void)[] = []
  const leave = () => {
    const next = waiting.shift()
    if (next) return next()
    free += 1
    if (free === size) for (const tell of idleWaiters.splice(0)) tell()
  }
  return {
    async run(work) {
      if (free > 0) free -= 1
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        leave()
      }
    },
    async idle() {
      if (free < size) await new Promise<void>((resolve) => idleWaiters.push(resolve))
    },
  }
}
