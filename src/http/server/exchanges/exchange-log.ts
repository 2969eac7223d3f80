import type { Contract, Endpoint, Refusal } from '../../contract/contract.ts'
import type { OutgoingResponse } from '../handle.ts'
import { KeptExchange, slotBytes } from './kept-exchange.ts'

/** Requests with their responses and callbacks with theirs, kept in memory for the developer of an integration. */

/** A request and its response. It is filled while the request runs, and packed when it has ended. */
export interface Exchange {
  /** Position among all exchanges of this process. */
  readonly seq: number
  readonly kind: 'request' | 'callback'
  /** The request's id in the log and in `x-request-id`; for a callback, its own. */
  readonly id: string
  /** The world's time at the start. */
  readonly at: number
  /** The machine's time at the start. */
  readonly machineAt: number
  readonly startedMs: number
  readonly method: string
  /** Path and query exactly as sent; the whole URL of a callback. */
  readonly url: string
  readonly address: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** Contract and prefix of an API's request. */
  readonly contract?: Contract | undefined
  readonly prefix: string
  /** Service of a page, a stream or a callback. */
  readonly service?: string | undefined
  /** Delivery, event and owner of a callback. */
  readonly delivery?: { readonly id: string; readonly event: string; readonly owner: string } | undefined

  body: Uint8Array | string | 'too-large' | undefined
  endpointName: string | undefined
  endpoint: Endpoint | undefined
  /** Refusal by the service. */
  refusal: Refusal | undefined
  /** Unexpected error, or the reason why a callback has no response. */
  error: string | undefined
  /** Kind of the injected fault that applied. */
  fault: string | undefined
  /** Status that the service returned, where an injected fault may have replaced it. */
  handledStatus: number | undefined
  status: number | null
  responseHeaders: Readonly<Record<string, string>>
  responseBody: string | undefined
  /** Duration; undefined while the request runs. */
  ms: number | undefined
}

export type ExchangeStart = Pick<
  Exchange,
  'kind' | 'id' | 'method' | 'url' | 'address' | 'headers' | 'contract' | 'prefix' | 'service' | 'delivery'
>

/** An exchange of another process, which has ended. */
export type EndedExchange = Omit<Exchange, 'seq' | 'startedMs' | 'ms'> & { readonly ms: number }

export interface ExchangeLogOptions {
  /** Number of exchanges that are kept; 0 keeps none. */
  readonly capacity?: number
  readonly worldNow: () => number
  readonly machineNow: () => number
}

/** Number of exchanges that a served world keeps. */
export const exchangeCapacity = 10_000
/**
 * Maximum length that is kept of one body: in bytes, or of a text in characters. No body of the casino or the chat is
 * longer, so their signed bytes are complete.
 */
const maxBodyLength = 65_536
/**
 * Maximum length of all bodies on the heap, in bytes and characters. The oldest are dropped first; their exchanges stay.
 */
const maxHeapLength = 64 * 1024 * 1024

/** A ring of exchanges. Each request costs an object, a text and four clock readings. */
export class ExchangeLog {
  readonly #options: ExchangeLogOptions
  readonly #capacity: number
  readonly #ring: KeptExchange[] = []
  /** Texts and bodies of the kept exchanges. A slot takes physical memory when it is first used. */
  #memory: Buffer | undefined
  readonly #watchers = new Set<(exchange: Exchange) => void>()
  #count = 0
  #heapLength = 0
  /** The oldest exchange that may still have bodies. */
  #oldest = 0

  constructor(options: ExchangeLogOptions) {
    this.#options = options
    this.#capacity = options.capacity ?? exchangeCapacity
  }

  /** True if exchanges are kept. */
  get isKeeping(): boolean {
    return this.#capacity > 0
  }

  /** The world's time. */
  get now(): number {
    return this.#options.worldNow()
  }

