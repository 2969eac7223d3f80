import type { DeliveryRow } from '../db/schema/outbox.ts'
import { type Answer, afterAttempt, schedules } from '../domain/webhooks/retry-schedule.ts'
import { retryAfterMs } from '../http/client/retry.ts'
import { isProblem } from '../kit/problem.ts'
import { startDeadline } from '../kit/time/deadline.ts'
import { lostReason } from './fault-injection.ts'
import type { Outbox } from './outbox.ts'
import {
  deliveryOf,
  holdDelivery,
  insertAttempt,
  leaseDue,
  postponeDue,
  releaseLease,
  releaseReordered,
  saveDelivery,
  urlsDue,
} from './queries.ts'

/** Default timeout of one delivery attempt. */
export const defaultSendWithinMs = 10_000
/** Limits of one run: URLs, deliveries per URL, and concurrent requests per URL. */
const urlsAtOnce = 32
const perUrl = 32
const concurrency = 8
/**
 * Lease of a batch. Longer than `perUrl / concurrency` deliveries in sequence, each sent twice by an injected fault, if
 * every request uses up its default timeout: 80 seconds. With a shorter one, another process would send the rest again.
 */
export const leaseMs = 100_000
/** Pause before further deliveries to a URL that did not respond. */
const restMs = 5_000
/** Maximum length of an error in the delivery log. */
const longestError = 300
/**
 * Results of concurrent deliveries share a commit. On PostgreSQL they would otherwise conflict, because they change rows next to
 * each other: each was written twice.
 */
const together = { writeGroup: 'outbox deliveries' } as const

/** URLs that this process is sending to. They are sent to independently, so a slow receiver delays no other one. */
export type BusyUrls = Set<string>

/**
 * Runs once: leases due deliveries, sends them and records the results. Returns the number of leased deliveries. Skips
 * URLs that an earlier run is still sending to, so runs may overlap. A delivery whose sender died becomes due again
 * when its lease expires.
 */
export async function deliverDue(
  outbox: Outbox,
  busyUrls: BusyUrls,
  limit: number,
  stop?: AbortSignal,
): Promise<number> {
  if (stop?.aborted) return 0
  const due = await outbox.store.read((reader) => urlsDue(reader, [...busyUrls], urlsAtOnce))
  const urls = due.filter((url) => !busyUrls.has(url))
  if (urls.length === 0) return 0
  for (const url of urls) busyUrls.add(url)
  const lease = outbox.id()
  const batches = await leased(outbox, urls, lease, limit).catch((error: unknown) => {
    for (const url of urls) busyUrls.delete(url)
    throw error
  })
  const ends = await Promise.allSettled(
    batches.map((batch) => sendBatch(outbox, batch, lease, stop).finally(() => busyUrls.delete(batch.url))),
  )
  const failed = ends.find((end) => end.status === 'rejected')
  if (failed) throw failed.reason
  return batches.reduce((count, { batch }) => count + batch.length, 0)
}

/** Deliveries leased for one URL. */
interface Batch {
  readonly url: string
  readonly batch: readonly DeliveryRow[]
}

function leased(outbox: Outbox, urls: readonly string[], lease: string, limit: number) {
  const share = Math.max(1, Math.min(perUrl, Math.floor(limit / urls.length)))
  return outbox.store.write(async (tx) => {
    const batches: Batch[] = []
    for (const url of urls) batches.push({ url, batch: await leaseDue(tx, url, { lease, leaseMs, limit: share }) })
    return batches
  }, together)
}

/**
 * Sends a batch to one URL with limited concurrency. When the receiver does not respond at all, the rest of the batch
 * is postponed without using an attempt. Otherwise each delivery would run into the same timeout.
 */
async function sendBatch(outbox: Outbox, { url, batch }: Batch, lease: string, stop?: AbortSignal): Promise<void> {
  const waiting = await applyFaults(outbox, batch, lease)
  let isSilent = false
  const next = async () => {
    while (!isSilent && !stop?.aborted) {
      const one = waiting.shift()
      if (!one) return
      const answer = await responseTo(outbox, one, stop)
      if (typeof answer === 'object' && answer.status === null) isSilent = true
      await saveOutcome(outbox, one.delivery, lease, answer)
    }
  }
  await Promise.all(Array.from({ length: Math.min(concurrency, waiting.length) }, next))
  if (!isSilent && waiting.length === 0) return
  await outbox.store.write(async (tx) => {
    for (const { delivery } of waiting) await releaseLease(tx, delivery.id, lease)
    if (isSilent) await postponeDue(tx, url, restMs)
  }, together)
}

/** A leased delivery and the injected fault that applies to it. */
interface Waiting {
  readonly delivery: DeliveryRow
  readonly fault?: 'lose' | 'double' | undefined
}

/**
 * Applies injected faults to a batch and holds the deliveries they delay. Runs before anything is sent, so that
 * later deliveries can overtake.
 */
