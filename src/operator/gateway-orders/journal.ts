import type { BookOrderRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import { canonicalJson } from '../../kit/canonical-json.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from '../book/book.ts'

/** An order for the payment gateway. */
export interface Order {
  /** Idempotency-Key of the order. */
  readonly key: string
  readonly endpoint: string
  readonly target: string
  /** Params and body as they are sent. */
  readonly input: object
}

/** Outcome of sending an order. */
export type OrderEnd =
  | { readonly state: 'done'; readonly reply: unknown }
  | { readonly state: 'refused'; readonly refusal: string }
  /** The request may have been processed. */
  | { readonly state: 'unknown' }
  /** The request cannot have arrived. */
  | { readonly state: 'new' }

/**
 * Stores an order before it is sent, or finds the one that this continues. Throws IDEMPOTENCY_KEY_REUSED for a key of another
 * order, however old: the gateway forgets a key after a day, and would then carry out both.
 */
export function recordOrder(book: Book, order: Order): Promise<BookOrderRow> {
  return book.store.write(async (tx) => {
    const known = await rowOf(tx, order.key)
    if (known) return sameOrder(known, order)
    const row: BookOrderRow = {
      key: order.key,
      endpoint: order.endpoint,
      place: order.target,
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

/** Returns the order of a key; throws if it is a different order. */
export async function findOrderFor(book: Book, order: Order): Promise<BookOrderRow | undefined> {
  const known = await book.store.read((reader) => rowOf(reader, order.key))
  return known && sameOrder(known, order)
}

function sameOrder(row: BookOrderRow, { endpoint, target, input }: Order): BookOrderRow {
  if (row.endpoint === endpoint && row.place === target && row.input === canonicalJson(input)) return row
  throw new Problem(
    'IDEMPOTENCY_KEY_REUSED',
    `The key ${row.key} was already used for another order (${row.endpoint}, ${row.state}). Nothing was sent. Use another --key`,
    // A code of our own: the gateway was not contacted.
    { key: row.key, known: { endpoint: row.endpoint, state: row.state }, remoteCode: null },
  )
}

/** Marks an order as sent: until its outcome is known, it may have been carried out. */
export function recordOrderSending(book: Book, key: string, now: number): Promise<BookOrderRow> {
  return book.store.write(async (tx) => {
    const row = await theRow(tx, key)
    if (row.state === 'done') return row
    return change(tx, row, { state: 'unknown', attempts: row.attempts + 1, sent_at: row.sent_at ?? now })
  })
}

/**
 * Stores the outcome. `sent` is the row as stored before sending. A done order stays done; if another run has sent it
 * since, only "done" may be stored.
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
      // If nothing can have arrived, the gateway does not have the key yet.
      ...(end.state === 'new' ? { sent_at: null } : {}),
    })
  })
}

/** Returns our orders, newest first. */
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
  if (!row) throw new Error(`${key} was never stored`)
  return row
}

async function change(tx: Tx, row: BookOrderRow, changes: Partial<BookOrderRow>): Promise<BookOrderRow> {
  const changed = { ...changes, changed_at: tx.now }
  await tx.q.updateTable('book_orders').set(changed).where('key', '=', row.key).execute()
  return { ...row, ...changed }
}