  /** Begins an exchange. It is listed at once, so that one that never ends is visible too. */
  begin(start: ExchangeStart): Exchange {
    const { worldNow, machineNow } = this.#options
    const exchange: Exchange = {
      kind: start.kind,
      id: start.id,
      method: start.method,
      url: start.url,
      address: start.address,
      headers: start.headers,
      contract: start.contract,
      prefix: start.prefix,
      service: start.service,
      delivery: start.delivery,
      seq: this.#count++,
      at: worldNow(),
      machineAt: machineNow(),
      startedMs: performance.now(),
      body: undefined,
      endpointName: undefined,
      endpoint: undefined,
      refusal: undefined,
      error: undefined,
      fault: undefined,
      handledStatus: undefined,
      status: null,
      responseHeaders: noHeaders,
      responseBody: undefined,
      ms: undefined,
    }
    if (this.#capacity > 0) this.#put(exchange)
    return exchange
  }

  /** Ends an exchange with the response that was sent, or without one. */
  end(exchange: Exchange, sent?: OutgoingResponse): void {
    if (exchange.ms !== undefined) return
    exchange.ms = performance.now() - exchange.startedMs
    if (sent) {
      exchange.status = sent.status
      exchange.responseHeaders = sent.headers
    }
    if (this.#capacity > 0) this.#keep(exchange, sent)
    for (const tell of this.#watchers) tell(exchange)
  }

  /** Adds an exchange of another process, which has ended. */
  add(ended: EndedExchange): void {
    const exchange = { ...ended, seq: this.#count++, startedMs: performance.now() - ended.ms }
    if (this.#capacity > 0) {
      this.#put(exchange)
      this.#keep(exchange, sentBy(ended))
    }
    for (const tell of this.#watchers) tell(exchange)
  }

  /** Calls `tell` with each exchange that ends. Returns the function that stops this. */
  watch(tell: (exchange: Exchange) => void): () => void {
    this.#watchers.add(tell)
    return () => void this.#watchers.delete(tell)
  }

  /** Returns the kept exchanges, newest first. */
  *newestFirst(): Generator<Exchange> {
    const last = Math.max(0, this.#count - this.#capacity)
    for (let seq = this.#count - 1; seq >= last; seq--) {
      const kept = this.#ring[seq % this.#capacity]
      if (kept?.seq === seq) yield kept.exchange
    }
  }

  /** Lists an exchange that begins, in the slot of the oldest one. */
  #put(exchange: Exchange): void {
    const at = exchange.seq % this.#capacity
    const kept = this.#ring[at]
    if (kept) {
      this.#drop(kept)
      kept.begin(exchange)
    } else {
      this.#memory ??= Buffer.allocUnsafeSlow(this.#capacity * slotBytes)
      this.#ring[at] = new KeptExchange(exchange, this.#memory, at * slotBytes)
    }
  }

  /** Keeps an exchange that has ended, unless a later one has its slot. */
  #keep(exchange: Exchange, sent: OutgoingResponse | undefined): void {
    exchange.body = keptBody(exchange.body)
    exchange.responseBody = sent && keptText(sent.body)
    const kept = this.#ring[exchange.seq % this.#capacity]
    if (kept?.seq !== exchange.seq) return
    kept.end(exchange)
    this.#heapLength += kept.heapLength
    while (this.#heapLength > maxHeapLength && this.#oldest < exchange.seq) {
      const old = this.#ring[this.#oldest++ % this.#capacity]
      if (old && old.seq < this.#oldest) this.#drop(old)
    }
  }

  /** Drops the bodies of an exchange that are on the heap. */
  #drop(kept: KeptExchange): void {
    // A running exchange has not been counted.
    if (!kept.hasEnded) return
    this.#heapLength -= kept.heapLength
    kept.dropBodies()
  }
}

function sentBy({ status, responseHeaders, responseBody = '' }: EndedExchange): OutgoingResponse | undefined {
  return status === null ? undefined : { status, headers: responseHeaders, body: responseBody }
}

const noHeaders: Readonly<Record<string, string>> = {}

/** Truncates a body. A view of a part would keep the whole in memory, so the part is copied. */
function keptBody(body: Exchange['body']): Exchange['body'] {
  if (typeof body === 'string' && body !== 'too-large') return keptText(body)
  if (body instanceof Uint8Array && body.byteLength > maxBodyLength) return body.slice(0, maxBodyLength)
  return body
}

function keptText(text: string): string {
  return text.length <= maxBodyLength ? text : Buffer.from(text.slice(0, maxBodyLength)).toString()
}
