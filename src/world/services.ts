import { createHash } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { join } from 'node:path'
import { databaseKind } from '../db/engines/database-name.ts'
import type { Pass } from '../db/periodic-job.ts'
import type { Store } from '../db/store.ts'
import { fixedRates } from '../domain/payments/rates.ts'
import { docsRoutes } from '../http/docs/routes.ts'
import type { Service } from '../http/server/handle.ts'
import type { Routes } from '../http/server/routes.ts'
import { type Ambient, realAmbient } from '../kit/ambient.ts'
import type { Log } from '../kit/log.ts'
import { openCallbackDoor } from '../outbox/egress.ts'
import type { OutboxFaults } from '../outbox/fault-injection.ts'
import type { Outbox } from '../outbox/outbox.ts'
import { outboxPasses } from '../outbox/periodic.ts'
import { casino as casinoContract } from '../services/casino/api/contract.ts'
import { livePass } from '../services/casino/live/periodic.ts'
import { playService } from '../services/casino/live/server.ts'
import { openStreams } from '../services/casino/live/sse.ts'
import { casinoPages } from '../services/casino/player-page/server/routes.ts'
import { casinoPasses } from '../services/casino/server/periodic.ts'
import { casinoService } from '../services/casino/server/server.ts'
import type { Casino } from '../services/casino/service.ts'
import { webhookSeal } from '../services/casino/webhooks/signer.ts'
import {
  agent as agentContract,
  chat as chatContract,
  widget as widgetContract,
} from '../services/chat/api/contract.ts'
import { openChat } from '../services/chat/open.ts'
import { chatPasses } from '../services/chat/server/periodic.ts'
import { chatRoutes } from '../services/chat/server/routes.ts'
import { chatServices } from '../services/chat/server/server.ts'
import type { Chat } from '../services/chat/service.ts'
import { gateway as gatewayContract } from '../services/gateway/api/contract.ts'
import { gatewayPages } from '../services/gateway/hosted-pages/routes.ts'
import { ipnSeal } from '../services/gateway/ipn/signer.ts'
import { gatewayPasses } from '../services/gateway/server/periodic.ts'
import { gatewayService } from '../services/gateway/server/server.ts'
import type { Gateway } from '../services/gateway/service.ts'
import { openSigner } from '../services/gateway/signer/signer.ts'
import { simulatedChains } from '../services/gateway/simulator/chains.ts'
import { besideDatabase, mediaFolderOf } from './config/sidecar-path.ts'

/** What the three services are opened with. */
export interface Ground {
  readonly ambient: Ambient
  readonly store: Store
  /** The database's address, beside which the files of a service lie. */
  readonly db: string
  /** Where the files lie that belong to a database which has no place beside it. */
  readonly dataFolder?: string | undefined
  readonly log: Log
  readonly machineNow: () => number
  /** Finds addresses of names for callbacks in the system's place. */
  readonly lookup?: LookupFunction | undefined
  /** What is done wrong with callbacks on purpose. */
  readonly faults: OutboxFaults
  readonly config: { publicUrl(): string; rateLimits: boolean; loopbackCallbacks(): boolean }
}

/** The three services, and what they hand to the server and to the pump. */
export interface Services {
  readonly casino: Casino
  readonly gateway: Gateway
  readonly chat: Chat
  readonly services: readonly Service[]
  readonly routes: readonly Routes[]
  readonly passes: readonly Pass[]
  /** Those of the passes that players wait for at their tables. */
  readonly livePasses: readonly Pass[]
  close(): Promise<void>
}

/** Opens the services side by side: none sees another, and this is where they meet. */
export function openServices(parts: Ground): Services {
  const { ambient, store, db, dataFolder, log, machineNow, lookup, faults, config } = parts
  const ground = { ...ambient, store, log, machineNow }
  const casino: Casino = { ...ground, config }
  const gateway: Gateway = {
    ...ground,
    chains: simulatedChains(store),
    rates: { table: () => fixedRates },
    signer: openSigner(signerKeyOf(db, dataFolder)),
    config: { ...config, lookup },
  }
  const chat = openChat({
    ...ground,
    config: { ...config, mediaFolder: mediaFolderOf(db) },
  })
  const door = openCallbackDoor(lookup)
  // Sending has chance of its own: when it happens hangs on others, and must not move a seeded world's ids and deals.
  const outbox: Outbox = {
    ...realAmbient(machineNow),
    store,
    log,
    door,
    faults,
    seals: { 'tenant-webhook': webhookSeal(casino), 'merchant-ipn': ipnSeal },
    allowsLoopback: config.loopbackCallbacks,
  }
  const documented = [
    { name: 'casino', contract: casinoContract },
    { name: 'gateway', contract: gatewayContract },
    { name: 'chat', contract: chatContract },
    { name: 'chat-widget', contract: widgetContract },
    { name: 'chat-agent', contract: agentContract },
  ]
  const streams = openStreams(casino)
  const livePasses = [livePass(casino), streams.pass]
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
      casinoPages(casino),
      streams.routes,
      gatewayPages(gateway),
      ...chatRoutes(chat),
      docsRoutes(documented, config),
    ],
    passes: [
      ...casinoPasses(casino),
      ...gatewayPasses(gateway),
      ...chatPasses(chat),
      ...livePasses,
      ...outboxPasses(outbox),
    ],
    livePasses,
    async close() {
      await Promise.all([gateway.signer.close(), door.close()])
    },
  }
}

/**
 * The signing service's key: beside a database in a file. For one on a server it is kept in the data folder, under a name
 * of the database's own, since without it no two-factor secret can be read again; several machines share it by its being copied.
 */
function signerKeyOf(db: string, dataFolder: string | undefined): string | null {
  if (databaseKind(db) !== 'postgres') return besideDatabase(db, 'signer')
  if (dataFolder === undefined) return null
  const { host, pathname, searchParams } = new URL(db)
  // Without user and password: these may change, and the secrets stay what they are.
  const name = JSON.stringify([host || searchParams.get('host'), pathname, searchParams.get('schema')])
  return join(dataFolder, `signer-${createHash('sha256').update(name).digest('hex').slice(0, 16)}`)
}
