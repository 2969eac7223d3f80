import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { testWorld } from '../../support/worlds/world.ts'
import { shared } from '../shared.ts'
import { aHelpdesk, aShop, ask } from './ask.ts'
import * as forms from './forms.ts'
import * as book from './limits.ts'

const helpdesk = shared((world) => aHelpdesk(world))
let made = 0
const right: Readonly<Record<string, () => object>> = {
  'POST /rooms': () => ({ customerAccount: `new-${++made}` }),
  'POST /rooms/{room}/messages/customer-text': () => ({ text: `hello ${++made}` }),
  'POST /tickets': () => ({ title: 'Lost', description: 'x' }),
  'POST /tickets/{ticket}/comments': () => ({ content: 'noted' }),
}
const send = async (endpoint: string, change: object) =>
  ask(helpdesk(), helpdesk().named(endpoint), { ...right[endpoint]?.(), ...change })
const takes = async (endpoint: string, change: object) => (await send(endpoint, change)).status < 300

describe('lengths', () => {
  const rows = book.lengths.flatMap(({ endpoint, field, shortest, longest }) =>
    [shortest - 1, shortest, longest - 1, longest, longest + 1]
      .filter((length) => length >= 0)
      .map((length) => ({ endpoint, field, length, is: length >= shortest && length <= longest })),
  )
  test.each(rows)('$endpoint, $field of $length: $is', async ({ endpoint, field, length, is }) => {
    expect(await takes(endpoint, { [field]: 'x'.repeat(length) })).toBe(is)
  })

  test('a text counts code points', async () => {
    const endpoint = 'POST /rooms/{room}/messages/customer-text'
    expect([
      await takes(endpoint, { text: '😀'.repeat(4000) }),
      await takes(endpoint, { text: '😀'.repeat(4001) }),
    ]).toEqual([true, false])
  })

  test.each([-1, 0, 1])('a body of 64 KiB and %i bytes', async (more) => {
    const empty = JSON.stringify({ customerAccount: 'ann', more: '' })
    const body = JSON.stringify({ customerAccount: 'ann', more: 'x'.repeat(book.bodyBytes + more - empty.length) })
    expect((await ask(helpdesk(), 'POST /rooms', body)).status).toBe(more > 0 ? 413 : 200)
  })
})

describe('patterns', () => {
  const rows = book.patterns.flatMap(({ endpoint, field, accepts, refuses }) => [
    ...accepts.map((text) => ({ endpoint, field, text, is: true })),
    ...refuses.map((text) => ({ endpoint, field, text, is: false })),
  ])
  test.each(rows)('$field $text: $is', async ({ endpoint, field, text, is }) => {
    expect(await takes(endpoint, { [field]: text })).toBe(is)
  })

  test.each(book.priorities.accepts)('priority %i', async (priority) => {
    expect((await send('POST /tickets', { priority })).body.priority).toBe(priority)
  })

  test.each(book.priorities.refuses)('priority %j', async (priority) => {
    expect(await takes('POST /tickets', { priority })).toBe(false)
  })

  test.each(forms.visibilities.refuses)('visibility %j', async (visibility) => {
    expect(await takes('POST /tickets/{ticket}/comments', { visibility })).toBe(false)
  })
})

