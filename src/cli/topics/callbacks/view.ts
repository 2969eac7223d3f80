import type { BookCallbackRow } from '../../../db/schema/book.ts'
import type { CallbackIdentity } from '../../../operator/callbacks/inbox.ts'
import type { Mail } from './command.ts'

/** What a recorded callback says of itself. */
export function identityOfRow(row: BookCallbackRow): CallbackIdentity {
  const { id, channel, owner, kind, subject, event, told_at: toldAt } = row
  return { id, channel, owner, kind, subject, event, toldAt }
}

/** A callback of the book as it is listed. */
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

/** The fields a callback is told apart by, in JSON output. */
export async function identitySchemas({ form }: Mail) {
  const { Type } = await import('typebox')
  const text = Type.Union([Type.String(), Type.Null()])
  return form.channel === 'tenant-webhook'
    ? { deliveryId: text, event: text, companyCode: text, createdAt: text }
    : { id: text, kind: text, subject: text, status: text, updatedAt: text }
}

export async function receivedViewSchema(mail: Mail) {
  const { Type } = await import('typebox')
  const text = Type.Union([Type.String(), Type.Null()])
  const own =
    mail.form.channel === 'tenant-webhook'
      ? { signedAt: Type.String({ description: 'The t of its signature' }) }
      : { origin: Type.Enum(['received', 'healed'], { description: 'healed: it never came, and was made here' }) }
  return Type.Object({
    ...(await identitySchemas(mail)),
    ...own,
    receivedAt: Type.String(),
    copies: Type.Integer({ description: 'How often it arrived' }),
    forwardedAt: text,
    forwardStatus: Type.Union([Type.Integer(), Type.Null()]),
    forwardError: text,
  })
}
