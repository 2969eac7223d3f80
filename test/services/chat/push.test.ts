import { expect, onTestFinished, test, vi } from 'vitest'
import { world } from '../../../src/db/migrations/world/index.ts'
import {
  chatCredentials,
  createAgent,
  rebuildTenantKey,
  revokeKey,
  revokeRoomTokens,
} from '../../../src/services/chat/admin.ts'
import { idInKey } from '../../../src/services/chat/auth/tokens.ts'
import { roomSource } from '../../../src/services/chat/events/subscriptions.ts'
import { chatJobs } from '../../../src/services/chat/server/periodic.ts'
import { keepingEngines, postgres } from '../../support/databases/engines.ts'
import { holdTimersOf } from '../../support/held-timers.ts'
import {
  agentClient,
  aHelpdesk,
  aLateHelpdesk,
  aMerchant,
  botClient,
  type Helpdesk,
  type Merchant,
  refuses,
  widgetClient,
} from './helpdesk.ts'
import { listen } from './listening.ts'

async function aRoom(helpdesk: Helpdesk, merchant: Merchant, account = 'a') {
  const { url } = await helpdesk.server.listen()
  const room = await merchant.bot.openRoom({ body: { customerAccount: account } })
  const headers = { 'x-chat-room-token': room.roomToken }
  const stream = `${url}/api/widget/v1/rooms/${room.roomId}/events?tenantKey=${merchant.tenantKey}`
  const send = (text: string) => merchant.bot.sendCustomerText({ params: { roomId: room.roomId }, body: { text } })
  const answer = (text: string) =>
    merchant.agent.reply({ params: { roomId: room.roomId }, body: { text, clientMessageId: `r-${text}` } })
  return {
    ...room,
    url,
    send,
    answer,
    hear: (lastEventId?: string) => listen(stream, headers, lastEventId),
    listenAsAgent: (lastEventId?: string) =>
      listen(`${url}/api/agent/v1/events`, { 'x-chat-agenttoken': merchant.agentToken }, lastEventId),
    streamUrl: stream,
  }
}

/** A room in which one message was written and received, and the cursor after it. */
async function roomWithMessage(options: { detachStreams?: boolean } = {}) {
  const helpdesk = await aHelpdesk(options)
  const room = await aRoom(helpdesk, await aMerchant(helpdesk))
  const first = await room.hear()
  await room.send('one')
  const { id } = await first.next('message.created')
  return { room, first, id }
}

/** Streams on detached sockets, and on plain responses for Node versions that do not allow them. */
const sockets: [way: string, detachStreams: boolean][] = [
  ['', true],
  [', without detached sockets', false],
]

test.each(sockets)(
  'a customer receives the messages of the room as the API returns them, and the room’s state%s',
  async (_way, detachStreams) => {
    const helpdesk = await aHelpdesk({ detachStreams })
    const merchant = await aMerchant(helpdesk)
    const room = await aRoom(helpdesk, merchant)
    const ear = await room.hear()
    expect([
      ear.status,
      ear.headers.get('content-type'),
      ear.headers.get('cache-control'),
      ear.headers.get('x-accel-buffering'),
    ]).toEqual([200, 'text/event-stream; charset=utf-8', 'no-store', 'no'])
    expect(await ear.next()).toMatchObject({ event: 'ready', data: { resumed: false, replayed: 0 } })
    expect(ear.text()).toMatch(/^retry: 1000\n\n/)
    const sent = await room.answer('hello')
    const { duplicate: _, ...message } = sent
    const messageEvent = await ear.next()
    expect(messageEvent).toMatchObject({
      event: 'message.created',
      data: { message, room: { lastSeq: 1, customerUnreadCount: 1 } },
    })
    expect(messageEvent.data.room).not.toHaveProperty('agentUnreadCount')
  },
)

