import { askLoopback } from '../../http/client/loopback.ts'
import { type Exchange, ExchangeLog } from '../../http/server/exchanges/exchange-log.ts'
import { isLoopback } from '../../http/server/public-url.ts'
import { hmacHex, sameText } from '../../kit/hmac.ts'
import type { Log } from '../../kit/log.ts'
import { handedOver, handoverPaths, proofText } from './handed-over.ts'

/** The process that serves a world, as the world's row names it. */
export interface ServingProcess {
  readonly url: string
  /** Token of its desk. */
  readonly token: string
}

export interface HandoverOptions {
  readonly serving: ServingProcess
  readonly worldNow: () => number
  readonly machineNow: () => number
  /** Returns a random text. */
  readonly challenge: () => string
  readonly log: Log
}

/** Time between the first request that waits and its way to the serving process. */
const gatherMs = 100
/** Maximum time that one way to the serving process takes: a command does not wait for it any longer. */
const handoverTimeoutMs = 2_000
/** Maximum number of requests that wait, as many as the serving process keeps. The oldest are dropped first. */
const maxWaiting = 10_000
/** Maximum size of one batch in characters; a single longer request is sent alone. */
const maxBatch = 4_000_000

/**
 * Records what a command does next to a served world, and hands it to the serving process, which lists and counts it with its
 * own requests. Nothing depends on it: what cannot be handed over is not listed, and the command continues.
 */
export class Handover {
  readonly exchanges: ExchangeLog
  readonly #options: HandoverOptions
  readonly #waiting: Exchange[] = []
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> = Promise.resolve()
  /** True once the other side has shown that it is the serving process; false if it is not. */
  #isKnown: boolean | undefined

  constructor(options: HandoverOptions) {
    const { worldNow, machineNow } = options
    this.#options = options
    // One slot is enough: each exchange is taken when it ends.
    this.exchanges = new ExchangeLog({ worldNow, machineNow, capacity: 1 })
    this.exchanges.watch((exchange) => this.#take(exchange))
  }

  /** Hands over what is recorded so far. Never fails. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending = this.#sending.then(() => this.#sendAll())
    return this.#sending
  }

  #take(exchange: Exchange): void {
    if (this.#isKnown === false) return
    this.#waiting.push(exchange)
    if (this.#waiting.length > maxWaiting) this.#waiting.shift()
    this.#timer ??= setTimeout(() => this.flush(), gatherMs).unref()
  }

  async #sendAll(): Promise<void> {
    const { log, serving } = this.#options
    try {
      while (this.#waiting.length > 0 && this.#isKnown !== false) {
        this.#isKnown ??= await this.#proves()
        if (this.#isKnown) await this.#send(this.#batch())
      }
    } catch (error) {
      this.#isKnown = false
      log.debug({ url: serving.url, error: String(error) }, 'Requests were not handed to the serving process')
    }
    if (this.#isKnown === false) this.#waiting.length = 0
  }

  /** Returns whether the other side knows the token. After a crash another program may have the port. */
  async #proves(): Promise<boolean> {
    const { serving, challenge } = this.#options
    const text = challenge()
    const { status, body } = await askLoopback(serving.url, {
      method: 'GET',
      path: `${handoverPaths.proof}?challenge=${encodeURIComponent(text)}`,
      timeoutMs: handoverTimeoutMs,
    })
    return status === 200 && sameText(body, hmacHex('sha256', serving.token, proofText(text)))
  }

  /** Takes the next batch, oldest first. */
  #batch(): string {
    const parts: string[] = []
    let size = 0
    while (this.#waiting[0] !== undefined && size < maxBatch) {
      const text = JSON.stringify(handedOver(this.#waiting[0], process.pid))
      if (parts.length > 0 && size + text.length > maxBatch) break
      size += text.length
      parts.push(text)
      this.#waiting.shift()
    }
    return `{"exchanges":[${parts.join(',')}]}`
  }

  async #send(body: string): Promise<void> {
    const { serving } = this.#options
    const { status } = await askLoopback(serving.url, {
      method: 'POST',
      path: handoverPaths.take,
      headers: { authorization: `Bearer ${serving.token}` },
      body,
      timeoutMs: handoverTimeoutMs,
    })
    if (status !== 204) throw new Error(`status ${status}`)
  }
}

/** Returns the process that serves a world on this machine and keeps its requests; undefined if there is none. */
export function servingProcessOf({
  served_url: url,
  desk_token: token,
}: {
  readonly served_url: string | null
  readonly desk_token: string | null
}): ServingProcess | undefined {
  return url !== null && token !== null && isLoopback(new URL(url).hostname) ? { url, token } : undefined
}
