import { Writable } from 'node:stream'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createAgent, rebuildTenantKey, revokeKey } from '../../../src/services/chat/admin.ts'
import { idInKey } from '../../../src/services/chat/auth/tokens.ts'
import { openConnectionLimits } from '../../../src/services/chat/events/connection-limits.ts'
import { Stream } from '../../../src/services/chat/events/sse-connection.ts'
import { listen } from '../../services/chat/listening.ts'
import { aClock, type TestWorldOptions, testWorld } from '../../support/worlds/world.ts'
import { aHelpdesk, ask } from './ask.ts'
import * as limits from './limits.ts'
import * as book from './streams.ts'

/** A room on a world with sockets, and its subscribers. */
async function aRoom(customerAccount = 'ann', options: TestWorldOptions = {}) {
  const time = aClock()
  const helpdesk = await aHelpdesk(await testWorld({ time, ...options }))
  // Ann has a ticket, whose events are in her room; the others have none.
  const of = { ...helpdesk, room: await ask(helpdesk, 'POST /rooms', { customerAccount }) }
  const { url } = await of.world.server.listen({ port: 0 })
  const { roomId, roomToken } = of.room.body
  const path = `/api/widget/v1/rooms/${roomId}`
  const key = `tenantKey=${of.tenantKey}`
  const token = { 'x-chat-room-token': roomToken }
  return {
    ...of,
    time,
    url,
    path,
    key,
    token,
    hear: (lastEventId?: string) => listen(`${url}${path}/events?${key}`, token, lastEventId),
    hearBy: (ticket: string) => listen(`${url}${path}/events?${key}&ticket=${ticket}`, {}),
    listenAsAgent: (agentToken = of.agentToken) =>
      listen(`${url}/api/agent/v1/events`, { 'x-chat-agenttoken': agentToken }),
    send: (text: string) => ask(of, `POST /rooms/${roomId}/messages/customer-text`, { text }),
    widget: (method: string, call: string, sent: object) => ask(of, `${method} ${path}${call}?${key}`, sent, token),
    agent: (call: string, sent: object) =>
      ask(of, `POST /api/agent/v1/rooms/${roomId}${call}`, sent, { 'x-chat-agenttoken': of.agentToken }),
  }
}

describe('events', () => {
  test('are those of the table with their fields, and no others', async () => {
    const room = await aRoom()
    const [customer, agents] = [await room.hear(), await room.listenAsAgent()]
    const seen = [await room.hear('elsewhere.1'), customer, agents]
    for (const ear of seen) await ear.next('ready')
    await room.send('hello')
    await room.widget('POST', '/typing', { typing: true })
    await room.agent('/typing', { typing: true })
    await room.agent('/close', {})
    await ask(room, room.named('POST /tickets/{ticket}/status'), { status: 'resolved' })
    for (const ear of [customer, agents]) {
      await ear.next('message.created')
      for (const event of ['room.updated', 'ticket.updated', 'typing'])
        await expect.poll(() => ear.events.some((each) => each.event === event)).toBe(true)
    }
    await room.world.server.close()
    for (const ear of seen) await ear.ended
    const events = seen.flatMap((ear) => ear.events)
    expect(new Set(events.map(({ event }) => event))).toEqual(new Set(book.events.map(({ event }) => event)))
    for (const { event, id, data } of events) {
      const row = book.events.find((each) => each.event === event)
      expect(Object.keys(data), event).toEqual(expect.arrayContaining([...(row?.has ?? ['in the table'])]))
      if (row?.hasId) expect(id, event).toMatch(book.cursor)
      else expect(id, event).toBeUndefined()
    }
    for (const [ear, state] of [
      [customer, book.roomState],
      [agents, [...book.roomState, book.agentsAlone]],
    ] as const) {
      const { data } = ear.events.findLast(({ event }) => event === 'room.updated') ?? { data: {} }
      expect(Object.keys(data.room)).toEqual(expect.arrayContaining([...state]))
      expect(book.agentsAlone in data.room).toBe(ear === agents)
    }
  })

  test('follow the headers and bytes of the page', async () => {
    const ear = await (await aRoom()).hear()
    await ear.next('ready')
    for (const [name, value] of Object.entries(book.headers)) expect(ear.headers.get(name)).toMatch(value)
    expect(ear.text().startsWith(book.firstBytes)).toBe(true)
  })

  test('end with the reasons of the table', async () => {
    const reasons: string[] = []
    const room = await aRoom()
    const goodbye = async (ear: Awaited<ReturnType<typeof listen>>, after: () => unknown) => {
      await ear.next('ready')
      await after()
      reasons.push((await ear.next('goodbye')).data.reason)
      await ear.ended
    }
    const { agentToken } = await createAgent(room.world.chat, room.code, 'Helpdesk 2')
    const revoke = () => revokeKey(room.world.chat, room.code, idInKey('agent', agentToken) ?? '')
    await goodbye(await room.listenAsAgent(agentToken), revoke)
    const rebuild = () => rebuildTenantKey(room.world.chat, room.code)
    await goodbye(await room.hear(), rebuild)
    const other = await aRoom()
    await goodbye(await other.hear(), () => other.time.add(`${limits.roomTokenDays}d`))
    await goodbye(await room.listenAsAgent(), () => room.world.server.close())
    expect(reasons.toSorted()).toEqual([...book.goodbyeReasons].toSorted())
  })
})

