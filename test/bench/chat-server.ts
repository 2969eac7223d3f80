import { join } from 'node:path'
import { world } from '../../src/db/migrations/world/index.ts'
import { openStore } from '../../src/db/store.ts'
import { openServer } from '../../src/http/server/server.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { keepYoungSpaceSmall } from '../../src/kit/heap-limits.ts'
import { silentLog } from '../../src/kit/log.ts'
import { chatCredentials, createAgent, createChatTenant } from '../../src/services/chat/admin.ts'
import { openChat } from '../../src/services/chat/open.ts'
import { chatRoutes } from '../../src/services/chat/server/routes.ts'
import { chatServices } from '../../src/services/chat/server/server.ts'

/** The chat alone, served for the measurements of `chatting.ts`: `node chat-server.ts FOLDER [postgres://…]`. */
keepYoungSpaceSmall()
const folder = process.argv[2] ?? ''
const store = await openStore({ url: process.argv[3] ?? join(folder, 'chat.sqlite'), migrations: world, now: Date.now })
const app = openChat({
  ...realAmbient(),
  store,
  log: silentLog,
  machineNow: Date.now,
  mail: async () => {},
  config: { publicUrl: () => 'http://127.0.0.1', rateLimits: false, mediaFolder: join(folder, 'media') },
})
const server = openServer({ services: chatServices(app), routes: chatRoutes(app) })
const { url } = await server.listen()
if ((await chatCredentials(app, 'BENCH')) === undefined) {
  await createChatTenant(app, { code: 'BENCH', plan: 'pro' })
  await createAgent(app, 'BENCH', 'Desk')
}
process.stdout.write(`${JSON.stringify({ url, ...(await chatCredentials(app, 'BENCH')) })}\n`)
process.on('message', (message) => {
  if (message === 'memory') {
    globalThis.gc?.()
    process.send?.(process.memoryUsage().rss)
  }
})
process.on('SIGTERM', async () => {
  await server.close()
  await store.close()
  process.exit(0)
})
