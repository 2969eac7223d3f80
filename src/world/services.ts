import { createHash } from 'node:crypto'
import type { LookupFunction } from 'node:net'
import { join } from 'node:path'
import type { Casino } from '../casino/casino.ts'
import { casino as casinoContract } from '../casino/contract.ts'
import { livePass } from '../casino/live/pass.ts'
import { playService } from '../casino/live/server.ts'
import { openStreams } from '../casino/live/streams.ts'
import { casinoPages } from '../casino/pages/routes.ts'
import { casinoPasses } from '../casino/passes.ts'
import { casinoService } from '../casino/server.ts'
import { webhookSeal } from '../casino/webhook-seal.ts'
import { type Chat, openChat } from '../chat/chat.ts'
import { agent as agentContract, chat as chatContract, widget as widgetContract } from '../chat/contract.ts'
import { chatPasses } from '../chat/passes.ts'
import { chatRoutes } from '../chat/routes.ts'
import { chatServices } from '../chat/server.ts'
import { fixedRates } from '../domain/payment-rates.ts'
import { gateway as gatewayContract } from '../gateway/contract.ts'
import type { Gateway } from '../gateway/gateway.ts'
import { ipnSeal } from '../gateway/ipn-seal.ts'
import { gatewayPages } from '../gateway/pages/routes.ts'
import { gatewayPasses } from '../gateway/passes.ts'
import { gatewayService } from '../gateway/server.ts'
import { openSigner } from '../gateway/signer/signer.ts'
import { simulatedChains } from '../gateway/simulated-chains.ts'
import { type Ambient, realAmbient } from '../kit/ambient.ts'
import type { Log } from '../kit/log.ts'
import { openCallbackDoor } from '../outbox/door.ts'
import type { OutboxFaults } from '../outbox/faults.ts'
import type { Outbox } from '../outbox/outbox.ts'
import type { Pass } from '../outbox/pass.ts'
import { outboxPasses } from '../outbox/passes.ts'
import { databaseKind } from '../store/database-name.ts'
import type { Store } from '../store/store.ts'
import { docsRoutes } from '../wire/docs.ts'
import type { Routes } from '../wire/http.ts'
import type { Service } from '../wire/serve.ts'
import { besideDatabase, mediaFolderOf } from './beside.ts'

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
