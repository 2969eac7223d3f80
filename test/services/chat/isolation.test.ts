import { expect, test } from 'vitest'
import { collectRoutes } from '../../../src/http/server/routes.ts'
import { generalForm, saveForm } from '../../../src/services/chat/admin.ts'
import { agent, chat, widget } from '../../../src/services/chat/api/contract.ts'
import { linkProof } from '../../../src/services/chat/auth/tokens.ts'
import { chatTenantOf } from '../../../src/services/chat/queries/tenants.ts'
import { chatRoutes } from '../../../src/services/chat/server/routes.ts'
import { aHelpdesk, aMerchant, type Helpdesk, type Merchant, raw, refuses, widgetClient } from './helpdesk.ts'

/**
 * Every endpoint with an id in its path, requested by one merchant for another's object. Made from the contracts, so
 * that a new one is included.
 */
const endpoints = [
  ...Object.entries(chat.endpoints).map(([name, endpoint]) => ({
    api: 'bot',
    prefix: chat.prefixes[0],
    name,
    endpoint,
  })),
  ...Object.entries(widget.endpoints).map(([name, endpoint]) => ({
    api: 'widget',
    prefix: widget.prefixes[0],
    name,
    endpoint,
  })),
  ...Object.entries(agent.endpoints).map(([name, endpoint]) => ({
    api: 'agent',
    prefix: agent.prefixes[0],
    name,
    endpoint,
  })),
].filter(({ endpoint }) => endpoint.path.includes(':'))

/** A valid body for each endpoint, so that the refusal is only about the id. */
const bodies: Readonly<Record<string, object>> = {
  sendCustomerText: { text: 'x' },
  comment: { content: 'x' },
  setStatus: { status: 'resolved' },
  send: { text: 'x', clientMessageId: 'x' },
  read: { seq: 1 },
  unread: { seq: 1 },
  reply: { text: 'x', clientMessageId: 'x' },
  assign: { agentId: null },
  changeTicket: { priority: 4 },
  typing: { typing: true },
  initializeUpload: { fileName: 'a.png', contentType: 'image/png', sizeBytes: 10, clientUploadId: 'x' },
  rate: { score: 5 },
  mailTranscript: { email: 'ann@shop.example', clientTranscriptId: 'x' },
  createOwnTicket: { formCode: 'general', title: 'Help', clientTicketId: 'x' },
  replyToOwnTicket: { content: 'x', clientCommentId: 'x' },
  completeUpload: { clientMessageId: 'x' },
}

const file = { fileName: 'a.png', contentType: 'image/png', sizeBytes: 10, clientUploadId: 'x' }

/** All objects of one merchant that an id may name. */
async function belongingsOf(helpdesk: Helpdesk, merchant: Merchant) {
  const room = await merchant.bot.openRoom({ body: { customerAccount: 'a', initialMessage: 'secret' } })
  const ticket = await merchant.bot.createTicket({ body: { title: 'secret', customerAccount: 'a' } })
  const { uploadId } = await widgetClient(helpdesk, merchant.tenantKey, room.roomToken).initializeUpload({
    params: { roomId: room.roomId },
    query: {},
    body: file,
  })
  const params = { roomId: room.roomId }
  await merchant.agent.reply({ params, body: { text: 'secret', clientMessageId: 'reply' } })
  await merchant.agent.close({ params })
  const ofAgent = await merchant.agent.initializeUpload({ params: { roomId: room.roomId }, body: file })
  const formCode = `of-${merchant.code}`
  await saveForm(helpdesk.app, merchant.code, formCode, { ...generalForm, title: 'secret' })
  const ids: Readonly<Record<string, string>> = {
    roomId: room.roomId,
    ticketId: ticket.ticketId,
    uploadId,
    agentUploadId: ofAgent.uploadId,
    formCode,
    mediaId: 'med_01J0000000000000000000000A',
    // A picture's path is public, and names no other object.
    agentId: 'agt_none',
    mark: 'none',
  }
  const headers = {
    'x-chat-apikey': merchant.apiKey,
    'x-chat-agenttoken': merchant.agentToken,
    'x-chat-tenant-key': merchant.tenantKey,
    'x-chat-room-token': room.roomToken,
  }
  return { ids, headers }
}

