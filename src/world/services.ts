import { createHash } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { join } from 'node:path'
import { databaseKind } from '../db/engines/database-name.ts'
import type { PeriodicJob } from '../db/periodic-job.ts'
import type { Store } from '../db/store.ts'
import { fixedRates } from '../domain/payments/rates.ts'
import { docsRoutes } from '../http/docs/routes.ts'
import type { Service } from '../http/server/handle.ts'
import { type Routes, routesOf } from '../http/server/routes.ts'
import { type Ambient, realAmbient } from '../kit/ambient.ts'
import type { Log } from '../kit/log.ts'
import { openCallbackEgress } from '../outbox/egress.ts'
import type { OutboxFaults } from '../outbox/fault-injection.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { outboxJobs } from '../outbox/periodic.ts'
import { liveTablesJob } from '../services/casino/live/periodic.ts'
import { playService } from '../services/casino/live/server.ts'
import { openStreams } from '../services/casino/live/sse.ts'
import { casinoPages } from '../services/casino/player-page/server/routes.ts'
import { casinoJobs } from '../services/casino/server/periodic.ts'
import { casinoService } from '../services/casino/server/server.ts'
import type { Casino } from '../services/casino/service.ts'
import { webhookSigner } from '../services/casino/webhooks/signer.ts'
import { openChat } from '../services/chat/open.ts'
import { chatJobs } from '../services/chat/server/periodic.ts'
import { chatRoutes } from '../services/chat/server/routes.ts'
import { chatServices } from '../services/chat/server/server.ts'
import type { Chat } from '../services/chat/service.ts'
import { gatewayPages } from '../services/gateway/hosted-pages/routes.ts'
import { ipnSigner } from '../services/gateway/ipn/signer.ts'
import { gatewayJobs } from '../services/gateway/server/periodic.ts'
import { gatewayService } from '../services/gateway/server/server.ts'
import type { Gateway } from '../services/gateway/service.ts'
import { openSigner } from '../services/gateway/signer/signer.ts'
import { simulatedChains } from '../services/gateway/simulator/chains.ts'
import { besideDatabase, mediaFolderOf } from './config/sidecar-path.ts'
import { documented } from './documented.ts'
import { chatMail } from './mails.ts'

/** Dependencies of the three services. */
export interface ServiceDependencies {
  readonly ambient: Ambient
  readonly store: Store
  /** Address of the database; files of the services are next to it. */
  readonly db: string
  /** Folder for files of a database that has no folder next to it. */
  readonly dataFolder?: string | undefined
  readonly log: Log
  readonly machineNow: () => number
  /** DNS lookup for callbacks; default: the system's. */
  readonly lookup?: LookupFunction | undefined
  /** Injected faults of callbacks. */
  readonly faults: OutboxFaults
  /** Record of callbacks. */
  readonly record?: Outbox['record']
  readonly config: { publicUrl(): string; rateLimits: boolean; loopbackCallbacks(): boolean }
}

/** The three services, with their parts for the server and the scheduler. */
export interface Services {
  readonly casino: Casino
  readonly gateway: Gateway
  readonly chat: Chat
  readonly services: readonly Service[]
  readonly routes: readonly Routes[]
  readonly jobs: readonly PeriodicJob[]
  /** Jobs that players at tables wait for. */
  readonly liveJobs: readonly PeriodicJob[]
  /** Ends streams and drops what is cached, because the content of the database was replaced. Their readers connect again. */
  restart(): void
  close(): Promise<void>
}

/** Opens the services. They do not import each other; this function connects them. */
export function openServices(parts: ServiceDependencies): Services {
  const { ambient, store, db, dataFolder, log, machineNow, lookup, config } = parts
  const dependencies = { ...ambient, store, log, machineNow }
  const casino: Casino = { ...dependencies, config }
  const gateway: Gateway = {
    ...dependencies,
    chains: simulatedChains(store),
    rates: { table: () => fixedRates },
    signer: openSigner(signerKeyOf(db, dataFolder)),
    config: { ...config, lookup },
  }
  const chat = openChat({
    ...dependencies,
    config: { ...config, mediaFolder: mediaFolderOf(db) },
    mail: chatMail(ambient),
  })
  const outbox = outboxOf(parts, casino)
  const streams = openStreams(casino)
  const liveJobs = [liveTablesJob(casino), streams.job]
  return {
    casino,
    gateway,
    chat,
    services: [
      casinoService(casino),
      playService(casino),
      gatewayService(gateway, 'production'),
      gatewayService(gateway, 'sandbox'),
      ...chatServices(chat),
    ],
    routes: [
      routesOf('casino', casinoPages(casino)),
      routesOf('casino', streams.routes),
      routesOf('gateway', gatewayPages(gateway)),
      ...chatRoutes(chat).map((routes) => routesOf('chat', routes)),
      docsRoutes(documented, config),
    ],
    jobs: [...casinoJobs(casino), ...gatewayJobs(gateway), ...chatJobs(chat), ...liveJobs, ...outboxJobs(outbox)],
    liveJobs,
    restart() {
      streams.restart()
      chat.cursors.forget()
      chat.broadcaster.restart()
    },
    async close() {
      await Promise.all([gateway.signer.close(), outbox.egress.close()])
    },
  }
}

/** Returns the outbox that sends the callbacks of casino and gateway. */
function outboxOf(
  { store, log, machineNow, lookup, faults, record, config }: ServiceDependencies,
  casino: Casino,
): Outbox {
  return {
    // Sending has separate randomness: its timing varies, and must not change a seeded world's ids and deals.
    ...realAmbient(machineNow),
    store,
    log,
    egress: openCallbackEgress(lookup),
    faults,
    record,
    signers: { 'tenant-webhook': webhookSigner(casino), 'merchant-ipn': ipnSigner },
    allowsLoopback: config.loopbackCallbacks,
  }
}

/**
 * Returns the path of the signing service's key: next to a database file; for a database on a server in the data
 * folder. Without the key no two-factor secret can be read again. To use several machines, copy it.
 */
export function signerKeyOf(db: string, dataFolder: string | undefined): string | null {
  if (databaseKind(db) !== 'postgres') return besideDatabase(db, 'signer')
  if (dataFolder === undefined) return null
  const { host, pathname, searchParams } = new URL(db)
  // Without user and password: these may change while the secrets stay.
  const name = JSON.stringify([host || searchParams.get('host'), pathname, searchParams.get('schema')])
  return join(dataFolder, `signer-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`)
}
