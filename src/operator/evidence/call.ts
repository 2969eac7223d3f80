import { maskedHeaders, maskedText } from '../../domain/message-masks.ts'
import type { Exchange, ExchangeContent } from '../../http/client/transport.ts'
import { momentText } from '../../kit/moment.ts'

/** A request and its response as evidence, with secrets masked. */
export interface CallRecord {
  readonly number: number
  /** Service of the request: `casino`, `gateway` or `chat`. */
  readonly service: string
  /** Time of the response by this machine's clock. */
  readonly at: string
  readonly ms: number
  readonly request: {
    readonly method: string
    /** Path and query. */
    readonly path: string
    readonly headers: Readonly<Record<string, string>>
    /** Text as sent. Null without a body, and for bytes that are not text. */
    readonly body: string | null
  }
  /** Null if no response came. */
  readonly response: {
    readonly status: number
    readonly headers: Readonly<Record<string, string>>
    /** Text as received. */
    readonly body: string
  } | null
  /** Code of the failure without a response. */
  readonly failure: string | null
}

/** Facts of an exchange that only its observer knows. */
export interface Observation {
  readonly number: number
  readonly service: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Masks texts further: keys of the profile, or data of a customer. */
  readonly mask: (text: string) => string
}

/** Returns an exchange as evidence. Nothing else is changed or omitted: amounts keep their text. */
export function toCallRecord(
  { method, path, outcome, ms }: Exchange,
  { request, reply }: ExchangeContent,
  { number, service, at, mask }: Observation,
): CallRecord {
  const text = (value: string) => mask(maskedText(value))
  const headers = (values: Readonly<Record<string, string>>) =>
    Object.fromEntries(Object.entries(maskedHeaders(values)).map(([name, value]) => [name, mask(value)]))
  const body = bodyText(request.body)
  return {
    number,
    service,
    at: momentText(at),
    ms,
    request: { method, path: text(path), headers: headers(request.headers), body: body === null ? null : text(body) },
    response: reply ? { status: reply.status, headers: headers(reply.headers), body: text(reply.body) } : null,
    failure: reply ? null : outcome,
  }
}

function bodyText(body: string | Uint8Array | undefined): string | null {
  if (body === undefined || typeof body === 'string') return body ?? null
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body)
  } catch {
    return null
  }
}

/**
 * Returns the file name of a call: its number, service, method and the end of its path. Only letters, digits and dashes
 * of the path are kept.
 */
export function callFileName({ number, service, request: { method, path } }: CallRecord): string {
  const [route = ''] = path.split('?')
  const words = route.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/^-+|-+$/g, '')
  return `${String(number).padStart(4, '0')}-${service}-${method}-${words.slice(-60)}.json`
}