const idsIn = (path: string) => [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name)
/** Agents have separate uploads. */
const filled = (path: string, ids: Readonly<Record<string, string>>, api?: string) =>
  path.replace(
    /:([A-Za-z]+)/g,
    (_, name: string) => (api === 'agent' && name === 'uploadId' ? ids['agentUploadId'] : ids[name]) ?? `no ${name}`,
  )

test('every id that an endpoint takes in its path is requested', () => {
  expect(endpoints.length).toBeGreaterThan(20)
  const names = new Set(endpoints.flatMap(({ endpoint }) => idsIn(endpoint.path)))
  expect([...names].sort()).toEqual(['formCode', 'roomId', 'ticketId', 'uploadId'])
})

test.each(endpoints.map((each) => [`${each.api} ${each.name}`, each] as const))(
  '%s reveals nothing of another merchant',
  async (_title, { api, prefix, name, endpoint }) => {
    const helpdesk = await aHelpdesk()
    const mine = await aMerchant(helpdesk)
    const theirs = await aMerchant(helpdesk)
    const own = await belongingsOf(helpdesk, mine)
    const { ids, headers } = await belongingsOf(helpdesk, theirs)
    const path = filled(endpoint.path, ids, api)
    const before = await helpdesk.app.store.read(({ q }) => q.selectFrom('chat_rooms').selectAll().execute())
    const body = endpoint.method === 'GET' ? undefined : (bodies[name] ?? {})
    const answer = await raw(helpdesk, endpoint.method, `${prefix}${path}`, own.headers, body)
    expect([api, name, answer.status]).toEqual([
      api,
      name,
      api === 'widget' && endpoint.path.startsWith('/rooms') ? 401 : 404,
    ])
    expect(answer.body).not.toContain('secret')
    expect(await helpdesk.app.store.read(({ q }) => q.selectFrom('chat_rooms').selectAll().execute())).toEqual(before)
    // With its owner's key the same request succeeds or fails later: it was refused only because of the id.
    const query = endpoint.path.endsWith('/poll') ? '?waitMs=0' : ''
    const allowed = await raw(helpdesk, endpoint.method, `${prefix}${path}${query}`, headers, body)
    expect([401, 403, 404]).not.toContain(allowed.status)
    if (name !== 'completeUpload') expect(allowed.status).toBeLessThan(300)
  },
)

const withTwo = endpoints.filter(({ endpoint }) => idsIn(endpoint.path).length > 1)

test.each(withTwo.map((each) => [`${each.api} ${each.name}`, each] as const))(
  "%s finds nothing of another merchant in the caller's own room",
  async (_title, { api, prefix, name, endpoint }) => {
    const helpdesk = await aHelpdesk()
    const mine = await belongingsOf(helpdesk, await aMerchant(helpdesk))
    const theirs = await belongingsOf(helpdesk, await aMerchant(helpdesk))
    const path = filled(endpoint.path, { ...theirs.ids, roomId: mine.ids['roomId'] ?? '' }, api)
    const body = endpoint.method === 'GET' ? undefined : (bodies[name] ?? {})
    expect((await raw(helpdesk, endpoint.method, `${prefix}${path}`, mine.headers, body)).status).toBe(404)
  },
)

