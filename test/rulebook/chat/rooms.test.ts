import { describe, expect, test } from 'vitest'
import { setOrigins } from '../../../src/services/chat/admin.ts'
import { shared } from '../shared.ts'
import { aHelpdesk, ask } from './ask.ts'
import * as book from './rooms.ts'

const helpdesk = shared((world) => aHelpdesk(world))
let made = 0
async function aRoom(change: object = {}) {
  const { body } = await ask(helpdesk(), 'POST /rooms', { customerAccount: `r-${++made}`, ...change })
  const { roomId, roomToken } = body
  const path = `/rooms/${roomId}/messages`
  return {
    room: body,
    say: (sent: object) => ask(helpdesk(), `POST ${path}/customer-text`, sent),
    read: async (query = '') => (await ask(helpdesk(), `GET ${path}${query}`)).body,
    list: (query = '', headers = {}) =>
      ask(helpdesk(), `GET ${path}${query}`, null, { 'x-chat-apikey': helpdesk().apiKey, ...headers }),
    widget: (method: string, call: string, sent?: object) =>
      ask(
        helpdesk(),
        `${method} /api/widget/v1/rooms/${roomId}${call}${call.includes('?') ? '&' : '?'}tenantKey=${helpdesk().tenantKey}`,
        sent,
        {
          'x-chat-room-token': roomToken,
        },
      ),
    agent: (call: string, sent: object = {}) =>
      ask(helpdesk(), `POST /api/agent/v1/rooms/${roomId}${call}`, sent, {
        'x-chat-agenttoken': helpdesk().agentToken,
      }),
    again: (sent: object = {}) => ask(helpdesk(), 'POST /rooms', { customerAccount: body.customerAccount, ...sent }),
  }
}

describe('a message', () => {
  test.each(book.texts)('$sent is stored as $kept', async ({ sent, kept }) => {
    const room = await aRoom()
    const { status, body } = await room.say({ text: sent })
    if (kept === null) expect([status, (await room.read()).items]).toEqual([400, []])
    else expect([status, body.text, (await room.read()).items[0].text]).toEqual([201, kept, kept])
  })

  test('is returned under its own ID once, as long as the room exists', async () => {
    const room = await aRoom()
    const first = await room.say({ text: ' hi ', clientMessageId: 'c-1' })
    helpdesk().world.clock.add('400d')
    const again = await room.say({ text: 'hi', clientMessageId: 'c-1' })
    expect([again.status, again.body]).toEqual([200, { ...first.body, duplicate: true }])
    expect((await room.say({ text: 'other', clientMessageId: 'c-1' })).body.error.code).toBe(
      'CLIENT_MESSAGE_ID_CONFLICT',
    )
    expect((await (await aRoom()).say({ text: 'other', clientMessageId: 'c-1' })).status).toBe(201)
    expect((await room.read()).items).toHaveLength(1)
    // Without an id the same text is another message.
    expect([(await room.say({ text: 'hi' })).status, (await room.say({ text: 'hi' })).status]).toEqual([201, 201])
    expect((await room.read()).items.map(({ seq }: { seq: number }) => seq)).toEqual([1, 2, 3])
  })

  test('in a closed room reopens it, with one line about it', async () => {
    const room = await aRoom({ initialMessage: 'hello' })
    expect((await room.agent('/close')).body.status).toBe('closed')
    const closed = (await room.read()).items.length
    await room.say({ text: 'still there?' })
    const { items } = await room.read()
    expect(
      items
        .slice(closed)
        .map(({ messageType }: { messageType: string }) => messageType)
        .toSorted(),
    ).toEqual(['event', 'text'])
    expect((await room.again()).body).toMatchObject({ status: 'open', closedAt: null })
  })

  test('is previewed by its first 120 characters', async () => {
    for (const more of [0, 1]) {
      const room = await aRoom()
      await room.say({ text: 'x'.repeat(book.previewLength + more) })
      const { lastMessagePreview } = (await room.again()).body
      expect([...lastMessagePreview].length).toBeLessThanOrEqual(book.previewLength)
      expect(lastMessagePreview.startsWith('x'.repeat(book.previewLength - 1))).toBe(true)
    }
  })
})

