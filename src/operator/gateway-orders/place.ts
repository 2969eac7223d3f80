import type { BookOrderRow } from '../../db/schema/book.ts'
import { fromReply, toRequest } from '../../http/client/client.ts'
import { type RetryOptions, retrying, type Transport, type WireReply } from '../../http/client/transport.ts'
import type { Input, Reply } from '../../http/contract/contract.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { gateway as gatewayContract } from '../../services/gateway/api/contract.ts'
import type { Book } from '../book/book.ts'
import { noteOrderSending, type Order, type OrderEnd, settleOrder, writeOrderDown } from './journal.ts'

type Endpoints = typeof gatewayContract.endpoints
export type OrderName = keyof Endpoints & string

/** What orders are placed with. */
export interface OrderDesk {
  readonly book: Book
  /** Sends a request once, with whatever proves who sends it. */
  readonly transport: Transport
  readonly patience: RetryOptions
  /** Returns the gateway's time, by which it forgets keys. */
  readonly platformNow: () => Promise<number>
}

/** How an order ended. */
export type Placed<Name extends OrderName> =
  | {
      readonly kind: 'done'
      readonly row: BookOrderRow
      readonly reply: Reply<Endpoints[Name]>
      /** Whether the book had its answer already, so that nothing was sent now. */
      readonly isEarlier: boolean
      /** That it is done could not be written down. */
      readonly unrecorded?: Problem
    }
  | { readonly kind: 'refused' | 'unsent' | 'unknown' | 'stale'; readonly row: BookOrderRow; readonly problem: Problem }

/**
 * How long a key is trusted: the gateway keeps one for 24 hours at least, and an hour is left for clocks that differ. An
 * order of unknown outcome that is older is not sent again, since the gateway might take it for a new one.
 */
const keyTrustMs = 23 * 3_600_000

/** Difference between two readings of the platform's time that is not taken for a clock that was set back: an hour. */
const clockToleranceMs = 3_600_000

/**
 * Places an order exactly once: written down first, sent under its own key however often it has to be tried, and never
 * sent when the book has its answer.
 */
export async function placeOrder<Name extends OrderName>(
  desk: OrderDesk,
  name: Name,
  key: string,
  place: string,
  input: Input<Endpoints[Name]>,
): Promise<Placed<Name>> {
  const { book } = desk
  const order: Order = { key, endpoint: name, place, input: input as object }
  const before = await writeOrderDown(book, order)
  if (before.state === 'done') return doneBefore(before)
  const now = await platformTime(desk)
  // Nothing was sent in this run; an order of unknown outcome stays unknown.
  if (isProblem(now)) return { kind: before.state === 'unknown' ? 'unknown' : 'unsent', row: before, problem: now }
  if (before.state === 'unknown' && before.sent_at !== null && isTooOld(before.sent_at, now))
    return { kind: 'stale', row: before, problem: tooOld(before) }
  const sent = await noteOrderSending(book, key, now)
  if (sent.state === 'done') return doneBefore(sent)
  const end = await send(desk, name, key, input)
  if ('reply' in end) return finished(desk, sent, end.reply)
  const { problem } = end
  // What was lost in an earlier run stays lost, except where the gateway speaks of the order itself.
  const mayHaveArrived = end.mayHaveArrived || before.state === 'unknown'
  if (isAboutOrder(problem)) return ended(desk, sent, 'refused', problem, { state: 'refused', refusal: problem.code })
  if (!mayHaveArrived) {
    if (isAnswer(problem)) return ended(desk, sent, 'refused', problem, { state: 'refused', refusal: problem.code })
    return ended(desk, sent, 'unsent', problem, { state: 'new' })
  }
  return ended(desk, sent, 'unknown', problem, { state: 'unknown' })
}

/** Returns the gateway's time, or why it cannot be reached: the order would not reach it either. */
async function platformTime(desk: OrderDesk): Promise<number | Problem> {
  try {
    return await desk.platformNow()
  } catch (error) {
    if (isProblem(error)) return error
    throw error
  }
}

/** A key sent in the future is too old as well: the platform's time was set back, so its age cannot be told. */
const isTooOld = (sentAt: number, now: number) => now - sentAt > keyTrustMs || sentAt - now > clockToleranceMs

