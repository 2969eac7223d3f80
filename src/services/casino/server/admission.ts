import { createBatches } from '../../../db/batches.ts'
import type { Tx } from '../../../db/store.ts'
import { storedBucket, takeToken } from '../../../domain/rate-limit.ts'
import { nonceMemoryMs } from '../../../domain/signing.ts'
import type { Problem } from '../../../kit/problem.ts'
import { refuse } from '../api/contract.ts'
import { limitsFor } from '../api/limits.ts'
import { bucketOf, type NonceUse, saveBucket, takeNonces } from '../queries/tenants.ts'
import type { Casino, Tenant } from '../service.ts'
import { admittingRequests } from '../write-groups.ts'

/** An authentic request: its tenant, and the nonce that it is about to use. */
export interface SignedRequest {
  readonly tenant: Tenant
  readonly use: NonceUse
}

/** Takes a request's nonce and one of its tenant's tokens, or throws the refusal. */
export type AdmissionControl = (request: SignedRequest) => Promise<void>

/** Maximum number of requests per batch. */
export const batchSize = 50

/**
 * Admission control: nonce check and rate limit. Batched per tenant, because every request updates the same bucket row:
 * requests that arrive while a batch waits for its transaction join it.
 */
export function openAdmissionControl(app: Casino): AdmissionControl {
  const add = batchesByTenant<SignedRequest, Problem | undefined>((tenant, take) =>
    admittingRequests(app, tenant, (tx) => admit(app, tx, take())),
  )
  return async (request) => {
    const refusal = await add(request)
    if (refusal) throw refusal
  }
}

/** Batches of the requests of each tenant. A tenant's queue is kept only while it is in use. */
export function batchesByTenant<Item extends SignedRequest, Result>(
  run: (tenant: Tenant, take: () => readonly Item[]) => Promise<readonly Result[]>,
): (item: Item) => Promise<Result> {
  const queues = new Map<string, { add(item: Item): Promise<Result>; waiting: number }>()
  return async (item) => {
    const { tenant } = item
    const queue = queues.get(tenant.code) ?? { add: createBatches(batchSize, (take) => run(tenant, take)), waiting: 0 }
    queues.set(tenant.code, queue)
    queue.waiting += 1
    try {
      return await queue.add(item)
    } finally {
      queue.waiting -= 1
      if (queue.waiting === 0) queues.delete(tenant.code)
    }
  }
}

/** Admits requests of one tenant in order of arrival, and returns the refusals of the others. */
async function admit(app: Casino, tx: Tx, requests: readonly SignedRequest[]) {
  const { refusals, save } = await admissionOf(app, tx, requests)
  await save()
  return refusals
}

/** Outcome of admission control for a batch. */
export interface BatchAdmission {
  /** The refusal of each request, or undefined. */
  readonly refusals: readonly (Problem | undefined)[]
  /** Stores the tokens that were taken. */
  save(): Promise<void>
}

/** Records the nonces of a batch and takes its tokens. A nonce is used up even when there is no token. */
export async function admissionOf(app: Casino, tx: Tx, requests: readonly SignedRequest[]): Promise<BatchAdmission> {
  const [areFree, tokens] = await Promise.all([
    takeNonces(
      tx,
      requests.map(({ use }) => use),
      tx.now + nonceMemoryMs,
    ),
    app.config.rateLimits ? tokensOf(tx, requests) : undefined,
  ])
  const refusals = requests.map((_, i) => (areFree[i] ? tokens?.take() : refuse('UNAUTHORIZED', 'nonce already used')))
  return { refusals, save: async () => tokens?.save() }
}

/** Returns the token bucket of the tenant that the requests belong to. */
async function tokensOf(tx: Tx, requests: readonly SignedRequest[]) {
  const tenant = requests.at(-1)?.tenant
  if (!tenant) return undefined
  const { rate } = limitsFor(tenant)
  let bucket = storedBucket(await bucketOf(tx, tenant.code), rate, tx.now)
  return {
    /** Takes a token, or returns the refusal. */
    take(): Problem | undefined {
      const next = takeToken(bucket, rate, tx.now)
      bucket = next.bucket
      if (next.waitMs === 0) return undefined
      return refuse('RATE_LIMITED', 'Too many requests per second', { retryAfterMs: next.waitMs })
    },
    save: () => saveBucket(tx, { tenant: tenant.code, ...bucket }),
  }
}
