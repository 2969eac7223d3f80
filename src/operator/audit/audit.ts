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

/** Facts of an entry, apart from its place and time. */
export type EntryFacts = Omit<AuditFacts, 'seq' | 'at'>

/** Appends an entry to the chain and returns it. Concurrent appends follow each other. */
export function appendEntry(book: Book, facts: EntryFacts): Promise<AuditEntry> {
  return book.store.write((tx) => appendIn(tx, facts))
}

export async function appendIn(tx: Tx, facts: EntryFacts): Promise<AuditEntry> {
  const head = await headIn(tx)
  const entry = chained({ ...facts, seq: head.seq + 1, at: momentText(tx.now) }, head.hash)
  await tx.q.insertInto('book_audit').values(toRow(entry, tx.now)).execute()
  return entry
}

async function headIn({ q }: Reader): Promise<AuditHead> {
  const row = await q
    .selectFrom('book_audit')
    .select(['seq', 'hash'])
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row ?? emptyHead
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

/** Result of a check of the whole chain. */
export interface AuditCheck {
  readonly entries: number
  readonly head: AuditHead
  /** The first bad entry, or null. */
  readonly fault: AuditFault | null
  /** Runs that were begun and have no end: running, or killed. */
  readonly unfinished: number
}

/**
 * Checks the chain from the first entry to the last. With an earlier head, also that this entry is still there: without it, a
 * chain whose last entries were removed, or that was written again as a whole, looks like a good one.
 */
export async function verifyChain(book: Book, earlier?: AuditHead): Promise<AuditCheck> {
  let head = emptyHead
  let entries = 0
  let fault: AuditFault | null = null
  const open = new Set<string>()
  for await (const batch of allEntries(book))
    for (const entry of batch) {
      entries += 1
      fault ??= faultAfter(head, entry) ?? faultAgainst(earlier, entry) ?? null
      head = { seq: entry.seq, hash: entry.hash }
      if (entry.outcome === started) open.add(entry.run)
      else open.delete(entry.run)
    }
  if (earlier && earlier.seq > head.seq)
    fault ??= {
      seq: head.seq + 1,
      message: `Entries ${head.seq + 1} to ${earlier.seq} are missing: the chain ends with ${head.seq}`,
    }
  return { entries, head, fault, unfinished: open.size }
}

function faultAgainst(earlier: AuditHead | undefined, { seq, hash }: AuditEntry): AuditFault | undefined {
  if (seq !== earlier?.seq || hash === earlier.hash) return undefined
  return { seq, message: `Entry ${seq} is not the one that was last: the chain was written again` }
}

function toRow({ osUser, ...entry }: AuditEntry, at: number): BookAuditRow {
  return { ...entry, at, os_user: osUser }
}

function toEntry({ os_user, at, ...row }: BookAuditRow): AuditEntry {
  return { ...row, at: momentText(at), osUser: os_user }
}
