import type { BookTransferRow } from '../../db/schema/book.ts'
import { limits } from '../../domain/account/plan-limits.ts'
import { isPositiveAmount, parseAmount } from '../../domain/money.ts'
import { foldUsername } from '../../domain/players/player.ts'
import { monthsBefore } from '../../domain/time/calendar.ts'
import { createClient } from '../../http/client/client.ts'
import { type RetryOptions, retrying, type Transport, type WireReply } from '../../http/client/transport.ts'
import type { Client } from '../../http/contract/contract.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { casino as casinoContract } from '../../services/casino/api/contract.ts'
import type { TransferRecord } from '../../services/casino/api/schemas/index.ts'
import type { Book } from '../book/book.ts'
import { beginTransfer, settleTransfer, type TransferEnd, type TransferOrder, transferOf } from './journal.ts'

/** What it takes to move money so that none is lost and none is moved twice. */
export interface TransferDesk {
  /** Where a transfer is written down before it is sent. */
  readonly book: Book
  /** Signs each request afresh, and tries nothing again by itself. */
  readonly transport: Transport
  /** How to try again. */
  readonly patience: Omit<RetryOptions, 'repeatable'>
  /** Returns the platform's time as its responses so far tell it; ages of its records are counted by it. */
  readonly platformNow: () => number
  /** No further attempt is made once this is aborted. The one under way is waited for: what is on the wire is not taken back. */
  readonly stop?: AbortSignal
}

/** What came of a transfer: of these, only `done` and `refused` are the last word. */
export type Transferred =
  | {
      readonly kind: 'done'
      readonly row: BookTransferRow
      readonly balance: string | null
      /** As the platform says it: it had been carried out before the attempt that was answered. */
      readonly duplicate: boolean
      /** Whether it was carried out before this run; a duplicate may also be an earlier attempt of this run. */
      readonly isEarlier: boolean
      /** How it is known: from the answer to the sending, or by asking afterwards. */
      readonly knownBy: 'reply' | 'look-up'
      /** Set when it could not be written into the book that it is done: the book goes on saying that it is unknown. */
      readonly unrecorded?: Problem
    }
  | { readonly kind: 'refused'; readonly row: BookTransferRow; readonly problem: Problem }
  /** Nothing reached the platform: the same call may be made again. */
  | { readonly kind: 'unsent'; readonly row: BookTransferRow; readonly problem: Problem }
  /** It may have been carried out. Only the same txnId may be sent again. */
  | { readonly kind: 'unknown'; readonly row: BookTransferRow; readonly problem: Problem }

/** How often a look-up is tried at most: the transfer itself was tried for long enough. */
const lookUpAttempts = 3

type Casino = Client<typeof casinoContract>

/**
 * Carries a transfer out once, however often this is called for it and wherever an earlier call was cut off. It is in
 * the book before the first byte is sent; if that cannot be written, nothing is sent. All attempts bear the one txnId.
 * When no attempt had a clear answer the transfer is looked up; when that does not tell either, the end is `unknown`.
 *
 * Throws TXN_CONFLICT when the txnId was another transfer of ours, DIFFERENCES when the book says that it was done and
 * the platform does not know it, and what the store refuses with. In all of these cases nothing was sent.
 */
export async function transfer(desk: TransferDesk, order: TransferOrder): Promise<Transferred> {
  const { row, before } = await beginTransfer(desk.book, order)
  if (row.state === 'done') return doneBefore(desk, row)
  const sent = await send(desk, row)
  // What an earlier run left open stays open until somebody answers for it.
  const mayHaveArrived = sent.mayHaveArrived || before === 'unknown'
  const more = Math.max(0, sent.attempts - 1)
  if ('reply' in sent) {
    const { balance, duplicate } = sent.reply
    const isEarlier = duplicate && !sent.mayHaveArrived
    return finished(desk, row, { balance, duplicate, isEarlier, knownBy: 'reply' }, more)
  }
  if (!mayHaveArrived) {
    if (!isAnswer(sent.problem)) return ended(desk, row, 'unsent', sent.problem, { state: 'new' }, more)
    return ended(desk, row, 'refused', sent.problem, { state: 'refused', refusal: sent.problem.code }, more)
  }
  return afterSilence(desk, row, sent.problem, more)
}

