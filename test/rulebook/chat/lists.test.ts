import { describe, expect, test } from 'vitest'
import { testWorld } from '../../support/worlds/world.ts'
import { aHelpdesk, ask } from './ask.ts'
import * as book from './limits.ts'
import * as streams from './streams.ts'

/** Filters and orders of lists, the limits of a long poll, and the number of events that a room keeps. */

const path = (name: string, value: string) => `GET /tickets?${name}=${encodeURIComponent(value)}`

describe('the list of tickets', () => {
  test('has a keyword of 1 to 200 characters', async () => {
    const helpdesk = await aHelpdesk(await testWorld())
    for (const [length, status] of [
      [book.keyword.shortest, 200],
      [book.keyword.longest, 200],
      [book.keyword.longest + 1, 400],
    ] as const)
      expect([length, (await ask(helpdesk, path('keyword', '存'.repeat(length)))).status]).toEqual([length, status])
  })

  test('has the orders of the table, and the latest change first by default', async () => {
    const time = {
      '-updatedAt': [2, 1],
      updatedAt: [1, 2],
      createdAt: [1, 2],
      '-createdAt': [2, 1],
      '-priority': [1, 2],
    }
    const helpdesk = await aHelpdesk(await testWorld())
    await ask(helpdesk, 'POST /tickets', { title: 'Later', priority: 1 })
    const numbers = async (query: string) =>
      (await ask(helpdesk, `GET /tickets${query}`)).body.items.map(
        (each: { ticketNumber: number }) => each.ticketNumber,
      )
    const [first, second] = (await numbers('?sort=createdAt')) as [number, number]
    for (const sort of book.ticketSorts.accepts)
      expect([sort, await numbers(`?sort=${sort}`)]).toEqual([sort, time[sort].map((i) => [first, second][i - 1])])
    expect(await numbers('')).toEqual(await numbers(`?sort=${book.ticketSorts.default}`))
    for (const sort of book.ticketSorts.refuses)
      expect([sort, (await ask(helpdesk, path('sort', sort))).status]).toEqual([sort, 400])
  })
})

test("the agents' list of rooms has the orders and statuses of the table", async () => {
  const helpdesk = await aHelpdesk(await testWorld())
  const status = async (name: string, value: string) =>
    (
      await ask(helpdesk, `GET /api/agent/v1/rooms?${name}=${encodeURIComponent(value)}`, null, {
        'x-chat-agenttoken': helpdesk.agentToken,
      })
    ).status
  for (const [name, { accepts, refuses }] of [
    ['sort', book.roomSorts],
    ['status', book.roomStatuses],
  ] as const) {
    for (const value of accepts) expect([name, value, await status(name, value)]).toEqual([name, value, 200])
    for (const value of refuses) expect([name, value, await status(name, value)]).toEqual([name, value, 400])
  }
})

test('a long poll may wait for 25 seconds and no longer', async () => {
  const helpdesk = await aHelpdesk(await testWorld())
  const { roomId, roomToken } = helpdesk.room.body
  const token = { 'x-chat-room-token': roomToken }
  const call = (rest: string) => `GET /api/widget/v1/rooms/${roomId}/${rest}tenantKey=${helpdesk.tenantKey}`
  const { eventCursor } = (await ask(helpdesk, call('messages?'), null, token)).body
  // There is an event, so no poll waits.
  await ask(helpdesk, `POST /rooms/${roomId}/messages/customer-text`, { text: 'x' })
  const poll = async (waitMs: number) =>
    ask(helpdesk, call(`events/poll?after=${eventCursor}&waitMs=${waitMs}&`), null, token)
  const { longestWaitMs } = streams.poll
  expect((await poll(longestWaitMs)).body.events.length).toBeGreaterThan(0)
  expect([(await poll(0)).status, (await poll(-1)).status]).toEqual([200, 400])
  expect((await poll(longestWaitMs + 1)).status).toBe(400)
})

test('a room keeps its last 10,000 events, and hardly more', async () => {
  const helpdesk = await aHelpdesk(await testWorld())
  const { roomId } = helpdesk.room.body
  const { store } = helpdesk.world
  const { keptPerRoom } = streams
  // A room that has had many: the numbers of its events continue from there.
  const known = await store.read(({ q }) =>
    q.selectFrom('chat_events').selectAll().where('room_id', '=', roomId).orderBy('n').executeTakeFirstOrThrow(),
  )
  const last = 3 * keptPerRoom.least
  const old = Array.from({ length: 300 }, (_, i) => ({ ...known, id: `e-${i}`, n: last - keptPerRoom.least + i - 50 }))
  await store.write(async ({ q }) => {
    await q.updateTable('chat_rooms').set({ last_event: last }).where('id', '=', roomId).execute()
    await q.deleteFrom('chat_events').where('room_id', '=', roomId).execute()
    await q.insertInto('chat_events').values(old).execute()
  })
  for (let i = 0; i < 101; i++) await ask(helpdesk, `POST /rooms/${roomId}/messages/customer-text`, { text: `${i}` })
  const state = await store.read(async ({ q }) => {
    const { last_event } = await q
      .selectFrom('chat_rooms')
      .select('last_event')
      .where('id', '=', roomId)
      .executeTakeFirstOrThrow()
    const rows = await q.selectFrom('chat_events').select('n').where('room_id', '=', roomId).orderBy('n').execute()
    return { last: last_event, first: rows[0]?.n ?? 0 }
  })
  const kept = state.last - state.first + 1
  expect(state.last).toBeGreaterThan(last + 100)
  expect(kept).toBeGreaterThanOrEqual(keptPerRoom.least)
  expect(kept).toBeLessThanOrEqual(keptPerRoom.most)
})
