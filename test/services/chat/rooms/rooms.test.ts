import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { world } from '../../../../src/db/migrations/world/index.ts'
import { createAgent, rebuildTenantKey, revokeKey, setOrigins } from '../../../../src/services/chat/admin.ts'
import { keepingEngines } from '../../../support/databases/engines.ts'
import { agentClient, aHelpdesk, aMerchant, botClient, raw, refuses, widgetClient } from '../helpdesk.ts'

describe.each(keepingEngines)('on $name', (engine) => {
  const open = async () => {
    const database = await engine.database()
    return aHelpdesk({ store: (now) => database.open({ migrations: world, now }) })
  }

  test('the agents with a valid token are listed by name, to their own merchant only', async () => {
    const helpdesk = await open()
    const { agent, agentId, code } = await aMerchant(helpdesk)
    await aMerchant(helpdesk)
    const night = await createAgent(helpdesk.app, code, 'Night desk')
    const early = await createAgent(helpdesk.app, code, 'A first desk')
    const named = async () => (await agent.agents({ query: {} })).items
    expect(await named()).toEqual([
      { agentId: early.agentId, displayName: 'A first desk' },
      { agentId, displayName: 'Desk 1' },
      { agentId: night.agentId, displayName: 'Night desk' },
    ])
    await revokeKey(helpdesk.app, code, night.agentToken.split('_')[1] ?? '')
    expect((await named()).map(({ displayName }) => displayName)).toEqual(['A first desk', 'Desk 1'])
  })

  test('an account has one room, with any number of concurrent requests', async () => {
    const { bot } = await aMerchant(await open())
    const rooms = await Promise.all(
      Array.from({ length: 20 }, () =>
        bot.openRoom({ body: { customerAccount: 'player-77', initialMessage: 'hello' } }),
      ),
    )
    expect(new Set(rooms.map((room) => room.roomId)).size).toBe(1)
    expect(rooms.filter((room) => room.created)).toHaveLength(1)
    const page = await bot.messages({ params: { roomId: rooms[0]?.roomId ?? '' }, query: {} })
    expect(page.items.map((message) => message.text)).toEqual(['hello'])
  })

  test('text that no database stores is rejected at every input, and two accounts never become one', async () => {
    const helpdesk = await open()
    const { bot, apiKey, tenantKey } = await aMerchant(helpdesk)
    const codeOf = async (
      method: 'GET' | 'POST' | 'PUT',
      path: string,
      headers: Record<string, string>,
      body?: object,
    ) => {
      const answer = await raw(helpdesk, method, path, headers, body)
      return [answer.status, JSON.parse(answer.body).error?.code]
    }
    const nowhere = [401, 'INVALID_TENANT_KEY']
    expect(await codeOf('GET', '/api/widget/v1/config?tenantKey=a%00b', { origin: 'https://x.example' })).toEqual(
      nowhere,
    )
    expect(await codeOf('POST', '/api/widget/v1/rooms', {}, { tenantKey: 'a\0b' })).toEqual(nowhere)
    expect(await codeOf('POST', '/api/widget/v1/rooms', {}, { tenantKey: 'a\ud800b' })).toEqual(nowhere)
    expect(await codeOf('GET', '/api/widget/v1/media/a%00b?exp=1&sig=x', {})).toEqual([404, 'NOT_FOUND'])
    const { roomId, roomToken } = await bot.openRoom({ body: { customerAccount: 'a' } })
    const mine = { 'x-chat-tenant-key': tenantKey, 'x-chat-room-token': roomToken, 'upload-offset': '0' }
    const chunk = `/api/widget/v1/rooms/${roomId}/media/a%00b/chunk`
    expect(await codeOf('PUT', chunk, mine, {})).toEqual([404, 'UPLOAD_NOT_FOUND'])
    for (const customerAccount of ['\ud800same', '\ud801same', 'sa\0me'])
      expect(await codeOf('POST', '/api/public/v1/rooms', { 'x-chat-apikey': apiKey }, { customerAccount })).toEqual([
        400,
        'INVALID_PARAMETER',
      ])
    // A customer's text with an incomplete character is not lost.
    const sent = await bot.sendCustomerText({ params: { roomId }, body: { text: 'cut \ud83d' } })
    expect(sent.text).toBe('cut \ufffd')
  })

  test('messages sent at once are numbered without gaps, each with its own event', async () => {
    const helpdesk = await open()
    const { bot } = await aMerchant(helpdesk)
    const { roomId } = await bot.openRoom({ body: { customerAccount: 'a' } })
    await Promise.all(
      Array.from({ length: 30 }, (_, i) => bot.sendCustomerText({ params: { roomId }, body: { text: `t${i}` } })),
    )
    const page = await bot.messages({ params: { roomId }, query: {} })
    expect(page.items.map((message) => message.seq)).toEqual(Array.from({ length: 30 }, (_, i) => i + 1))
    const events = await helpdesk.app.store.read(({ q }) =>
      q.selectFrom('chat_events').select(['n', 'kind']).where('room_id', '=', roomId).orderBy('n').execute(),
    )
    // The first one reports the new room.
    expect(events.map((event) => event.n)).toEqual(Array.from({ length: 31 }, (_, i) => i + 1))
  })

  test('a message sent twice with one client ID is one message, also concurrently', async () => {
    const { bot } = await aMerchant(await open())
    const { roomId } = await bot.openRoom({ body: { customerAccount: 'a' } })
    const body = { text: '你好', clientMessageId: '5f0c' }
    const both = await Promise.all([1, 2, 3].map(() => bot.sendCustomerText({ params: { roomId }, body })))
    expect(new Set(both.map((message) => message.messageId)).size).toBe(1)
    expect(both.map((message) => message.duplicate).sort()).toEqual([false, true, true])
    expect((await bot.messages({ params: { roomId }, query: {} })).total).toBe(1)
  })
})