describe('a room', () => {
  test('is one per account, also for concurrent calls, and the account is compared exactly', async () => {
    const calls = await Promise.all(
      Array.from({ length: 5 }, () => ask(helpdesk(), 'POST /rooms', { customerAccount: 'one' })),
    )
    expect(new Set(calls.map(({ body }) => body.roomId)).size).toBe(1)
    expect(calls.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, 200, 201])
    const other = await ask(helpdesk(), 'POST /rooms', { customerAccount: 'One' })
    expect(other.body.roomId).not.toBe(calls[0]?.body.roomId)
  })

  test('keeps its channel and category, and updates name and language', async () => {
    const { keeps, updates } = book.secondCall
    const room = await aRoom({ ...keeps, customerDisplayName: 'Ann', customerLanguage: 'en' })
    const again = await room.again({ channel: 'other', inboxCategoryCode: 'other', ...updates })
    expect([again.status, again.body]).toEqual([200, expect.objectContaining({ ...keeps, ...updates, created: false })])
    const empty = await room.again({ customerDisplayName: '' })
    expect(empty.body).toMatchObject(updates)
  })

  test('gets its first message once, and only while it has none', async () => {
    const room = await aRoom({ initialMessage: 'hello' })
    expect(room.room.initialMessage).toMatchObject({
      text: 'hello',
      clientMessageId: null,
      senderType: 'customer',
      seq: 1,
    })
    expect((await room.again({ initialMessage: 'hello' })).body.initialMessage).toBeNull()
    expect((await room.read()).items).toHaveLength(1)
    const late = await aRoom()
    expect((await late.again({ initialMessage: 'first' })).body.initialMessage).toMatchObject({ text: 'first', seq: 1 })
  })

  test('counts unread messages per side; a position moves forward only', async () => {
    const room = await aRoom()
    for (const text of ['a', 'b', 'c']) await room.agent('/messages', { text, clientMessageId: text })
    const unread = async () => (await room.again()).body.customerUnreadCount
    expect(await unread()).toBe(3)
    expect((await room.widget('POST', '/read', { seq: 2 })).body).toEqual({
      customerReadSeq: 2,
      customerUnreadCount: 1,
    })
    expect((await room.widget('POST', '/read', { seq: 1 })).body).toEqual({
      customerReadSeq: 2,
      customerUnreadCount: 1,
    })
    await room.say({ text: 'd' })
    expect((await room.again()).body).toMatchObject({ agentUnreadCount: 1, lastSeq: 4, messageCount: 4 })
    // Listing marks nothing as read.
    await ask(helpdesk(), `GET /api/agent/v1/rooms/${room.room.roomId}/messages`, null, {
      'x-chat-agenttoken': helpdesk().agentToken,
    })
    expect((await room.again()).body.agentUnreadCount).toBe(1)
    await room.agent('/read', { seq: 4 })
    expect((await room.again()).body.agentUnreadCount).toBe(0)
    await room.agent('/unread', { seq: 4 })
    expect((await room.again()).body).toMatchObject({ agentUnreadCount: 1, agentReadSeq: 3 })
  })
})

describe('reading', () => {
  test('a full page has a strong ETag for conditional requests', async () => {
    const room = await aRoom()
    for (let i = 0; i < 3; i++) await room.say({ text: `m ${i}` })
    const { headers } = await room.list()
    expect(headers['etag']).toMatch(/^"[^"]+"$/)
    const same = await room.list('', { 'if-none-match': headers['etag'] })
    expect([same.status, same.body]).toEqual([304, undefined])
    await room.say({ text: 'more' })
    expect((await room.list('', { 'if-none-match': headers['etag'] })).status).toBe(200)
  })

  test('from a message: up to 100 with a higher number, and not together with a page', async () => {
    const room = await aRoom()
    await Promise.all(Array.from({ length: 103 }, (_, i) => room.say({ text: `m ${i}` })))
    const seqs = async (after: number) => {
      const { items, lastSeq } = await room.read(`?afterSeq=${after}`)
      return [items.length, items[0]?.seq, lastSeq]
    }
    expect([await seqs(0), await seqs(1), await seqs(100), await seqs(103)]).toEqual([
      [100, 1, 103],
      [100, 2, 103],
      [3, 101, 103],
      [0, undefined, 103],
    ])
    expect((await room.list('?afterSeq=1&page=1')).status).toBe(400)
    const window = async (query: string) => {
      const { body } = await room.widget('GET', `/messages${query}`)
      return [body.items.length, body.items[0]?.seq, body.items.at(-1)?.seq, body.hasMoreBefore]
    }
    const { default: usual, most } = book.window
    expect(await window('')).toEqual([usual, 103 - usual + 1, 103, true])
    expect(await window(`?limit=${most}`)).toEqual([most, 4, 103, true])
    expect(await window('?beforeSeq=4')).toEqual([3, 1, 3, false])
    expect((await room.widget('GET', `/messages?limit=${most + 1}`)).status).toBe(400)
  })
})