test.each(sockets)(
  'a stream continues after the last event of its reader, without duplicates or gaps%s',
  async (_way, detachStreams) => {
    const { room, first, id } = await roomWithMessage({ detachStreams })
    first.cut()
    for (const text of ['two', 'three', 'four']) await room.send(text)
    const second = await room.hear(id)
    expect(await second.next()).toMatchObject({ event: 'ready', data: { resumed: true, replayed: 3, eventCursor: id } })
    await room.send('five')
    const texts: string[] = []
    for (let i = 0; i < 4; i++) texts.push((await second.next('message.created')).data.message.text)
    expect(texts).toEqual(['two', 'three', 'four', 'five'])
  },
)

test('two listeners from different positions each receive everything once', async () => {
  const { room, first, id } = await roomWithMessage()
  await room.send('two')
  await first.next('message.created')
  const second = await room.hear(id)
  await second.next('message.created')
  await room.send('three')
  for (const ear of [first, second]) await ear.next('message.created')
  const textsOf = ({ events }: typeof first) =>
    events.filter(({ event }) => event === 'message.created').map(({ data }) => data.message.text)
  expect([textsOf(first), textsOf(second)]).toEqual([
    ['one', 'two', 'three'],
    ['two', 'three'],
  ])
})

test('the window of messages has the position to stream from', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const room = await aRoom(helpdesk, merchant)
  await room.send('one')
  const customer = widgetClient(helpdesk, merchant.tenantKey, room.roomToken)
  const { eventCursor } = await customer.messages({ params: { roomId: room.roomId }, query: {} })
  await room.send('two')
  const ear = await room.hear(eventCursor)
  expect((await ear.next('message.created')).data.message.text).toBe('two')
})

test('a foreign, future, too old or deleted cursor is answered with resync', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const room = await aRoom(helpdesk, merchant)
  const cursorAt = await helpdesk.app.cursors.ofRoom(room.roomId)
  const reasonFor = async (cursor: string) => {
    const ear = await room.hear(cursor)
    const reason = (await ear.next('resync')).data.reason
    ear.cut()
    return reason
  }
  expect(await reasonFor('elsewhere.1')).toBe('epochChanged')
  expect(await reasonFor('nonsense')).toBe('epochChanged')
  expect(await reasonFor(cursorAt(99))).toBe('epochChanged')
  await helpdesk.app.store.write(({ q }) => q.updateTable('chat_rooms').set({ last_event: 1002 }).execute())
  expect(await reasonFor(cursorAt(1))).toBe('tooMany')
  await helpdesk.app.store.write(({ q }) => q.updateTable('chat_rooms').set({ last_event: 1 }).execute())
  for (const text of ['a', 'b', 'c']) await room.send(text)
  helpdesk.clock.now += 8 * 86_400_000
  for (const pass of chatJobs(helpdesk.app)) await pass.run(100)
  await room.send('d')
  expect(await reasonFor(cursorAt(1))).toBe('tooOld')
})

test('a cursor that only looks valid delays no other subscriber', async () => {
  const helpdesk = await aHelpdesk()
  const room = await aRoom(helpdesk, await aMerchant(helpdesk))
  const cursorAt = await helpdesk.app.cursors.ofRoom(room.roomId)
  const secondListener = await room.hear()
  for (const number of ['NaN', 'undefined', 'Infinity', '-1', '1e0', '01', ''])
    expect((await (await room.hear(`${cursorAt(0).slice(0, -1)}${number}`)).next('resync')).data.reason).toBe(
      'epochChanged',
    )
  const astray = await room.hear(`${cursorAt(0).slice(0, -1)}NaN`)
  await astray.next('resync')
  await room.send('heard by all')
  for (const ear of [secondListener, astray])
    expect((await ear.next('message.created')).data.message.text).toBe('heard by all')
})

