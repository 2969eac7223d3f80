import { Worker } from 'node:worker_threads'
import { type PoolOptions, type PoolWorker, ThreadsPoolWorker, type WorkerRequest } from 'vitest/node'

/**
 * A worker thread that continues after a run of vitest, so that a mutant needs no new thread and no new import of
 * unchanged modules. The pool stops and starts its workers with each run: those two messages are answered here, and the
 * thread continues.
 */

type Listener = (...values: unknown[]) => void

let thread: Worker | undefined

interface Replacement {
  readonly file: string
  /** Source of the thread, compiled because the thread evaluates it. */
  readonly code: string
}

let replacement: Replacement | undefined

/** Selects the thread's replacement for a module. Other cached modules stay unchanged. */
export function replaceModule(chosen: Replacement): void {
  replacement = chosen
}

interface Module {
  readonly id?: string
  readonly url?: string | undefined
  readonly file?: string
  readonly code?: string
  readonly invalidate?: boolean
}

/** The response to a thread that requests a module. A new thread also gets the names of all known ones. */
interface Answer {
  r?: Module | Record<string, Module | undefined>
}

function replaceIn(answer: Answer): void {
  const { r } = answer
  if (!replacement || typeof r !== 'object' || r === null) return
  const { file, code } = replacement
  if (r.id === file) answer.r = { id: file, file, url: (r as Module).url, code, invalidate: true }
  else
    for (const [name, module] of Object.entries(r))
      if ((module as Module | undefined)?.id === file) Reflect.deleteProperty(r, name)
}

/** Ends the thread, even in an infinite loop. The next run gets a new one. */
export async function endThread(): Promise<void> {
  const ended = thread
  thread = undefined
  await ended?.terminate()
}

export function createWarmWorker(options: PoolOptions): PoolWorker {
  const { entrypoint } = new ThreadsPoolWorker(options) as unknown as { readonly entrypoint: string }
  const listeners: [event: string, listener: Listener][] = []
  let own: Worker | undefined
  let isReused = false
  const answer = (type: 'started' | 'stopped') => {
    for (const [event, listener] of [...listeners])
      if (event === 'message') listener({ type, __vitest_worker_response__: true })
  }
  return {
    name: 'warm',
    on(event, listener) {
      listeners.push([event, listener])
      own?.on(event, listener)
    },
    off(event, listener) {
      const at = listeners.findIndex((each) => each[0] === event && each[1] === listener)
      if (at >= 0) listeners.splice(at, 1)
      own?.off(event, listener)
    },
    send(message: WorkerRequest) {
      const { type } = message as { readonly type?: string }
      if (type === 'stop') setImmediate(answer, 'stopped')
      else if (type === 'start' && isReused) setImmediate(answer, 'started')
      else {
        replaceIn(message as Answer)
        own?.postMessage(message)
      }
    },
    deserialize: (data) => data,
    async start() {
      isReused = thread !== undefined
      thread ??= new Worker(entrypoint, {
        env: options.env as NodeJS.ProcessEnv,
        execArgv: options.execArgv,
        stdout: true,
        stderr: true,
      })
      thread.stdout.resume()
      thread.stderr.resume()
      own = thread
      own.setMaxListeners(0)
    },
    async stop() {
      for (const [event, listener] of listeners.splice(0)) own?.off(event, listener)
    },
  }
}
