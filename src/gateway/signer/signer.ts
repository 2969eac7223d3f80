import { Worker } from 'node:worker_threads'

/** What the gateway may ask of the signing service, which alone holds the two-factor secrets. */
export interface Signer {
  /** A new secret: shown to its merchant once, and sealed for keeping. */
  enrol(): Promise<{ secret: string; sealed: string }>
  /** Whether the code is the secret's at that moment, a step of 30 seconds early or late, and was not used before. */
  verify(sealed: string, code: string, at: number): Promise<boolean>
  close(): Promise<void>
}

/** Opens the signing service when it is first asked. `keyPath` is the file of its key; null for a world that is not kept. */
export function openSigner(keyPath: string | null): Signer {
  let worker: Worker | undefined
  let count = 0
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>()

  function thread(): Worker {
    if (worker) return worker
    // Beside this file, in the language this file is in: sources while developing, JavaScript once built.
    const file = import.meta.url.endsWith('.ts') ? './thread.ts' : './thread.js'
    const opened = new Worker(new URL(file, import.meta.url), { workerData: { keyPath } })
    opened.unref()
    opened.on('message', ({ id, answer }: { id: number; answer: never }) => {
      waiting.get(id)?.resolve(answer)
      waiting.delete(id)
    })
    opened.on('error', (error: Error) => {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
      worker = undefined
    })
    worker = opened
    return opened
  }

  function ask<Answer>(question: object): Promise<Answer> {
    const id = ++count
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject })
      thread().postMessage({ id, ...question })
    })
  }

  return {
    enrol: () => ask({ ask: 'enrol' }),
    verify: (sealed, code, at) => ask({ ask: 'verify', sealed, code, at }),
    async close() {
      await worker?.terminate()
      worker = undefined
    },
  }
}
