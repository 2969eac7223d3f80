import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import type { ResponseFault } from '../../domain/faults.ts'
import type { Contract } from '../contract/contract.ts'
import type { OutgoingResponse } from './handle.ts'

/** Injected faults of responses, applied by the HTTP server: services know nothing of them. */

/** A request that a fault may apply to. */
export interface FaultTarget {
  readonly contract: Contract
  /** Name of the endpoint; undefined for an unknown method and path. */
  readonly endpoint: string | undefined
  readonly method: string
  /** Path below the contract's prefix, without its query. */
  readonly path: string
}

export interface FaultInjector {
  /** Returns whether any fault is set: called before every request, so it is synchronous. */
  areSet(): boolean
  /** Returns the fault that applies to a request. */
  faultFor(target: FaultTarget): Promise<ResponseFault | undefined>
}

export const noFaults: FaultInjector = { areSet: () => false, faultFor: async () => undefined }

/** An exchange that a fault applies to. */
export interface FaultedExchange {
  readonly raw: IncomingMessage
  readonly out: ServerResponse
  readonly contract: Contract
  readonly requestId: string
  /** Carries out the request. */
  answer(): Promise<OutgoingResponse>
  send(outgoing: OutgoingResponse): void
  /** Aborted when the server closes, so that no request is kept waiting. */
  readonly closing: AbortSignal
}

/** Number of chunks of a slow response. */
const pieces = 8

/** Applies a fault to an exchange. */
export async function applyFault(fault: ResponseFault, exchange: FaultedExchange): Promise<void> {
  const { raw, out, answer, send } = exchange
  switch (fault.kind) {
    case 'late': {
      const outgoing = await answer()
      await pause(fault.ms, exchange)
      return send(outgoing)
    }
    case 'slow':
      return sendInPieces(await answer(), fault.ms, exchange)
    case 'hang':
      raw.resume()
      await pause(undefined, exchange)
      return void out.destroy()
    case 'cut-before':
      return void out.destroy()
    case 'cut-after':
      await answer()
      return void out.destroy()
    case 'status':
      raw.resume()
      return send(refusing(fault.status, fault.retryAfterSeconds, exchange))
    case 'refuse':
      raw.resume()
      return send(refusal(fault.code, fault.retryAfterSeconds, exchange))
    case 'half':
      return sendTruncated(await answer(), out)
    case 'garbage': {
      const outgoing = await answer()
      return send({ ...outgoing, body: [...outgoing.body].reverse().join('') || '}{' })
    }
    case 'html':
      await answer()
      return send(pageOfProxy(fault.status))
  }
}

/** Waits for this time; without one, forever. Ends early when the client disconnects or the server closes. */
async function pause(ms: number | undefined, { out, closing }: FaultedExchange): Promise<void> {
  const controller = new AbortController()
  const go = () => controller.abort()
  out.once('close', go)
  // The client may have disconnected while the fault was looked up: no further event will report that.
  if (out.destroyed) go()
  const signal = AbortSignal.any([controller.signal, closing])
  try {
    if (ms !== undefined) await setTimeout(ms, undefined, { signal })
    else if (!signal.aborted) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    out.off('close', go)
  }
}

async function sendInPieces(
  { status, headers, body }: OutgoingResponse,
  ms: number,
  exchange: FaultedExchange,
): Promise<void> {
  const { out } = exchange
  const bytes = Buffer.from(body)
  out.writeHead(status, { ...headers, 'content-length': bytes.length })
  const size = Math.max(1, Math.ceil(bytes.length / pieces))
  for (let at = 0; at < bytes.length; at += size) {
    await pause(ms / pieces, exchange)
    if (out.destroyed) return
    out.write(bytes.subarray(at, at + size))
  }
  out.end()
}

/** Sends the content length of the whole response and the first half of its body. */
async function sendTruncated({ status, headers, body }: OutgoingResponse, out: ServerResponse): Promise<void> {
  const bytes = Buffer.from(body)
  out.writeHead(status, { ...headers, 'content-length': Math.max(1, bytes.length) })
  await new Promise<void>((resolve) => out.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => resolve()))
  out.destroy()
}

/** Returns a refusal in the API's form if it has a code for the status, otherwise like a proxy's. */
function refusing(status: number, retryAfterSeconds: number | null, exchange: FaultedExchange): OutgoingResponse {
  const { contract } = exchange
  const { internal } = contract.standardCodes
  const code =
    contract.problems[internal] === status
      ? internal
      : contract.common.find((each) => contract.problems[each] === status)
  if (code !== undefined) return refusal(code, retryAfterSeconds, exchange)
  const page = pageOfProxy(status)
  return { ...page, headers: { ...page.headers, ...waitOf(status, retryAfterSeconds).headers } }
}

/** Returns a refusal with a code of the API, as the service itself sends it. */
function refusal(
  code: string,
  retryAfterSeconds: number | null,
  { contract, requestId }: FaultedExchange,
): OutgoingResponse {
  const status = contract.problems[code] ?? 500
  const { headers: wait, detail } = waitOf(status, retryAfterSeconds)
  const message = contract.meanings?.[code]?.replace(/\.$/, '') ?? titles[status] ?? 'Refused'
  return {
    status,
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-request-id': requestId,
      ...wait,
    },
    body: JSON.stringify(contract.envelope.refuse({ code, message, status, detail, requestId })),
  }
}

/** Returns the Retry-After of a refusal: always with 429, else if the fault has one. */
function waitOf(status: number, retryAfterSeconds: number | null) {
  const seconds = retryAfterSeconds ?? (status === 429 ? 1 : undefined)
  if (seconds === undefined) return { headers: {}, detail: {} }
  return { headers: { 'retry-after': String(seconds) }, detail: { retryAfterMs: seconds * 1000 } }
}

const titles: Readonly<Record<number, string>> = {
  429: 'Too Many Requests',
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
}

function pageOfProxy(status: number): OutgoingResponse {
  const title = `${status} ${titles[status] ?? ''}`.trim()
  return {
    status,
    headers: { 'content-type': 'text/html', 'cache-control': 'no-store' },
    body: `<html>\r\n<head><title>${title}</title></head>\r\n<body>\r\n<center><h1>${title}</h1></center>\r\n</body>\r\n</html>\r\n`,
  }
}
