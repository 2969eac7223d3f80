import type { CredentialExplanation } from '../../http/server/exchanges/credentials.ts'
import type { EndedExchange, Exchange, ExchangeLog } from '../../http/server/exchanges/exchange-log.ts'
import { Problem } from '../../kit/problem.ts'
import { quoted } from '../../kit/shell-quote.ts'
import { explainSignature, type SignatureExplanation } from '../../services/casino/server/explain-signature.ts'
import { copiesOf, type RequestCopies } from './copies.ts'
import { explainCaller, profileOf, type RecordedServices } from './explain-caller.ts'
import { type RequestFilter, requestTest } from './filter.ts'
import { type RequestContent, type RequestSummary, toContent, toSummary, wholeBody } from './record.ts'

/** A recorded request with all that is known about it. */
export interface RequestDetail extends RequestContent {
  /** Authentication as the casino saw it; null for other services. */
  readonly signature: SignatureExplanation | null
  /** Key and token as the gateway or the chat saw them; null for other requests. */
  readonly credentials: Pick<CredentialExplanation, 'verdict' | 'reason'> | null
  readonly copies: RequestCopies
}

/** Number of characters at the end of an id that name a request. */
export const shownIdLength = 8

/** Recorded requests of a world. */
export class RecordedRequests {
  readonly #log: ExchangeLog
  readonly #services: RecordedServices

  constructor(log: ExchangeLog, services: RecordedServices) {
    this.#log = log
    this.#services = services
  }

  /** True if this world records requests. */
  get isRecording(): boolean {
    return this.#log.isKeeping
  }

  /** Adds the requests that a command of this machine has recorded. */
  add(exchanges: readonly EndedExchange[]): void {
    for (const exchange of exchanges) this.#log.add(exchange)
  }

  /** Lists requests, newest first. */
  list(filter: RequestFilter = {}): RequestSummary[] {
    return this.#matching(filter).map(({ summary }) => summary)
  }

  /** Returns requests with everything about them, newest first. */
  async details(filter: RequestFilter = {}): Promise<RequestDetail[]> {
    const details: RequestDetail[] = []
    for (const { exchange } of this.#matching(filter)) details.push(await this.#detail(exchange))
    return details
  }

  /** Returns one request, or throws NOT_FOUND. */
  async show(id: string): Promise<RequestDetail> {
    // The end of an id is enough, because the lists for people show no more.
    const isNamed = (other: string) => other === id || (id.length >= shownIdLength && other.endsWith(id))
    for (const exchange of this.#log.newestFirst()) if (isNamed(exchange.id)) return this.#detail(exchange)
    throw new Problem(
      'NOT_FOUND',
      `There is no recorded request ${JSON.stringify(id.slice(0, 60))}. To list them: countroom sim requests list`,
    )
  }

  /** Calls `take` with each matching request when it ends. Returns the function that stops this. */
  follow(filter: RequestFilter, take: (request: RequestSummary) => void): () => void {
    const matches = requestTest(filter)
    return this.#log.watch((exchange) => {
      const summary = toSummary(exchange)
      if (matches(summary)) take(summary)
    })
  }

  #matching(filter: RequestFilter): { exchange: Exchange; summary: RequestSummary }[] {
    const matches = requestTest(filter)
    const { limit = Number.POSITIVE_INFINITY, age } = filter
    const since = age === undefined ? filter.since : this.#log.now - age
    const found: { exchange: Exchange; summary: RequestSummary }[] = []
    for (const exchange of this.#log.newestFirst()) {
      if (found.length >= limit) break
      if (since !== undefined && exchange.at < since) continue
      const summary = toSummary(exchange)
      if (matches(summary)) found.push({ exchange, summary })
    }
    return found
  }

  async #detail(exchange: Exchange): Promise<RequestDetail> {
    const content = toContent(exchange)
    const caller = await explainCaller(this.#services, exchange)
    const profile = await profileOf(this.#services, exchange, caller)
    return {
      ...content,
      signature: await this.#signatureOf(exchange, content),
      credentials: caller ? { verdict: caller.verdict, reason: caller.reason } : null,
      copies: copiesOf(exchange, { service: content.service, profile, quoted }),
    }
  }

  async #signatureOf(exchange: Exchange, { service, kind }: RequestContent): Promise<SignatureExplanation | null> {
    const { method, url, headers, address, at, machineAt, refusal, contract } = exchange
    const isTenantApi = kind === 'request' && service === 'casino' && contract?.prefixes[0]?.startsWith('/api/tenant')
    if (!isTenantApi) return null
    const body = wholeBody(exchange)
    const earlier = refusal?.code === 'UNAUTHORIZED' ? this.#earlierUse(exchange) : undefined
    return explainSignature(this.#services.casino, {
      method,
      url,
      headers,
      body,
      address,
      at,
      machineAt,
      refusal,
      earlier,
    })
  }

  /** Returns the id of the first kept request with the same key and nonce. */
  #earlierUse({ seq, headers }: Exchange): string | undefined {
    let id: string | undefined
    for (const other of this.#log.newestFirst()) {
      const isSame =
        other.headers['x-nonce'] === headers['x-nonce'] && other.headers['x-api-key'] === headers['x-api-key']
      if (other.seq < seq && isSame) id = other.id
    }
    return id
  }
}
