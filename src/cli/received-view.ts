import type { BookWebhookRow } from '../store/tables/book.ts'

/** A webhook of the book as it is listed. */
export function receivedView(row: BookWebhookRow) {
  return {
    deliveryId: row.delivery_id,
    event: row.event,
    companyCode: row.company_code,
    signedAt: new Date(row.signed_at).toISOString(),
    receivedAt: new Date(row.received_at).toISOString(),
    copies: row.copies,
    forwardedAt: row.forwarded_at === null ? null : new Date(row.forwarded_at).toISOString(),
    forwardStatus: row.forward_status,
    forwardError: row.forward_error,
  }
}

export async function receivedViewSchema() {
  const { Type } = await import('typebox')
  const text = Type.Union([Type.String(), Type.Null()])
  return Type.Object({
    deliveryId: Type.String(),
    event: Type.String(),
    companyCode: Type.String(),
    signedAt: Type.String({ description: 'The t of its signature' }),
    receivedAt: Type.String(),
    copies: Type.Integer({ description: 'How often it arrived' }),
    forwardedAt: text,
    forwardStatus: Type.Union([Type.Integer(), Type.Null()]),
    forwardError: text,
  })
}
