import type { BookOrderRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import { canonicalJson } from '../../kit/canonical-json.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'

/** An order to the payment gateway as it is given. */
export interface Order {
  /** The Idempotency-Key it is sent under. */
  readonly key: string
  readonly endpoint: string
  readonly place: string
  /** Params and body, as they are sent. */
  readonly input: object
}

/** How the sending of an order ended. */
export type OrderEnd =
  | { readonly state: 'done'; readonly reply: unknown }
  | { readonly state: 'refused'; readonly refusal: string }
  /** It may have been carried out or not. */
  | { readonly state: 'unknown' }
  /** Nothing of it can have arrived. */
  | { readonly state: 'new' }

/**
 * Writes an order down before anything is sent, or finds the one that this goes on with. A key that was another order is
 * refused with IDEMPOTENCY_KEY_REUSED, however long ago: the gateway forgets one after a day, and would then do both.
 */
export function writeOrderDown(book: Book, order: Order): Promise<BookOrderRow> {
  return book.store.write(async (tx) => {
    const known = await rowOf(tx, order.key)
    if (known) return sameOrder(known, order)
    const row: BookOrderRow = {
      key: order.key,
      endpoint: order.endpoint,
      place: order.place,
      input: canonicalJson(order.input),
      state: 'new',
      reply: null,
      refusal: null,
      attempts: 0,
      sent_at: null,
      made_at: tx.now,
      changed_at: tx.now,
    }
    await tx.q.insertInto('book_orders').values(row).execute()
    return row
  })
}

/** The order of that key, if it is one of ours; refused when it is not the one that is given. */
export async function findOrderFor(book: Book, order: Order): Promise<BookOrderRow | undefined> {
  const known = await book.store.read((reader) => rowOf(reader, order.key))
  return known && sameOrder(known, order)
}

function sameOrder(row: BookOrderRow, { endpoint, place, input }: Order): BookOrderRow {
  if (row.endpoint === endpoint && row.place === place && row.input === canonicalJson(input)) return row
  throw new Problem(
    'IDEMPOTENCY_KEY_REUSED',
    `${row.key} is in the book as another order (${row.endpoint}, ${row.state}): one key is one order for ever. Nothing was sent`,
    // Ours, not the gateway's: it was not asked.
    { key: row.key, known: { endpoint: row.endpoint, state: row.state }, remoteCode: null },
  )
}

/** Notes that an order is about to be sent: from now on, until its end is known, it may have been carried out. */
export function noteOrderSending(book: Book, key: string, now: number): Promise<BookOrderRow> {
  return book.store.write(async (tx) => {
    const row = await theRow(tx, key)
    if (row.state === 'done') return row
    return change(tx, row, { state: 'unknown', attempts: row.attempts + 1, sent_at: row.sent_at ?? now })
  })
}

/**
 * Notes how a sending ended, `sent` being the row as it was when the sending began. What is done stays done; and where
 * another run has begun to send meanwhile, only that it is done may be said.
 */
export function settleOrder(book: Book, sent: BookOrderRow, end: OrderEnd): Promise<BookOrderRow> {
  return book.store.write(async (tx) => {
    const row = await theRow(tx, sent.key)
    if (row.state === 'done') return row
    if (end.state !== 'done' && row.attempts !== sent.attempts) return row
    return change(tx, row, {
      state: end.state,
      reply: end.state === 'done' ? JSON.stringify(end.reply) : null,
      refusal: end.state === 'refused' ? end.refusal : null,
      // Where nothing of it can have arrived, the gateway does not know the key yet.
      ...(end.state === 'new' ? { sent_at: null } : {}),
    })
  })
}

/** Our orders, the latest first. */
export function listOrders(book: Book, limit: number): Promise<BookOrderRow[]> {
  return book.store.read(({ q }) =>
    q.selectFrom('book_orders').selectAll().orderBy('made_at', 'desc').orderBy('key', 'desc').limit(limit).execute(),
  )
}

async function rowOf({ q }: Reader, key: string): Promise<BookOrderRow | undefined> {
  return q.selectFrom('book_orders').selectAll().where('key', '=', key).executeTakeFirst()
}

async function theRow(reader: Reader, key: string): Promise<BookOrderRow> {
  const row = await rowOf(reader, key)
  if (!row) throw new Error(`${key} was never written down`)
  return row
}

async function change(tx: Tx, row: BookOrderRow, changes: Partial<BookOrderRow>): Promise<BookOrderRow> {
  const changed = { ...changes, changed_at: tx.now }
  await tx.q.updateTable('book_orders').set(changed).where('key', '=', row.key).execute()
  return { ...row, ...changed }
}
