import { type Cursor, compareCursors, cursorOf } from '../../../domain/bets/cursor.ts'
import { betAt, outlineAt } from '../../../domain/bets/fast-parser.ts'
import { faultOfBet, type PulledBet, pulledBet } from '../../../domain/bets/record.ts'
import { fromReply, toRequest } from '../../../http/client/client.ts'
import { remoteCodes, type Transport, type WireReply } from '../../../http/contract/wire-types.ts'
import { Problem } from '../../../kit/problem.ts'
import { casino } from '../../../services/casino/api/contract.ts'
import type { Lines } from '../files/csv-writer.ts'

/** Where a page begins: behind a cursor, or at a moment. */
export type Start = { readonly cursor: string } | { readonly from: number } | 'this month'

/** A page that was asked for and is on its way. */
export interface PageOnItsWay {
  readonly start: Start
  /** The moment it was asked for. */
  readonly askedAt: number
  readonly reply: Promise<WireReply>
}

/** The records of a page, all of them in order. */
export interface BetRecords {
  readonly count: number
  /** Of each, what it takes to find its month. */
  readonly outlines: readonly { readonly recSeq: number; readonly settledAt: string }[]
  /** Those of an index up to another. Made when they are asked for: all parts of a thousand records at once are megabytes. */
  bets(from: number, to: number): PulledBet[]
  /** These of them, on their way into a file. */
  lines(which: readonly number[] | { readonly from: number; readonly to: number }): Lines
}

/** A page of bets whose records are what they say. */
export interface BetPage extends BetRecords {
  readonly nextCursor: string
  readonly next: Cursor
  readonly hasMore: boolean
}

/** Asks for a page. Nothing is waited for, so that the page before can be worked on meanwhile. */
export function askForPage(
  { transport, pageSize, now }: { transport: Transport; pageSize: number; now: () => number },
  start: Start,
  signal: AbortSignal,
): PageOnItsWay {
  const where = start === 'this month' ? {} : 'cursor' in start ? start : { from: new Date(start.from).toISOString() }
  const request = toRequest(casino, 'bets', { query: { ...where, limit: pageSize } }, { signal })
  // A page of our own server shows by its end that it is whole: parsing it for that alone would take as long as reading it.
  const isWhole = (reply: WireReply) => isEnded(reply.body) || request.isWhole?.(reply) !== false
  const reply = transport({ ...request, isWhole })
  // A page that turns out not to be wanted may fail unheard; whoever waits for it hears it all the same.
  reply.catch(() => {})
  return { start, askedAt: now(), reply }
}

/**
 * Where a page ends, found in its text without parsing it: so the next one can be asked for while this one is parsed. A
 * quote inside a JSON text is escaped, so what stands inside a record cannot be taken for it. Nothing is found in a page
 * that is written otherwise; it has to be parsed first.
 */
export function glimpse(body: string): { nextCursor: string; hasMore: boolean } | undefined {
  for (const part of [body.slice(-glimpseLength), body.slice(0, glimpseLength)]) {
    const nextCursor = /"nextCursor"\s*:\s*"([0-9]{6}[.][0-9]+)"/.exec(part)?.[1]
    const hasMore = /"hasMore"\s*:\s*(true|false)/.exec(part)?.[1]
    if (nextCursor !== undefined && hasMore !== undefined) return { nextCursor, hasMore: hasMore === 'true' }
  }
  return undefined
}

const glimpseLength = 200

/** The page in a reply, every record checked. One record that is not what it should be spoils the page: nothing of it is kept. */
export function readPage(start: Start, reply: WireReply): BetPage {
  const { nextCursor, hasMore, ...records } = (reply.status === 200 && quickly(reply.body)) || inSteps(reply)
  const next = cursorOf(nextCursor)
  if (!next) throw unintelligible('its nextCursor is no cursor', { nextCursor: nextCursor.slice(0, 100) })
  const before = typeof start === 'object' && 'cursor' in start ? cursorOf(start.cursor) : undefined
  if (before && compareCursors(next, before) < 0)
    throw unintelligible(`it goes on at ${nextCursor}, which is before where it began`, { nextCursor })
  return { ...records, nextCursor, next, hasMore }
}

type PageParts = Omit<BetPage, 'next'>

const opening = '{"ok":true,"data":{"items":['
/** Whether a page ends as our own server ends them. */
const isEnded = (body: string) =>
  /\],"nextCursor":"[0-9]{6}[.][0-9]+","hasMore":(?:true|false)\}\}$/.test(body.slice(-glimpseLength))

const closing = /\],"nextCursor":"([0-9]{6}[.][0-9]+)","hasMore":(true|false)\}\}$/y

/** A page that is written just as our own server writes them; nothing when it is written in any other way. */
function quickly(body: string): PageParts | undefined {
  if (!body.startsWith(opening)) return undefined
  const outlines: BetRecords['outlines'][number][] = []
  const starts: number[] = []
  let at = opening.length
  for (let found = outlineAt(body, at); found; found = outlineAt(body, at)) {
    starts.push(at)
    outlines.push(found)
    at = found.end
    if (body[at] !== ',') break
    at += 1
  }
  closing.lastIndex = at
  const end = closing.exec(body)
  if (!end?.[1] || body[at - 1] === ',') return undefined
  return {
    count: starts.length,
    outlines,
    nextCursor: end[1],
    hasMore: end[2] === 'true',
    bets: (from, to) => starts.slice(from, to).map((start) => inOrder(betAt(body, start))),
    lines(which) {
      const theirs = 'from' in which ? starts.slice(which.from, which.to) : which.map((i) => starts[i] ?? 0)
      return { bets: () => betsAt(body, theirs), text: { body, starts: Int32Array.from(theirs) } }
    },
  }
}

function* betsAt(body: string, starts: readonly number[]): Generator<PulledBet> {
  for (const start of starts) yield inOrder(betAt(body, start))
}

function inOrder(bet: PulledBet | undefined): PulledBet {
  if (!bet) throw new Error('a record that has an outline can be read')
  return bet
}

/** Any page, by the contract, or its refusal. */
function inSteps(reply: WireReply): PageParts {
  const { items, nextCursor, hasMore } = fromReply(casino, 'bets', reply)
  const mayHaveNul = nul.test(reply.body)
  for (const [i, item] of items.entries()) {
    const fault = mayHaveNul && nul.test(JSON.stringify(item)) ? 'a text' : faultOfBet(item)
    if (fault !== null)
      throw unintelligible(`${fault} of record ${i} (slip ${item.slipId.slice(0, 100)}) is not as it should be`, {
        at: `items.${i}.${fault}`,
      })
  }
  return {
    count: items.length,
    outlines: items,
    nextCursor,
    hasMore,
    bets: (from, to) => items.slice(from, to).map(pulledBet),
    lines(which) {
      const theirs = 'from' in which ? items.slice(which.from, which.to) : which.flatMap((i) => items[i] ?? [])
      return { bets: () => theirs.map(pulledBet) }
    },
  }
}

/** A NUL as a JSON text has it: behind an uneven number of backslashes. No database column can hold one. */
const nul = /(?<!\\)(?:\\\\)*\\u0000/

function unintelligible(what: string, detail: Record<string, unknown>): Problem {
  return new Problem(remoteCodes.unintelligible, `A page of bets cannot be used: ${what}`, detail)
}
