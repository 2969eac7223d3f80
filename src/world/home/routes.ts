import { createHmac } from 'node:crypto'
import { languages } from '../../domain/players/player.ts'
import { basePathOf, isLoopback, reachedBy } from '../../http/server/public-url.ts'
import { type RouteReply, type RouteRequest, type Routes, readFormOf } from '../../http/server/routes.ts'
import { definedFields } from '../../kit/defined-fields.ts'
import { isProblem } from '../../kit/problem.ts'
import { sandboxCode } from '../../services/casino/admin/index.ts'
import { launch } from '../../services/casino/players/launches.ts'
import { tenantOf } from '../../services/casino/queries/tenants.ts'
import type { Casino } from '../../services/casino/service.ts'
import { listTables } from '../../services/casino/tables/tables.ts'
import { chatCredentials } from '../../services/chat/admin.ts'
import { demoChatCode } from '../../services/chat/server/demo-codes.ts'
import type { Chat } from '../../services/chat/service.ts'
import { demoCode, demoPlayers } from '../demo-data.ts'
import { isFromThisMachine } from '../desk/access.ts'
import { documented } from '../documented.ts'
import { chatPage, chatPolicy, homePage, homePolicy, type LocalView } from './page.ts'

/** Dependencies of the pages for people. */
export interface HomeDependencies {
  readonly casino: Casino
  readonly chat: Chat
  readonly config: { publicUrl(): string }
  /** True if a proxy forwards requests of other machines. */
  readonly isBehindProxy: boolean
  /** True if this world has a page `/desk`. */
  readonly hasDesk: () => boolean
}

/** Maximum size of the form that launches a player. */
const formBytes = 4_096

/** Serves `/`, and for this machine `/try/launch` and `/try/chat`. */
export function homeRoutes(dependencies: HomeDependencies): Routes {
  const { casino, chat, config, isBehindProxy } = dependencies
  const publicUrlOf = (request: RouteRequest) => reachedBy({ config }, request).config.publicUrl()
  // Behind a proxy that adds no headers every request seems to be local. A world with a public name offers no launch.
  const isHere = (request: RouteRequest) =>
    isFromThisMachine(request) && !isBehindProxy && isLoopback(new URL(config.publicUrl()).hostname)
  return (table) => {
    table.get('/', async (request, reply) => {
      const baseUrl = publicUrlOf(request)
      const local = isHere(request) ? await localView(dependencies) : undefined
      const apis = documented.map(({ name, contract: { title, prefixes } }) => ({
        ...{ name, title, prefix: prefixes[0] ?? '' },
      }))
      await send(reply, homePolicy, homePage({ basePath: basePathOf(baseUrl), baseUrl, apis, local }))
    })
    table.post('/try/launch', async (request, reply) => {
      if (!isHere(request)) return refuse(reply, 404, 'Not found')
      // A page of another site must not end a player's session.
      if (request.headers.origin !== `http://${request.headers.host}`)
        return refuse(reply, 403, 'The Origin is another site')
      const text = textsOf(await readFormOf(request, formBytes))
      const code = text('environment') === 'sandbox' ? sandboxCode(demoCode) : demoCode
      const username = demoPlayers.find((each) => each === text('username'))
      const tenant = await casino.store.read((reader) => tenantOf(reader, code))
      if (!tenant || !username) return refuse(reply, 404, 'There is no such player of the demo')
      try {
        const { url } = await launch(
          reachedBy(casino, request),
          { ...tenant, keyId: '' },
          { username, ...definedFields({ table: text('table'), lang: text('lang') ?? 'en', device: text('device') }) },
        )
        await reply.code(303).header('location', url).send()
      } catch (error) {
        if (!isProblem(error)) throw error
        await refuse(reply, 409, error.message)
      }
    })
    table.get('/try/chat', async (request, reply) => {
      const demo = isHere(request) ? await chatCredentials(chat, demoChatCode) : undefined
      const text = textsOf(request.query)
      const tenantKey = text('key') ?? demo?.tenantKey
      if (!isHere(request) || tenantKey === undefined) return refuse(reply, 404, 'Not found')
      const isDemo = tenantKey === demo?.tenantKey
      const customer =
        isDemo && text('customer') === 'amy' ? await signedCustomer(chat, demo.identitySecret) : undefined
      const page = { tenantKey, lang: text('lang') ?? 'en', position: text('position'), isDemo, customer }
      await send(reply, chatPolicy, chatPage({ basePath: basePathOf(publicUrlOf(request)), ...page }))
    })
  }
}

async function localView({ casino, chat, hasDesk }: HomeDependencies): Promise<LocalView> {
  const tenant = await casino.store.read((reader) => tenantOf(reader, demoCode))
  const tables = tenant && (await listTables(casino, tenant)).tables.filter(({ enabled }) => enabled)
  return {
    hasDesk: hasDesk(),
    launch: tables && { players: demoPlayers, tables, languages },
    hasChat: (await chatCredentials(chat, demoChatCode)) !== undefined,
  }
}

/** Signs an account as the server of a shop does for its page (3-chat-api). */
async function signedCustomer(chat: Chat, identitySecret: string) {
  const account = 'amy'
  const now = await chat.store.read(async (reader) => reader.now)
  const issuedAt = Math.floor(now / 1000)
  const signature = createHmac('sha256', identitySecret).update(`${account}.${issuedAt}`).digest('hex')
  return { account, name: 'Amy', identity: `${issuedAt}.${signature}` }
}

/** Returns a reader of the texts of a form or a query; an empty field is absent. */
function textsOf(form: Record<string, unknown>): (name: string) => string | undefined {
  return (name) => {
    const value = form[name]
    return typeof value === 'string' && value !== '' ? value : undefined
  }
}

function send(reply: RouteReply, policy: string, text: string): Promise<void> {
  return (
    reply
      .type('text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', policy)
      // Not no-referrer: then a form's Origin would be null.
      .header('referrer-policy', 'same-origin')
      .send(text)
  )
}

function refuse(reply: RouteReply, status: number, message: string): Promise<void> {
  return reply.code(status).header('cache-control', 'no-store').send({ message })
}