describe('pages', () => {
  test('100 messages, the oldest first; a page past the end is empty', async () => {
    const room = await ask(helpdesk(), 'POST /rooms', { customerAccount: 'many' })
    const path = `/rooms/${room.body.roomId}/messages`
    for (let i = 1; i <= book.messagesPage + 1; i++)
      await ask(helpdesk(), `POST ${path}/customer-text`, { text: `m ${i}` })
    const pages = await Promise.all([1, 2, 3].map((page) => ask(helpdesk(), `GET ${path}?page=${page}`)))
    expect(pages.map(({ body }) => body.items.length)).toEqual([book.messagesPage, 1, 0])
    const [first] = pages
    expect(Object.keys(first?.body).toSorted()).toEqual(expect.arrayContaining([...forms.listFields].toSorted()))
    const seqs = first?.body.items.map((each: { seq: number }) => each.seq)
    expect(seqs).toEqual(Array.from({ length: book.messagesPage }, (_, i) => i + 1))
    expect(pages.map(({ body }) => body.hasMore)).toEqual([true, false, false])
  })

  test.each([0, 1, 20, 100, 101])('a page of %i tickets', async (pageSize) => {
    const { least, most } = book.ticketsPage
    const { status, body } = await ask(helpdesk(), `GET /tickets?pageSize=${pageSize}`)
    expect(status).toBe(pageSize < least || pageSize > most ? 400 : 200)
    if (status === 200) expect(body.pageSize).toBe(pageSize)
  })

  test('the default is 20 tickets', async () => {
    expect((await ask(helpdesk(), 'GET /tickets')).body.pageSize).toBe(book.ticketsPage.default)
  })
})

describe('objects', () => {
  const keys = (value: object) => Object.keys(value).toSorted()

  test('a room, its message, a ticket and a comment have the fields of the tables', async () => {
    const { room, ticket } = helpdesk()
    expect(keys(room.body)).toEqual([...forms.roomFields, ...forms.createdRoomFields].toSorted())
    expect(room.body).toMatchObject(forms.roomDefaults)
    expect(room.body.roomId.startsWith(forms.idPrefixes.room)).toBe(true)
    const messages = (await ask(helpdesk(), helpdesk().named('GET /rooms/{room}/messages'))).body.items
    for (const message of messages)
      expect(keys(message)).toEqual(expect.arrayContaining([...forms.messageFields].toSorted()))
    expect(messages[0].messageId.startsWith(forms.idPrefixes.message)).toBe(true)
    const one = (await ask(helpdesk(), `GET /tickets/${ticket.body.ticketNumber}`)).body
    expect(keys(one)).toEqual([...forms.ticketFields, ...forms.oneTicketFields].toSorted())
    expect(one).toMatchObject({ status: forms.initialStatus, priority: book.priorities.default })
    expect(one.history.every(({ kind }: { kind: string }) => forms.historyKinds.some((each) => each === kind))).toBe(
      true,
    )
    const list = (await ask(helpdesk(), 'GET /tickets')).body
    expect(keys(list)).toEqual(expect.arrayContaining([...forms.listFields].toSorted()))
    expect(keys(list.items[0])).toEqual([...forms.ticketFields].toSorted())
    const comment = await ask(helpdesk(), helpdesk().named('POST /tickets/{ticket}/comments'), { content: 'x' })
    expect(comment.status).toBe(201)
    expect(keys(comment.body)).toEqual(expect.arrayContaining([...forms.commentFields].toSorted()))
    expect(comment.body).toMatchObject({
      visibility: forms.visibilities.default,
      authorDisplayName: forms.defaultAuthor,
    })
  })

  test('the general form has the statuses of the table, and every one may follow any other', async () => {
    const { workflow } = (await ask(helpdesk(), 'GET /forms/general')).body
    const statuses = workflow.statuses.map(({ code, category }: { code: string; category: string }) => ({
      code,
      category,
    }))
    expect(statuses).toEqual(forms.generalStatuses)
    expect(workflow).toMatchObject({ initialStatus: forms.initialStatus, transitions: null })
    for (const from of forms.generalStatuses)
      for (const to of forms.generalStatuses) {
        const { body } = await ask(helpdesk(), 'POST /tickets', { title: `${from.code} ${to.code}` })
        const move = (status: string) => ask(helpdesk(), `POST /tickets/${body.ticketId}/status`, { status })
        await move(from.code)
        const moved = await move(to.code)
        expect(moved.status, `${from.code} to ${to.code}`).toBe(200)
        expect(moved.body).toMatchObject({
          ...{ status: to.code, statusCategory: to.category, previousStatus: from.code },
          changed: from.code !== to.code,
        })
      }
  })
})

