import { nextOf } from '../../db/counter.ts'
import type { BookCallbackRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import type { CallbackKind, Channel } from '../../domain/webhooks/retry-schedule.ts'
import type { Book } from '../book/book.ts'

/** Identity of a callback. */
export interface CallbackIdentity {
  readonly id: string
  readonly channel: Channel
  readonly owner: string | null
  readonly kind: CallbackKind
  readonly subject: string | null
  readonly event: string
  readonly eventAt: number | null
}

/** A valid callback as it arrived, or as it was rebuilt. */
export interface ReceivedCallback extends CallbackIdentity {
  /** Exact bytes that are signed. */
  readonly body: Uint8Array
  /** All headers, in their original order and spelling. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  /** The `t` of a webhook's signature, in milliseconds. */
  readonly signedAt: number | null
  readonly origin?: BookCallbackRow['origin']
}

/** Stores a callback once, durably before this resolves; a duplicate is counted. */
export function keepCallback(book: Book, received: ReceivedCallback): Promise<'stored' | 'again'> {
  return book.store.write(async (tx) => {
    const known = await callbackOf(tx, received.id)
    if (known) {
      await saveCallback(tx, known.id, { copies: known.copies + 1, last_received_at: tx.now })
      return 'again'
    }
    await tx.q
      .insertInto('book_callbacks')
      .values({
        id: received.id,
        channel: received.channel,
        place: await nextOf(tx, 'book/callbacks'),
        owner: received.owner,
        kind: received.kind,
        subject: received.subject,
        event: received.event,
        told_at: received.eventAt,
        ...keptBody(received.body),
        headers: JSON.stringify(received.headers),
        signed_at: received.signedAt,
        origin: received.origin ?? 'received',
        received_at: tx.now,
        copies: 1,
        last_received_at: tx.now,
        forward_to: null,
        forwarded_at: null,
        forward_status: null,
        forward_error: null,
      })
      .execute()
    return 'stored'
  })
}

/** Encodes bytes for a text column: as text if that is lossless, else as base64. */
function keptBody(body: Uint8Array): Pick<BookCallbackRow, 'body' | 'body_form'> {
  const bytes = Buffer.from(body)
  const text = bytes.toString('utf8')
  const isText = !text.includes('\0') && Buffer.from(text, 'utf8').equals(bytes)
  return isText ? { body: text, body_form: 'text' } : { body: bytes.toString('base64'), body_form: 'base64' }
}

/** Decodes the stored bytes. */
export function bytesOf(row: Pick<BookCallbackRow, 'body' | 'body_form'>): Buffer {
  return Buffer.from(row.body, row.body_form === 'text' ? 'utf8' : 'base64')
}

export function headersOf(row: Pick<BookCallbackRow, 'headers'>): readonly (readonly [string, string])[] {
  return JSON.parse(row.headers)
}

/** Outcome of a forward: the HTTP status of a response, and the error of a failure. */
export interface ForwardAttempt {
  readonly to: string
  readonly status: number | null
  readonly error: string | null
}

/** Stores the outcome of a forward. */
export function recordForwarded(book: Book, id: string, { to, status, error }: ForwardAttempt): Promise<void> {
  return book.store.write((tx) => {
    const isGood = status !== null && status >= 200 && status <= 299
    return saveCallback(tx, id, {
      forward_to: to,
      forward_status: status,
      forward_error: error,
      ...(isGood ? { forwarded_at: tx.now } : {}),
    })
  })
}

/** Returns the target of the newest callback of a channel that was forwarded, if any. */
export function lastForwardedTo(book: Book, channel: Channel): Promise<string | undefined> {
  return book.store.read(async ({ q }) => {
    const row = await q
      .selectFrom('book_callbacks')
      .select('forward_to')
      .where('channel', '=', channel)
      .where('forward_to', 'is not', null)
      .orderBy('place', 'desc')
      .limit(1)
      .executeTakeFirst()
    return row?.forward_to ?? undefined
  })
}

export interface CallbackQuery {
  readonly channel: Channel
  /** IDs of callbacks or of their objects. */
  readonly ids?: readonly string[] | undefined
  readonly event?: string | undefined
  readonly kind?: CallbackKind | undefined
  readonly since?: number | undefined
  /** True for callbacks that no target has accepted. */
  readonly unforwarded?: boolean | undefined
  readonly newestFirst?: boolean | undefined
  readonly limit?: number | undefined
}

/** Returns callbacks in the order of their first arrival, or reversed. */
export function listCallbacks(book: Book, filter: CallbackQuery): Promise<BookCallbackRow[]> {
  // PostgreSQL takes no empty list.
  if (filter.ids?.length === 0) return Promise.resolve([])
  return book.store.read(({ q }) => {
    let query = q.selectFrom('book_callbacks').selectAll().where('channel', '=', filter.channel)
    const { ids } = filter
    if (ids !== undefined) query = query.where((eb) => eb.or([eb('id', 'in', ids), eb('subject', 'in', ids)]))
    if (filter.event !== undefined) query = query.where('event', '=', filter.event)
    if (filter.kind !== undefined) query = query.where('kind', '=', filter.kind)
    if (filter.since !== undefined) query = query.where('received_at', '>=', filter.since)
    if (filter.unforwarded) query = query.where('forwarded_at', 'is', null)
    if (filter.limit !== undefined) query = query.limit(filter.limit)
    return query.orderBy('place', filter.newestFirst ? 'desc' : 'asc').execute()
  })
}

function callbackOf({ q }: Reader, id: string): Promise<BookCallbackRow | undefined> {
  return q.selectFrom('book_callbacks').selectAll().where('id', '=', id).executeTakeFirst()
}

async function saveCallback({ q }: Tx, id: string, change: Partial<BookCallbackRow>): Promise<void> {
  await q.updateTable('book_callbacks').set(change).where('id', '=', id).execute()
}