async function applyFaults(outbox: Outbox, batch: readonly DeliveryRow[], lease: string): Promise<Waiting[]> {
  const waiting: Waiting[] = []
  for (const delivery of batch) {
    const fault = await outbox.faults?.faultFor(delivery)
    if (fault?.kind === 'delay' || fault?.kind === 'reorder') {
      const { kind, ms } = fault
      await outbox.store.write((tx) => holdDelivery(tx, delivery.id, lease, { kind, ms }), together)
    } else waiting.push({ delivery, fault: fault?.kind })
  }
  return waiting
}

/**
 * Returns the response to a delivery under its injected fault. A lost delivery counts as delivered; for a duplicate,
 * the second response counts.
 */
async function responseTo(outbox: Outbox, { delivery, fault }: Waiting, stop?: AbortSignal): Promise<Outcome> {
  if (fault === 'lose') return { status: 200, tookMs: 0, error: lostReason }
  const first = await send(outbox, delivery, stop)
  return fault === 'double' && typeof first === 'object' ? send(outbox, delivery, stop) : first
}

/** Result of one attempt: the receiver's response, or the reason why there is none. */
type Outcome = (Answer & { readonly tookMs: number; readonly error?: string }) | 'withdrawn' | 'stopped'

async function saveOutcome(outbox: Outbox, { id }: DeliveryRow, lease: string, outcome: Outcome): Promise<void> {
  await outbox.store.write(async (tx) => {
    if (outcome === 'stopped') return releaseLease(tx, id, lease)
    const now = await deliveryOf(tx, id)
    // Another process may have leased it after this lease expired. A success counts regardless of the sender; only the
    // current lease may record a failure.
    if (now?.ended_at !== null || (now.lease !== lease && !isGood(outcome))) return
    if (outcome === 'withdrawn') {
      const last_error = 'the webhook is disabled'
      return saveDelivery(tx, id, { status: 'failed', lease: null, ended_at: tx.now, last_error })
    }
    const { status, tookMs } = outcome
    const chance = (outbox.random(1)[0] ?? 0) / 256
    const nextState = afterAttempt(
      schedules[now.channel],
      now.attempt + 1,
      outcome,
      chance,
      now.max_attempts ?? undefined,
    )
    const error = outcome.error ?? errorOf(outcome)
    const number = now.total_attempts + 1
    await insertAttempt(tx, { delivery_id: id, number, at: tx.now, took_ms: tookMs, status, error })
    await saveDelivery(tx, id, {
      status: nextState.status,
      lease: null,
      attempt: now.attempt + 1,
      total_attempts: number,
      last_status: status,
      last_error: error,
      ...(nextState.status === 'pending' ? { scheduled_at: tx.now + nextState.waitMs } : { ended_at: tx.now }),
    })
    if (outbox.faults?.holdsDeliveries() && nextState.status === 'delivered') await releaseReordered(tx, now.url)
  }, together)
}

/** Sends one delivery and returns the receiver's response or the error. */
async function send(outbox: Outbox, delivery: DeliveryRow, stop?: AbortSignal): Promise<Outcome> {
  const startedMs = performance.now()
  const tookMs = () => Math.round(performance.now() - startedMs)
  const { sendWithinMs = defaultSendWithinMs } = outbox
  const deadline = startDeadline(sendWithinMs)
  const late = deadline.signal
  let record: ReturnType<NonNullable<Outbox['record']>> | undefined
  try {
    const signed = await outbox.store.read((reader) => outbox.signers[delivery.channel](reader, delivery))
    if (signed === 'withdrawn') return signed
    const url = new URL(delivery.url)
    record = outbox.record?.({ ...signed, delivery })
    const transport = outbox.egress.to(url, outbox.allowsLoopback())
    const response = await transport({
      method: 'POST',
      path: url.pathname + url.search,
      headers: signed.headers,
      body: signed.body,
      signal: stop ? AbortSignal.any([stop, late]) : late,
    })
    const { status, headers } = response
    record?.(response)
    // A date in Retry-After is by the receiver's clock, which may differ from ours: only seconds are used.
    const wait = retryAfterMs(headers['retry-after'], Number.POSITIVE_INFINITY)
    return { status, retryAfterMs: wait || undefined, tookMs: tookMs() }
  } catch (error) {
    const reason = late.aborted
      ? `no response within ${sendWithinMs / 1000} s`
      : error instanceof Error
        ? error.message
        : String(error)
    record?.({ reason: stop?.aborted ? 'the world was closed' : reason })
    if (stop?.aborted) return 'stopped'
    if (!late.aborted && !isProblem(error))
      outbox.log.error({ delivery: delivery.id, error: String(error) }, 'Delivery failed')
    return { status: null, reason: reason.slice(0, longestError), tookMs: tookMs() }
  } finally {
    deadline.end()
  }
}

function isGood(answer: Outcome): boolean {
  return typeof answer === 'object' && answer.status !== null && errorOf(answer) === null
}

/** Returns the error text of a failed attempt for the delivery log; null for a success. */
function errorOf(answer: Answer): string | null {
  if (answer.status === null) return answer.reason
  if (answer.status >= 200 && answer.status <= 299) return null
  if (answer.status >= 300 && answer.status <= 399) return `status ${answer.status}: redirects are not followed`
  return `responded with ${answer.status}`
}