test('a database recreated from the same seed rejects the cursors of the earlier one', async () => {
  const life = async () => {
    const helpdesk = await aHelpdesk({ seed: 'again' })
    const merchant = await aMerchant(helpdesk, { code: 'SAME' })
    const room = await aRoom(helpdesk, merchant)
    await room.send('one')
    const { eventCursor } = await widgetClient(helpdesk, merchant.tenantKey, room.roomToken).messages({
      params: { roomId: room.roomId },
      query: {},
    })
    const ear = await room.listenAsAgent()
    return { room, eventCursor, agentCursor: (await ear.next('ready')).data.eventCursor as string }
  }
  const before = await life()
  const after = await life()
  expect([after.room.roomId, after.room.roomToken]).toEqual([before.room.roomId, before.room.roomToken])
  const resyncReason = async (ear: Awaited<ReturnType<typeof listen>>) => (await ear.next('resync')).data.reason
  expect(await resyncReason(await after.room.hear(before.eventCursor))).toBe('epochChanged')
  expect(await resyncReason(await after.room.listenAsAgent(before.agentCursor))).toBe('epochChanged')
  expect((await (await after.room.hear(after.eventCursor)).next('ready')).data.resumed).toBe(true)
})

test('agents receive all rooms and tickets of their merchant in one order, and continue from their position', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const other = await aMerchant(helpdesk)
  const room = await aRoom(helpdesk, merchant)
  const ear = await room.listenAsAgent()
  expect((await ear.next()).event).toBe('ready')
  expect(await agentClient(helpdesk, merchant.agentToken).stats({})).toMatchObject({ openStreams: 1 })
  expect(await agentClient(helpdesk, other.agentToken).stats({})).toMatchObject({ openStreams: 0 })
  await other.bot.openRoom({ body: { customerAccount: 'x', initialMessage: 'not for you' } })
  await room.send('one')
  const messageEvent = await ear.next('message.created')
  expect(messageEvent.data).toMatchObject({
    roomId: room.roomId,
    message: { text: 'one' },
    room: { agentUnreadCount: 1 },
  })
  await merchant.bot.createTicket({ body: { title: 'T' } })
  expect((await ear.next()).data).toMatchObject({ ticketNumber: 1, status: 'open' })
  ear.cut()
  const second = await merchant.bot.openRoom({ body: { customerAccount: 'b', initialMessage: 'two' } })
  await room.send('three')
  const again = await room.listenAsAgent(messageEvent.id)
  const events: unknown[] = []
  for (let i = 0; i < 5; i++) {
    const { event, data } = await again.next()
    events.push([event, data.message?.text ?? data.ticketNumber ?? data.roomId ?? data.replayed])
  }
  expect(events).toEqual([
    ['ready', 4],
    ['ticket.updated', 1],
    ['room.updated', second.roomId],
    ['message.created', 'two'],
    ['message.created', 'three'],
  ])
})

test('a customer receives events of its own tickets only', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const room = await aRoom(helpdesk, merchant)
  const ear = await room.hear()
  await ear.next('ready')
  await merchant.bot.createTicket({ body: { title: 'not mine', customerAccount: 'b' } })
  const mine = await merchant.bot.createTicket({ body: { title: 'mine', customerAccount: 'a' } })
  await merchant.bot.comment({ params: { ticketId: mine.ticketId }, body: { content: 'secret note' } })
  await merchant.bot.comment({ params: { ticketId: mine.ticketId }, body: { content: 'told', visibility: 'public' } })
  expect((await ear.next('ticket.updated')).data.ticketId).toBe(mine.ticketId)
  expect((await ear.next('message.created')).data.message).toMatchObject({ eventKind: 'ticketComment', text: 'told' })
  expect(ear.text()).not.toContain('secret note')
  expect(ear.text()).not.toContain('not mine')
})

