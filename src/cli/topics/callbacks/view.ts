import type { BookCallbackRow } from '../../../db/schema/book.ts'
import type { CallbackIdentity } from '../../../operator/callbacks/inbox.ts'
import type { CallbackForm } from '../../../operator/callbacks/signatures.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import type { CallbackTopic } from './topics.ts'

/** Identity of a stored callback. */
export function identityOfRow(row: BookCallbackRow): CallbackIdentity {
  const { id, channel, owner, kind, subject, event, told_at: eventAt } = row
  return { id, channel, owner, kind, subject, event, eventAt }
}

/** A stored callback in a list. */
export function receivedView(form: CallbackForm, row: BookCallbackRow) {
  return {
    ...form.identityView(identityOfRow(row)),
    ...(form.channel === 'tenant-webhook' ? { signedAt: new Date(row.signed_at ?? 0).toISOString() } : {}),
    ...(form.channel === 'merchant-ipn' ? { origin: row.origin } : {}),
    receivedAt: new Date(row.received_at).toISOString(),
    copies: row.copies,
    forwardedAt: row.forwarded_at === null ? null : new Date(row.forwarded_at).toISOString(),
    forwardStatus: row.forward_status,
    forwardError: row.forward_error,
  }
}

const identityNames = {
  'tenant-webhook': ['deliveryId', 'event', 'companyCode', 'createdAt'],
  'merchant-ipn': ['id', 'kind', 'subject', 'status', 'updatedAt'],
} as const

/** Names of the identity fields. */
export function identityFields({ channel }: CallbackTopic): readonly string[] {
  return identityNames[channel]
}

/** Schema of the identity fields. */
export function identitySchemas({ Type }: Shapes, topic: CallbackTopic) {
  const text = Type.Union([Type.String(), Type.Null()])
  return Object.fromEntries(identityFields(topic).map((name) => [name, text]))
}

export function receivedViewSchema(shapes: Shapes, topic: CallbackTopic) {
  const { Type } = shapes
  const text = Type.Union([Type.String(), Type.Null()])
  const own =
    topic.channel === 'tenant-webhook'
      ? { signedAt: Type.String({ description: 'The t of its signature.' }) }
      : { origin: Type.Enum(['received', 'healed'], { description: 'healed: it never arrived and was rebuilt here.' }) }
  return Type.Object({
    ...identitySchemas(shapes, topic),
    ...own,
    receivedAt: Type.String(),
    copies: Type.Integer({ description: 'Number of times it arrived.' }),
    forwardedAt: text,
    forwardStatus: Type.Union([Type.Integer(), Type.Null()]),
    forwardError: text,
  })
}

export const listenSchema = ({ Type }: Shapes) => {
  const count = Type.Integer()
  return Type.Object({
    url: Type.String(),
    stored: count,
    again: count,
    refused: count,
    forwarded: count,
    unforwarded: count,
    stoppedBy: Type.String(),
  })
}

export const showSchema = (topic: CallbackTopic) => (shapes: Shapes) => {
  const { Type } = shapes
  const received = receivedViewSchema(shapes, topic)
  return Type.Object({
    ...received.properties,
    headers: Type.Array(Type.Array(Type.String(), { minItems: 2, maxItems: 2 })),
    body: Type.String(),
    bodyForm: Type.Enum(['text', 'base64'], { description: 'Encoding of body.' }),
  })
}

export const replaySchema = (topic: CallbackTopic) => (shapes: Shapes) => {
  const { Type } = shapes
  const answered = Type.Union([Type.Integer(), Type.Null()], { description: 'HTTP status of the response.' })
  const error = Type.Union([Type.String(), Type.Null()])
  const attempt = Type.Object({ at: Type.String(), answered, error, tookMs: Type.Integer() })
  const row = Type.Object({
    ...identitySchemas(shapes, topic),
    answered,
    error,
    attempts: Type.Array(attempt),
    resigned: Type.Boolean({ description: 'True if the signature had expired and was renewed.' }),
  })
  return Type.Object({
    to: Type.String(),
    taken: Type.Integer(),
    resigned: Type.Integer(),
    [listNames[topic.words]]: Type.Array(row),
  })
}

/** Name of the list of callbacks in JSON output. */
export const listNames = { webhooks: 'webhooks', ipn: 'callbacks' } as const

export const verifySchema = (topic: CallbackTopic) => (shapes: Shapes) => {
  const { Type } = shapes
  const text = Type.Union([Type.String(), Type.Null()])
  const isDated = topic.channel === 'tenant-webhook'
  const age = { signedAt: text, ageSeconds: Type.Union([Type.Number(), Type.Null()]) }
  return Type.Object({
    verdict: isDated
      ? Type.Enum(['genuine', 'stale', 'forged', 'malformed'])
      : Type.Enum(['genuine', 'forged', 'malformed']),
    ...identitySchemas(shapes, topic),
    ...(isDated ? age : {}),
    complaint: text,
  })
}