describe('identity', () => {
  const window = book.identityWindowSeconds
  test.each([-window - 1, -window, 0, window, window + 1])('a signature of %i seconds off', async (off) => {
    const shop = await aShop(helpdesk().world)
    const customerAccount = 'known'
    // The time has the widget's format: Unix seconds.
    const issuedAt = Math.floor(helpdesk().world.chat.machineNow() / 1000) + off
    const signature = createHmac('sha256', shop.identitySecret).update(`${customerAccount}.${issuedAt}`).digest('hex')
    const sent = { tenantKey: shop.tenantKey, identity: { customerAccount, issuedAt, signature } }
    const { status, body } = await ask(shop, 'POST /api/widget/v1/rooms', sent, {})
    if (Math.abs(off) > window) expect(body.error).toMatchObject({ code: 'IDENTITY_INVALID' })
    else expect(status).toBe(201)
  })
})

describe('an Idempotency-Key', () => {
  test.each([-1, 1])('of a ticket is kept for 24 hours: %i seconds', async (more) => {
    const world = await testWorld()
    const of = await aHelpdesk(world)
    const create = () =>
      ask(of, 'POST /tickets', { title: 'once' }, { 'x-chat-apikey': of.apiKey, 'idempotency-key': 'k' })
    const first = await create()
    world.clock.add(`${book.idempotencyHours * 3600 + more}s`)
    await world.settle()
    const again = await create()
    expect([first.status, again.status]).toEqual([201, more < 0 ? 200 : 201])
    if (more < 0) expect(again.body).toEqual(first.body)
  })
})

describe('rates', () => {
  const each = { second: 1, minute: 60, hour: 3600 } as const
  const row = (scope: (typeof book.rates)[number]['scope']) => {
    const limit = book.rates.find((rate) => rate.scope === scope)
    if (!limit) throw new Error(`no rate ${scope}`)
    return { burst: limit.burst, oneMs: Math.ceil((each[limit.per] * 1000) / limit.sustained) }
  }
  type Calls = Awaited<ReturnType<typeof aHelpdesk>>
  const widget = ({ room, tenantKey }: Calls, path = '') =>
    `/api/widget/v1/rooms/${room.body.roomId}${path}?tenantKey=${tenantKey}`
  const token = ({ room }: Calls) => ({ 'x-chat-room-token': room.body.roomToken })

  test.each<{
    scope: (typeof book.rates)[number]['scope']
    before?: number
    call: (of: Calls, i: number) => Promise<{ status: number }>
  }>([
    // Setting up the room and the ticket of the helpdesk took two calls.
    { scope: 'API key, all calls', before: 2, call: (of) => ask(of, 'GET /tickets') },
    {
      scope: 'customer-text per room',
      call: (of, i) => ask(of, of.named('POST /rooms/{room}/messages/customer-text'), { text: `t ${i}` }),
    },
    {
      scope: 'widget config per tenantKey and IP',
      call: (of) => ask(of, `GET /api/widget/v1/config?tenantKey=${of.tenantKey}`, null, {}),
    },
    {
      scope: 'widget room creation per tenantKey and IP',
      call: (of) => ask(of, 'POST /api/widget/v1/rooms', { tenantKey: of.tenantKey }, {}),
    },
    {
      scope: 'widget messages per room token',
      call: (of, i) =>
        ask(of, `POST ${widget(of, '/messages')}`, { text: `t ${i}`, clientMessageId: `c-${i}` }, token(of)),
    },
    {
      scope: 'read and typing per token',
      call: (of) => ask(of, `POST ${widget(of, '/typing')}`, { typing: true }, token(of)),
    },
    {
      scope: 'initialize per room token',
      call: (of) => ask(of, `POST ${widget(of, '/media/initialize')}`, { fileName: 'a' }, token(of)),
    },
    {
      scope: 'chunks per room token',
      call: (of) =>
        ask(of, `PUT ${widget(of, '/media/upl_01JZZZZZZZZZZZZZZZZZZZZZZZ/chunk')}`, 'x', {
          ...token(of),
          'content-type': 'application/octet-stream',
          'upload-offset': '0',
        }),
    },
    {
      scope: 'agent token',
      call: (of) => ask(of, 'GET /api/agent/v1/rooms', null, { 'x-chat-agenttoken': of.agentToken }),
    },
    { scope: 'failed keys per IP', call: (of) => ask(of, 'GET /tickets', null, { 'x-chat-apikey': 'wrong' }) },
  ])('$scope', async ({ scope, before = 0, call }) => {
    const world = await testWorld({ rateLimits: true })
    const of = await aHelpdesk(world)
    const { burst, oneMs } = row(scope)
    const limited = []
    for (let i = 0; i < burst - before + 1; i++) limited.push((await call(of, i)).status === 429)
    expect(limited).toEqual([...Array(burst - before).fill(false), true])
    world.clock.add(`${oneMs}ms`)
    expect([(await call(of, 1000)).status === 429, (await call(of, 1001)).status === 429]).toEqual([false, true])
  })
})

