import { expect, test } from 'vitest'
import { agent, chat, widget } from '../../src/chat/contract.ts'
import { aDesk, aMerchant, raw, widgetClient } from './desk.ts'

/** Every endpoint with an id in its path, asked by one merchant for what belongs to another. Made from the contracts, so that a new one is asked too. */
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
].filter(({ endpoint }) => /:(roomId|ticketId|uploadId)/.test(endpoint.path))

/** A body that fits each endpoint, so that the refusal is about the id and about nothing else. */
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
  completeUpload: { clientMessageId: 'x' },
}

test('the list is not empty', () => {
  expect(endpoints.length).toBeGreaterThan(20)
})

test.each(endpoints.map((each) => [`${each.api} ${each.name}`, each] as const))(
  '%s gives nothing of another merchant away',
  async (_title, { api, prefix, name, endpoint }) => {
    const desk = await aDesk()
    const mine = await aMerchant(desk)
    const theirs = await aMerchant(desk)
    const own = await mine.bot.openRoom({ body: { customerAccount: 'a' } })
    const room = await theirs.bot.openRoom({ body: { customerAccount: 'a', initialMessage: 'secret' } })
    const ticket = await theirs.bot.createTicket({ body: { title: 'secret' } })
    const { uploadId } = await widgetClient(desk, theirs.tenantKey, room.roomToken).initializeUpload({
      params: { roomId: room.roomId },
      query: {},
      body: { fileName: 'a.png', contentType: 'image/png', sizeBytes: 10, clientUploadId: 'x' },
    })
    const path = endpoint.path
      .replace(':roomId', room.roomId)
      .replace(':ticketId', ticket.ticketId)
      .replace(':uploadId', uploadId)
    const headers = {
      'x-chat-apikey': mine.apiKey,
      'x-chat-agenttoken': mine.agentToken,
      'x-chat-tenant-key': mine.tenantKey,
      'x-chat-room-token': own.roomToken,
    }
    const before = await desk.app.store.read(({ q }) => q.selectFrom('chat_rooms').selectAll().execute())
    const body = endpoint.method === 'GET' ? undefined : (bodies[name] ?? {})
    const answer = await raw(desk, endpoint.method, `${prefix}${path}`, headers, body)
    expect([api, name, answer.status]).toEqual([api, name, api === 'widget' ? 401 : 404])
    expect(answer.body).not.toContain('secret')
    expect(await desk.app.store.read(({ q }) => q.selectFrom('chat_rooms').selectAll().execute())).toEqual(before)
    // With the key of whom it belongs to, the same request gets further: it was refused for the id and for nothing else.
    const right = {
      'x-chat-apikey': theirs.apiKey,
      'x-chat-agenttoken': theirs.agentToken,
      'x-chat-tenant-key': theirs.tenantKey,
      'x-chat-room-token': room.roomToken,
    }
    const query = endpoint.path.endsWith('/poll') ? '?waitMs=0' : ''
    const allowed = await raw(desk, endpoint.method, `${prefix}${path}${query}`, right, body)
    expect([401, 403, 404]).not.toContain(allowed.status)
    if (name !== 'completeUpload') expect(allowed.status).toBeLessThan(300)
  },
)