test('a stream is rejected like any call: without a token, for another room, with a rebuilt key', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const room = await aRoom(helpdesk, merchant)
  const refusalOf = async (url: string, headers: Record<string, string>) => {
    const response = await fetch(url, { headers })
    const { error } = (await response.json()) as { error: { code: string } }
    return [response.status, error.code]
  }
  expect(await refusalOf(room.streamUrl, {})).toEqual([401, 'INVALID_ROOM_TOKEN'])
  expect(await refusalOf(room.streamUrl, { 'x-chat-apikey': merchant.apiKey })).toEqual([401, 'INVALID_ROOM_TOKEN'])
  const elsewhere = room.streamUrl.replace(room.roomId, `room_${'0'.repeat(26)}`)
  expect(await refusalOf(elsewhere, { 'x-chat-room-token': room.roomToken })).toEqual([401, 'INVALID_ROOM_TOKEN'])
  expect(await refusalOf(`${room.url}/api/agent/v1/events`, {})).toEqual([401, 'UNAUTHORIZED'])
  await rebuildTenantKey(helpdesk.app, merchant.code)
  expect(await refusalOf(room.streamUrl, { 'x-chat-room-token': room.roomToken })).toEqual([401, 'INVALID_TENANT_KEY'])
})

test.each(sockets)(
  'a rebuilt key and an expired or revoked token close their streams with a reason%s',
  async (_way, detachStreams) => {
    const helpdesk = await aHelpdesk({ detachStreams })
    const merchant = await aMerchant(helpdesk)
    const room = await aRoom(helpdesk, merchant)
    const first = await room.hear()
    await first.next('ready')
    helpdesk.clock.now += 31 * 86_400_000
    expect((await first.next('goodbye')).data.reason).toBe('tokenExpired')
    await first.ended
    const fresh = await merchant.bot.openRoom({ body: { customerAccount: 'a' } })
    const second = await listen(room.streamUrl, { 'x-chat-room-token': fresh.roomToken })
    await second.next('ready')
    await rebuildTenantKey(helpdesk.app, merchant.code)
    expect((await second.next('goodbye')).data.reason).toBe('keyRotated')
    await second.ended
    const { agentToken } = await createAgent(helpdesk.app, merchant.code, 'Helpdesk 2')
    const leaving = await listen(`${room.url}/api/agent/v1/events`, { 'x-chat-agenttoken': agentToken })
    const staying = await room.listenAsAgent()
    for (const ear of [leaving, staying]) await ear.next('ready')
    await revokeKey(helpdesk.app, merchant.code, idInKey('agent', agentToken) ?? '')
    expect((await leaving.next('goodbye')).data.reason).toBe('keyRevoked')
    await leaving.ended
    await room.send('still here')
    expect((await staying.next('message.created')).data.message.text).toBe('still here')
    // The room's tokens are revoked; a new one is valid, and another room's stay valid.
    const again = async (customerAccount: string) => {
      const { roomId, roomToken } = await merchant.bot.openRoom({ body: { customerAccount } })
      const { tenantKey } = (await chatCredentials(helpdesk.app, merchant.code)) ?? { tenantKey: '' }
      const url = `${room.url}/api/widget/v1/rooms/${roomId}/events?tenantKey=${tenantKey}`
      return { roomId, ear: await listen(url, { 'x-chat-room-token': roomToken }) }
    }
    const [mine, other] = [await again('a'), await again('b')]
    for (const { ear } of [mine, other]) await ear.next('ready')
    await expect(revokeRoomTokens(helpdesk.app, merchant.code, { roomId: 'room_none' })).rejects.toThrow('no room')
    expect(await revokeRoomTokens(helpdesk.app, merchant.code, { roomId: mine.roomId })).toBe(1)
    expect((await mine.ear.next('goodbye')).data.reason).toBe('keyRevoked')
    const newStream = await again('a')
    expect((await newStream.ear.next()).event).toBe('ready')
    expect(await revokeRoomTokens(helpdesk.app, merchant.code, {})).toBe(2)
    for (const { ear } of [newStream, other]) expect((await ear.next('goodbye')).data.reason).toBe('keyRevoked')
  },
)

