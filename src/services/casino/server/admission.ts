import type { Tx } from '../../../db/store.ts'
import { storedBucket, takeToken } from '../../../domain/rate-limit.ts'
import { nonceMemoryMs } from '../../../domain/signing.ts'
import { limitsFor } from '../api/limits.ts'
import { bucketOf, type NonceUse, saveBucket, takeNonces } from '../queries/tenants.ts'
import type { Casino, Tenant } from '../service.ts'

/** Result of admission control: admitted, a repeated nonce, or no token left for the tenant. */
export type Admission = 'in' | 'repeated' | { readonly waitMs: number }

/** Takes a request's nonce and one of its tenant's tokens. */
export type AdmissionControl = (tenant: Tenant, use: NonceUse) => Promise<Admission>

interface Waiting {
  readonly tenant: Tenant
  readonly use: NonceUse
  resolve(admission: Admission): void
  reject(error: unknown): void
}

/** Maximum number of requests per batch. */
const groupSize = 100

/**
 * Admission control: nonce check and rate limit. Batched per tenant, because every request updates the same bucket row:
 * requests that arrive during a batch form the next one.
 */
export function openAdmissionControl(app: Casino): AdmissionControl {
  const queues = new Map<string, Waiting[]>()
  const admitAll = async (code: string, queue: Waiting[]) => {
    while (queue.length > 0) {
      const group = queue.splice(0, groupSize)
      try {
        const admissions = await app.store.write((tx) => admit(app, tx, group))
        for (const [i, waiting] of group.entries()) waiting.resolve(admissions[i] ?? 'repeated')
      } catch (error) {
        for (const waiting of group) waiting.reject(error)
      }
    }
    queues.delete(code)
  }
  return (tenant, use) =>
    new Promise((resolve, reject) => {
      const waiting = { tenant, use, resolve, reject }
      const queue = queues.get(tenant.code)
      if (queue) return void queue.push(waiting)
      const first = [waiting]
      queues.set(tenant.code, first)
      void admitAll(tenant.code, first)
    })
}

/** Admits requests of one tenant in order of arrival. A nonce is used up even when there is no token. */
async function admit(app: Casino, tx: Tx, group: readonly Waiting[]): Promise<Admission[]> {
  const nonceResults = await takeNonces(
    tx,
    group.map(({ use }) => use),
    tx.now + nonceMemoryMs,
  )
  const tokens = app.config.rateLimits ? await tokensOf(tx, group) : undefined
  const admissions = group.map((_, i): Admission => (nonceResults[i] ? (tokens?.take() ?? 'in') : 'repeated'))
  await tokens?.save()
  return admissions
}

/** Returns the token bucket of the tenant that the batch belongs to. */
async function tokensOf(tx: Tx, group: readonly Waiting[]) {
  const tenant = group.at(-1)?.tenant
  if (!tenant) return undefined
  const { rate } = limitsFor(tenant)
  let bucket = storedBucket(await bucketOf(tx, tenant.code), rate, tx.now)
  return {
    take(): Admission {
      const next = takeToken(bucket, rate, tx.now)
      bucket = next.bucket
      return next.waitMs > 0 ? { waitMs: next.waitMs } : 'in'
    },
    save: () => saveBucket(tx, { tenant: tenant.code, ...bucket }),
  }
}