test('a room keeps its channel and inbox, and updates name and language', async () => {
  const helpdesk = await aHelpdesk()
  const { bot } = await aMerchant(helpdesk)
  const first = await bot.openRoom({
    body: { customerAccount: 'a', channel: 'telegram', inboxCategoryCode: 'vip', customerDisplayName: 'Ann' },
  })
  expect(first).toMatchObject({ created: true, channel: 'telegram', inboxCategoryCode: 'vip', initialMessage: null })
  const again = await bot.openRoom({
    body: {
      customerAccount: 'a',
      channel: 'line',
      inboxCategoryCode: 'other',
      customerDisplayName: 'Anna',
      customerLanguage: 'zh-TW',
      initialMessage: 'hi',
    },
  })
  expect(again).toMatchObject({
    roomId: first.roomId,
    created: false,
    channel: 'telegram',
    inboxCategoryCode: 'vip',
    customerDisplayName: 'Anna',
    customerLanguage: 'zh-TW',
    initialMessage: { text: 'hi', seq: 1, clientMessageId: null },
    agentUnreadCount: 1,
  })
  const third = await bot.openRoom({ body: { customerAccount: 'a', customerDisplayName: '', initialMessage: 'hi' } })
  expect(third).toMatchObject({ customerDisplayName: 'Anna', initialMessage: null, lastSeq: 1 })
})

test('creating a room returns 201, opening an existing one 200', async () => {
  const helpdesk = await aHelpdesk()
  const { apiKey } = await aMerchant(helpdesk)
  const body = { customerAccount: 'a' }
  const headers = { 'x-chat-apikey': apiKey }
  expect((await raw(helpdesk, 'POST', '/api/public/v1/rooms', headers, body)).status).toBe(201)
  expect((await raw(helpdesk, 'POST', '/api/public/v1/rooms', headers, body)).status).toBe(200)
})

test('a message keeps its text except for outer whitespace; a message without text is rejected', async () => {
  const { bot } = await aMerchant(await aHelpdesk())
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'a' } })
  const send = (text: string) => bot.sendCustomerText({ params: { roomId }, body: { text } })
  expect((await send('  a\r\n<b>b</b>\u202e  ')).text).toBe('a\n<b>b</b>\u202e')
  expect((await send('😀'.repeat(4000))).text).toHaveLength(8000)
  for (const text of ['', ' \n ', 'a\0b', 'x'.repeat(4001)]) await refuses('INVALID_PARAMETER', send(text))
  await refuses(
    'ROOM_NOT_FOUND',
    bot.sendCustomerText({ params: { roomId: `room_${'0'.repeat(26)}` }, body: { text: 'a' } }),
  )
})

test('another text with a used client ID is rejected, and so is another sender', async () => {
  const { bot, agent } = await aMerchant(await aHelpdesk())
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'a' } })
  await bot.sendCustomerText({ params: { roomId }, body: { text: 'one', clientMessageId: 'c' } })
  await refuses(
    'CLIENT_MESSAGE_ID_CONFLICT',
    bot.sendCustomerText({ params: { roomId }, body: { text: 'two', clientMessageId: 'c' } }),
  )
  await refuses(
    'CLIENT_MESSAGE_ID_CONFLICT',
    agent.reply({ params: { roomId }, body: { text: 'one', clientMessageId: 'c' } }),
  )
})

