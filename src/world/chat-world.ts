import { type Chat, openChat } from '../chat/chat.ts'
import { chatServices } from '../chat/server.ts'
import { type Log, silentLog } from '../kit/log.ts'
import { world as worldMigrations } from '../store/migrations/world.ts'
import { openStore, type Store } from '../store/store.ts'
import { openServer, type Server } from '../wire/server.ts'
import { mediaFolderOf } from './beside.ts'
import { ambientOf } from './chance.ts'
import { unservedUrl, worldItself, worldNow } from './clock.ts'

/**
 * The chat of a world by itself, for commands that ask it and nothing else: the casino and the gateway are most of a world,
 * and loading them takes longer than the answer. What time brings about is not done in here; whoever changes something has the
 * whole world settle it afterwards.
 */
export interface ChatWorld {
  readonly store: Store
  readonly chat: Chat
  readonly server: Server
  now(): Promise<number>
  close(): Promise<void>
}

/** Opens it; undefined where the world is told to do something wrong, which takes the whole of it. */
export async function openChatWorld({
  db,
  log = silentLog,
}: {
  db: string
  log?: Log
}): Promise<ChatWorld | undefined> {
  const machineNow = Date.now
  const store = await openStore({ url: db, migrations: worldMigrations, now: (q) => worldNow(q, machineNow) })
  try {
    const { itself, faults } = await store.read(async (reader) => ({
      itself: await worldItself(reader),
      faults: await reader.q.selectFrom('store_faults').select('id').limit(1).execute(),
    }))
    if (faults.length > 0) {
      await store.close()
      return undefined
    }
    const chat = openChat({
      ...(await ambientOf(store, undefined, machineNow)),
      store,
      log,
      machineNow,
      config: {
        publicUrl: () => itself.served_url ?? unservedUrl,
        rateLimits: true,
        mediaFolder: mediaFolderOf(db),
      },
    })
    const server = openServer({ services: chatServices(chat), log, now: machineNow })
    return {
      store,
      chat,
      server,
      now: () => store.read(async (reader) => reader.now),
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
