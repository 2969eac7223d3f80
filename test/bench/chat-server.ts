import { join } from 'node:path'
import { openChat } from '../../src/chat/chat.ts'
import { chatCredentials, createAgent, createChatTenant } from '../../src/chat/console.ts'
import { chatRoutes } from '../../src/chat/routes.ts'
import { chatServices } from '../../src/chat/server.ts'
import { realAmbient } from '../../src/kit/ambient.ts'
import { silentLog } from '../../src/kit/log.ts'
import { keepYoungSpaceSmall } from '../../src/kit/young-space.ts'
import { world } from '../../src/store/migrations/world.ts'
import { openStore } from '../../src/store/store.ts'
import { openServer } from '../../src/wire/server.ts'

/** The chat alone, served for the measurements of `chatting.ts`: `node chat-server.ts FOLDER [postgres://…]`. */
keepYoungSpaceSmall()
const folder = process.argv[2] ?? ''
const store = await openStore({ url: process.argv[3] ?? join(folder, 'chat.sqlite'), migrations: world, now: Date.now })
const app = openChat({
  ...realAmbient(),
  store,
  log: silentLog,
  machineNow: Date.now,
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
