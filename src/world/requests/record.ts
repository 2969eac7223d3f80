import { maskedHeaders, maskedText } from '../../domain/message-masks.ts'
import type { Contract } from '../../http/contract/contract.ts'
import type { Exchange } from '../../http/server/exchanges/exchange-log.ts'
import { play } from '../../services/casino/live/contract.ts'
import { serviceOf } from '../fault-input.ts'

/** A recorded request in a list. */
export interface RequestSummary {
  readonly id: string
  /** `request` to a service, or `callback` from one. */
  readonly kind: 'request' | 'callback'
  /** The world's time, ISO 8601. */
  readonly at: string
  /** Null for a path that belongs to no service. */
  readonly service: string | null
  /** `live`, `sandbox` or `production`; null if the request does not show it. */
  readonly environment: string | null
  readonly method: string
  /** Path and query; of a callback, the whole URL. */
  readonly path: string
  /** Null while it runs, and if no response was sent. */
  readonly status: number | null
  /** Error code of a refusal. */
  readonly code: string | null
  readonly ms: number | null
}

/** A recorded request with its content. */
export interface RequestContent extends RequestSummary {
  /** Name of the endpoint, or event of the callback. */
  readonly endpoint: string | null
  readonly address: string
  /** Id of the delivery that a callback is an attempt of. */
  readonly delivery: string | null
  readonly request: MessageContent
  readonly response: MessageContent | null
  readonly outcome: RequestOutcome
}

export interface MessageContent {
  readonly headers: Readonly<Record<string, string>>
  /** Text with secrets masked; null if it is not kept. */
  readonly body: string | null
  /** True if the body is longer than what is kept. */
  readonly isCut: boolean
}

/** Outcome of a request. */
export interface RequestOutcome {
  readonly kind: 'running' | 'handled' | 'refused' | 'failed' | 'fault' | 'disconnected'
  readonly message: string
}

const services = new Map<Contract, string>([...serviceOf, [play, 'casino']])

/** Returns a recorded request for a list. */
export function toSummary(exchange: Exchange): RequestSummary {
  const { id, kind, at, method, url, status, ms } = exchange
  return {
    id,
    kind,
    at: new Date(at).toISOString(),
    service: serviceNameOf(exchange),
    environment: environmentOf(exchange),
    method,
    path: maskedText(url),
    status,
    code: codeOf(exchange),
    ms: ms === undefined ? null : Math.round(ms * 100) / 100,
  }
}

/** Returns a recorded request with headers and bodies, secrets masked. */
export function toContent(exchange: Exchange): RequestContent {
  const { ms, status, endpointName, delivery, address, headers, responseHeaders, responseBody } = exchange
  const hasResponse = ms !== undefined && status !== null
  return {
    ...toSummary(exchange),
    endpoint: endpointName ?? delivery?.event ?? null,
    address,
    delivery: delivery?.id ?? null,
    request: { headers: maskedHeaders(headers), ...bodyOf(exchange) },
    response: hasResponse
      ? {
          headers: maskedHeaders(responseHeaders),
          body: responseBody === undefined ? null : maskedText(responseBody),
          isCut: isCut(responseHeaders['content-length'], responseBody),
        }
      : null,
    outcome: outcomeOf(exchange),
  }
}

/** Returns the bytes of a recorded request body, unmasked; undefined if it is not kept whole. */
export function wholeBody({ body, headers }: Exchange): Uint8Array | undefined {
  if (body === undefined || body === 'too-large') return undefined
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  return isCut(headers['content-length'], bytes) ? undefined : bytes
}

function bodyOf(exchange: Exchange): Pick<MessageContent, 'body' | 'isCut'> {
  const { body, headers } = exchange
  if (body === undefined || body === 'too-large') return { body: null, isCut: body === 'too-large' }
  const text = typeof body === 'string' ? body : Buffer.from(body).toString()
  return { body: maskedText(text), isCut: isCut(headers['content-length'], body) }
}

/** Returns whether less is kept than was sent. */
function isCut(contentLength: string | undefined, kept: string | Uint8Array | undefined): boolean {
  if (contentLength === undefined || kept === undefined) return false
  return Number(contentLength) > (typeof kept === 'string' ? Buffer.byteLength(kept) : kept.byteLength)
}

/** Returns the service of a request; null for a path that belongs to none. */
export function serviceNameOf({ contract, service }: Exchange): string | null {
  return service ?? (contract === undefined ? undefined : services.get(contract)) ?? null
}

function environmentOf(exchange: Exchange): string | null {
  const { prefix, headers, delivery, service } = exchange
  const name = serviceNameOf(exchange)
  if (name === 'gateway' && service === undefined) return prefix.startsWith('/sandbox') ? 'sandbox' : 'production'
  if (name !== 'casino') return null
  if (delivery) return delivery.owner.endsWith('-SBX') ? 'sandbox' : 'live'
  const key = headers['x-api-key'] ?? ''
  return key.startsWith('ek_l_') ? 'live' : key.startsWith('ek_s_') ? 'sandbox' : null
}

/** Returns the error code of the response: that of the refusal, or the one an injected fault put into it. */
function codeOf({ refusal, fault, contract, status, responseBody }: Exchange): string | null {
  if (fault === undefined) return refusal?.code ?? null
  if (status === null || status < 400 || responseBody === undefined) return null
  try {
    const read = contract?.envelope.read(status, JSON.parse(responseBody))
    return read && 'code' in read ? read.code : null
  } catch {
    return null
  }
}

function outcomeOf(exchange: Exchange): RequestOutcome {
  const { ms, status, fault, handledStatus, refusal, error, kind } = exchange
  if (ms === undefined) return { kind: 'running', message: 'There is no response yet' }
  if (fault !== undefined) {
    const did = handledStatus === undefined ? 'was not carried out' : `was handled with status ${handledStatus}`
    return { kind: 'fault', message: `Injected fault ${fault}: the request ${did}` }
  }
  if (kind === 'callback') return ofCallback(status, error)
  if (status === null) return { kind: 'disconnected', message: error ?? 'The client disconnected' }
  if (error !== undefined) return { kind: 'failed', message: maskedText(error) }
  if (refusal) return { kind: 'refused', message: `${refusal.code}: ${maskedText(refusal.message)}` }
  return status < 400
    ? { kind: 'handled', message: `Handled with status ${status}` }
    : { kind: 'refused', message: `Refused with status ${status}` }
}

function ofCallback(status: number | null, error: string | undefined): RequestOutcome {
  if (status === null) return { kind: 'failed', message: `No response: ${error ?? 'unknown reason'}` }
  if (status >= 200 && status <= 299) return { kind: 'handled', message: `Acknowledged with status ${status}` }
  return { kind: 'refused', message: `The receiver responded with status ${status}` }
}
