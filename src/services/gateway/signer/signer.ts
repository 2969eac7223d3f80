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
 * `thread` is another thread than that of the other services of this process.
 */
export function openSigner(keyPath: string | null, thread: SigningThread = ownThread): Signer {
  const signer = thread.register()
  const ask = <Answer>(question: object) => thread.ask<Answer>(signer, { keyPath, ...question })
  return {
    enroll: () => ask({ ask: 'enroll' }),
    verify: (sealed, code, at) => ask({ ask: 'verify', sealed, code, at }),
    wrap: (sealed, otherKey) => ask({ ask: 'wrap', sealed, otherKey }),
    unwrap: (sealed, otherKey) => ask({ ask: 'unwrap', sealed, otherKey }),
    close: async () => thread.forget(signer),
  }
}

/**
 * A thread of signing services. It starts with the first request and stays until the process ends, because its start takes
 * longer than most of what is asked of it. It keeps the process running only while a request is in progress. The keys of
 * closed services are forgotten.
 */
export class SigningThread {
  #worker: Worker | undefined
  #signers = 0
  #questions = 0
  readonly #waiting = new Map<number, Waiting>()

  /** Returns the number of another service. */
  register(): number {
    this.#signers += 1
    return this.#signers
  }

  ask<Answer>(signer: number, question: object): Promise<Answer> {
    this.#questions += 1
    const id = this.#questions
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { signer, resolve, reject })
      const worker = this.#running()
      worker.ref()
      worker.postMessage({ id, signer, ...question })
    })
  }

  /** Ends the requests of a service, and removes its key from the thread. */
  forget(signer: number): void {
    this.#worker?.postMessage({ signer, ask: 'forget' })
    for (const [id, waiting] of this.#waiting)
      if (waiting.signer === signer) this.#take(id)?.reject(new Error('The signing service was closed'))
  }

  /** Ends the thread and all requests. The next request starts another one. */
  async close(): Promise<void> {
    await this.#worker?.terminate()
  }

  #running(): Worker {
    if (this.#worker) return this.#worker
    // Without the options of the process: Node rejects some of them for a file, such as `--input-type`.
    const opened = new Worker(ownFile('services/gateway/signer/thread.ts'), { execArgv: [] })
    opened.on('message', ({ id, answer, error }: { id: number; answer: never; error?: string }) => {
      const waiting = this.#take(id)
      if (error === undefined) waiting?.resolve(answer)
      else waiting?.reject(new Error(error))
    })
    const end = (error: Error) => {
      // A thread that fails ends twice. By then, another one may have requests.
      if (this.#worker !== opened) return
      this.#worker = undefined
      for (const id of this.#waiting.keys()) this.#take(id)?.reject(error)
    }
    opened.on('error', end)
    opened.on('exit', () => end(new Error('The signing service has ended')))
    this.#worker = opened
    return opened
  }

  /** Removes a request from those in progress. */
  #take(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    if (this.#waiting.size === 0) this.#worker?.unref()
    return waiting
  }
}

/** A request that the thread has not answered. */
interface Waiting {
  readonly signer: number
  readonly resolve: (answer: never) => void
  readonly reject: (error: Error) => void
}

const ownThread = new SigningThread()
