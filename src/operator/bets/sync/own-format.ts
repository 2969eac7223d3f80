import { isUtf8 } from 'node:buffer'
import { betOf, outlineAt } from '../../../domain/bets/fast-parser.ts'
import type { ReadBet } from '../../../domain/bets/record-text.ts'
import type { WireReply } from '../../../http/contract/wire-types.ts'
import type { BetPage } from './read-page.ts'

/**
 * Pages of bets in the exact format of our own server. Their records are cut by one regular expression, and their bytes become
 * lines of the CSV files without texts in between.
 */

export type PageParts = Omit<BetPage, 'next' | 'release'>

const opening = Buffer.from('{"ok":true,"data":{"items":[')
const closing = /\],"nextCursor":"([0-9]{6}[.][0-9]+)","hasMore":(true|false)\}\}$/
/** Quotes inside a JSON text are escaped, so that this is only between two records. */
const between = Buffer.from('},{"recSeq":')
/**
 * Bytes that become one text. V8 keeps a text of a whole page with its large objects, which are collected late: several pages
 * would wait in memory.
 */
const pieceBytes = 64 * 1024

/** Returns whether a page ends as our own server ends it. */
export const isEnded = (reply: WireReply): boolean => closing.test(endOf(reply))

/** Returns the first characters of a page: enough for what precedes its records. */
export function beginningOf(reply: WireReply): string {
  return reply.bytes ? reply.bytes.all.toString('latin1', 0, edgeLength) : reply.body.slice(0, edgeLength)
}

/** Returns the last characters of a page: enough for what follows its records. */
export function endOf(reply: WireReply): string {
  return reply.bytes ? reply.bytes.all.subarray(-edgeLength).toString('latin1') : reply.body.slice(-edgeLength)
}

const edgeLength = 200

/** Reads a page in the exact format of our own server; undefined for any other format. */
export function readOwnFormat(reply: WireReply): PageParts | undefined {
  // Its getter throws after the release, when the memory may have the bytes of another page.
  const source = reply.bytes ?? { all: Buffer.from(reply.body) }
  const bytes = source.all
  if (!bytes.subarray(0, opening.length).equals(opening)) return undefined
  const end = closing.exec(endOf(reply))
  // Other bytes do not become the same bytes again when the files are written from the book.
  if (!end?.[1] || !isUtf8(bytes)) return undefined
  const records = recordsIn(bytes, opening.length, bytes.length - end[0].length)
  if (!records) return undefined
  const { rows, starts, ends } = records
  return {
    rows,
    nextCursor: end[1],
    hasMore: end[2] === 'true',
    lines(which) {
      if (!('from' in which))
        return {
          bets: () => which.map((i) => betOf(rows[i]?.record ?? '')),
          records: () => Buffer.from(which.map((i) => rows[i]?.record).join(',')),
        }
      const { from, to } = which
      return {
        bets: () => rows.slice(from, to).map(({ record }) => betOf(record)),
        // Between the records of a page are single commas.
        records: () => source.all.subarray(starts[from], ends[to - 1]),
      }
    },
  }
}

interface RecordsOfPage {
  readonly rows: ReadBet[]
  /** Positions of each record in the bytes. */
  readonly starts: number[]
  readonly ends: number[]
}

/** Cuts the list of records between two positions; undefined if one does not match the grammar. */
function recordsIn(bytes: Buffer, begin: number, end: number): RecordsOfPage | undefined {
  const records: RecordsOfPage = { rows: [], starts: [], ends: [] }
  for (let from = begin; from < end; ) {
    const to = pieceEnd(bytes, from, end)
    if (!cutPiece(bytes.toString('utf8', from, to), from, to - from, records)) return undefined
    // A comma follows every piece but the last.
    from = to + 1
    if (from === end) return undefined
  }
  return records
}

/** Returns the end of the last record that begins within the size of a piece, or of the first one if it is longer. */
function pieceEnd(bytes: Buffer, from: number, end: number): number {
  if (end - from <= pieceBytes) return end
  const before = bytes.lastIndexOf(between, from + pieceBytes)
  const next = before > from ? before : bytes.indexOf(between, from)
  return next < 0 || next >= end ? end : next + 1
}

/** Adds the records of a text, which are separated by commas. Returns false if one does not match the grammar. */
function cutPiece(text: string, from: number, bytes: number, { rows, starts, ends }: RecordsOfPage): boolean {
  const isAscii = text.length === bytes
  let start = from
  for (let at = 0; ; ) {
    const row = outlineAt(text, at)
    if (!row) return false
    const { record } = row
    const length = isAscii ? record.length : Buffer.byteLength(record)
    rows.push(row)
    starts.push(start)
    ends.push(start + length)
    at += record.length
    if (at === text.length) return true
    if (text[at] !== ',') return false
    at += 1
    start += length + 1
  }
}
