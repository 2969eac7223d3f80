import type { Exchange } from './exchange-log.ts'

/** Bytes of a slot for texts and bodies. Most requests need a third of it. */
export const slotBytes = 2_048

/** Separates the texts. No header that a server accepts has these characters. */
const separator = '\0\n'

/** Maximum bytes of a body that is kept as a text if its slot has no room for it. A longer one is kept unchanged. */
const maxPackedBytes = 8_192

/** Headers of every slot until it is used again. */
const none: Exchange['responseHeaders'] = {}

/** Texts of the exchange that is being packed. One array is reused for all of them. */
const parts: string[] = []

/**
 * Header names of the exchange that was packed last. Most exchanges have the same names as the one before, and share
 * them.
 */
let lastNames: readonly string[] = []

/**
 * A slot for an exchange that has ended, reused for a later one. It keeps texts and bodies as bytes outside the heap:
 * the garbage collector would copy and mark long-lived objects and texts. Texts and bodies without room there stay on
 * the heap. The exchange is rebuilt for each reader.
 */
export class KeptExchange {
  readonly #memory: Buffer
  readonly #start: number
  readonly #fields: { -readonly [Name in keyof Exchange]: Exchange[Name] }
  /** The exchange while it runs. */
  #running: Exchange | undefined
  #headerNames = lastNames
  /** The texts, if the memory has no room for them. */
  #texts: string | undefined
  #textBytes = 0
  /** Bytes of the body in the memory, after the texts; undefined if it is among the fields. */
  #bodyBytes: number | undefined
  /** True if the response's body is the last text. */
  #hasResponseText = false
  #isPackedBody = false

  /** The slot begins at `start` of a memory that it shares with others. */
  constructor(exchange: Exchange, memory: Buffer, start: number) {
    this.#memory = memory
    this.#start = start
    this.#fields = { ...exchange, id: '', url: '', address: '', headers: none, responseHeaders: none }
    this.#running = exchange
  }

  get seq(): number {
    return this.#fields.seq
  }

  get hasEnded(): boolean {
    return this.#running === undefined
  }

  /** Length of the bodies that are kept on the heap: of a text in characters, else in bytes. */
  get heapLength(): number {
    const { body, responseBody } = this.#fields
    return (body === undefined || body === 'too-large' ? 0 : body.length) + (responseBody?.length ?? 0)
  }

  /** Takes the slot for an exchange that begins. */
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
    fields.responseHeaders = exchange.responseHeaders
    fields.ms = exchange.ms
    this.#pack(exchange)
    this.#running = undefined
  }

  /** Drops the bodies that are kept on the heap. */
  dropBodies(): void {
    this.#fields.body = undefined
    this.#fields.responseBody = undefined
    this.#isPackedBody = false
  }

  /** Returns the exchange. One that has ended is rebuilt. */
  get exchange(): Exchange {
    if (this.#running) return this.#running
    const names = this.#headerNames
    const texts = (this.#texts ?? this.#memory.toString('utf8', this.#start, this.#bodyAt)).split(separator)
    const [id = '', url = '', address = ''] = texts
    const headers: Record<string, string> = {}
    for (const [at, name] of names.entries()) headers[name] = texts[3 + at] ?? ''
    const responseBody = this.#hasResponseText
      ? texts.slice(3 + names.length).join(separator)
      : this.#fields.responseBody
    return { ...this.#fields, ...{ id, url, address, headers }, body: this.#body, responseBody }
  }

  get #bodyAt(): number {
    return this.#start + this.#textBytes
  }

  get #body(): Exchange['body'] {
    const { body } = this.#fields
    if (this.#bodyBytes !== undefined)
      return Buffer.from(this.#memory.subarray(this.#bodyAt, this.#bodyAt + this.#bodyBytes))
    return this.#isPackedBody && typeof body === 'string' ? Buffer.from(body, 'latin1') : body
  }

  #pack({ id, url, address, headers, body, responseBody }: Exchange): void {
    parts.length = 0
    parts.push(id, url, address)
    this.#headerNames = packHeaders(headers)
    if (responseBody !== undefined) parts.push(responseBody)
    const texts = parts.join(separator)
    const textBytes = Buffer.byteLength(texts)
    const bytes = body instanceof Uint8Array ? body : undefined
    if (textBytes + (bytes?.byteLength ?? 0) <= slotBytes) {
      this.#memory.write(texts, this.#start, textBytes, 'utf8')
      if (bytes) this.#memory.set(bytes, this.#start + textBytes)
      this.#texts = undefined
      this.#textBytes = textBytes
      this.#bodyBytes = bytes?.byteLength
      this.#hasResponseText = responseBody !== undefined
      this.#fields.body = bytes ? undefined : body
    } else {
      if (responseBody !== undefined) parts.pop()
      this.#texts = parts.join(separator)
      this.#bodyBytes = undefined
      this.#hasResponseText = false
      this.#fields.responseBody = responseBody
      this.#packBody(body)
    }
  }

  #packBody(body: Exchange['body']): void {
    this.#isPackedBody = body instanceof Uint8Array && body.byteLength <= maxPackedBytes
    this.#fields.body =
      this.#isPackedBody && body instanceof Uint8Array
        ? Buffer.prototype.latin1Slice.call(body, 0, body.byteLength)
        : body
  }
}

/** Adds the values of headers to the texts, and returns their names. */
function packHeaders(headers: Exchange['headers']): readonly string[] {
  let count = 0
  let other: string[] | undefined
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined) continue
    parts.push(value)
    if (!other && lastNames[count] !== name) other = lastNames.slice(0, count)
    other?.push(name)
    count++
  }
  if (other || lastNames.length !== count) lastNames = other ?? lastNames.slice(0, count)
  return lastNames
}