function doneBefore<Name extends OrderName>(row: BookOrderRow): Placed<Name> {
  // Kept as the typed client gave it.
  return { kind: 'done', row, reply: JSON.parse(row.reply ?? 'null') as Reply<Endpoints[Name]>, isEarlier: true }
}

function tooOld(row: BookOrderRow): Problem {
  return new Problem(
    'MONEY_UNKNOWN',
    `${row.key} was sent on ${new Date(row.sent_at ?? row.made_at).toISOString()} and its outcome was lost. The gateway keeps a key for a day, so sending it again might do it twice: look for it in the lists of the gateway`,
    { key: row.key, endpoint: row.endpoint },
  )
}

type Sent<Name extends OrderName> =
  | { readonly reply: Reply<Endpoints[Name]> }
  | { readonly problem: Problem; readonly mayHaveArrived: boolean }

/** Sends until there is an answer or patience ends, and remembers whether one of the attempts may have been carried out. */
async function send<Name extends OrderName>(
  desk: OrderDesk,
  name: Name,
  key: string,
  input: Input<Endpoints[Name]>,
): Promise<Sent<Name>> {
  let mayHaveArrived = false
  const observed: Transport = async (request) => {
    try {
      const reply = await desk.transport(request)
      if (reply.status < 400 || (reply.status >= 500 && !saysNotNow(reply))) mayHaveArrived = true
      return reply
    } catch (error) {
      if (!isProblem(error) || error.detail['outcome'] !== 'none') mayHaveArrived = true
      throw error
    }
  }
  try {
    const request = toRequest(gatewayContract, name, input, { headers: { 'idempotency-key': key } })
    return { reply: fromReply(gatewayContract, name, await retrying(observed, desk.patience)(request)) }
  } catch (error) {
    const problem = asProblem(error)
    return { problem, mayHaveArrived: mayHaveArrived || problem.code === 'IDEMPOTENCY_IN_FLIGHT' }
  }
}

/** What the gateway lacks before it makes anything: said so by itself, nothing was carried out. */
const notNow: ReadonlySet<unknown> = new Set(['RATE_UNAVAILABLE', 'POOL_EXHAUSTED', 'NOT_SUPPORTED'])

/** Whether a 5xx is the gateway's own word that it did nothing. A page of somebody in between says no such thing. */
function saysNotNow({ body }: WireReply): boolean {
  try {
    return notNow.has((JSON.parse(body) as { code?: unknown } | null)?.code)
  } catch {
    return false
  }
}

/** Whether this is an answer of the gateway to this request: a refusal with a status of 4xx, other than "not now". */
function isAnswer({ code, detail }: Problem): boolean {
  const status = detail['status']
  return !code.startsWith('REMOTE_') && typeof status === 'number' && status >= 400 && status < 500 && status !== 429
}

/** Refusals that speak of the request and not of the order in it. */
const aboutRequest: ReadonlySet<string> = new Set([
  ...gatewayContract.common,
  'INVALID_TOKEN',
  'IDEMPOTENCY_IN_FLIGHT',
  'BAD_CONFIGURATION',
])

function isAboutOrder(problem: Problem): boolean {
  return isAnswer(problem) && !aboutRequest.has(problem.code)
}

async function finished<Name extends OrderName>(
  { book }: OrderDesk,
  sent: BookOrderRow,
  reply: Reply<Endpoints[Name]>,
): Promise<Placed<Name>> {
  try {
    const row = await settleOrder(book, sent, { state: 'done', reply })
    return { kind: 'done', row, reply, isEarlier: false }
  } catch (error) {
    // It is done, whatever the book can hold: that is what has to be told.
    return { kind: 'done', row: sent, reply, isEarlier: false, unrecorded: asProblem(error) }
  }
}

async function ended<Name extends OrderName>(
  { book }: OrderDesk,
  sent: BookOrderRow,
  kind: 'refused' | 'unsent' | 'unknown',
  problem: Problem,
  end: OrderEnd,
): Promise<Placed<Name>> {
  try {
    return { kind, row: await settleOrder(book, sent, end), problem }
  } catch {
    // The book goes on saying "unknown", which is never wrong; the end itself is what matters now.
    return { kind, row: sent, problem }
  }
}

function asProblem(error: unknown): Problem {
  if (isProblem(error)) return error
  const said = error instanceof Error ? error.message : String(error)
  return new Problem('INTERRUPTED', `Given up: ${said}`, {}, { cause: error })
}