test('an idle stream sends a heartbeat every 15 seconds', async () => {
  const room = await aRoom()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const ear = await room.hear()
  await ear.next('ready')
  const beats = () => ear.text().split(book.heartbeat.text).length - 1
  for (let count = 1; count <= 3; count++) {
    vi.advanceTimersByTime(book.heartbeat.seconds * 1000)
    await expect.poll(beats).toBe(count)
  }
})

test.each([
  { unsent: book.unsentBytes, isCut: false },
  { unsent: book.unsentBytes + 1, isCut: true },
])('a connection with $unsent unsent bytes is cut: $isCut', async ({ unsent, isCut }) => {
  const written: string[] = []
  // A reader that reads nothing: no write completes.
  const line = new Writable({ decodeStrings: false, write: (piece) => void written.push(piece) })
  onTestFinished(() => void line.destroy())
  const limits = openConnectionLimits()
  const stream = new Stream(
    { audience: 'customer', holder: 'ann' },
    { address: '::1', publicUrl: () => 'https://x.test' },
    limits,
  )
  const ended = vi.fn()
  stream.endBy(ended)
  stream.begin(line, 'x'.repeat(unsent))
  expect([line.writableEnded, ended.mock.calls.length]).toEqual([isCut, isCut ? 1 : 0])
})

describe('resuming', () => {
  const [epochChanged, tooOld, tooMany] = book.resyncReasons
  const reasonAfter = async (room: Awaited<ReturnType<typeof aRoom>>, cursor: string) => {
    const ear = await room.hear(cursor)
    const { data } = await ear.next('ready')
    const reason = data.resumed ? `${data.replayed} events` : (await ear.next('resync')).data.reason
    ear.cut()
    return reason
  }

  test.each([-1, 1])('events are kept for 7 days: %i seconds', async (more) => {
    const room = await aRoom('bob')
    const ear = await room.hear()
    const { eventCursor } = (await ear.next('ready')).data
    await room.send('one')
    ear.cut()
    room.time.add(`${book.kept.days * 86_400 + more}s`)
    await room.world.settle()
    expect(await reasonAfter(room, eventCursor)).toBe(more < 0 ? '1 events' : tooOld)
  })

  test('a gap of 1,000 events is replayed, and one of 1,001 is not', async () => {
    const room = await aRoom('bob')
    const ear = await room.hear()
    const { eventCursor } = (await ear.next('ready')).data
    ear.cut()
    await Promise.all(Array.from({ length: book.kept.replayed }, () => room.send('x')))
    expect(await reasonAfter(room, eventCursor)).toBe('1000 events')
    await room.send('x')
    expect(await reasonAfter(room, eventCursor)).toBe(tooMany)
  })

  test('a cursor of another database is no cursor', async () => {
    expect(await reasonAfter(await aRoom(), 'elsewhere.1')).toBe(epochChanged)
  })
})

