import { type Cursor, compareCursors, cursorOf } from '../../../domain/bets/cursor.ts'
import { faultOfBet, pulledBet } from '../../../domain/bets/record.ts'
import type { ReadBet } from '../../../domain/bets/record-text.ts'
import { fromReply, toRequest } from '../../../http/client/client.ts'
import { remoteCodes, type Transport, type WireReply } from '../../../http/contract/wire-types.ts'
import { Problem } from '../../../kit/problem.ts'
import { casino } from '../../../services/casino/api/contract.ts'
import type { Lines } from '../files/csv-file.ts'
import { beginningOf, endOf, isEnded, type PageParts, readOwnFormat } from './own-format.ts'

/** Start of a page: a cursor, or a time. */
export type Start = { readonly cursor: string } | { readonly from: number } | 'this month'

/** A requested page. */
export interface PendingPage {
  readonly start: Start
  /** Time of the request. */
  readonly requestedAt: number
  readonly reply: Promise<WireReply>
}

/** The records of a page in order. */
export interface BetRecords {
  readonly rows: readonly ReadBet[]
  /** Returns these records for the CSV files. */
  lines(which: readonly number[] | { readonly from: number; readonly to: number }): Lines
  /** Gives the memory of the page to a later one. There are no lines then. */
  release(): void
}

/** A validated page of bets. */
export interface BetPage extends BetRecords {
  readonly nextCursor: string
  readonly next: Cursor
  readonly hasMore: boolean
}

/** Requests a page without waiting, so that the previous page can be processed. */
export function askForPage(
  { transport, pageSize, now }: { transport: Transport; pageSize: number; now: () => number },
  start: Start,
  signal: AbortSignal,
): PendingPage {
  const startQuery =
    start === 'this month' ? {} : 'cursor' in start ? start : { from: new Date(start.from).toISOString() }
  const request = toRequest(casino, 'bets', { query: { ...startQuery, limit: pageSize } }, { signal })
  // The end of our own server's page shows that it is complete: parsing it for that would double the work.
  const isWhole = (reply: WireReply) => isEnded(reply) || request.isWhole?.(reply) !== false
  const reply = transport({ ...request, isWhole, takesBytes: true })
  // The failure of an abandoned page is ignored.
  reply.catch(() => {})
  return { start, requestedAt: now(), reply }
}

/**
 * Finds the next cursor in a page without parsing it, so that the next page can be requested first. Quotes inside a
 * JSON text are escaped, so no record can imitate it. Finds nothing in pages with another format; they have to be parsed first.
 */
export function peekPage(reply: WireReply): { nextCursor: string; hasMore: boolean } | undefined {
  for (const part of [endOf(reply), beginningOf(reply)]) {
    const nextCursor = /"nextCursor"\s*:\s*"([0-9]{6}[.][0-9]+)"/.exec(part)?.[1]
    const hasMore = /"hasMore"\s*:\s*(true|false)/.exec(part)?.[1]
    if (nextCursor !== undefined && hasMore !== undefined) return { nextCursor, hasMore: hasMore === 'true' }
  }
  return undefined
}

/** Validates the page of a response. One invalid record rejects the whole page. */
export function readPage(start: Start, reply: WireReply): BetPage {
  const { nextCursor, hasMore, ...records } = (reply.status === 200 && readOwnFormat(reply)) || inSteps(reply)
  const next = cursorOf(nextCursor)
  if (!next) throw unintelligible('nextCursor is invalid', { nextCursor: nextCursor.slice(0, 100) })
  const before = typeof start === 'object' && 'cursor' in start ? cursorOf(start.cursor) : undefined
  if (before && compareCursors(next, before) < 0)
    throw unintelligible(`nextCursor ${nextCursor} is before the start of the page`, { nextCursor })
  return { ...records, nextCursor, next, hasMore, release: () => reply.bytes?.release() }
}

/** Reads a page of any format, by the contract. */
function inSteps(reply: WireReply): PageParts {
  const { items, nextCursor, hasMore } = fromReply(casino, 'bets', reply)
  const mayHaveNul = nul.test(reply.body)
  for (const [i, item] of items.entries()) {
    const fault = mayHaveNul && nul.test(JSON.stringify(item)) ? 'a text' : faultOfBet(item)
    if (fault !== null)
      throw unintelligible(`${fault} of record ${i} (slip ${item.slipId.slice(0, 100)}) is invalid`, {
        at: `items.${i}.${fault}`,
      })
  }
  return {
    rows: items.map((item) => ({ ...item, record: JSON.stringify(item) })),
    nextCursor,
    hasMore,
    lines(which) {
      const theirs = 'from' in which ? items.slice(which.from, which.to) : which.flatMap((i) => items[i] ?? [])
      return { bets: () => theirs.map(pulledBet) }
    },
  }
}

/** A NUL in JSON text: after an odd number of backslashes. No database column can store one. */
const nul = /(?<!\\)(?:\\\\)*\\u0000/

function unintelligible(reason: string, detail: Record<string, unknown>): Problem {
  return new Problem(remoteCodes.unintelligible, `Invalid page of bets: ${reason}`, detail)
}