test('routes outside of the contracts reveal nothing of another merchant either', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const other = await aMerchant(helpdesk)
  const mine = await belongingsOf(helpdesk, merchant)
  const theirs = await belongingsOf(helpdesk, other)
  await helpdesk.app.store.write(({ q }) =>
    q
      .insertInto('chat_media')
      .values({
        id: theirs.ids['mediaId'] ?? '',
        tenant: other.code,
        room_id: theirs.ids['roomId'] ?? '',
        upload_id: theirs.ids['uploadId'] ?? '',
        copy: 0,
        seq: 1,
        file_name: 'a.png',
        content_type: 'image/png',
        size_bytes: 10,
        sha256: 'x',
        width: null,
        height: null,
        created_at: 0,
      })
      .execute(),
  )
  const routes = collectRoutes(chatRoutes(helpdesk.app))
    .routes.filter(({ path }) => path.includes(':'))
    .map(({ method, path }) => ({ method, url: path }))
  const tenant = await helpdesk.app.store.read((reader) => chatTenantOf(reader, merchant.code))
  if (!tenant) throw new Error('the merchant is gone')
  const expiresAt = helpdesk.clock.now + 60_000
  const proof = `?exp=${expiresAt}&sig=${linkProof(tenant, theirs.ids['mediaId'] ?? '', expiresAt)}`
  const statuses: Record<string, number> = {}
  for (const { method, url } of routes) {
    const headers = { ...mine.headers, 'upload-offset': '0' }
    const path = filled(url, theirs.ids) + (url.endsWith(':mediaId') ? proof : '')
    const answer = await raw(helpdesk, method as 'GET' | 'PUT', path, headers, method === 'PUT' ? 'x' : undefined)
    statuses[`${method} ${url}`] = answer.status
  }
  expect(statuses).toEqual({
    'GET /api/widget/v1/rooms/:roomId/events': 401,
    'PUT /api/widget/v1/rooms/:roomId/media/:uploadId/chunk': 401,
    'PUT /api/agent/v1/rooms/:roomId/media/:uploadId/chunk': 404,
    'GET /api/widget/v1/media/:mediaId': 404,
    'GET /api/widget/v1/faces/:agentId/:mark': 404,
  })
  // With another method they list the accepted ones, like the routes of the contracts. Pictures are in none.
  const published = routes.filter(({ url }) => !url.includes('/faces/'))
  for (const { method, url } of [...published, { method: 'GET', url: '/api/agent/v1/events' }]) {
    const answer = await raw(helpdesk, method === 'GET' ? 'POST' : 'GET', filled(url, mine.ids), mine.headers)
    expect([url, answer.status, answer.headers['allow']]).toEqual([url, 405, method])
    expect(JSON.parse(answer.body).error.code).toBe('METHOD_NOT_ALLOWED')
  }
  const inOwnRoom = `/api/widget/v1/rooms/${mine.ids['roomId']}/media/${theirs.ids['uploadId']}/chunk`
  expect((await raw(helpdesk, 'PUT', inOwnRoom, { ...mine.headers, 'upload-offset': '0' }, 'x')).status).toBe(404)
})

test('an agent of another merchant is unknown, and a room token is invalid with another’s key', async () => {
  const helpdesk = await aHelpdesk()
  const mine = await aMerchant(helpdesk)
  const theirs = await aMerchant(helpdesk)
  const { ids, headers } = await belongingsOf(helpdesk, mine)
  const params = { roomId: ids['roomId'] ?? '' }
  await refuses('AGENT_NOT_FOUND', mine.agent.assign({ params, body: { agentId: theirs.agentId } }))
  const assigned = { params: { ticketId: ids['ticketId'] ?? '' }, body: { assignee: theirs.agentId } }
  await refuses('AGENT_NOT_FOUND', mine.agent.changeTicket(assigned))
  const path = `/api/widget/v1/rooms/${ids['roomId']}`
  const crossed = { ...headers, 'x-chat-tenant-key': theirs.tenantKey }
  expect((await raw(helpdesk, 'GET', path, headers)).status).toBe(200)
  expect((await raw(helpdesk, 'GET', path, crossed)).status).toBe(401)
})
