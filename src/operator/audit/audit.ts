import type { BookAuditRow } from '../../db/schema/book.ts'
import type { Reader, Tx } from '../../db/store.ts'
import {
  type AuditEntry,
  type AuditFacts,
  type AuditFault,
  type AuditHead,
  chained,
  emptyHead,
  faultAfter,
  started,
} from '../../domain/audit/chain.ts'
import { momentText } from '../../kit/moment.ts'
import type { Book } from '../book/book.ts'

/** Facts of an entry, apart from its number and time. */
export type EntryFacts = Omit<AuditFacts, 'seq' | 'at'>

/** Appends an entry to the chain and returns it. Concurrent appends follow each other. */
export function appendEntry(book: Book, facts: EntryFacts): Promise<AuditEntry> {
  return book.store.write((tx) => appendIn(tx, facts))
}

export async function appendIn(tx: Tx, facts: EntryFacts): Promise<AuditEntry> {
  const head = await headIn(tx)
  const entry = chained({ ...facts, seq: head.seq + 1, at: momentText(tx.now) }, head.hash)
  const { seq, hash } = entry
  await tx.q
    .insertInto('book_audit_head')
    .values({ id: 'head', seq, hash })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ seq, hash }))
    .execute()
  // Inserted after the head is updated: concurrent appends conflict there and are retried, instead of failing on the
  // entry's key.
  await tx.q.insertInto('book_audit').values(toRow(entry, tx.now)).execute()
  return entry
}

/** Returns the stored end. A trail whose last entries were removed continues after it, so that the gap stays visible. */
async function headIn(reader: Reader): Promise<AuditHead> {
  return (await storedHead(reader)) ?? (await lastEntry(reader)) ?? emptyHead
}

const storedHead = ({ q }: Reader): Promise<AuditHead | undefined> =>
  q.selectFrom('book_audit_head').select(['seq', 'hash']).executeTakeFirst()

/** Returns whether the trail has this entry. */
export async function hasEntry({ store }: Book, { seq, hash }: AuditHead): Promise<boolean> {
  const row = await store.read(({ q }) =>
    q.selectFrom('book_audit').select('hash').where('seq', '=', seq).executeTakeFirst(),
  )
  return row?.hash === hash
}

function lastEntry({ q }: Reader): Promise<AuditHead | undefined> {
  return q.selectFrom('book_audit').select(['seq', 'hash']).orderBy('seq', 'desc').limit(1).executeTakeFirst()
}

/** Filter of a list; every field given must match. */
export interface AuditFilter {
  readonly operator?: string | undefined
  /** Words of a command, or of a topic: `wallet` matches `wallet deposit`. */
  readonly command?: string | undefined
  readonly since?: number | undefined
}

/** Lists the latest matching entries, newest first. */
export async function listEntries({ store }: Book, filter: AuditFilter, limit: number): Promise<AuditEntry[]> {
  const { operator, command, since } = filter
  const rows = await store.read(({ q }) =>
    q
      .selectFrom('book_audit')
      .selectAll()
      .$if(operator !== undefined, (query) =>
        query.where((eb) => eb.or([eb('operator', '=', operator ?? ''), eb('os_user', '=', operator ?? '')])),
      )
      .$if(command !== undefined, (query) =>
        query.where((eb) => eb.or([eb('command', '=', command ?? ''), eb('command', 'like', `${command} %`)])),
      )
      .$if(since !== undefined, (query) => query.where('at', '>=', since ?? 0))
      .orderBy('seq', 'desc')
      .limit(limit)
      .execute(),
  )
  return rows.map(toEntry)
}

const entriesAtOnce = 1000

/** Reads the whole chain, oldest first, in batches. */
export async function* allEntries({ store }: Book): AsyncGenerator<AuditEntry[]> {
  let after = Number.MIN_SAFE_INTEGER
  for (;;) {
    const from = after
    const rows = await store.read(({ q }) =>
      q.selectFrom('book_audit').selectAll().where('seq', '>', from).orderBy('seq').limit(entriesAtOnce).execute(),
    )
    const last = rows.at(-1)
    if (!last) return
    yield rows.map(toEntry)
    after = last.seq
  }
}

/** Result of a check of a whole chain. */
export interface AuditCheck {
  readonly entries: number
  readonly head: AuditHead
  /** The first invalid entry, or null. */
  readonly fault: AuditFault | null
  /** Number of runs without an end: still running, or killed. */
  readonly unfinished: number
}

/** An end of the chain that is stored elsewhere. Its entry must still exist. */
export interface KeptEnd {
  readonly head: AuditHead
  /** Source of the stored end, for the message; undefined for one that the user passed. */
  readonly source?: string
}

/**
 * Checks the chain of a book from the first entry to the last, its stored end, and ends that are kept elsewhere.
 * Without the ends, a chain whose last entries were removed, or that was rewritten as a whole, would seem intact.
 */
export async function verifyChain(book: Book, kept: readonly KeptEnd[] = []): Promise<AuditCheck> {
  // Read before the entries, because concurrent runs append to them.
  const head = await book.store.read(storedHead)
  const ends = [...(head ? [{ head, source: 'the end stored in the book' }] : []), ...kept]
  const check = await verifyEntries(allEntries(book), ends)
  if (check.fault !== null) return check
  const after = await book.store.read(storedHead)
  const beyond = check.head.seq - (after?.seq ?? 0)
  if (beyond <= 0) return check
  const seq = (after?.seq ?? 0) + 1
  const message = after
    ? `Entry ${seq} was inserted: the end stored in the book is ${after.seq}`
    : 'The end stored in the book was removed'
  return { ...check, fault: { seq, message } }
}

/** Checks entries, oldest first, and that they contain the kept ends. */
export async function verifyEntries(
  batches: AsyncIterable<readonly AuditEntry[]>,
  kept: readonly KeptEnd[],
): Promise<AuditCheck> {
  let head = emptyHead
  let entries = 0
  let fault: AuditFault | null = null
  const open = new Set<string>()
  for await (const batch of batches)
    for (const entry of batch) {
      entries += 1
      fault ??= faultAfter(head, entry) ?? faultAgainst(kept, entry) ?? null
      head = { seq: entry.seq, hash: entry.hash }
      if (entry.outcome === started) open.add(entry.run)
      else open.delete(entry.run)
    }
  const furthest = kept.toSorted((a, b) => b.head.seq - a.head.seq)[0]
  if (furthest && furthest.head.seq > head.seq) fault ??= missingAfter(head, furthest)
  return { entries, head, fault, unfinished: open.size }
}

function missingAfter(head: AuditHead, { head: { seq }, source }: KeptEnd): AuditFault {
  const missing = seq === head.seq + 1 ? `Entry ${seq} is` : `Entries ${head.seq + 1} to ${seq} are`
  const known = source === undefined ? '' : `, and ${source} is ${seq}`
  return { seq: head.seq + 1, message: `${missing} missing: the chain ends with ${head.seq}${known}` }
}

function faultAgainst(kept: readonly KeptEnd[], { seq, hash }: AuditEntry): AuditFault | undefined {
  const other = kept.find(({ head }) => head.seq === seq && head.hash !== hash)
  if (other === undefined) return undefined
  const source = other.source === undefined ? '' : ` by ${other.source}`
  return { seq, message: `Entry ${seq} is not the one that was last${source}: the chain was written again` }
}

function toRow({ osUser, ...entry }: AuditEntry, at: number): BookAuditRow {
  return { ...entry, at, os_user: osUser }
}

function toEntry({ os_user, at, ...row }: BookAuditRow): AuditEntry {
  return { ...row, at: momentText(at), osUser: os_user }
}
