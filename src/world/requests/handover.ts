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

/** Time from the first waiting request until its batch is sent. */
const gatherMs = 100
/** Timeout of an attempt while the command runs; the next one repeats it. */
const attemptTimeoutMs = 2_000
/** Timeout of the last attempt: a command does not wait any longer for a busy serving process. */
const lastAttemptTimeoutMs = 10_000
/** Maximum number of requests that wait, as many as the serving process keeps. The oldest are dropped first. */
const maxWaiting = 10_000
/** Maximum size of one batch in characters; a single longer request is sent alone. */
const maxBatch = 4_000_000

/**
 * Records a command's requests next to a served world. Hands them to the serving process, which lists and counts them
 * with its own requests. A batch without a response is sent again under its number, and the serving process accepts
 * each number once. Nothing depends on it: requests that cannot be handed over before the end are not listed.
 */
export class Handover {
  readonly exchanges: ExchangeLog
  readonly #options: HandoverOptions
  readonly #waiting: Exchange[] = []
  /** Names this process to the serving one. */
  readonly #sender: string
  /** The batch that is under way or without a response. */
  #batch: Batch | undefined
  #batches = 0
  #timer: NodeJS.Timeout | undefined
  #sending: Promise<void> = Promise.resolve()
  /** True once the other side has shown that it is the serving process; false if it is not. */
  #isKnown: boolean | undefined

  constructor(options: HandoverOptions) {
    const { worldNow, machineNow, challenge } = options
    this.#options = options
    this.#sender = `${process.pid}-${challenge()}`
    // One slot is enough: each exchange is taken when it ends.
    this.exchanges = new ExchangeLog({ worldNow, machineNow, capacity: 1 })
    this.exchanges.watch((exchange) => this.#take(exchange))
  }

  /** Hands over what is left at the end of the command. Never fails. */
  finish(): Promise<void> {
    return this.#sendLater(lastAttemptTimeoutMs)
  }

  #sendLater(timeoutMs: number): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#sending = this.#sending.then(() => this.#sendAll(timeoutMs))
    return this.#sending
  }

  #take(exchange: Exchange): void {
    if (this.#isKnown === false) return
    this.#waiting.push(exchange)
    if (this.#waiting.length > maxWaiting) this.#waiting.shift()
    this.#timer ??= setTimeout(() => this.#sendLater(attemptTimeoutMs), gatherMs).unref()
  }

  async #sendAll(timeoutMs: number): Promise<void> {
    const { log, serving } = this.#options
    try {
      while ((this.#batch || this.#waiting.length > 0) && this.#isKnown !== false) {
        this.#isKnown ??= await this.#proves(timeoutMs)
        if (this.#isKnown) await this.#send(timeoutMs)
      }
    } catch (error) {
      // After a timeout the process may only be busy, so it is tried again.
      if (!isTimeout(error)) this.#isKnown = false
      const requests = (this.#batch?.size ?? 0) + this.#waiting.length
      log.debug({ url: serving.url, requests, error: String(error) }, 'Requests were not handed to the serving process')
    }
    if (this.#isKnown === false) this.#waiting.length = 0
  }

  /** Returns whether the other side knows the token. After a crash another program may have the port. */
  async #proves(timeoutMs: number): Promise<boolean> {
    const { serving, challenge } = this.#options
    const text = challenge()
    const { status, body } = await askLoopback(serving.url, {
      method: 'GET',
      path: `${handoverPaths.proof}?challenge=${encodeURIComponent(text)}`,
      timeoutMs,
    })
    return status === 200 && sameText(body, hmacHex('sha256', serving.token, proofText(text)))
  }

  /** Takes the next batch, oldest first. */
  #nextBatch(): Batch {
    const parts: string[] = []
    let size = 0
    while (this.#waiting[0] !== undefined && size < maxBatch) {
      const text = JSON.stringify(handedOver(this.#waiting[0], process.pid))
      if (parts.length > 0 && size + text.length > maxBatch) break
      size += text.length
      parts.push(text)
      this.#waiting.shift()
    }
    this.#batches += 1
    const head = JSON.stringify({ sender: this.#sender, batch: this.#batches }).slice(0, -1)
    return { size: parts.length, body: `${head},"exchanges":[${parts.join(',')}]}` }
  }

  async #send(timeoutMs: number): Promise<void> {
    const { serving } = this.#options
    this.#batch ??= this.#nextBatch()
    const { status } = await askLoopback(serving.url, {
      method: 'POST',
      path: handoverPaths.take,
      headers: { authorization: `Bearer ${serving.token}` },
      body: this.#batch.body,
      timeoutMs,
    })
    if (status !== 204) throw new Error(`status ${status}`)
    this.#batch = undefined
  }
}

/** Requests that are sent together, under a number that the serving process takes once. */
interface Batch {
  readonly size: number
  readonly body: string
}

const isTimeout = (error: unknown) =>
  error instanceof Error &&
  (error.name === 'TimeoutError' || (error.cause as Error | undefined)?.name === 'TimeoutError')

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