describe('uploads', () => {
  const start = (of: Awaited<ReturnType<typeof aHelpdesk>>, roomId: string, roomToken: string, more: object) =>
    ask(
      of,
      `POST /api/widget/v1/rooms/${roomId}/media/initialize?tenantKey=${of.tenantKey}`,
      { fileName: 'a.png', contentType: 'image/png', sizeBytes: 10, clientUploadId: `u-${++made}`, ...more },
      { 'x-chat-room-token': roomToken },
    )
  const inNewRoom = async (more: object) => {
    const { body } = await ask(helpdesk(), 'POST /rooms', { customerAccount: `up-${++made}` })
    return start(helpdesk(), body.roomId, body.roomToken, more)
  }

  test.each(book.fileTypes.accepts)('$fileName of $contentType', async (file) => {
    const { status, body } = await inNewRoom(file)
    expect(status).toBe(201)
    const { chunkSizeBytes, maxChunkBytes } = book.upload
    expect(body).toMatchObject({ receivedBytes: 0, sizeBytes: 10, chunkSizeBytes, maxChunkBytes })
    expect(body.uploadId.startsWith(forms.idPrefixes.upload)).toBe(true)
  })

  test.each(book.fileTypes.refuses)('never $fileName of $contentType', async (file) => {
    expect((await inNewRoom(file)).body.error.code).toBe('FILE_TYPE_NOT_ALLOWED')
  })

  test.each([0, 1, book.upload.fileBytes, book.upload.fileBytes + 1])('a file of %i bytes', async (sizeBytes) => {
    const { status, body } = await inNewRoom({ sizeBytes })
    if (sizeBytes === 0) expect(status).toBe(400)
    else if (sizeBytes > book.upload.fileBytes) expect(body.error.code).toBe('FILE_TOO_LARGE')
    else expect(status).toBe(201)
  })

  test('three open uploads a room', async () => {
    const { body } = await ask(helpdesk(), 'POST /rooms', { customerAccount: `up-${++made}` })
    const statuses = []
    for (let i = 0; i <= book.upload.openPerRoom; i++)
      statuses.push((await start(helpdesk(), body.roomId, body.roomToken, {})).status < 300)
    expect(statuses).toEqual([true, true, true, false])
  })

  test('the room token lives for 30 days', async () => {
    const shop = await aShop(helpdesk().world)
    const { body } = await ask(shop, 'POST /rooms', { customerAccount: 'x' })
    expect(Date.parse(body.roomTokenExpiresAt) - Date.parse(body.createdAt)).toBe(book.roomTokenDays * 86_400_000)
  })
})
