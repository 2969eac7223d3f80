import { Type } from 'typebox'
import type { Envelope } from './contract.ts'

/** The casino's envelope (1-tenant-api): `{ ok: true, data }`, or `{ ok: false, error: { code, message } }`. */
export const okData: Envelope = {
  wrap: (data) => ({ ok: true, data }),
  schema: (reply) => Type.Object({ ok: Type.Literal(true), data: reply }),
  refuse: ({ code, message }) => ({ ok: false, error: { code, message } }),
  refusal: Type.Object({
    ok: Type.Literal(false),
    error: Type.Object({ code: Type.String(), message: Type.String() }),
  }),
  read: (status, body) => {
    if (!isObject(body)) return undefined
    if (body['ok'] === true && isSuccess(status) && 'data' in body) return { data: body['data'] }
    const error = body['error']
    if (body['ok'] !== false || !isObject(error) || typeof error['code'] !== 'string') return undefined
    return { code: error['code'], message: textOf(error['message']), detail: {} }
  },
}

/**
 * The gateway's envelope (2-payment-gateway-api): the plain data, or `{ status: false, statusCode, code, message }`.
 */
export const bareOrStatus: Envelope = {
  wrap: (data) => data,
  schema: (reply) => reply,
  refuse: ({ code, message, status }) => ({ status: false, statusCode: status, code, message }),
  refusal: Type.Object({
    status: Type.Literal(false),
    statusCode: Type.Integer(),
    code: Type.String(),
    message: Type.String(),
  }),
  read: (status, body) => {
    if (isSuccess(status)) return { data: body }
    if (!isObject(body) || typeof body['code'] !== 'string') return undefined
    return { code: body['code'], message: textOf(body['message']), detail: {} }
  },
}

/**
 * The chat's envelope (3-chat-api leaves it open): the plain data, or `{ error: { code, message, details, requestId }
 * }`.
 */
export const bareOrError: Envelope = {
  wrap: (data) => data,
  schema: (reply) => reply,
  refuse: ({ code, message, detail, requestId }) => ({
    error: { code, message, details: detailsOf(detail), requestId },
  }),
  refusal: Type.Object({
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Array(Type.Object({}, { additionalProperties: true })),
      requestId: Type.String(),
    }),
  }),
  read: (status, body) => {
    if (isSuccess(status)) return { data: body }
    const error = isObject(body) ? body['error'] : undefined
    if (!isObject(error) || typeof error['code'] !== 'string') return undefined
    const { code, message, details, requestId } = error
    return {
      code,
      message: textOf(message),
      detail: {
        ...(Array.isArray(details) ? { details } : {}),
        ...(typeof requestId === 'string' ? { remoteRequestId: requestId } : {}),
      },
    }
  },
}

/**
 * Returns the details as a list: the refusal's own `details`, else one entry per faulty field, else all other details
 * as one entry.
 */
function detailsOf(detail: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (Array.isArray(detail['details'])) return detail['details']
  if (Array.isArray(detail['faults'])) return detail['faults']
  const { retryAfterMs: _, ...rest } = detail
  return Object.keys(rest).length > 0 ? [rest] : []
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns another server's message, cut to 1,000 characters; empty if it is not a string. */
function textOf(message: unknown): string {
  return typeof message === 'string' ? message.slice(0, 1000) : ''
}
