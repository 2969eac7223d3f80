import type { BookOrderRow } from '../../db/schema/book.ts'
import { fromReply, toRequest } from '../../http/client/client.ts'
import { type RetryOptions, retrying, type Transport, type WireReply } from '../../http/client/transport.ts'
import type { Input, Reply } from '../../http/contract/contract.ts'
import { secondText } from '../../kit/moment.ts'
import { isProblem, Problem } from '../../kit/problem.ts'
import { gateway as gatewayContract } from '../../services/gateway/api/contract.ts'
import type { Book } from '../book/book.ts'
import { type Order, type OrderEnd, recordOrder, recordOrderSending, settleOrder } from './journal.ts'

type Endpoints = typeof gatewayContract.endpoints
export type OrderName = keyof Endpoints & string

/** Dependencies for placing orders. */
export interface OrderContext {
  readonly book: Book
  /** Sends a request once, with authentication. */
  readonly transport: Transport
  readonly retryOptions: RetryOptions
  /** Returns the gateway's time, by which it expires keys. */
  readonly platformNow: () => Promise<number>
}

/** Outcome of an order. */
export type OrderOutcome<Name extends OrderName> =
  | {
      readonly kind: 'done'
      readonly row: BookOrderRow
      readonly reply: Reply<Endpoints[Name]>
      /** True if the book already had the response, so that nothing was sent. */
      readonly isEarlier: boolean
      /** Error if the outcome "done" could not be stored. */
      readonly unrecorded?: Problem
    }
  | { readonly kind: 'refused' | 'unsent' | 'unknown' | 'stale'; readonly row: BookOrderRow; readonly problem: Problem }

/**
 * Maximum age of a key for sending again: the gateway keeps keys for at least 24 hours, minus one hour for clock differences. An
 * older order of unknown outcome is not sent again, because the gateway might treat it as new.
 */
const keyTrustMs = 23 * 3_600_000

/** Largest difference of two readings of the platform's time that does not count as a clock set back: one hour. */
const clockToleranceMs = 3_600_000

/**
 * Places an order exactly once: stored first, sent with its own key for all attempts, and never sent if the book has
 * its response.
 */
export async function placeOrder<Name extends OrderName>(
  context: OrderContext,
  name: Name,
  key: string,
  target: string,
  input: Input<Endpoints[Name]>,
): Promise<OrderOutcome<Name>> {
  const { book } = context
  const order: Order = { key, endpoint: name, target, input: input as object }
  const before = await recordOrder(book, order)
  if (before.state === 'done') return doneBefore(before)
  const now = await platformTime(context)
  // Nothing was sent in this run; an order of unknown outcome stays unknown.
  if (isProblem(now)) return { kind: before.state === 'unknown' ? 'unknown' : 'unsent', row: before, problem: now }
  if (before.state === 'unknown' && before.sent_at !== null && isTooOld(before.sent_at, now))
    return { kind: 'stale', row: before, problem: tooOld(before) }
  const sent = await recordOrderSending(book, key, now)
  if (sent.state === 'done') return doneBefore(sent)
  const end = await send(context, name, key, input)
  if ('reply' in end) return finished(context, sent, end.reply)
  const { problem } = end
  // An outcome lost in an earlier run stays unknown, unless the gateway responds about the order itself.
  const mayHaveArrived = end.mayHaveArrived || before.state === 'unknown'
  if (isAboutOrder(problem))
    return ended(context, sent, 'refused', problem, { state: 'refused', refusal: problem.code })
  if (!mayHaveArrived) {
    if (isAnswer(problem)) return ended(context, sent, 'refused', problem, { state: 'refused', refusal: problem.code })
    return ended(context, sent, 'unsent', problem, { state: 'new' })
  }
  return ended(context, sent, 'unknown', problem, { state: 'unknown' })
}

/** Returns the gateway's time, or why it is unreachable; the order would not reach it either. */
async function platformTime(context: OrderContext): Promise<number | Problem> {
  try {
    return await context.platformNow()
  } catch (error) {
    if (isProblem(error)) return error
    throw error
  }
}

