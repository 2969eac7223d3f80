import type { Tx } from '../../../db/store.ts'
import { type Bucket, fullBucket, takeToken } from '../../../domain/rate-limit.ts'
import { nonceMemoryMs } from '../../../domain/signing.ts'
import { limitsFor } from '../api/limits.ts'
import { bucketOf, type NonceUse, saveBucket, takeNonces } from '../queries/tenants.ts'
import type { Casino, Tenant } from '../service.ts'

/** Whether a verified request comes in: its nonce had been used before, or the tenant has no token left for it. */
export type Admission = 'in' | 'repeated' | { readonly waitMs: number }

/** Takes a request's nonce and one of its tenant's tokens. */
export type Entrance = (tenant: Tenant, use: NonceUse) => Promise<Admission>

interface Waiting {
  readonly tenant: Tenant
  readonly use: NonceUse
  resolve(admission: Admission): void
  reject(error: unknown): void
}

/** How many come in together at most. */
const groupSize = 100

/**
 * The one way in. All requests of a tenant take their tokens from one row, and one after another they would stand in each
 * other's way; so those that arrive while others are being admitted wait, and are then admitted together.
 */
export function openEntrance(app: Casino): Entrance {
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

/** Admits requests of one tenant in the order they came. A nonce stays used up also when there is no token. */
async function admit(app: Casino, tx: Tx, group: readonly Waiting[]): Promise<Admission[]> {
  const taken = await takeNonces(
    tx,
    group.map(({ use }) => use),
    tx.now + nonceMemoryMs,
  )
  const tokens = app.config.rateLimits ? await tokensOf(tx, group) : undefined
  const admissions = group.map((_, i): Admission => (taken[i] ? (tokens?.take() ?? 'in') : 'repeated'))
  await tokens?.save()
  return admissions
}

/** A bucket this far ahead of the clock was not left by a process whose clock is a little fast: the world's was set back. */
const movedClockMs = 60_000

/** The tokens of the tenant that all of a group's requests come from. */
async function tokensOf(tx: Tx, group: readonly Waiting[]) {
  const tenant = group.at(-1)?.tenant
  if (!tenant) return undefined
  const { rate } = limitsFor(tenant)
  const known: Bucket | undefined = await bucketOf(tx, tenant.code)
  let bucket = known && known.at - tx.now < movedClockMs ? known : fullBucket(rate, tx.now)
  return {
    take(): Admission {
      const next = takeToken(bucket, rate, tx.now)
      bucket = next.bucket
      return next.waitMs > 0 ? { waitMs: next.waitMs } : 'in'
    },
    save: () => saveBucket(tx, { tenant: tenant.code, ...bucket }),
  }
}