test('messages are paged by 100, oldest first, and a page past the end is empty', async () => {
  const helpdesk = await aHelpdesk()
  const { bot, apiKey, agentToken, tenantKey } = await aMerchant(helpdesk)
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'a' } })
  for (let i = 1; i <= 105; i++) await bot.sendCustomerText({ params: { roomId }, body: { text: `t${i}` } })
  const [first, second, third] = await Promise.all(
    [1, 2, 3].map((page) => bot.messages({ params: { roomId }, query: { page } })),
  )
  expect(first).toMatchObject({ page: 1, pageSize: 100, total: 105, totalPages: 2, hasMore: true, lastSeq: 105 })
  expect(first?.items[99]).toMatchObject({ seq: 100, text: 't100' })
  expect(second?.items.map((message) => message.seq)).toEqual([101, 102, 103, 104, 105])
  expect(second?.hasMore).toBe(false)
  expect(third).toMatchObject({ items: [], total: 105, hasMore: false })
  const farthest = 999_999_999_999_999
  expect(await bot.messages({ params: { roomId }, query: { page: farthest } })).toMatchObject({ items: [], total: 105 })
  expect((await bot.messages({ params: { roomId }, query: { afterSeq: farthest } })).items).toEqual([])
  const after = await bot.messages({ params: { roomId }, query: { afterSeq: 3 } })
  expect([after.items[0]?.seq, after.items.length, after.hasMore]).toEqual([4, 100, true])
  await refuses('INVALID_PARAMETER', bot.messages({ params: { roomId }, query: { afterSeq: 3, page: 1 } }))
  const path = `/api/public/v1/rooms/${roomId}/messages?page=1`
  const { headers } = await raw(helpdesk, 'GET', path, { 'x-chat-apikey': apiKey })
  const etag = headers['etag'] ?? ''
  const known = (ifNoneMatch: string, to = path) =>
    raw(helpdesk, 'GET', to, { 'x-chat-apikey': apiKey, 'x-chat-agenttoken': agentToken, 'if-none-match': ifNoneMatch })
  const again = await known(etag)
  expect([again.status, again.body, again.headers['etag']]).toEqual([304, '', etag])
  for (const tags of ['*', `W/${etag}`, `"other", W/"a,b", ${etag}`]) expect((await known(tags)).status).toBe(304)
  for (const tags of ['"other"', etag.slice(1, -1), 'W/*']) expect((await known(tags)).status).toBe(200)
  expect((await known(etag, path.replace('public', 'agent'))).status).toBe(304)
  const config = `/api/widget/v1/config?tenantKey=${tenantKey}`
  const look = (await known('"other"', config)).headers['etag'] ?? ''
  expect((await known(look, config)).status).toBe(304)
  // The count is in the response of the first page too, so an unchanged tag would be wrong.
  await bot.sendCustomerText({ params: { roomId }, body: { text: 'more' } })
  expect((await known(etag)).status).toBe(200)
  for (const page of ['0', '-1', 'x', '1.5'])
    expect(
      (await raw(helpdesk, 'GET', `/api/public/v1/rooms/${roomId}/messages?page=${page}`, { 'x-chat-apikey': apiKey }))
        .status,
    ).toBe(400)
})

test('an ETag also covers the file links, which change every hour', async () => {
  const helpdesk = await aHelpdesk()
  const { bot, apiKey, code } = await aMerchant(helpdesk)
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'a', initialMessage: 'a file' } })
  const id = 'med_01J0000000000000000000000A'
  const file = { file_name: 'a.png', content_type: 'image/png', size_bytes: 1, sha256: 'x', width: null, height: null }
  await helpdesk.app.store.write(async ({ q }) => {
    const row = { id, tenant: code, room_id: roomId, upload_id: 'u', copy: 0, seq: 1, created_at: 0, ...file }
    await q.insertInto('chat_media').values(row).execute()
    await q
      .updateTable('chat_messages')
      .set({ attachments: JSON.stringify([id]) })
      .execute()
  })
  const read = (ifNoneMatch = '') =>
    raw(helpdesk, 'GET', `/api/public/v1/rooms/${roomId}/messages`, {
      'x-chat-apikey': apiKey,
      'if-none-match': ifNoneMatch,
    })
  const first = await read()
  helpdesk.clock.now += 59 * 60_000
  expect((await read(first.headers['etag'])).status).toBe(304)
  helpdesk.clock.now += 2 * 3_600_000
  const later = await read(first.headers['etag'])
  expect(later.status).toBe(200)
  const linkIn = (body: string) => JSON.parse(body).items[0].attachments[0].downloadUrl
  expect(linkIn(later.body)).not.toBe(linkIn(first.body))
})

test('a missing, foreign, agent or revoked key is rejected', async () => {
  const helpdesk = await aHelpdesk()
  const { apiKey, agentToken, code } = await aMerchant(helpdesk)
  const keyId = apiKey.split('_')[1] ?? ''
  for (const key of ['', 'x', agentToken, `${apiKey.slice(0, -1)}${apiKey.endsWith('A') ? 'B' : 'A'}`])
    await refuses('UNAUTHORIZED', botClient(helpdesk, key).openRoom({ body: { customerAccount: 'a' } }))
  await botClient(helpdesk, apiKey).openRoom({ body: { customerAccount: 'a' } })
  await revokeKey(helpdesk.app, code, keyId)
  await refuses('UNAUTHORIZED', botClient(helpdesk, apiKey).openRoom({ body: { customerAccount: 'a' } }))
})

