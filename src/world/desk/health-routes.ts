import { appliedMigrations } from '../../db/migrate.ts'
import type { Store } from '../../db/store.ts'
import type { Routes } from '../../http/server/routes.ts'
import type { Log } from '../../kit/log.ts'
import { RequestRestart } from '../../kit/problem.ts'
import { prometheusType } from '../metrics/prometheus-text.ts'
import { isFromThisMachine } from './access.ts'

/** Dependencies of the health routes. */
export interface HealthDependencies {
  readonly store: Store
  readonly log: Log
  /** Number of migrations that this version of the program knows. */
  readonly migrations: number
  /** Returns the metrics as text; undefined in a world that does not count. */
  readonly metrics: (() => Promise<string>) | undefined
  /** True if `/metrics` answers other machines too. */
  readonly isPublic: boolean
}

/** Maximum time for the database to answer, below the usual timeout of a probe. */
const readyWithinMs = 2_000

/** Serves `/healthz` (the process answers), `/readyz` (the database too) and `/metrics`. */
export function healthRoutes({ store, log, migrations, metrics, isPublic }: HealthDependencies): Routes {
  return (table) => {
    table.get('/healthz', (_, reply) => reply.header('cache-control', 'no-store').send({ status: 'ok' }))
    table.get('/readyz', async (request, reply) => {
      const reason = await notReadyReason(store, migrations)
      if (reason !== undefined) log.warn({ requestId: request.id, reason }, 'Not ready')
      await reply
        .header('cache-control', 'no-store')
        .code(reason === undefined ? 200 : 503)
        .send(reason === undefined ? { status: 'ready' } : { status: 'not ready', reason })
    })
    if (metrics === undefined) return
    table.get('/metrics', async (request, reply) => {
      reply.header('cache-control', 'no-store')
      if (!isPublic && !isFromThisMachine(request)) return reply.code(404).send({ message: 'Not found' })
      await reply.type(prometheusType).send(await metrics())
    })
  }
}

/** Returns why the world cannot serve; undefined if it can. The reason names no address, because anyone may ask. */
async function notReadyReason(store: Store, migrations: number): Promise<string | undefined> {
  const timeout = Promise.withResolvers<string>()
  const timer = setTimeout(() => timeout.resolve('the database does not answer in time'), readyWithinMs)
  try {
    return await Promise.race([migrationFault(store, migrations), timeout.promise])
  } finally {
    clearTimeout(timer)
  }
}

async function migrationFault(store: Store, migrations: number): Promise<string | undefined> {
  try {
    const done = (await store.read(appliedMigrations)).length
    return done < migrations ? 'the database is not migrated' : undefined
  } catch (error) {
    // A snapshot was loaded since the request began: the world is ready with the new content, which the next run reads.
    if (error instanceof RequestRestart) throw error
    return 'the database cannot be reached'
  }
}
