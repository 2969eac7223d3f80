import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { roomOf } from '../../../src/services/chat/queries/rooms.ts'
import { chatTenantOf } from '../../../src/services/chat/queries/tenants.ts'
import { rateConversation } from '../../../src/services/chat/rooms/ratings.ts'
import { chatDemoCredentials, ensureChatDemo } from '../../../src/services/chat/server/demo-data.ts'
import { openWorld, type World } from '../../../src/world/world.ts'
import { aHome, type Home, run } from '../program/cli.ts'
import { type Served, served } from './served.ts'

/** A served world with the chat's demo merchants. */
export async function servedChat(options: { rateLimits?: boolean } = {}): Promise<Served> {
  const instance = await served(options)
  await ensureChatDemo(instance.world.chat)
  return instance
}

/** Creates a home with a single remote profile `desk` of that chat. */
export async function remoteHelpdesk({ world, url }: Served, at = url): Promise<Home> {
  return homeOf({ baseUrl: at, chat: await chatDemoCredentials(world.chat) })
}

/** Creates a home whose remote profile `desk` has these keys. */
export async function homeOf(document: object): Promise<Home> {
  const home = aHome()
  const file = home.write('keys.json', JSON.stringify(document))
  const added = await run(['profiles', 'add', 'desk', '--from', file], { home })
  if (added.code !== 0) throw new Error(added.stderr)
  return { ...home, env: { ...home.env, COUNTROOM_PROFILE: 'desk' } }
}

/** Creates a home whose profile `local` has the chat's demo merchants in its own file. */
export async function localHelpdesk(): Promise<Home> {
  const home = aHome()
  const db = home.write('world.db', '')
  const world = await openWorld({ db })
  await ensureChatDemo(world.chat)
  await world.close()
  return { ...home, env: { ...home.env, COUNTROOM_DB: db } }
}

/** Rates the closed conversation of a room of DEMO, as its customer does. */
export async function rated({ chat, store }: World, roomId: string, score: number): Promise<void> {
  const tenant = await store.read((reader) => chatTenantOf(reader, 'DEMO'))
  const room = await store.read((reader) => roomOf(reader, 'DEMO', roomId))
  if (!tenant || !room) throw new Error(`There is no room ${roomId}`)
  await rateConversation(chat, { tenant, room, tokenExpiresAt: 0 }, { score })
}

/** Rows stored by the bare instance. */
export interface BareTicket {
  id: string
  subject: string
  customerDisplayName?: string
  status: string
  comments: { text: string; visibility: string }[]
}

export interface BareChat {
  readonly url: string
  readonly tickets: BareTicket[]
  readonly seen: string[]
  /** Number of further comments after which the connection breaks, once. */
  breakAfterComments: number | undefined
  /** The ticket whose next comment is stored without a response. */
  breakOn: string | undefined
  /** Called when a comment was stored, before the response. */
  onComment: () => void
  /** Called when a status was set, before the response. */
  onStatus: () => void
  /** True if reading a ticket returns its comments. */
  showsComments: boolean
  /** True if a list has a total. */
  tellsTotal: boolean
  /** True if a request is refused before any other check. */
  refuses: (request: string) => { readonly status: number; readonly retryAfter: number } | undefined
  /** Called before a page of the list is sent. */
  beforePage: (page: number) => Promise<void> | void
}

/**
 * Another vendor's instance: only the documented endpoints, with its own field shapes. It has no forms, no versions, no
 * idempotency keys for comments, and errors that are a line of text.
 */
export async function bareChat(count: number): Promise<BareChat> {
  const codes = ['open', 'pending', 'resolved']
  const chat: BareChat & { url: string } = {
    url: '',
    seen: [],
    breakAfterComments: undefined,
    breakOn: undefined,
    onComment: () => {},
    onStatus: () => {},
    showsComments: true,
    tellsTotal: false,
    refuses: () => undefined,
    beforePage: () => {},
    tickets: Array.from({ length: count }, (_, i) => ({
      id: `T${i + 1}`,
      subject: `Matter ${i + 1}`,
      status: 'open',
      comments: [],
    })),
  }
  const shown = (ticket: BareTicket) => ({
    id: ticket.id,
    subject: ticket.subject,
    ...(ticket.customerDisplayName === undefined ? {} : { customerDisplayName: ticket.customerDisplayName }),
    status: ticket.status,
    ...(chat.showsComments ? { comments: ticket.comments } : {}),
  })
  const server: Server = createServer((request, response) => {
    let body = ''
    request.on('data', (text) => {
      body += text
    })
    request.on('end', () => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://x')
      chat.seen.push(`${request.method} ${pathname}`)
      const respond = (status: number, value: unknown) =>
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
      const refusal = chat.refuses(`${request.method} ${pathname}`)
      if (refusal)
        return void response.writeHead(refusal.status, { 'retry-after': String(refusal.retryAfter) }).end('busy')
      if (request.headers['x-chat-apikey'] !== 'bare-key') return respond(401, { message: 'No such key' })
      const [, id, what] = /^\/api\/public\/v1\/tickets(?:\/([^/]+)(?:\/(\w+))?)?$/.exec(pathname) ?? ['', '', '']
      if (!pathname.startsWith('/api/public/v1/tickets')) return respond(404, { message: 'Nothing here' })
      if (id === undefined || id === '') {
        const statusFilter = searchParams.get('status')
        const size = Number(searchParams.get('pageSize') ?? 20)
        const at = (Number(searchParams.get('page') ?? 1) - 1) * size
        void Promise.resolve(chat.beforePage(at / size + 1)).then(() => {
          const all = chat.tickets.filter((ticket) => statusFilter === null || ticket.status === statusFilter)
          const total = chat.tellsTotal ? { total: all.length } : {}
          respond(200, { tickets: all.slice(at, at + size).map(shown), ...total })
        })
        return
      }
      const ticket = chat.tickets.find((each) => each.id === id)
      if (!ticket) return respond(404, { message: 'No such ticket' })
      const sent = body === '' ? {} : JSON.parse(body)
      if (what === 'comments') {
        ticket.comments.push({ text: sent.content, visibility: sent.visibility ?? 'internal' })
        chat.onComment()
        if (chat.breakOn === id) {
          chat.breakOn = undefined
          return void request.socket.destroy()
        }
        if (chat.breakAfterComments !== undefined && --chat.breakAfterComments < 0) {
          chat.breakAfterComments = undefined
          return void request.socket.destroy()
        }
        return respond(200, { success: true })
      }
      if (what === 'status') {
        if (!codes.includes(sent.status))
          return respond(400, { message: `Invalid status '${sent.status}'. Valid codes are: ${codes.join(', ')}.` })
        ticket.status = sent.status
        chat.onStatus()
        return respond(200, { success: true })
      }
      return respond(200, { ticket: shown(ticket) })
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  chat.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return chat
}

/** Creates a home whose profile is that instance. */
export function bareHome({ url }: BareChat): Promise<Home> {
  return homeOf({ baseUrl: url, chat: { apiKey: 'bare-key' } })
}