test('authentication and plan are checked before the size of the body', async () => {
  const helpdesk = await aHelpdesk()
  const { apiKey, agentToken, tenantKey } = await aMerchant(helpdesk)
  const free = await aMerchant(helpdesk, { plan: 'free' })
  const tooMuch = 'x'.repeat(65_537)
  const codeOf = async (path: string, headers: Record<string, string>, body = tooMuch) => {
    const { status, body: text } = await raw(helpdesk, 'POST', path, headers, body)
    return [status, JSON.parse(text).error.code]
  }
  const rooms = '/api/public/v1/rooms'
  expect(await codeOf(rooms, {})).toEqual([401, 'UNAUTHORIZED'])
  expect(await codeOf(rooms, { 'x-chat-apikey': apiKey })).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  expect(await codeOf(rooms, { 'x-chat-apikey': apiKey }, ' '.repeat(65_536))).toEqual([400, 'INVALID_JSON'])
  expect(await codeOf('/api/public/v1/tickets', { 'x-chat-apikey': free.apiKey })).toEqual([403, 'PLAN_REQUIRED'])
  expect(await codeOf('/api/agent/v1/tickets', {})).toEqual([401, 'UNAUTHORIZED'])
  expect(await codeOf('/api/agent/v1/tickets', { 'x-chat-agenttoken': agentToken })).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  const widgetRooms = '/api/widget/v1/rooms'
  expect(await codeOf(widgetRooms, { 'x-chat-tenant-key': 'wk_none' })).toEqual([401, 'INVALID_TENANT_KEY'])
  expect(await codeOf(widgetRooms, { 'x-chat-tenant-key': tenantKey })).toEqual([413, 'PAYLOAD_TOO_LARGE'])
  // The widget may send its key in the body, which is not read for it then.
  expect(await codeOf(widgetRooms, {}, JSON.stringify({ tenantKey, x: tooMuch }))).toEqual([413, 'PAYLOAD_TOO_LARGE'])
})

test('the server keeps the unread positions: a reader moves its own forward, and writing marks the room as read', async () => {
  const helpdesk = await aHelpdesk()
  const { bot, agent, tenantKey } = await aMerchant(helpdesk)
  const { roomId, roomToken } = await bot.openRoom({ body: { customerAccount: 'a' } })
  const customer = widgetClient(helpdesk, tenantKey, roomToken)
  for (const text of ['one', 'two']) await bot.sendCustomerText({ params: { roomId }, body: { text } })
  expect(await agent.room({ params: { roomId } })).toMatchObject({ agentUnreadCount: 2, customerUnreadCount: 0 })
  expect(await agent.read({ params: { roomId }, body: { seq: 1 } })).toEqual({ agentReadSeq: 1, agentUnreadCount: 1 })
  expect(await agent.read({ params: { roomId }, body: { seq: 0 } })).toEqual({ agentReadSeq: 1, agentUnreadCount: 1 })
  expect(await agent.read({ params: { roomId }, body: { seq: 99 } })).toEqual({ agentReadSeq: 2, agentUnreadCount: 0 })
  expect(await agent.unread({ params: { roomId }, body: { seq: 2 } })).toEqual({ agentReadSeq: 1, agentUnreadCount: 1 })
  await agent.reply({ params: { roomId }, body: { text: 'three', clientMessageId: 'r1' } })
  expect(await agent.room({ params: { roomId } })).toMatchObject({
    agentUnreadCount: 0,
    agentReadSeq: 3,
    customerUnreadCount: 1,
    waitingSince: null,
  })
  expect(await customer.read({ params: { roomId }, query: {}, body: { seq: 3 } })).toEqual({
    customerReadSeq: 3,
    customerUnreadCount: 0,
  })
  expect(await customer.read({ params: { roomId }, query: {}, body: { seq: 1 } })).toMatchObject({ customerReadSeq: 3 })
})

test('an agent who has not seen the latest message gets it instead of sending a reply', async () => {
  const { bot, agent } = await aMerchant(await aHelpdesk())
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'a', initialMessage: 'one' } })
  await bot.sendCustomerText({ params: { roomId }, body: { text: 'two' } })
  const body = { text: 'answer', clientMessageId: 'r', expectedLastSeq: 1 }
  const refusal = await refuses('STALE_ROOM', agent.reply({ params: { roomId }, body }))
  expect(refusal.detail['details']).toMatchObject([{ lastSeq: 2, newer: [{ text: 'two' }] }])
  const answered = await agent.reply({ params: { roomId }, body: { ...body, expectedLastSeq: 2 } })
  expect(answered).toMatchObject({ seq: 3, senderType: 'agent', senderDisplayName: 'Desk 1', duplicate: false })
  // A repeat gets the same response, although the room has changed since.
  expect(await agent.reply({ params: { roomId }, body: { ...body, expectedLastSeq: 2 } })).toMatchObject({
    duplicate: true,
  })
})

