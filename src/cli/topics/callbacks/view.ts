import type { BookCallbackRow } from '../../../db/schema/book.ts'
import type { CallbackIdentity } from '../../../operator/callbacks/inbox.ts'
import type { Shapes } from '../../outcome/result-schema.ts'
import type { Mail } from './command.ts'

/** Identity of a stored callback. */
export function identityOfRow(row: BookCallbackRow): CallbackIdentity {
  const { id, channel, owner, kind, subject, event, told_at: toldAt } = row
  return { id, channel, owner, kind, subject, event, toldAt }
}

/** A stored callback in a list. */
export function receivedView({ form }: Mail, row: BookCallbackRow) {
  return {
    ...form.told(identityOfRow(row)),
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
export function identityFields({ form }: Mail): readonly string[] {
  return identityNames[form.channel]
}

/** Schema of the identity fields. */
export function identitySchemas({ Type }: Shapes, mail: Mail) {
  const text = Type.Union([Type.String(), Type.Null()])
  return Object.fromEntries(identityFields(mail).map((name) => [name, text]))
}

export function receivedViewSchema(shapes: Shapes, mail: Mail) {
  const { Type } = shapes
  const text = Type.Union([Type.String(), Type.Null()])
  const own =
    mail.form.channel === 'tenant-webhook'
      ? { signedAt: Type.String({ description: 'The t of its signature.' }) }
      : { origin: Type.Enum(['received', 'healed'], { description: 'healed: it never arrived and was rebuilt here.' }) }
  return Type.Object({
    ...identitySchemas(shapes, mail),
    ...own,
    receivedAt: Type.String(),
    copies: Type.Integer({ description: 'Number of times it arrived.' }),
    forwardedAt: text,
    forwardStatus: Type.Union([Type.Integer(), Type.Null()]),
    forwardError: text,
  })
}
