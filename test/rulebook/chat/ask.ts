import type { ChatPlan } from '../../../src/db/schema/chat.ts'
import { aMerchant } from '../../services/chat/helpdesk.ts'
import type { TestWorld } from '../../support/worlds/world.ts'

/** A tenant of a world's chat, with the document's paths: `POST /rooms` with a body. */
export async function aShop(world: TestWorld, plan: ChatPlan = 'pro') {
  const helpdesk = { app: world.chat, server: world.server, clock: { now: 0 }, failures: [], mails: [] }
  return { ...(await aMerchant(helpdesk, { plan })), world }
}

export type Shop = Awaited<ReturnType<typeof aShop>>

export interface Outcome {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: each test expects another body.
  readonly body: any
}

/** Sends a request to the bot API with the key, or with other headers; the path may name another prefix. */
export async function ask(
  { world, apiKey }: Pick<Shop, 'world' | 'apiKey'>,
  endpoint: string,
  sent?: object | string | null,
  headers: Readonly<Record<string, string>> = { 'x-chat-apikey': apiKey },
): Promise<Outcome> {
  const [method = '', path = ''] = endpoint.split(' ')
  const body = typeof sent === 'string' ? sent : sent ? JSON.stringify(sent) : undefined
  const reply = await world.server.inject({
    method,
    path: path.startsWith('/api/') ? path : `/api/public/v1${path}`,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return { status: reply.status, headers: reply.headers, body: reply.body === '' ? undefined : JSON.parse(reply.body) }
}

/** A tenant with a room and a ticket, and paths that name them. */
export async function aHelpdesk(world: TestWorld) {
  const shop = await aShop(world)
  const room = await ask(shop, 'POST /rooms', {
    customerAccount: 'ann',
    customerDisplayName: 'Ann',
    initialMessage: 'hi',
  })
  const ticket = await ask(shop, 'POST /tickets', {
    formCode: 'general',
    title: 'Lost',
    description: 'x',
    customerAccount: 'ann',
  })
  const named = (endpoint: string) =>
    endpoint.replace('{room}', room.body.roomId).replace('{ticket}', ticket.body.ticketId)
  return { ...shop, room, ticket, named }
}

type InRoom = Pick<Shop, 'world' | 'apiKey' | 'tenantKey'> & { readonly room: Pick<Outcome, 'body'> }
let uploads = 0

/** Sends the media calls of a room: `POST`, `initialize`. */
export function uploaded(
  of: InRoom,
  method: string,
  path: string,
  sent?: object | string,
  headers: Readonly<Record<string, string>> = {},
) {
  const { roomId, roomToken } = of.room.body
  const url = `/api/widget/v1/rooms/${roomId}/media/${path}?tenantKey=${of.tenantKey}`
  return ask(of, `${method} ${url}`, sent, { 'x-chat-room-token': roomToken, ...headers })
}

/** Starts the upload of a file, ten bytes by default. */
export const beginUpload = (of: InRoom, change: object = {}) =>
  uploaded(of, 'POST', 'initialize', {
    ...{ fileName: 'a.txt', contentType: 'text/plain', sizeBytes: 10, clientUploadId: `upload-${++uploads}` },
    ...change,
  })

export const putChunk = (of: InRoom, uploadId: string, offset: number, bytes: string, headers = {}) =>
  uploaded(of, 'PUT', `${uploadId}/chunk`, bytes, {
    ...{ 'content-type': 'application/octet-stream', 'upload-offset': String(offset) },
    ...headers,
  })