test('a room is assigned to one agent, closed, and reopened by the customer’s next message', async () => {
  const helpdesk = await aHelpdesk()
  const { bot, agent, agentId, tenantKey } = await aMerchant(helpdesk)
  const { roomId, roomToken } = await bot.openRoom({ body: { customerAccount: 'a', initialMessage: 'one' } })
  const taken = await agent.assign({ params: { roomId }, body: { agentId: 'me', expectedAssignee: null } })
  expect(taken.assignee).toEqual({ agentId, displayName: 'Desk 1' })
  await refuses(
    'ASSIGNEE_CONFLICT',
    agent.assign({ params: { roomId }, body: { agentId: null, expectedAssignee: 'agt_other' } }),
  )
  // The new agent is already assigned: nothing prevents it.
  await agent.assign({ params: { roomId }, body: { agentId, expectedAssignee: null } })
  await refuses('AGENT_NOT_FOUND', agent.assign({ params: { roomId }, body: { agentId: 'agt_none' } }))
  expect(await agent.close({ params: { roomId } })).toMatchObject({ status: 'closed', waitingSince: null })
  const before = await agent.room({ params: { roomId } })
  expect(await agent.close({ params: { roomId } })).toEqual(before)
  const customer = widgetClient(helpdesk, tenantKey, roomToken)
  const { eventCursor } = await customer.messages({ params: { roomId }, query: {} })
  await bot.sendCustomerText({ params: { roomId }, body: { text: 'again' } })
  const { items } = await bot.messages({ params: { roomId }, query: {} })
  expect(items.map((message) => message.eventKind ?? message.text)).toEqual([
    'one',
    'roomClosed',
    'roomReopened',
    'again',
  ])
  expect(await agent.room({ params: { roomId } })).toMatchObject({ status: 'open', closedAt: null })
  // The reopening is sent like any change of a room.
  const { events } = await customer.poll({ params: { roomId }, query: { after: eventCursor, waitMs: 0 } })
  expect(events.map(({ event }) => event)).toEqual(['message.created', 'message.created', 'room.updated'])
  expect(events[2]?.data).toMatchObject({ room: { status: 'open', lastSeq: 4 } })
})

test('waiting means messages without an answer: closing ends it, and reopening keeps its start', async () => {
  const helpdesk = await aHelpdesk()
  const { bot, agent } = await aMerchant(helpdesk)
  const at = () => new Date(helpdesk.clock.now).toISOString()
  const openedAt = at()
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'a', initialMessage: 'one' } })
  const params = { roomId }
  const send = (text: string) => bot.sendCustomerText({ params, body: { text } })
  helpdesk.clock.now += 1000
  await send('two')
  expect((await agent.close({ params })).waitingSince).toBeNull()
  helpdesk.clock.now += 1000
  expect((await agent.reopen({ params })).waitingSince).toBe(openedAt)
  expect((await agent.rooms({ query: { waitingSince: openedAt } })).total).toBe(1)
  await agent.reply({ params, body: { text: 'answer', clientMessageId: 'r' } })
  await agent.close({ params })
  expect((await agent.reopen({ params })).waitingSince).toBeNull()
  // A customer's message in a closed room starts the waiting again: the part closed without an answer needs none.
  await send('thanks')
  await agent.close({ params })
  helpdesk.clock.now += 1000
  await send('something else')
  expect((await agent.room({ params })).waitingSince).toBe(at())
})

