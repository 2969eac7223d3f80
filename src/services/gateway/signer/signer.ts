import { Worker } from 'node:worker_threads'
import { ownFile } from '../../../kit/module-path.ts'

/** Interface of the signing service. Only the service can read the two-factor secrets. */
export interface Signer {
  /** Creates a secret. Returns it to be shown to the merchant once, and encrypted for storage. */
  enroll(): Promise<{ secret: string; sealed: string }>
  /**
   * Returns the 30-second step that a code belongs to, which is the current one or a neighbor; null for a wrong code.
   * The caller checks whether it was already used, because there may be several services without a shared state.
   */
  verify(sealed: string, code: string, at: number): Promise<number | null>
  /** Encrypts a secret with another key (32 bytes, Base64), for a snapshot that another world may restore. */
  wrap(sealed: string, key: string): Promise<string>
  /** Encrypts a secret from `wrap` for storage here. */
  unwrap(wrapped: string, key: string): Promise<string>
  close(): Promise<void>
}

/**
 * Opens the signing service; it starts with the first request. `keyPath` is its key file; null for a world in memory.
 */
export function openSigner(keyPath: string | null): Signer {
  let worker: Worker | undefined
  let count = 0
  const waiting = new Map<number, { resolve: (answer: never) => void; reject: (error: Error) => void }>()

  function thread(): Worker {
    if (worker) return worker
    const opened = new Worker(ownFile('services/gateway/signer/thread.ts'), { workerData: { keyPath } })
    opened.unref()
    opened.on('message', ({ id, answer, error }: { id: number; answer: never; error?: string }) => {
      if (error === undefined) waiting.get(id)?.resolve(answer)
      else waiting.get(id)?.reject(new Error(error))
      waiting.delete(id)
    })
    const end = (error: Error) => {
      for (const { reject } of waiting.values()) reject(error)
      waiting.clear()
      if (worker === opened) worker = undefined
    }
    opened.on('error', end)
    opened.on('exit', () => end(new Error('The signing service was closed')))
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
    enroll: () => ask({ ask: 'enroll' }),
    verify: (sealed, code, at) => ask({ ask: 'verify', sealed, code, at }),
    wrap: (sealed, otherKey) => ask({ ask: 'wrap', sealed, otherKey }),
    unwrap: (sealed, otherKey) => ask({ ask: 'unwrap', sealed, otherKey }),
    async close() {
      await worker?.terminate()
      worker = undefined
    },
  }
}