test.each(sockets)(
  'closing sends a last event to all streams and does not wait for them%s',
  async (_way, detachStreams) => {
    // If it waited, it would exceed the test's time limit.
    const helpdesk = await aHelpdesk({ detachStreams, closeWithinMs: 3_600_000 })
    const merchant = await aMerchant(helpdesk)
    const room = await aRoom(helpdesk, merchant)
    const ears = await Promise.all([room.hear(), room.hear(), room.listenAsAgent()])
    for (const ear of ears) await ear.next('ready')
    const customer = widgetClient(helpdesk, merchant.tenantKey, room.roomToken)
    const { eventCursor } = await customer.messages({ params: { roomId: room.roomId }, query: {} })
    const polled = customer.poll({ params: { roomId: room.roomId }, query: { after: eventCursor } })
    await expect.poll(() => helpdesk.app.broadcaster.size).toBe(ears.length + 1)
    await helpdesk.server.close()
    for (const ear of ears) expect((await ear.next('goodbye')).data.reason).toBe('shutdown')
    expect((await polled).events).toEqual([])
  },
)

test('an idle stream sends a heartbeat within fifteen seconds', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const room = await aRoom(helpdesk, merchant)
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const ears = await Promise.all([room.hear(), room.hear()])
  for (const ear of ears) await ear.next('ready')
  vi.advanceTimersByTime(15_000)
  for (const ear of ears) await expect.poll(() => ear.text()).toContain(': hb\n\n')
})

test.each(sockets)(
  'a reader that stops reading is disconnected and delays no others; on return it gets the reason%s',
  async (_way, detachStreams) => {
    // A reader has 2 s to recover. How fast this one recovers depends on the machine.
    holdTimersOf(2_000)
    const helpdesk = await aHelpdesk({ detachStreams })
    const merchant = await aMerchant(helpdesk)
    const room = await aRoom(helpdesk, merchant)
    const { connect } = await import('node:net')
    const { pathname, search, port } = new URL(room.streamUrl)
    const slow = connect(Number(port), '127.0.0.1')
    slow.write(`GET ${pathname}${search} HTTP/1.1\r\nhost: x\r\nx-chat-room-token: ${room.roomToken}\r\n\r\n`)
    await new Promise((resolve) => slow.once('data', resolve))
    slow.pause()
    const ear = await room.hear()
    const closed = new Promise((resolve) => slow.once('close', resolve))
    const text = '字'.repeat(3_900)
    for (let i = 0; i < 1_500 && helpdesk.app.broadcaster.size > 1; i++) await room.send(text)
    expect(helpdesk.app.broadcaster.size).toBe(1)
    let tail = ''
    slow.on('data', (bytes) => {
      tail = (tail + bytes.toString('latin1')).slice(-200)
    })
    slow.resume()
    // A plain response ends, and its connection stays open for the next request.
    if (detachStreams) await closed
    else await expect.poll(() => tail).toMatch(/\r\n0\r\n\r\n$/)
    expect(tail).toContain('event: goodbye\ndata: {"reason":"slowConsumer"')
    slow.destroy()
    await room.send('last')
    for (;;) if ((await ear.next('message.created')).data.message.text === 'last') break
  },
)

test("a subscriber that joins while another leaves is notified, in any order of the database's responses", async () => {
  const { helpdesk, hold } = await aLateHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const room = await aRoom(helpdesk, merchant)
  const source = await roomSource(helpdesk.app, merchant.code, room.roomId)
  const recipients: string[] = []
  const listening = (name: string) =>
    helpdesk.app.broadcaster.listen(
      source,
      undefined,
      { audience: 'customer', at: 0, take: () => recipients.push(name) },
      () => {},
    )
  const leave = await listening('gone')
  const release = hold()
  const first = listening('first')
  leave()
  const second = listening('second')
  release()
  for (const end of await Promise.all([first, second])) onTestFinished(end)
  await room.send('hello')
  await expect.poll(() => [...new Set(recipients)].sort()).toEqual(['first', 'second'])
})

