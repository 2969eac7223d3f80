import type { Book } from '../book/book.ts'
import { bytesOf, headersOf, noteForwarded } from '../book/webhooks.ts'
import { signatureWindowMs, signWebhook } from '../domain/signing.ts'
import type { BookWebhookRow } from '../store/tables/book.ts'
import type { Captured } from './webhook-capture.ts'
import type { Forwarder } from './webhook-forward.ts'

/** One webhook sent again. */
export interface Replayed {
  readonly deliveryId: string
  readonly event: string
  readonly status: number | null
  readonly error: string | null
  /** Whether its signature had run out and was made anew; the bytes stay what they were. */
  readonly resigned: boolean
}

/** Whether a recorded signature is outside of the window, so that a receiver would refuse it. */
export function hasRunOut(row: Pick<BookWebhookRow, 'signed_at'>, now: number): boolean {
  return Math.abs(row.signed_at - now) > signatureWindowMs
}

/** A recorded webhook as it would be sent now: as it came, or with a fresh signature over the same bytes. */
export function replayable(row: BookWebhookRow, now: number, secret: string | undefined): Captured {
  const body = bytesOf(row)
  const headers = headersOf(row)
  if (!hasRunOut(row, now) || secret === undefined) return { body, headers }
  const signature = signWebhook(secret, body, now)
  return {
    body,
    headers: headers.map(([name, value]) => [name, name.toLowerCase() === 'x-svc-signature' ? signature : value]),
  }
}

/** Sends recorded webhooks again, one after another in the order given, and notes in the book what was taken. */
export async function* replayWebhooks(
  { book, forwarder, secret, now }: { book: Book; forwarder: Forwarder; secret: string | undefined; now: () => number },
  rows: readonly BookWebhookRow[],
): AsyncGenerator<Replayed> {
  for (const row of rows) {
    const at = now()
    const end = await forwarder.send(replayable(row, at, secret))
    await noteForwarded(book, row.delivery_id, end)
    yield { deliveryId: row.delivery_id, event: row.event, ...end, resigned: hasRunOut(row, at) }
  }
}
