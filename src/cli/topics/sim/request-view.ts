import { minuteText } from '../../../kit/moment.ts'
import type { RequestSummary } from '../../../world/requests/record.ts'
import { type RequestDetail, shownIdLength } from '../../../world/requests/recorded-requests.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import type { Paint } from '../../terminal/color.ts'
import type { Column } from '../../terminal/table.ts'
import { printable } from '../../terminal/text.ts'

/** Recorded requests in the output of commands. */

export function requestSummaryFields({ Type }: Shapes) {
  const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
  return {
    id: Type.String({ description: 'Request ID, as in x-request-id and in the log.' }),
    kind: Type.Enum(['request', 'callback']),
    at: Type.String({ description: "The world's time." }),
    service: orNull(Type.String({ description: 'casino, gateway or chat; null for a path of no service.' })),
    environment: orNull(Type.String({ description: 'live, sandbox or production, where the request tells.' })),
    method: Type.String(),
    path: Type.String({ description: 'Path and query, secrets masked; of a callback, the whole URL.' }),
    status: orNull(Type.Integer({ description: 'Null while it runs, and if no response was sent.' })),
    code: orNull(Type.String({ description: 'Error code of a refusal.' })),
    ms: orNull(Type.Number({ description: 'Duration in milliseconds.' })),
  }
}

export function requestDetailSchema(shapes: Shapes) {
  const { Type } = shapes
  const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
  const message = Type.Object({
    headers: Type.Record(Type.String(), Type.String()),
    body: orNull(Type.String({ description: 'Text with secrets masked; null if it is not kept.' })),
    isCut: Type.Boolean({ description: 'True if the body is longer than the 64 KiB that are kept.' }),
  })
  return Type.Object({
    ...requestSummaryFields(shapes),
    endpoint: orNull(Type.String({ description: 'Endpoint as in the typed client; event of a callback.' })),
    address: Type.String(),
    delivery: orNull(Type.String({ description: 'Delivery that a callback is an attempt of.' })),
    request: message,
    response: orNull(message),
    outcome: Type.Object({
      kind: Type.Enum(['running', 'handled', 'refused', 'failed', 'fault', 'disconnected']),
      message: Type.String(),
    }),
    signature: orNull(signatureSchema(shapes)),
    credentials: orNull(
      Type.Object(
        {
          verdict: Type.String({
            description:
              'accepted, missing, unknown-key, revoked-key, other-environment, blocked-address, missing-token, unknown-token, expired-token, other-account, no-permission or rate-limited.',
          }),
          reason: Type.String(),
        },
        { description: 'Key and token of a request to the gateway or the chat, which are not signed.' },
      ),
    ),
    copies: Type.Object({
      curl: Type.String({
        description: 'Shell script that signs the request again, with BASE_URL, API_KEY and SECRET.',
      }),
      command: orNull(Type.String({ description: 'Null where no command sends the same request.' })),
      code: orNull(
        Type.String({
          description: 'Program with the typed client; of a callback, a receiver that verifies its signature.',
        }),
      ),
      notes: Type.Object(
        { curl: orNull(Type.String()), command: orNull(Type.String()), code: orNull(Type.String()) },
        { description: 'What a copy does not do, or why there is none.' },
      ),
    }),
  })
}

function signatureSchema({ Type }: Shapes) {
  const orNull = <T extends import('typebox').TSchema>(schema: T) => Type.Union([schema, Type.Null()])
  return Type.Object({
    lines: Type.Array(Type.Object({ name: Type.String(), value: Type.String(), bytes: Type.Integer() })),
    verdict: Type.String({
      description:
        'accepted, missing, unknown-key, other-environment, malformed, differs, stale, repeated-nonce, blocked-address, suspended, rate-limited or unknown.',
    }),
    reason: Type.String(),
    differs: orNull(Type.String({ description: 'Line that was signed with another value.' })),
    signedValue: orNull(Type.String()),
    skewSeconds: orNull(Type.Integer({ description: "Seconds that X-Timestamp is ahead of the world's clock." })),
    hints: Type.Array(Type.String()),
  })
}

export const requestColumns: readonly (Column | string)[] = [
  { key: 'at', title: 'time', show: (at) => String(at).slice(11, 19) },
  'service',
  { key: 'method', keep: true },
  { key: 'path', keep: true },
  { key: 'status', kind: 'count', keep: true },
  'code',
  { key: 'ms', kind: 'count' },
  { key: 'id', whole: true, keep: true, show: (id) => String(id).slice(-shownIdLength) },
]

/** Returns a request as one line, for following. */
export function requestLine({ at, service, method, path, status, code, ms, id }: RequestSummary): string {
  const time = ms === null ? null : `${ms} ms`
  const shown = [
    minuteText(at),
    service ?? '-',
    method,
    path,
    status ?? 'no response',
    code,
    time,
    id.slice(-shownIdLength),
  ]
  return printable(shown.filter((part) => part !== null).join('  '))
}

/** Returns everything about a request, for reading. */
export function requestText(detail: RequestDetail, paint: Paint): string {
  const { outcome, signature, credentials, request, response, copies } = detail
  const part = (title: string, text: string) => `\n${paint('bold', title)}\n${text}`
  return [
    outcome.message,
    ...(signature === null ? [] : [part('Signature', signatureText(signature))]),
    ...(credentials === null ? [] : [part('Credentials', `${credentials.verdict}: ${credentials.reason}`)]),
    part(`${detail.method} ${detail.path}`, messageText(request)),
    ...(response === null ? [] : [part(`Response ${detail.status}`, messageText(response))]),
    part('As curl', copyText(copies.curl, copies.notes.curl)),
    part('As a command', copyText(copies.command, copies.notes.command)),
    part('As code', copyText(copies.code, copies.notes.code)),
  ]
    .map((text) => `${printable(text)}\n`)
    .join('')
}

/** Returns a copy below its limitations, or why there is none. */
function copyText(copy: string | null, note: string | null): string {
  return [...(note === null ? [] : [`(${note})`]), ...(copy === null ? [] : [copy])].join('\n')
}

function signatureText({
  verdict,
  reason,
  lines,
  differs,
  signedValue,
  skewSeconds,
}: NonNullable<RequestDetail['signature']>) {
  return [
    `${verdict}: ${reason}`,
    ...(skewSeconds === null ? [] : [`clock skew  ${skewSeconds} s`]),
    ...lines.flatMap(({ name, value }) => [
      `${name === differs ? '≠' : ' '} ${name.padEnd(10)}  ${value}`,
      ...(name === differs ? [`  was signed  ${signedValue ?? ''}`] : []),
    ]),
  ].join('\n')
}

function messageText({ headers, body, isCut }: RequestDetail['request']): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  const content = body === null ? '(body not kept)' : body
  return [...lines, ...(content === '' ? [] : ['', content]), ...(isCut ? ['(cut)'] : [])].join('\n')
}
