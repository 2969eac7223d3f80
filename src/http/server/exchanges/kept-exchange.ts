import type { Exchange } from './exchange-log.ts'

/** Separates the texts. No header that a server accepts has these characters. */
const separator = '\0\n'

/** Maximum bytes of a body that is kept as a text; a longer one is kept as it is. */
const maxPackedBytes = 8_192

/** Headers of every place. Those of its exchange are in its text; the first exchange's own would stay with the place. */
const none: Exchange['responseHeaders'] = {}

/** Texts of the exchange that is packed now. One array serves all of them. */
const parts: string[] = []

/**
 * A place for an exchange that has ended. It is used again for a later one, and has the texts of its exchange as one text:
 * hundreds of small objects that stay would be copied and marked by the garbage collector, which costs several times
 * as much as the recording. The exchange is rebuilt for each reader.
 */
export class KeptExchange {
  readonly #fields: { -readonly [Name in keyof Exchange]: Exchange[Name] }
  /** The exchange while it runs. */
  #running: Exchange | undefined
  #texts = ''
  #headerCount = 0
  #isPackedBody = false

  constructor(exchange: Exchange) {
    this.#fields = { ...exchange, id: '', url: '', address: '', headers: none, responseHeaders: none }
    this.#running = exchange
  }

  get seq(): number {
    return this.#fields.seq
  }

  get hasEnded(): boolean {
    return this.#running === undefined
  }

  /** Number of characters or bytes of the bodies that are kept. */
  get bytes(): number {
    const { body, responseBody } = this.#fields
    return (body === undefined || body === 'too-large' ? 0 : body.length) + (responseBody?.length ?? 0)
  }

  /** Takes the place for an exchange that begins. */
  begin(exchange: Exchange): void {
    this.#fields.seq = exchange.seq
    this.#running = exchange
    this.dropBodies()
  }

  /** Packs the exchange, which has ended. */
  end(exchange: Exchange): void {
    const fields = this.#fields
    fields.kind = exchange.kind
    fields.at = exchange.at
    fields.machineAt = exchange.machineAt
    fields.startedMs = exchange.startedMs
    fields.method = exchange.method
    fields.contract = exchange.contract
    fields.prefix = exchange.prefix
    fields.service = exchange.service
    fields.delivery = exchange.delivery
    fields.endpointName = exchange.endpointName
    fields.endpoint = exchange.endpoint
    fields.refusal = exchange.refusal
    fields.error = exchange.error
    fields.fault = exchange.fault
    fields.handledStatus = exchange.handledStatus
    fields.status = exchange.status
    fields.responseBody = exchange.responseBody
    fields.ms = exchange.ms
    this.#packBody(exchange.body)
    this.#packTexts(exchange)
    this.#running = undefined
  }

  dropBodies(): void {
    this.#fields.body = undefined
    this.#fields.responseBody = undefined
    this.#isPackedBody = false
  }

  /** Returns the exchange. One that has ended is rebuilt. */
  get exchange(): Exchange {
    if (this.#running) return this.#running
    const texts = this.#texts.split(separator)
    const [id = '', url = '', address = ''] = texts
    const { body } = this.#fields
    const restAt = 3 + 2 * this.#headerCount
    return {
      ...this.#fields,
      ...{ id, url, address },
      headers: headersOf(texts, 3, restAt),
      responseHeaders: headersOf(texts, restAt, texts.length),
      body: this.#isPackedBody && typeof body === 'string' ? Buffer.from(body, 'latin1') : body,
    }
  }

  #packBody(body: Exchange['body']): void {
    this.#isPackedBody = body instanceof Uint8Array && body.byteLength <= maxPackedBytes
    this.#fields.body =
      this.#isPackedBody && body instanceof Uint8Array
        ? Buffer.prototype.latin1Slice.call(body, 0, body.byteLength)
        : body
  }

  #packTexts({ id, url, address, headers, responseHeaders }: Exchange): void {
    parts.length = 0
    parts.push(id, url, address)
    for (const name in headers) {
      const value = headers[name]
      if (value !== undefined) parts.push(name, value)
    }
    this.#headerCount = (parts.length - 3) / 2
    for (const name in responseHeaders) parts.push(name, responseHeaders[name] ?? '')
    this.#texts = parts.join(separator)
  }
}

function headersOf(texts: readonly string[], from: number, to: number): Record<string, string> {
  const headers: Record<string, string> = {}
  for (let at = from; at + 1 < to; at += 2) headers[texts[at] ?? ''] = texts[at + 1] ?? ''
  return headers
}