test('agent rooms are listed by waiting time, and filtered', async () => {
  const helpdesk = await aHelpdesk()
  const { bot, agent, agentId } = await aMerchant(helpdesk)
  const ids: string[] = []
  for (const account of ['a', 'b', 'c']) {
    helpdesk.clock.now += 1000
    ids.push((await bot.openRoom({ body: { customerAccount: account, initialMessage: account } })).roomId)
  }
  await agent.reply({ params: { roomId: ids[0] ?? '' }, body: { text: 'ok', clientMessageId: 'r' } })
  await agent.assign({ params: { roomId: ids[1] ?? '' }, body: { agentId } })
  const accounts = async (query: Parameters<typeof agent.rooms>[0]['query']) =>
    (await agent.rooms({ query })).items.map((room) => room.customerAccount)
  expect(await accounts({})).toEqual(['b', 'c', 'a'])
  helpdesk.clock.now += 1000
  await bot.sendCustomerText({ params: { roomId: ids[2] ?? '' }, body: { text: 'more' } })
  expect((await accounts({ sort: '-updatedAt' }))[0]).toBe('c')
  expect(await accounts({ assignee: 'me' })).toEqual(['b'])
  expect(await accounts({ assignee: 'none' })).toEqual(['c', 'a'])
  expect(await accounts({ unread: true })).toEqual(['b', 'c'])
  expect(await accounts({ keyword: 'c' })).toEqual(['c'])
  const { items } = await agent.rooms({ query: { keyword: 'b' } })
  expect(await accounts({ waitingSince: items[0]?.waitingSince ?? '' })).toEqual(['b'])
  expect(await accounts({ waitingSince: new Date(helpdesk.clock.now).toISOString() })).toEqual(['b', 'c'])
  await refuses('INVALID_PARAMETER', agent.rooms({ query: { waitingSince: 'soon' } }))
  await refuses('INVALID_PARAMETER', agent.rooms({ query: { waitingSince: '2026-13-01T00:00:00.000Z' } }))
  await refuses('INVALID_PARAMETER', agent.rooms({ query: { waitingSince: '2027-02-30T00:00:00.000Z' } }))
  await bot.openRoom({ body: { customerAccount: 'b', customerDisplayName: 'Ann Müller 陳' } })
  for (const keyword of ['ann', 'Müller', '陳', 'n m'])
    expect([keyword, await accounts({ keyword })]).toEqual([keyword, ['b']])
  for (const keyword of ['%', '_', '\\']) expect([keyword, await accounts({ keyword })]).toEqual([keyword, []])
  expect(await agent.rooms({ query: { pageSize: 2 } })).toMatchObject({ total: 3, totalPages: 2, hasMore: true })
  expect(await agent.stats({})).toMatchObject({ openRooms: 3, waitingRooms: 2, unreadMessages: 3, openStreams: 0 })
})