test('clients that cannot stream use long polling: the same events, at once if there are any', async () => {
  const { helpdesk, slow } = await aLateHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const room = await aRoom(helpdesk, merchant)
  const customer = widgetClient(helpdesk, merchant.tenantKey, room.roomToken)
  const poll = (after?: string, waitMs = 5_000) =>
    customer.poll({ params: { roomId: room.roomId }, query: { waitMs, ...(after === undefined ? {} : { after }) } })
  const { eventCursor } = await poll()
  // The event ends the wait, never the limit.
  holdTimersOf(5_000)
  const waiting = poll(eventCursor)
  await room.send('one')
  const response = await waiting
  expect(response.events).toMatchObject([{ event: 'message.created', data: { message: { text: 'one' } } }])
  // Existing events are also returned with a wait of 0, with any duration of the read.
  slow(10)
  expect((await poll(eventCursor, 0)).events).toEqual(response.events)
  slow(0)
  expect(await poll(response.eventCursor, 10)).toEqual({ events: [], eventCursor: response.eventCursor })
  expect((await poll('elsewhere.7')).events).toMatchObject([{ event: 'resync', data: { reason: 'epochChanged' } }])
  await refuses(
    'INVALID_ROOM_TOKEN',
    widgetClient(helpdesk, merchant.tenantKey).poll({ params: { roomId: room.roomId }, query: {} }),
  )
})

test.each(keepingEngines)('on $name an event reaches the streams of another process’s server', async (engine) => {
  const database = await engine.database()
  const one = await aHelpdesk({ store: (now) => database.open({ migrations: world, now }) })
  // A file is opened once per process; there, a second chat on the same store replaces the other process.
  const two =
    engine === postgres
      ? await aHelpdesk({ store: (now) => database.open({ migrations: world, now }) })
      : await aHelpdesk({ store: async () => one.app.store })
  const merchant = await aMerchant(one)
  const room = await aRoom(one, merchant)
  const [customer, agentEar] = [await room.hear(), await room.listenAsAgent()]
  for (const ear of [customer, agentEar]) await ear.next('ready')
  const elsewhere = botClient(two, merchant.apiKey)
  for (const text of ['one', 'two'])
    await elsewhere.sendCustomerText({ params: { roomId: room.roomId }, body: { text } })
  for (const ear of [customer, agentEar])
    for (const text of ['one', 'two']) expect((await ear.next('message.created')).data.message.text).toBe(text)
  await agentClient(two, merchant.agentToken).close({ params: { roomId: room.roomId } })
  expect((await customer.next('room.updated')).data.room.status).toBe('closed')
  // A ticket for one stream is valid for one stream of all processes.
  const mine = widgetClient(one, merchant.tenantKey, room.roomToken)
  const { ticket } = await mine.streamTicket({ params: { roomId: room.roomId }, query: {} })
  const there = room.streamUrl.replace(room.url, (await two.server.listen()).url)
  expect((await (await listen(`${there}&ticket=${ticket}`, {})).next()).event).toBe('ready')
  expect((await listen(`${room.streamUrl}&ticket=${ticket}`, {})).status).toBe(401)
  const streaming = await room.hear()
  await streaming.next('ready')
  if (engine === postgres) {
    const sendTyping = (helpdesk: Helpdesk, typing: boolean) =>
      agentClient(helpdesk, merchant.agentToken).typing({ params: { roomId: room.roomId }, body: { typing } })
    const typingCount = (typing: boolean) =>
      streaming.events.filter(({ event, data }) => event === 'typing' && data.typing === typing).length
    // Subscribers get no event before their subscription, which starts next to the stream.
    const typeAndCount = async () => {
      await sendTyping(two, true)
      return typingCount(true)
    }
    await expect.poll(typeAndCount).toBeGreaterThan(0)
    // A local event is received here once, although it is returned by the database.
    await sendTyping(one, false)
    await expect.poll(() => typingCount(false)).toBe(1)
    await sendTyping(two, false)
    await expect.poll(() => typingCount(false)).toBe(2)
    await room.send('then')
    await streaming.next('message.created')
    expect(typingCount(false)).toBe(2)
    expect(agentEar.events.filter(({ event }) => event === 'typing')).toEqual([])
  }
  expect(await revokeRoomTokens(two.app, merchant.code, { account: 'a' })).toBe(1)
  for (const each of [customer, streaming]) expect((await each.next('goodbye')).data.reason).toBe('keyRevoked')
  expect((await room.hear()).status).toBe(401)
  // A token revoked there ends its streams here.
  await revokeKey(two.app, merchant.code, idInKey('agent', merchant.agentToken) ?? '')
  expect((await agentEar.next('goodbye')).data.reason).toBe('keyRevoked')
  await agentEar.ended
})