/** A key sent in the future counts as too old: the platform's clock was set back, so its age is unknown. */
const isTooOld = (sentAt: number, now: number) => now - sentAt > keyTrustMs || sentAt - now > clockToleranceMs

function doneBefore<Name extends OrderName>(row: BookOrderRow): OrderOutcome<Name> {
  // Stored as the typed client returned it.
  return { kind: 'done', row, reply: JSON.parse(row.reply ?? 'null') as Reply<Endpoints[Name]>, isEarlier: true }
}

function tooOld(row: BookOrderRow): Problem {
  return new Problem(
    'MONEY_UNKNOWN',
    `${row.key} was sent on ${secondText(row.sent_at ?? row.made_at)} and its outcome is unknown. The gateway keeps keys for 24 hours, so sending it again might do it twice. Look for it at the gateway first, for example: countroom payments list`,
    { key: row.key, endpoint: row.endpoint },
  )
}

type Sent<Name extends OrderName> =
  | { readonly reply: Reply<Endpoints[Name]> }
  | { readonly problem: Problem; readonly mayHaveArrived: boolean }

/** Sends until a response arrives or the retries end, and remembers whether an attempt may have been carried out. */
async function send<Name extends OrderName>(
  context: OrderContext,
  name: Name,
  key: string,
  input: Input<Endpoints[Name]>,
): Promise<Sent<Name>> {
  let mayHaveArrived = false
  const observed: Transport = async (request) => {
    try {
      const reply = await context.transport(request)
      if (reply.status < 400 || (reply.status >= 500 && !isGatewayRefusal(reply))) mayHaveArrived = true
      return reply
    } catch (error) {
      if (!isProblem(error) || error.detail['outcome'] !== 'none') mayHaveArrived = true
      throw error
    }
  }
  try {
    const request = toRequest(gatewayContract, name, input, { headers: { 'idempotency-key': key } })
    return { reply: fromReply(gatewayContract, name, await retrying(observed, context.retryOptions)(request)) }
  } catch (error) {
    const problem = asProblem(error)
    return { problem, mayHaveArrived: mayHaveArrived || problem.code === 'IDEMPOTENCY_IN_FLIGHT' }
  }
}

/** Errors that the gateway returns before it creates anything. */
const notNow: ReadonlySet<unknown> = new Set(['RATE_UNAVAILABLE', 'POOL_EXHAUSTED', 'NOT_SUPPORTED'])

/** Returns whether a 5xx is the gateway's own statement that it did nothing; the page of a proxy is not. */
function isGatewayRefusal({ body }: WireReply): boolean {
  try {
    return notNow.has((JSON.parse(body) as { code?: unknown } | null)?.code)
  } catch {
    return false
  }
}

/** Returns whether this is the gateway's response to this request: a 4xx other than 429. */
function isAnswer({ code, detail }: Problem): boolean {
  const status = detail['status']
  return !code.startsWith('REMOTE_') && typeof status === 'number' && status >= 400 && status < 500 && status !== 429
}

/** Errors about the request, not about the order in it. */
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
  { book }: OrderContext,
  sent: BookOrderRow,
  reply: Reply<Endpoints[Name]>,
): Promise<OrderOutcome<Name>> {
  try {
    const row = await settleOrder(book, sent, { state: 'done', reply })
    return { kind: 'done', row, reply, isEarlier: false }
  } catch (error) {
    // The order is done, whether or not the book can store it.
    return { kind: 'done', row: sent, reply, isEarlier: false, unrecorded: asProblem(error) }
  }
}

async function ended<Name extends OrderName>(
  { book }: OrderContext,
  sent: BookOrderRow,
  kind: 'refused' | 'unsent' | 'unknown',
  problem: Problem,
  end: OrderEnd,
): Promise<OrderOutcome<Name>> {
  try {
    return { kind, row: await settleOrder(book, sent, end), problem }
  } catch {
    // The book keeps "unknown", which is never wrong; the outcome itself matters now.
    return { kind, row: sent, problem }
  }
}

function asProblem(error: unknown): Problem {
  if (isProblem(error)) return error
  const reason = error instanceof Error ? error.message : String(error)
  return new Problem('INTERRUPTED', `Canceled: ${reason}`, {}, { cause: error })
}
