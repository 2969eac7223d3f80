import { Worker } from 'node:worker_threads'
import { ownFile } from '../../../kit/module-path.ts'

/** What the gateway may ask of the signing service, which alone holds the two-factor secrets. */
export interface Signer {
  /** A new secret: shown to its merchant once, and sealed for keeping. */
  enrol(): Promise<{ secret: string; sealed: string }>
  /**
   * The step of 30 seconds that a code is the secret's in, which is that of the moment or one beside it; nothing for a wrong
   * code. Whether it was used before is for whoever asks to know, since there may be several services and they forget.
   */
  verify(sealed: string, code: string, at: number): Promise<number | null>
  close(): Promise<void>
}

/** Opens the signing service when it is first asked. `keyPath` is the file of its key; null for a world that is not kept. */
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
    enrol: () => ask({ ask: 'enrol' }),
    verify: (sealed, code, at) => ask({ ask: 'verify', sealed, code, at }),
    async close() {
      await worker?.terminate()
      worker = undefined
    },
  }
}
