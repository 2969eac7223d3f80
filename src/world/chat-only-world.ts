import { world as worldMigrations } from '../db/migrations/world/index.ts'
import type { WorldRow } from '../db/schema/store.ts'
import { openStore, type Store } from '../db/store.ts'
import { isLoopback } from '../http/server/public-url.ts'
import { openServer, type Server } from '../http/server/server.ts'
import { type Log, silentLog } from '../kit/log.ts'
import { mediaRoutes } from '../services/chat/media/routes.ts'
import { openChat } from '../services/chat/open.ts'
import { chatServices } from '../services/chat/server/server.ts'
import type { Chat } from '../services/chat/service.ts'
import { openWorldTime, publicUrlAt, worldItself } from './clock.ts'
import { mediaFolderOf } from './config/sidecar-path.ts'
import { chatMail } from './mails.ts'
import { ambientOf } from './random.ts'
import type { ServiceDependencies } from './services.ts'

/**
 * The chat of a world by itself, for commands that need only the chat: loading casino and gateway takes longer than the
 * request. After a change the whole world is loaded and settled.
 */
export interface ChatWorld {
  readonly store: Store
  readonly chat: Chat
  readonly server: Server
  now(): Promise<number>
  /** Runs the due jobs of the whole world. */
  settle(): Promise<number>
  close(): Promise<void>
}

export interface ChatWorldOptions {
  readonly db: string
  /** Folder for files of a database on a server. */
  readonly dataFolder?: string
  readonly log?: Log
}

/** Opens it; undefined when the world has injected faults, which require the whole world. */
export async function openChatWorld({
  db,
  dataFolder,
  log = silentLog,
}: ChatWorldOptions): Promise<ChatWorld | undefined> {
  const machineNow = Date.now
  const time = openWorldTime(machineNow)
  const store = await openStore({ url: db, migrations: worldMigrations, now: time.read })
  try {
    const { itself, faults } = await store.read(async (reader) => ({
      itself: await worldItself(reader),
      faults: await reader.q.selectFrom('store_faults').select('id').limit(1).execute(),
    }))
    if (faults.length > 0) {
      await store.close()
      return undefined
    }
    const ambient = await ambientOf(store, undefined, { machineNow })
    const config = { publicUrl: () => publicUrlAt(itself), rateLimits: true }
    const dependencies = { store, log, machineNow }
    const mail = chatMail(ambient)
    const chat = openChat({ ...ambient, ...dependencies, mail, config: { ...config, mediaFolder: mediaFolderOf(db) } })
    const server = openServer({
      services: chatServices(chat),
      // An agent's file is sent in chunks, which no endpoint of the contract takes.
      routes: [mediaRoutes(chat)],
      log,
      now: machineNow,
      worldNow: time.latest,
      requestId: ambient.requestId,
    })
    return {
      store,
      chat,
      server,
      now: () => store.read(async (reader) => reader.now),
      settle: () => settleAll({ dependencies, ambient, itself, config, db, dataFolder }),
      async close() {
        try {
          await server.close()
        } finally {
          await store.close()
        }
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

interface Whole extends Pick<ServiceDependencies, 'ambient' | 'db' | 'dataFolder'> {
  readonly dependencies: Pick<ServiceDependencies, 'store' | 'log' | 'machineNow'>
  readonly itself: WorldRow
  readonly config: Pick<ServiceDependencies['config'], 'publicUrl' | 'rateLimits'>
}

/** Opens the other services of the world, and runs the due jobs of all services. */
async function settleAll({ dependencies, ambient, itself, config, db, dataFolder }: Whole): Promise<number> {
  const [{ openServices }, { openFaults }, { runJobs }] = await Promise.all([
    import('./services.ts'),
    import('./faults.ts'),
    import('./scheduler.ts'),
  ])
  const isHere = itself.served_url === null || isLoopback(new URL(itself.served_url).hostname)
  const isAllowed = () => itself.allows_faults === 1 || isHere
  const faults = await openFaults({ ...dependencies, random: ambient.random, isServing: () => false, isAllowed })
  const loopbackCallbacks = () => itself.public_callbacks !== 1 && isHere
  const { jobs, close } = openServices({
    ...dependencies,
    ambient,
    db,
    dataFolder,
    faults: faults.callbacks,
    config: { ...config, loopbackCallbacks },
  })
  try {
    return await runJobs(jobs)
  } finally {
    await close()
  }
}