describe('access', () => {
  test.each([
    { seconds: book.ticket.seconds - 1, status: 200 },
    { seconds: book.ticket.seconds + 1, status: 401 },
  ])('a ticket after $seconds seconds, and used again', async ({ seconds, status }) => {
    const room = await aRoom()
    const { body } = await room.widget('POST', '/stream-ticket', {})
    room.time.add(`${seconds}s`)
    expect((await room.hearBy(body.ticket)).status).toBe(status)
    expect((await room.hearBy(body.ticket)).status).toBe(401)
  })

  test.each([-1, 1])('a room token lives for 30 days: %i seconds; a call may renew it', async (more) => {
    const room = await aRoom()
    room.time.add(`${limits.roomTokenDays * 86_400 + more}s`)
    const renewed = await room.widget('POST', '/token', {})
    expect([renewed.status, (await room.hear()).status]).toEqual(more < 0 ? [200, 200] : [401, 401])
    if (more < 0) {
      const lives = Date.parse(renewed.body.roomTokenExpiresAt) - room.time.now()
      expect(lives).toBe(limits.roomTokenDays * 86_400_000)
    }
  })

  test('a room token connects 10 times at once and then 30 times a minute', async () => {
    const room = await aRoom('bob', { rateLimits: true })
    const statuses = []
    for (let i = 0; i < 11; i++) {
      const ear = await room.hear()
      statuses.push(ear.status)
      ear.cut()
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429])
    room.time.add('2s')
    expect([(await room.hear()).status, (await room.hear()).status]).toEqual([200, 429])
  })

  test('12 streams of a token and 200 of an address are open at once', async () => {
    const room = await aRoom('bob', { rateLimits: true })
    const rooms = [room.room.body]
    const statuses: number[] = []
    // Kept until the end: `fetch` closes the connection of a response that is garbage collected.
    const replies: Response[] = []
    const controller = new AbortController()
    onTestFinished(() => controller.abort(new Error(`${replies.length} responses are no longer needed`)))
    const hear = async ({ roomId, roomToken }: { roomId: string; roomToken: string }) => {
      const path = `${room.url}/api/widget/v1/rooms/${roomId}/events?${room.key}`
      const reply = await fetch(path, { headers: { 'x-chat-room-token': roomToken }, signal: controller.signal })
      replies.push(reply)
      statuses.push(reply.status)
      return reply
    }
    while (statuses.length < book.open.perAddress) {
      if (rooms.length * book.open.perToken <= statuses.length)
        rooms.push((await ask(room, 'POST /rooms', { customerAccount: `r-${rooms.length}` })).body)
      room.time.add('2s')
      await hear(rooms.at(-1))
      if (statuses.length === book.open.perToken) {
        room.time.add('2s')
        const refused = await hear(rooms.at(-1))
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, expect.stringMatching(/^\d+$/)])
        statuses.pop()
      }
    }
    expect(new Set(statuses)).toEqual(new Set([200]))
    rooms.push((await ask(room, 'POST /rooms', { customerAccount: 'one more' })).body)
    expect((await hear(rooms.at(-1))).status).toBe(503)
  })

  test('all visitors of a tenant create 600 rooms a minute, from any addresses', async () => {
    const room = await aRoom('bob', { rateLimits: true })
    const create = (i: number) =>
      room.world.server.inject(
        {
          method: 'POST',
          path: '/api/widget/v1/rooms',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ tenantKey: room.tenantKey }),
        },
        { address: `2001:db8::${i.toString(16)}` },
      )
    const statuses = []
    for (let i = 0; i <= book.roomsOfTenant.perMinute; i++) statuses.push((await create(i)).status)
    expect(statuses).toEqual([...Array(book.roomsOfTenant.perMinute).fill(201), 429])
    room.time.add('100ms')
    expect([(await create(9_998)).status, (await create(9_999)).status]).toEqual([201, 429])
  })

  test('a call that one bucket refuses takes nothing from the wider one', async () => {
    const room = await aRoom('bob', { rateLimits: true })
    const send = async () => (await room.send('x')).status
    const texts = []
    for (let i = 0; i < 60; i++) texts.push(await send())
    expect(texts).toEqual([...Array(20).fill(201), ...Array(40).fill(429)])
    // Two rooms and a ticket took three calls of the key.
    const calls = []
    for (let i = 0; i < 100 - 3 - 20 + 1; i++) calls.push((await ask(room, 'GET /tickets')).status)
    expect(calls).toEqual([...Array(77).fill(200), 429])
  })
})