/** Something may have arrived, and no clear answer came back: asks what became of it. */
async function afterSilence(
  desk: TransferDesk,
  row: BookTransferRow,
  problem: Problem,
  more: number,
): Promise<Transferred> {
  const found = await lookUp(clientOf(desk, lookUpAttempts), row, desk.platformNow)
  if (found === 'not-to-be-had') return ended(desk, row, 'unknown', problem, { state: 'unknown' }, more)
  if (found === 'none') {
    // An answer about the transfer itself is the last word, as the document promises; one about the request alone is not.
    if (isAboutTransfer(problem))
      return ended(desk, row, 'refused', problem, { state: 'refused', refusal: problem.code }, more)
    return ended(desk, row, 'unknown', problem, { state: 'unknown' }, more)
  }
  if (isOf(found, row))
    return finished(desk, row, { balance: found.balance, duplicate: false, isEarlier: false, knownBy: 'look-up' }, more)
  return ended(desk, row, 'refused', takenBy(found), { state: 'refused', refusal: 'TXN_CONFLICT' }, more)
}

/** What the book says is done is not sent again: if the platform had lost it, that would move the money a second time. */
async function doneBefore(desk: TransferDesk, row: BookTransferRow): Promise<Transferred> {
  try {
    const found = await clientOf(desk).transfer({ query: { txnId: row.txn_id, username: row.username } })
    if (isOf(found, row))
      return { kind: 'done', row, balance: found.balance, duplicate: true, isEarlier: true, knownBy: 'look-up' }
  } catch (error) {
    if (!isProblem(error, 'TXN_NOT_FOUND')) throw error
  }
  throw new Problem(
    'DIFFERENCES',
    `The book says that ${row.txn_id} was done on ${new Date(row.changed_at).toISOString()}, and the casino knows no such transfer. Nothing was sent; if it is another platform now, it needs another book (--book) or another txnId`,
    { txnId: row.txn_id, username: row.username, dir: row.dir, amount: row.amount, currency: row.currency },
  )
}

/** Where a transfer stands, and what the book learned of it. */
export interface Resolved {
  readonly record: TransferRecord
  /** The transfer in our book, if it is one of ours. */
  readonly row: BookTransferRow | undefined
  /** Whether the record is the transfer that our book has under this id. */
  readonly isOurs: boolean
}

/**
 * Looks a transfer up and closes what is open about it in the book. The player's name is taken from the book where it is
 * not given, since a look-up without it ends after four months. Throws TXN_NOT_FOUND, which for a transfer that was sent
 * means "not carried out, or still under way".
 */
export async function resolveTransfer(
  desk: Omit<TransferDesk, 'book'> & { readonly book: Book | undefined },
  asked: { readonly txnId: string; readonly username?: string | undefined },
): Promise<Resolved> {
  const { book } = desk
  const row = book && (await transferOf(book, asked.txnId))
  const username = asked.username ?? row?.username
  const record = await clientOf(desk).transfer({
    query: { txnId: asked.txnId, ...(username === undefined ? {} : { username }) },
  })
  const isOurs = row !== undefined && isOf(record, row)
  if (!book || !row || row.state === 'done') return { record, row, isOurs }
  if (!isOurs && !isSamePlayer(record, row)) {
    // A record of the player asked for says nothing about the transfer of the player in the book.
    if (username !== undefined && foldUsername(username) !== row.name_key) return { record, row, isOurs }
    if (!isTaken(record, row, desk.platformNow()))
      throw new Problem('TXN_NOT_FOUND', `The casino has no transfer ${row.txn_id} of ${row.username}`)
  }
  const end: TransferEnd = isOurs
    ? { state: 'done', balance: record.balance }
    : { state: 'refused', refusal: 'TXN_CONFLICT' }
  return { record, row: await settleTransfer(book, row, end), isOurs }
}

interface Sent {
  readonly attempts: number
  /** Whether one of the attempts may have been carried out without our having been told. */
  readonly mayHaveArrived: boolean
}

/** Sends until there is an answer or patience ends, and remembers of each attempt whether it may have been carried out. */
async function send(
  desk: TransferDesk,
  row: BookTransferRow,
): Promise<Sent & ({ reply: { balance: string; duplicate: boolean } } | { problem: Problem })> {
  let attempts = 0
  let mayHaveArrived = false
  const observed: Transport = async (request) => {
    attempts += 1
    try {
      const reply = await desk.transport(request)
      if (!isRefusal(reply) && !isResult(reply)) mayHaveArrived = true
      return reply
    } catch (error) {
      if (!isProblem(error) || error.detail['outcome'] !== 'none') mayHaveArrived = true
      throw error
    }
  }
  const { txn_id: txnId, username, amount, currency } = row
  const client = clientOf({ ...desk, transport: observed })
  const body = { username, txnId, amount, currency }
  try {
    const reply = row.dir === 'in' ? await client.deposit({ body }) : await client.withdraw({ body })
    return { reply, attempts, mayHaveArrived }
  } catch (error) {
    const problem = asProblem(error)
    // A yes whose content nobody can read is a yes all the same, perhaps.
    const isOpen = mayHaveArrived || problem.detail['outcome'] === 'unknown'
    return { problem, attempts, mayHaveArrived: isOpen }
  }
}