describe('the widget', () => {
  test('opens a room under a generated account, and returns to it with its token only', async () => {
    const helpdesk = await aHelpdesk()
    const { tenantKey } = await aMerchant(helpdesk)
    const room = await widgetClient(helpdesk, tenantKey).openRoom({ query: {}, body: { customerLanguage: 'zh-TW' } })
    expect(room).toMatchObject({ created: true, channel: 'web', customerLanguage: 'zh-TW' })
    expect(room.customerAccount).toMatch(/^web:/)
    expect(room).not.toHaveProperty('agentUnreadCount')
    const again = await widgetClient(helpdesk, tenantKey, room.roomToken).openRoom({ query: {}, body: {} })
    expect(again).toMatchObject({ roomId: room.roomId, created: false })
    await refuses(
      'INVALID_PARAMETER',
      widgetClient(helpdesk, tenantKey).openRoom({ query: {}, body: { customerAccount: 'player-77' } }),
    )
  })

  test('opens the account that the merchant signs for, for five minutes', async () => {
    const helpdesk = await aHelpdesk()
    const { tenantKey, identitySecret, bot } = await aMerchant(helpdesk)
    const { roomId } = await bot.openRoom({ body: { customerAccount: 'player-77' } })
    const issuedAt = helpdesk.clock.now / 1000
    const sign = (account: string) =>
      createHmac('sha256', identitySecret).update(`${account}.${issuedAt}`).digest('hex')
    const identity = { customerAccount: 'player-77', issuedAt, signature: sign('player-77') }
    const visitor = widgetClient(helpdesk, tenantKey)
    expect(await visitor.openRoom({ query: {}, body: { identity } })).toMatchObject({ roomId, created: false })
    await refuses(
      'IDENTITY_INVALID',
      visitor.openRoom({ query: {}, body: { identity: { ...identity, customerAccount: 'player-78' } } }),
    )
    helpdesk.clock.now += 301_000
    await refuses('IDENTITY_INVALID', visitor.openRoom({ query: {}, body: { identity } }))
  })

  test('a token opens its own room of its own tenant until it expires; an API key does not', async () => {
    const helpdesk = await aHelpdesk()
    const one = await aMerchant(helpdesk)
    const other = await aMerchant(helpdesk)
    const a = await one.bot.openRoom({ body: { customerAccount: 'a' } })
    const b = await one.bot.openRoom({ body: { customerAccount: 'b' } })
    const read = (tenantKey: string, roomId: string, token: string | undefined, headers = {}) =>
      widgetClient(helpdesk, tenantKey, token, headers).room({ params: { roomId }, query: {} })
    expect(await read(one.tenantKey, a.roomId, a.roomToken)).toMatchObject({ roomId: a.roomId })
    await refuses('INVALID_ROOM_TOKEN', read(one.tenantKey, b.roomId, a.roomToken))
    await refuses('INVALID_ROOM_TOKEN', read(other.tenantKey, a.roomId, a.roomToken))
    await refuses('INVALID_ROOM_TOKEN', read(one.tenantKey, a.roomId, undefined, { 'x-chat-apikey': one.apiKey }))
    await refuses('INVALID_TENANT_KEY', read('wk_none', a.roomId, a.roomToken))
    helpdesk.clock.now += 31 * 86_400_000
    await refuses('INVALID_ROOM_TOKEN', read(one.tenantKey, a.roomId, a.roomToken))
  })

  test('reads the tenant key from the header, else the query, else the body; none may be blank', async () => {
    const helpdesk = await aHelpdesk()
    const { tenantKey } = await aMerchant(helpdesk)
    const statusOf = async (query: string, header: string | undefined, body: string | undefined) => {
      const headers = header === undefined ? {} : { 'x-chat-tenant-key': header }
      return (await raw(helpdesk, 'POST', `/api/widget/v1/rooms${query}`, headers, { tenantKey: body })).status
    }
    expect(await statusOf('', undefined, tenantKey)).toBe(201)
    expect(await statusOf('?tenantKey=', '', tenantKey)).toBe(201)
    expect(await statusOf(`?tenantKey=${tenantKey}`, '', 'wk_none')).toBe(201)
    expect(await statusOf('?tenantKey=wk_none', tenantKey, 'wk_none')).toBe(201)
    expect(await statusOf('?tenantKey=wk_none', undefined, tenantKey)).toBe(401)
    expect(await statusOf('?tenantKey=', '', '')).toBe(401)
  })

  test('a rebuilt front-end key invalidates the old one at once', async () => {
    const helpdesk = await aHelpdesk()
    const { tenantKey, code } = await aMerchant(helpdesk)
    await widgetClient(helpdesk, tenantKey).config({ query: {} })
    const rebuilt = await rebuildTenantKey(helpdesk.app, code)
    await refuses('INVALID_TENANT_KEY', widgetClient(helpdesk, tenantKey).config({ query: {} }))
    expect(await widgetClient(helpdesk, rebuilt.tenantKey).config({ query: {} })).toMatchObject({ theme: 'auto' })
  })

  test('is allowed from the tenant’s own origins, with browser CORS requests', async () => {
    const helpdesk = await aHelpdesk()
    const { tenantKey, code } = await aMerchant(helpdesk)
    await setOrigins(helpdesk.app, code, ['https://shop.example'])
    const path = `/api/widget/v1/config?tenantKey=${tenantKey}`
    const good = await raw(helpdesk, 'GET', path, { origin: 'https://shop.example' })
    // Any cache may store it, and then returns it neither to another page nor to another merchant's.
    const vary = 'Origin, X-Chat-Tenant-Key'
    expect(good.headers).toMatchObject({ 'access-control-allow-origin': 'https://shop.example', vary })
    const plain = await raw(helpdesk, 'GET', path, {})
    expect(plain.headers).toMatchObject({ 'cache-control': 'public, max-age=60', vary })
    const known = await raw(helpdesk, 'GET', path, { 'if-none-match': plain.headers['etag'] ?? '' })
    expect([known.status, known.headers['vary']]).toEqual([304, vary])
    expect((await raw(helpdesk, 'POST', '/api/widget/v1/rooms', {}, { tenantKey })).headers['vary']).toBe('Origin')
    const bad = await raw(helpdesk, 'GET', path, { origin: 'https://evil.example' })
    expect([bad.status, bad.headers['access-control-allow-origin']]).toEqual([403, undefined])
    const preflight = await raw(helpdesk, 'OPTIONS', path, {
      origin: 'https://shop.example',
      'access-control-request-method': 'POST',
    })
    expect([preflight.status, preflight.headers['access-control-max-age']]).toEqual([204, '7200'])
  })

  test('reads the newest messages first, then earlier ones', async () => {
    const helpdesk = await aHelpdesk()
    const { bot, tenantKey } = await aMerchant(helpdesk)
    const { roomId, roomToken } = await bot.openRoom({ body: { customerAccount: 'a' } })
    for (let i = 1; i <= 7; i++) await bot.sendCustomerText({ params: { roomId }, body: { text: `t${i}` } })
    const customer = widgetClient(helpdesk, tenantKey, roomToken)
    const newest = await customer.messages({ params: { roomId }, query: { limit: 3 } })
    expect([newest.items.map((each) => each.seq), newest.hasMoreBefore]).toEqual([[5, 6, 7], true])
    const before = await customer.messages({ params: { roomId }, query: { limit: 4, beforeSeq: 5 } })
    expect([before.items.map((each) => each.seq), before.hasMoreBefore]).toEqual([[1, 2, 3, 4], false])
    const sent = await customer.send({ params: { roomId }, query: {}, body: { text: 'mine', clientMessageId: 'c' } })
    expect(sent).toMatchObject({ seq: 8, senderType: 'customer', clientMessageId: 'c' })
  })
})