test('a typing event reaches the other side only, and is not stored', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const room = await aRoom(helpdesk, merchant)
  const customer = await room.hear()
  const agents = await room.listenAsAgent()
  await customer.next('ready')
  await agents.next('ready')
  const mine = widgetClient(helpdesk, merchant.tenantKey, room.roomToken)
  await mine.typing({ params: { roomId: room.roomId }, query: {}, body: { typing: true } })
  expect(await agents.next()).toMatchObject({
    id: undefined,
    event: 'typing',
    data: { senderType: 'customer', displayName: 'a', typing: true, roomId: room.roomId },
  })
  await merchant.agent.typing({ params: { roomId: room.roomId }, body: { typing: true } })
  expect(await customer.next()).toMatchObject({
    event: 'typing',
    data: { senderType: 'agent', displayName: 'Desk 1', typing: true },
  })
  await room.send('done')
  const { id } = await customer.next('message.created')
  expect(customer.events.filter(({ event }) => event === 'typing')).toHaveLength(1)
  await merchant.agent.typing({ params: { roomId: room.roomId }, body: { typing: false } })
  const later = await room.hear(id)
  expect(await later.next()).toMatchObject({ event: 'ready', data: { resumed: true, replayed: 0 } })
})

test('a stream ticket opens one stream of its room, once, within 30 seconds', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const room = await aRoom(helpdesk, merchant)
  const other = await merchant.bot.openRoom({ body: { customerAccount: 'b' } })
  const mine = widgetClient(helpdesk, merchant.tenantKey, room.roomToken)
  const aTicket = async () => (await mine.streamTicket({ params: { roomId: room.roomId }, query: {} })).ticket
  const open = (ticket: string, roomId = room.roomId) =>
    listen(`${room.streamUrl.replace(room.roomId, roomId)}&ticket=${ticket}`, {})
  const ticket = await aTicket()
  const ear = await open(ticket)
  expect(await ear.next()).toMatchObject({ event: 'ready' })
  expect((await open(ticket)).status).toBe(401)
  expect((await open(await aTicket(), other.roomId)).status).toBe(401)
  expect((await open(`${await aTicket()}x`)).status).toBe(401)
  const late = await aTicket()
  helpdesk.clock.now += 30_001
  for (const pass of chatJobs(helpdesk.app)) await pass.run(100)
  const spent = await helpdesk.app.store.read(({ q }) => q.selectFrom('chat_spent_tickets').selectAll().execute())
  expect(spent).toEqual([])
  expect((await open(late)).status).toBe(401)
  // It opens only a stream.
  await refuses(
    'INVALID_ROOM_TOKEN',
    widgetClient(helpdesk, merchant.tenantKey, await aTicket()).room({ params: { roomId: room.roomId }, query: {} }),
  )
})