describe('the widget', () => {
  const open = (sent: object, headers = {}) =>
    ask(helpdesk(), 'POST /api/widget/v1/rooms', { tenantKey: helpdesk().tenantKey, ...sent }, headers)

  test('creates an account for a visitor, and accepts none from the page', async () => {
    const made_ = await open({})
    expect([made_.status, made_.body.customerAccount]).toEqual([
      201,
      expect.stringMatching(/^web:[0-9A-HJKMNP-TV-Z]{26}$/),
    ])
    expect((await open({ customerAccount: 'ann' })).status).toBe(400)
    const again = await open({}, { 'x-chat-room-token': made_.body.roomToken })
    expect([again.status, again.body.roomId]).toEqual([200, made_.body.roomId])
    expect(made_.body).not.toHaveProperty('agentUnreadCount')
  })

  test('needs an ID for every message, and an API key has no effect there', async () => {
    const room = await aRoom()
    expect((await room.widget('POST', '/messages', { text: 'x' })).status).toBe(400)
    expect((await room.widget('POST', '/messages', { text: 'x', clientMessageId: 'a' })).status).toBe(201)
    const path = `/api/widget/v1/rooms/${room.room.roomId}/messages?tenantKey=${helpdesk().tenantKey}`
    const byKey = await ask(helpdesk(), `GET ${path}`, null, { 'x-chat-apikey': helpdesk().apiKey })
    expect(byKey.body.error.code).toBe('INVALID_ROOM_TOKEN')
  })

  test('allows the origins of its merchant, and lists them in its responses', async () => {
    const origin = 'https://shop.example'
    await setOrigins(helpdesk().world.chat, helpdesk().code, [origin])
    const config = (headers: Record<string, string>) =>
      ask(helpdesk(), `GET /api/widget/v1/config?tenantKey=${helpdesk().tenantKey}`, null, headers)
    const { status, headers } = await config({ origin })
    expect([status, headers['access-control-allow-origin']]).toEqual([200, origin])
    expect(headers['access-control-max-age']).toBe(book.cors['access-control-max-age'])
    expect(headers['vary']).toContain(book.cors.vary)
    for (const name of book.cors.exposes) expect(headers['access-control-expose-headers']).toContain(name)
    expect([headers['cache-control'], headers['etag']]).toEqual([book.configCache, expect.stringMatching(/^"/)])
    expect((await config({ origin, 'if-none-match': headers['etag'] ?? '' })).status).toBe(304)
    expect((await config({ origin: 'https://evil.example' })).body.error.code).toBe('ORIGIN_NOT_ALLOWED')
    await setOrigins(helpdesk().world.chat, helpdesk().code, [])
  })
})

describe('the agents', () => {
  test('list rooms by assignee', async () => {
    const room = await aRoom({ initialMessage: 'mine?' })
    await room.agent('/assign', { agentId: 'me' })
    const list = async (query: string) => {
      const path = `/api/agent/v1/rooms?pageSize=100&${query}`
      const { body } = await ask(helpdesk(), `GET ${path}`, null, { 'x-chat-agenttoken': helpdesk().agentToken })
      return body.items.map(({ roomId }: { roomId: string }) => roomId)
    }
    const { roomId } = room.room
    const seen = []
    for (const who of [...book.assignees, helpdesk().agentId])
      seen.push((await list(`assignee=${who}`)).includes(roomId))
    expect(seen).toEqual([true, false, true])
    expect([await list('unread=true'), await list('status=open')].map((ids) => ids.includes(roomId))).toEqual([
      true,
      true,
    ])
    expect(await list('status=closed')).not.toContain(roomId)
  })
})