test('the narrower rate bucket limits first and spares the wider one, and the refusal has a retry time', async () => {
  const helpdesk = await aHelpdesk({ rateLimits: true })
  const { bot, apiKey } = await aMerchant(helpdesk)
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'a' } })
  for (let i = 0; i < 20; i++) await bot.sendCustomerText({ params: { roomId }, body: { text: 'x' } })
  const path = `/api/public/v1/rooms/${roomId}/messages/customer-text`
  for (let i = 0; i < 100; i++) {
    const refused = await raw(helpdesk, 'POST', path, { 'x-chat-apikey': apiKey }, { text: 'x' })
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '1'])
    expect(refused.headers).toMatchObject({
      'ratelimit-policy': expect.stringMatching(/^"\w+";q=\d+;w=\d+/),
      ratelimit: expect.stringMatching(/";r=0;t=\d+/),
    })
  }
  // 21 of the key's 100 are used, not 121.
  for (let i = 0; i < 79; i++) await bot.messages({ params: { roomId }, query: {} })
  await refuses('RATE_LIMITED', bot.messages({ params: { roomId }, query: {} }))
  helpdesk.clock.now += 200
  await bot.sendCustomerText({ params: { roomId }, body: { text: 'x' } })
  // Another spelling of the same room is the same room.
  helpdesk.clock.now += 60_000
  const spelt = path.replace('_', '%5F')
  const statuses: number[] = []
  for (let i = 0; i < 21; i++)
    statuses.push(
      (await raw(helpdesk, 'POST', i % 2 ? path : spelt, { 'x-chat-apikey': apiKey }, { text: 'x' })).status,
    )
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429])
})

test('an unknown path does not use up room creations, and has its own rate', async () => {
  const helpdesk = await aHelpdesk({ rateLimits: true })
  const { tenantKey } = await aMerchant(helpdesk)
  const call = async (method: 'GET' | 'POST' | 'DELETE', path: string) => {
    const { status, headers } = await raw(
      helpdesk,
      method,
      `/api/widget/v1${path}`,
      { 'x-chat-tenant-key': tenantKey },
      {},
    )
    return [status, headers['ratelimit-policy']]
  }
  for (let i = 0; i < 15; i++)
    for (const [method, path] of [
      ['GET', '/nothing'],
      ['DELETE', '/rooms'],
    ] as const)
      expect(await call(method, path)).toEqual([path === '/nothing' ? 404 : 405, '"widgetCall";q=30;w=6'])
  expect((await call('GET', '/nothing'))[0]).toBe(429)
  for (let i = 0; i < 15; i++) expect((await call('POST', '/rooms'))[0]).toBe(201)
  expect((await call('POST', '/rooms'))[0]).toBe(429)
})

test('invalid keys, tokens and tickets are limited per address, valid ones are not', async () => {
  const kinds = async () => {
    const helpdesk = await aHelpdesk({ rateLimits: true })
    const { bot, agent, tenantKey } = await aMerchant(helpdesk)
    const { roomId, roomToken } = await bot.openRoom({ body: { customerAccount: 'a' } })
    const room = `/api/widget/v1/rooms/${roomId}`
    const status = async (path: string, headers: Record<string, string> = {}) =>
      (await raw(helpdesk, 'GET', path, headers)).status
    const good = async () => [
      await status(room, { 'x-chat-tenant-key': tenantKey, 'x-chat-room-token': roomToken }),
      await status(`/api/widget/v1/config?tenantKey=${tenantKey}`),
      (await agent.me({ query: {} })).displayName,
    ]
    return { status, good, room, tenantKey }
  }
  for (const wrong of [
    ({ status }: Awaited<ReturnType<typeof kinds>>) => status('/api/widget/v1/config?tenantKey=wk_guess'),
    ({ status, room, tenantKey }: Awaited<ReturnType<typeof kinds>>) =>
      status(room, { 'x-chat-tenant-key': tenantKey, 'x-chat-room-token': 'rt_guess' }),
    ({ status, room, tenantKey }: Awaited<ReturnType<typeof kinds>>) =>
      status(`${room}/events?tenantKey=${tenantKey}&ticket=st_guess`),
    ({ status }: Awaited<ReturnType<typeof kinds>>) => status('/api/agent/v1/me', { 'x-chat-agenttoken': 'cat_guess' }),
  ]) {
    const here = await kinds()
    const statuses: number[] = []
    for (let i = 0; i < 12; i++) statuses.push(await wrong(here))
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429, 429])
    expect(await here.good()).toEqual([200, 200, 'Desk 1'])
  }
})

test('agents see nothing of another merchant', async () => {
  const helpdesk = await aHelpdesk()
  const one = await aMerchant(helpdesk)
  const other = await aMerchant(helpdesk)
  const { roomId } = await one.bot.openRoom({ body: { customerAccount: 'a', initialMessage: 'hi' } })
  expect((await other.agent.rooms({ query: {} })).total).toBe(0)
  await refuses('ROOM_NOT_FOUND', other.agent.room({ params: { roomId } }))
  await refuses('UNAUTHORIZED', agentClient(helpdesk, one.apiKey).rooms({ query: {} }))
})
