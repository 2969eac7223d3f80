import { withoutPassword } from '../../db/engines/database-name.ts'
import type { Store } from '../../db/store.ts'
import type { StreamEnd } from '../../http/client/sse-client.ts'
import { inProcess, type Transport } from '../../http/client/transport.ts'
import type { Server } from '../../http/server/server.ts'
import { openLog } from '../../kit/log.ts'
import { Problem } from '../../kit/problem.ts'
import { chatCredentials } from '../../services/chat/admin.ts'
import { subscribeToTenant } from '../../services/chat/events/in-process-feed.ts'
import { fileBehind } from '../../services/chat/media/fetch.ts'
import { allChatTenants } from '../../services/chat/queries/tenants.ts'
import type { Chat } from '../../services/chat/service.ts'
import { openChatWorld } from '../chat-only-world.ts'
import { servedAt } from '../clock.ts'
import { badConfiguration, type Config } from '../config/config.ts'
import { attemptsOf, timeoutOf } from '../config/http-options.ts'
import { existingDb } from '../config/local-db.ts'
import type { LocalProfile } from '../config/profile-schema.ts'
import type { World } from '../world.ts'
import type { ClientOptions } from './casino.ts'
import { type AgentStream, type ChatClients, linesOn } from './chat.ts'
import { chatTenantAmong } from './chat-tenant.ts'

/** Opens the chat of a local profile in this process, on its database. */
export async function openLocalChat(
  profile: LocalProfile,
  config: Config,
  options: ClientOptions,
): Promise<ChatClients> {
  const world = await openHere(profile, config, options.world)
  try {
    const tenant = await chatTenantIn(world, profile)
    const keys = await chatCredentials(world.chat, tenant)
    if (!keys?.apiKey) throw badConfiguration(`${tenant} has no active API key of the chat`, { tenant })
    const here = inProcess(world.server, { timeoutMs: timeoutOf(config) })
    let hasWritten = false
    const observable: Transport = (request) => {
      hasWritten ||= request.method !== 'GET'
      return here(request)
    }
    return {
      ...linesOn(
        observable,
        { apiKey: keys.apiKey, agentToken: keys.agentToken },
        { ...options, ...attemptsOf(config) },
      ),
      listen: keys.agentToken === undefined ? undefined : (stream) => listenHere(world.chat, tenant, stream),
      fetchFile: ({ link }, read, signal) => fileBehind(world.chat, new URL(link), read, signal),
      access: { tenant, environment: null, target: withoutPassword(profile.db), isLocal: true },
      now: () => world.now(),
      servedAt: () => servedAt(world.store),
      close: () => world.close(hasWritten),
    }
  } catch (error) {
    await world.close(false)
    throw error
  }
}

interface Here {
  readonly store: Store
  readonly chat: Chat
  readonly server: Pick<Server, 'inject'>
  now(): Promise<number>
  /** Closes the chat. With `isToSettle`, runs due jobs first. */
  close(isToSettle: boolean): Promise<void>
}

/** Opens the chat of a local world: in the world that is open, by itself if possible, else with the whole world. */
async function openHere(profile: LocalProfile, config: Config, open?: World): Promise<Here> {
  if (open) return { ...chatIn(open), close: async () => {} }
  const db = existingDb(profile)
  const isDebug = config.settings.logLevel === 'debug'
  const log = isDebug ? { log: await openLog('debug') } : {}
  const alone = await openChatWorld({ db, dataFolder: config.paths.data, ...log })
  if (alone)
    return {
      ...alone,
      async close(isToSettle) {
        try {
          if (isToSettle) await alone.settle()
        } finally {
          await alone.close()
        }
      },
    }
  const { openLocalWorld, closeWorld } = await import('./local-world.ts')
  const world = await openLocalWorld(profile, config)
  return { ...chatIn(world), close: (isToSettle) => (isToSettle ? closeWorld(world) : world.close()) }
}

const chatIn = ({ store, chat, server, clock }: World) => ({ store, chat, server, now: () => clock.now() })

/** Passes on the same events as over a socket, including those of other processes on this database. */
async function listenHere(chat: Chat, code: string, { after, take, signal }: AgentStream): Promise<StreamEnd> {
  await subscribeToTenant(chat, code, { after, take, signal })
  return { end: 'closed' }
}

/** Returns the merchant that a local profile acts for. */
export async function chatTenantIn(world: Pick<Here, 'store'>, profile: LocalProfile): Promise<string> {
  const codes = (await world.store.read(allChatTenants)).map(({ code }) => code)
  const code = chatTenantAmong(codes, profile)
  if (code !== undefined) return code
  throw new Problem(
    'BAD_CONFIGURATION',
    codes.length === 0
      ? 'The world has no chat tenant. To create one: countroom console chat tenants create DEMO'
      : `The world has the chat tenants ${codes.join(', ')}. Name one, for example: --profile local.${codes[0]?.toLowerCase()}`,
    { tenants: codes },
  )
}
