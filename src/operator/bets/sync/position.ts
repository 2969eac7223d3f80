import type { BookSlipRow } from '../../../db/schema/book.ts'
import { oldestReadableMonth } from '../../../domain/account/plan-limits.ts'
import { type Month, monthAfter, monthOf } from '../../../domain/bets/cursor.ts'
import type { Client } from '../../../http/contract/contract.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { casino as casinoContract } from '../../../services/casino/api/contract.ts'
import type { BetRecord } from '../../../services/casino/api/schemas/index.ts'
import type { Book } from '../../book/book.ts'
import { latestSlip } from '../slip-rows.ts'

/**
 * Checks whether the book's cursor belongs to the platform in its current state. A platform accepts any cursor, and
 * answers one ahead of its records with an empty page. After a restored backup or in another environment, "up to date"
 * would then be wrong. So the last record of the book is requested again.
 */

/** `unknown`: the record may have been deleted for its age, or its list did not end, so nothing is proven. */
export type PositionCheck = 'same' | 'ahead' | 'unknown'

export interface PositionFacts {
  readonly platform: Pick<Client<typeof casinoContract>, 'bets'>
  readonly book: Book
  /** The platform's time. */
  readonly now: number
  readonly retentionDays: number
  readonly signal?: AbortSignal | undefined
}

/** Maximum number of pages to search for the record by its time. */
const maxPages = 10
/** Largest deviation of the write order from the order of times. */
const orderSlackMs = 300_000

/**
 * Requests the last record of the book by its position. If another record is there, searches it by its time, because a platform
 * may number its cursors differently.
 */
export async function checkPosition(facts: PositionFacts): Promise<PositionCheck> {
  const last = await facts.book.store.read(latestSlip)
  if (!last || (await isAtItsPlace(facts, last))) return 'same'
  const searchResult = await searchByTime(facts, last)
  if (searchResult === 'yes') return 'same'
  return searchResult === 'no' && isWithinRetention(last.month, facts) ? 'ahead' : 'unknown'
}

/** Creates the problem for a cursor ahead of the platform. `newBook` is the command that syncs into another book. */
export async function aheadOfPlatform(book: Book, newBook: string): Promise<Problem> {
  const last = await book.store.read(latestSlip)
  const { slip_id: slipId = '', rev = 0, rec_seq: recSeq = 0, settled_at: settledAt = 0 } = last ?? {}
  const at = new Date(settledAt).toISOString()
  return new Problem(
    'BOOK_AHEAD',
    `The platform does not have the last record of this book (slip ${slipId}, revision ${rev}, written ${at}): it was restored from an earlier backup, or is another environment. Nothing was changed. To sync into a new book and folder: ${newBook}`,
    { slipId, rev, recSeq, settledAt: at, next: newBook },
  )
}

async function isAtItsPlace({ platform, signal }: PositionFacts, last: BookSlipRow): Promise<boolean> {
  const cursor = `${last.month}.${Math.max(0, last.rec_seq - 1)}`
  try {
    const { items } = await platform.bets({ query: { cursor, limit: 1 } }, signal ? { signal } : {})
    return items.some((item) => isRecord(item, last))
  } catch (error) {
    if (isProblem(error, 'INVALID_CURSOR')) return false
    throw error
  }
}

async function searchByTime({ platform, signal }: PositionFacts, last: BookSlipRow): Promise<'yes' | 'no' | 'no end'> {
  let query: { from: string } | { cursor: string } = { from: new Date(last.settled_at).toISOString() }
  for (let page = 0; page < maxPages; page++) {
    const { items, nextCursor, hasMore } = await platform.bets(
      { query: { ...query, limit: 1000 } },
      signal ? { signal } : {},
    )
    if (items.some((item) => isRecord(item, last))) return 'yes'
    if (!hasMore || items.some(({ settledAt }) => Date.parse(settledAt) > last.settled_at + orderSlackMs)) return 'no'
    query = { cursor: nextCursor }
  }
  return 'no end'
}

/** Compares key and time: a world created again from the same seed repeats the IDs, but not the time. */
function isRecord({ slipId, rev, settledAt }: BetRecord, last: BookSlipRow): boolean {
  return slipId === last.slip_id && rev === last.rev && Date.parse(settledAt) === last.settled_at
}

/** The current and the previous month are always kept; older ones for one month less than the plan's retention, which is approximate. */
function isWithinRetention(month: Month, { now, retentionDays }: PositionFacts): boolean {
  const sure = monthAfter(oldestReadableMonth(now, retentionDays), 1)
  return month >= monthAfter(monthOf(now), -1) || month >= sure
}