/**
 * Whether a reply says that this request was not carried out: "not now", or a 4xx in the platform's own words. Whatever
 * else comes back may have been put there by something in between, a success that cannot be read included.
 */
function isRefusal(reply: WireReply): boolean {
  const { status } = reply
  return status === 429 || (status >= 400 && status < 500 && 'code' in (said(reply) ?? {}))
}

/** Whether a reply is the platform's own yes. */
function isResult(reply: WireReply): boolean {
  return 'data' in (said(reply) ?? {})
}

function said({ status, body }: WireReply): object | undefined {
  try {
    return casinoContract.envelope.read(status, JSON.parse(body))
  } catch {
    return undefined
  }
}

/** What the platform knows of a transfer that was sent. */
async function lookUp(
  client: Casino,
  row: BookTransferRow,
  platformNow: () => number,
): Promise<TransferRecord | 'none' | 'not-to-be-had'> {
  try {
    const found = await client.transfer({ query: { txnId: row.txn_id, username: row.username } })
    return isTaken(found, row, platformNow()) ? found : 'none'
  } catch (error) {
    return isProblem(error, 'TXN_NOT_FOUND') ? 'none' : 'not-to-be-had'
  }
}

function clientOf({ transport, patience, stop }: Omit<TransferDesk, 'book'>, attempts?: number): Casino {
  const { sleep } = patience
  const trying = retrying(transport, {
    ...patience,
    ...(attempts === undefined ? {} : { attempts: Math.min(attempts, patience.attempts ?? attempts) }),
    // The body carries its own key, so sending it twice does no more than sending it once.
    repeatable: () => true,
    // Only the waiting is given up on a signal, never a request under way.
    sleep: (ms) => (stop === undefined ? sleep(ms) : sleep(ms, stop)),
  })
  return createClient(casinoContract, trying)
}

/** Whether a record is of the transfer that a row stands for. */
function isOf(record: TransferRecord, row: BookTransferRow): boolean {
  return (
    record.dir === row.dir &&
    isPositiveAmount(record.amount) &&
    parseAmount(record.amount) === parseAmount(row.amount) &&
    isSamePlayer(record, row)
  )
}

function isSamePlayer(record: TransferRecord, row: BookTransferRow): boolean {
  return foldUsername(record.username) === row.name_key
}

/**
 * Whether a record decides what became of a row under its txnId. The same player's always does. Another player's blocks the
 * txnId for two months; an older one does not, so the row may still be carried out.
 */
function isTaken(record: TransferRecord, row: BookTransferRow, now: number): boolean {
  return isSamePlayer(record, row) || Date.parse(record.at) > monthsBefore(now, limits.conflictMonths)
}

function takenBy(record: TransferRecord): Problem {
  return new Problem(
    'TXN_CONFLICT',
    `The casino has another transfer under ${record.txnId}: ${record.dir} ${record.amount}, player ${record.username}. Ours was not carried out`,
    { found: record },
  )
}

/** The codes of refusals that speak of the request and not of the transfer in it. */
const aboutRequest: ReadonlySet<string> = new Set(casinoContract.common)

/** Whether this is an answer of the platform to this request: a refusal with a status of 4xx, other than "not now". */
function isAnswer({ code, detail }: Problem): boolean {
  const status = detail['status']
  return !code.startsWith('REMOTE_') && typeof status === 'number' && status >= 400 && status < 500 && status !== 429
}

function isAboutTransfer(problem: Problem): boolean {
  return isAnswer(problem) && !aboutRequest.has(problem.code)
}

async function finished(
  { book }: TransferDesk,
  row: BookTransferRow,
  done: { balance: string | null; duplicate: boolean; isEarlier: boolean; knownBy: 'reply' | 'look-up' },
  more: number,
): Promise<Transferred> {
  try {
    const settled = await settleTransfer(book, row, { state: 'done', balance: done.balance }, more)
    return { kind: 'done', row: settled, ...done }
  } catch (error) {
    // The money has moved, whatever the book can hold: that is what has to be told.
    return { kind: 'done', row, ...done, unrecorded: asProblem(error) }
  }
}

async function ended(
  { book }: TransferDesk,
  row: BookTransferRow,
  kind: 'refused' | 'unsent' | 'unknown',
  problem: Problem,
  end: TransferEnd,
  more: number,
): Promise<Transferred> {
  try {
    return { kind, row: await settleTransfer(book, row, end, more), problem }
  } catch {
    // The book goes on saying "unknown", which is never wrong; the end itself is what matters now.
    return { kind, row, problem }
  }
}

function asProblem(error: unknown): Problem {
  if (isProblem(error)) return error
  const said = error instanceof Error ? error.message : String(error)
  return new Problem('INTERRUPTED', `Given up: ${said}`, {}, { cause: error })
}
