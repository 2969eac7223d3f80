import { nextOf } from '../store/counter.ts'
import type { Reader, Tx } from '../store/store.ts'
import type { BookWebhookRow } from '../store/tables/book.ts'
import type { Book } from './book.ts'

/** A genuine webhook as it arrived. */
export interface ReceivedWebhook {
  readonly deliveryId: string
  readonly event: string
  readonly companyCode: string
  /** The exact bytes its signature is over. */
  readonly body: Uint8Array
  /** All headers, in the order and spelling in which they came. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The `t` of its signature, in milliseconds. */
  readonly signedAt: number
}

/** Keeps a webhook once per delivery id, durably before this resolves; a further copy is counted and otherwise left. */
export function keepWebhook(book: Book, received: ReceivedWebhook): Promise<'stored' | 'again'> {
  return book.store.write(async (tx) => {
    const known = await webhookOf(tx, received.deliveryId)
    if (known) {
      await saveWebhook(tx, known.delivery_id, { copies: known.copies + 1, last_received_at: tx.now })
      return 'again'
    }
    await tx.q
      .insertInto('book_webhooks')
      .values({
        delivery_id: received.deliveryId,
        place: await nextOf(tx, 'book/webhooks'),
        event: received.event,
        company_code: received.companyCode,
        ...keptBody(received.body),
        headers: JSON.stringify(received.headers),
        signed_at: received.signedAt,
        received_at: tx.now,
        copies: 1,
        last_received_at: tx.now,
        forwarded_at: null,
        forward_status: null,
        forward_error: null,
      })
      .execute()
    return 'stored'
  })
}

/** Bytes as a column can keep them: as their text where that gives the same bytes again, else in base 64. */
function keptBody(body: Uint8Array): Pick<BookWebhookRow, 'body' | 'body_form'> {
  const bytes = Buffer.from(body)
  const text = bytes.toString('utf8')
  const isText = !text.includes('\0') && Buffer.from(text, 'utf8').equals(bytes)
  return isText ? { body: text, body_form: 'text' } : { body: bytes.toString('base64'), body_form: 'base64' }
}

/** The bytes that arrived. */
export function bytesOf(row: Pick<BookWebhookRow, 'body' | 'body_form'>): Buffer {
  return Buffer.from(row.body, row.body_form === 'text' ? 'utf8' : 'base64')
}

export function headersOf(row: Pick<BookWebhookRow, 'headers'>): readonly (readonly [string, string])[] {
  return JSON.parse(row.headers)
}

/** Writes down how handing a webhook on ended: the status, or why there was no answer. */
export function noteForwarded(book: Book, id: string, end: { status: number | null; error: string | null }) {
  return book.store.write((tx) => {
    const isGood = end.status !== null && end.status >= 200 && end.status <= 299
    return saveWebhook(tx, id, {
      forward_status: end.status,
      forward_error: end.error,
      ...(isGood ? { forwarded_at: tx.now } : {}),
    })
  })
}

export interface WebhookQuery {
  readonly ids?: readonly string[] | undefined
  readonly event?: string | undefined
  readonly since?: number | undefined
  /** Only those that nothing has taken yet. */
  readonly unforwarded?: boolean | undefined
  readonly newestFirst?: boolean | undefined
  readonly limit: number
}

/** Webhooks in the order in which they first arrived, or the other way round. */
export function listWebhooks(book: Book, asked: WebhookQuery): Promise<BookWebhookRow[]> {
  return book.store.read(({ q }) => {
    let query = q.selectFrom('book_webhooks').selectAll()
    if (asked.ids !== undefined) query = query.where('delivery_id', 'in', asked.ids)
    if (asked.event !== undefined) query = query.where('event', '=', asked.event)
    if (asked.since !== undefined) query = query.where('received_at', '>=', asked.since)
    if (asked.unforwarded) query = query.where('forwarded_at', 'is', null)
    return query
      .orderBy('place', asked.newestFirst ? 'desc' : 'asc')
      .limit(asked.limit)
      .execute()
  })
}

function webhookOf({ q }: Reader, id: string): Promise<BookWebhookRow | undefined> {
  return q.selectFrom('book_webhooks').selectAll().where('delivery_id', '=', id).executeTakeFirst()
}

async function saveWebhook({ q }: Tx, id: string, change: Partial<BookWebhookRow>): Promise<void> {
  await q.updateTable('book_webhooks').set(change).where('delivery_id', '=', id).execute()
}
