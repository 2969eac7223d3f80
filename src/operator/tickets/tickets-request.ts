import { toRequest } from '../../http/client/client.ts'
import { retryAfterMs } from '../../http/client/retry.ts'
import type { Contract, Input } from '../../http/contract/contract.ts'
import { remoteCodes, type Transport, type WireReply } from '../../http/contract/wire-types.ts'
import { Problem } from '../../kit/problem.ts'
import { chat as chatContract } from '../../services/chat/api/contract.ts'

/** Response to a change, and the request ID of the instance if it has one. */
export interface Written<T> {
  readonly answer: T
  readonly requestId: string | null
}

/** Sends a request and returns any JSON, or throws the error as a Problem. */
export async function requestReply<const C extends Contract, Name extends keyof C['endpoints'] & string>(
  contract: C,
  transport: Transport,
  name: Name,
  input: Input<C['endpoints'][Name]>,
  headers: Readonly<Record<string, string>> = {},
): Promise<unknown> {
  return (await write(contract, transport, name, input, headers)).answer
}

/** Sends a request and returns its request ID too, for the audit log. */
async function write<const C extends Contract, Name extends keyof C['endpoints'] & string>(
  contract: C,
  transport: Transport,
  name: Name,
  input: Input<C['endpoints'][Name]>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Written<unknown>> {
  const request = toRequest(contract, name, input, { headers })
  const reply = await transport(request)
  if (request.isWhole?.(reply) === false)
    throw new Problem(
      remoteCodes.unavailable,
      `The response of the chat to ${request.method} is not JSON, or was cut off (status ${reply.status})`,
      { status: reply.status, outcome: 'unknown' },
    )
  const json = reply.status === 204 ? {} : parsed(reply.body)
  if (reply.status >= 200 && reply.status < 300 && json !== undefined)
    return { answer: json, requestId: requestIdIn(reply) }
  throw refusalOf(reply, json, contract)
}

/** Sends a change and parses the response. */
export async function written<T, const C extends Contract, Name extends keyof C['endpoints'] & string>(
  contract: C,
  transport: Transport,
  name: Name,
  input: Input<C['endpoints'][Name]>,
  read: (body: unknown) => T,
): Promise<Written<T>> {
  const { answer, requestId } = await write(contract, transport, name, input)
  return { answer: read(answer), requestId }
}

/** Maximum length of a request ID, because it is written to a file. */
const requestIdIn = ({ headers }: WireReply): string | null => headers['x-request-id']?.slice(0, 200) ?? null

/** Converts an error response of any format: the document does not define bodies, but the statuses are clear. */
export function refusalOf(
  reply: WireReply,
  json: unknown = parsed(reply.body),
  contract: Contract = chatContract,
): Problem {
  const { status, headers } = reply
  const waitMs = retryAfterMs(headers['retry-after'], Date.parse(headers['date'] ?? ''))
  const requestId = requestIdIn(reply)
  const about = {
    status,
    ...(Number.isFinite(waitMs) ? { retryAfterMs: waitMs } : {}),
    ...(requestId === null ? {} : { requestId }),
  }
  const read = json === undefined ? undefined : contract.envelope.read(status, json)
  if (read && 'code' in read) return new Problem(read.code, read.message || read.code, { ...read.detail, ...about })
  const message = messageIn(json)
  const code =
    status === 400 || status === 422
      ? 'INVALID_PARAMETER'
      : status === 401
        ? 'UNAUTHORIZED'
        : status === 403
          ? 'PLAN_REQUIRED'
          : status === 404
            ? 'NOT_FOUND'
            : status === 409
              ? 'CONFLICT'
              : status === 429
                ? 'RATE_LIMITED'
                : status >= 500
                  ? remoteCodes.unavailable
                  : remoteCodes.unintelligible
  const outcome = status >= 500 || status < 400 ? { outcome: 'unknown' } : {}
  return new Problem(code, message ?? `The chat responded with status ${status}`, { ...about, ...outcome })
}

function messageIn(json: unknown): string | undefined {
  if (typeof json === 'string') return json.slice(0, 1000)
  if (typeof json !== 'object' || json === null) return undefined
  for (const name of ['message', 'error', 'detail', 'title', 'errors']) {
    const value: unknown = Reflect.get(json, name)
    if (typeof value === 'string') return value.slice(0, 1000)
    if (typeof value === 'object' && value !== null) {
      const inner = messageIn(value)
      if (inner !== undefined) return inner
    }
  }
  return undefined
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
