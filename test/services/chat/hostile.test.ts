import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { world } from '../../../src/db/migrations/world/index.ts'
import { openStore } from '../../../src/db/store.ts'
import type { WireReply } from '../../../src/http/client/transport.ts'
import type { Contract, Endpoint } from '../../../src/http/contract/contract.ts'
import { rebuildTenantKey, revokeKey, revokeRoomTokens } from '../../../src/services/chat/admin.ts'
import { agent, chat, widget } from '../../../src/services/chat/api/contract.ts'
import { idInKey } from '../../../src/services/chat/auth/tokens.ts'
import { anyCharacter } from '../../support/any-text.ts'
import { keepingEngines, postgres } from '../../support/databases/engines.ts'
import { aHelpdesk, aMerchant, type Helpdesk, type Merchant, widgetClient } from './helpdesk.ts'

/** Every endpoint of the chat's three APIs, made from the contracts, so that a new one is included. */
interface EndpointCall {
  readonly contract: Contract
  readonly name: string
  readonly endpoint: Endpoint
}
const endpoints: readonly EndpointCall[] = [chat, widget, agent].flatMap((contract: Contract) =>
  Object.entries(contract.endpoints).map(([name, endpoint]) => ({ contract, name, endpoint })),
)
const titled = ({ contract, name }: EndpointCall) => `${contract.title}: ${name}`

/** A valid body for each endpoint that has one. */
const bodies: Readonly<Record<string, object>> = {
  openRoom: { customerDisplayName: 'Ann', customerLanguage: 'en' },
  sendCustomerText: { text: 'x', clientMessageId: 'c-1' },
  createTicket: { title: 'Help', description: 'T-9', priority: 3, fieldValues: [{ fieldCode: 'txnId', value: 'T-9' }] },
  comment: { content: 'x', visibility: 'public', authorDisplayName: 'Helpdesk', clientCommentId: 'cc-1' },
  setStatus: { status: 'resolved', actorDisplayName: 'Helpdesk', comment: { content: 'done' } },
  send: { text: 'x', clientMessageId: 'c-2' },
  read: { seq: 1 },
  unread: { seq: 1 },
  typing: { typing: true },
  initializeUpload: { fileName: 'a.gif', contentType: 'image/gif', sizeBytes: 10, clientUploadId: 'u-2' },
  completeUpload: { clientMessageId: 'c-3', text: 'look' },
  rate: { score: 5 },
  mailTranscript: { email: 'ann@shop.example', clientTranscriptId: 'x' },
  createOwnTicket: { formCode: 'general', title: 'Help', clientTicketId: 'x' },
  replyToOwnTicket: { content: 'x', clientCommentId: 'x' },
  reply: { text: 'x', clientMessageId: 'c-4', expectedLastSeq: 99 },
  assign: { agentId: 'me', expectedAssignee: null },
  changeTicket: { assignee: 'me', priority: 4, snoozedUntil: '2027-01-01T00:00:00Z', fieldValues: [] },
}

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`

/** Values of every kind that a careless or hostile caller may send instead of the expected one. */
const hostile: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  1e300,
  2 ** 53,
  -(2 ** 63),
  '',
  ' ',
  '0',
  'NaN',
  'null',
  '__proto__',
  'me',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '\u202eexe.png',
  '\u2028',
  '😀'.repeat(2_001),
  'é́'.repeat(100),
  '%_\\"\'; drop table chat_rooms; --',
  '\u001b[31m',
  '<script>',
  '../../etc/passwd',
  'x'.repeat(20_001),
  '2027-02-30T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  'resolved',
  [],
  {},
  [[]],
  [null],
  { agentId: '\0' },
  { content: '\ud800' },
  Array.from({ length: 300 }, () => ({ fieldCode: 'txnId', value: 'x' })),
  [{ fieldCode: 'txnId', value: { a: ['\0'] } }],
  [{ fieldCode: '__proto__', value: 1 }],
  [{ fieldCode: 'amount', value: '1e5' }],
  JSON.parse(deep(60)),
]
const values = fc.oneof(
  fc.constantFrom(...hostile),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: anyCharacter, maxLength: 40 }),
)

const wholeBodies: readonly (string | Uint8Array)[] = [
  '',
  'null',
  '[]',
  '"x"',
  '{',
  '{"text":"x"',
  'NaN',
  `{"text":${deep(80)}}`,
  '{"text":"a","text":"b","clientMessageId":"c-5"}',
  '{"__proto__":{"text":"x"},"constructor":{"prototype":1}}',
  '\ufeff{"seq":1}',
  new Uint8Array([0x7b, 0xff, 0xfe, 0x7d]),
  gzipSync('{"text":"x"}'),
  ' '.repeat(65_537),
  `{"customerAccount":"${'x'.repeat(65_000)}"}`,
]

const pathParts = [
  '%00',
  '%zz',
  '%ff',
  '..',
  '%2e%2e',
  '%2F',
  'x'.repeat(300),
  '%F0%9F%98%80',
  '1',
  '0',
  '999999999999',
  ';x=1',
  "'",
]
const queries = [
  'page=0',
  'page=-1',
  'page=1e9',
  'page=999999999999999',
  'page=1&page=2',
  'page[]=1',
  'page[a]=1',
  'afterSeq=999999999999999',
  'beforeSeq=999999999999999',
  'limit=101',
  'pageSize=101',
  'status=%00',
  'status=open,,%ED%A0%80',
  'keyword=%00',
  'keyword=%25_%5C',
  `keyword=${'a+'.repeat(90)}`,
  'keyword=%23999999999999999',
  'keyword=%22%22',
  'priority=9',
  'priority=99999999999',
  'updatedSince=2027-02-30T00:00:00Z',
  'waitingSince=0000-01-01T00:00:00%2B23:59',
  'sort=x',
  'assignee=%00',
  'unread=maybe',
  'inboxCategoryCode=..',
  'after=NaN&waitMs=0',
  'after=x.NaN&waitMs=0',
  'waitMs=25001',
  '__proto__=1&constructor=1',
  '%zz=%zz',
  '&&==&',
  'tenantKey=a&tenantKey=b',
]
const manners: readonly Readonly<Record<string, string>>[] = [
  { 'idempotency-key': '' },
  { 'idempotency-key': 'x'.repeat(256) },
  { 'idempotency-key': 'a b' },
  { 'idempotency-key': 'same' },
  { 'content-type': ';;' },
  { 'content-encoding': 'gzip' },
  { 'if-none-match': '*, W/"x", "' },
  { origin: 'null' },
  { origin: 'https://x.example', 'access-control-request-method': 'POST' },
  { accept: 'text/html', te: 'trailers' },
]

/** One request: an endpoint with valid values, and the change to them. */
type Fault =
  | { readonly field: number; readonly value: unknown }
  | { readonly without: number }
  | { readonly body: string | Uint8Array }
  | { readonly part: string }
  | { readonly query: string }
  | { readonly headers: Readonly<Record<string, string>> }
  | { readonly method: string }
  | { readonly nothing: true }
const faults: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ field: fc.nat(8), value: values }) },
  { weight: 1, arbitrary: fc.record({ without: fc.nat(8) }) },
  { weight: 2, arbitrary: fc.record({ body: fc.constantFrom(...wholeBodies) }) },
  { weight: 2, arbitrary: fc.record({ part: fc.constantFrom(...pathParts) }) },
  { weight: 3, arbitrary: fc.record({ query: fc.constantFrom(...queries) }) },
  { weight: 1, arbitrary: fc.record({ headers: fc.constantFrom(...manners) }) },
  {
    weight: 1,
    arbitrary: fc.record({ method: fc.constantFrom('HEAD', 'OPTIONS', 'PUT', 'TRACE', 'DELETE', 'PROPFIND') }),
  },
  { weight: 8, arbitrary: fc.constant<Fault>({ nothing: true }) },
)

const tables = [
  'chat_rooms',
  'chat_messages',
  'chat_events',
  'chat_inboxes',
  'chat_tickets',
  'chat_ticket_comments',
  'chat_ticket_history',
  'chat_ticket_texts',
  'chat_uploads',
  'chat_media',
  'store_once',
] as const

/** Returns all rows of the database. */
function stateOf({ app }: Helpdesk) {
  return app.store.read(async ({ q }) => {
    const all: Record<string, string[]> = {}
    for (const table of tables)
      all[table] = (await q.selectFrom(table).selectAll().execute()).map((row) => JSON.stringify(row)).sort()
    return all
  })
}

async function aSetup(helpdesk: Helpdesk, merchant: Merchant) {
  const room = await merchant.bot.openRoom({ body: { customerAccount: 'a', initialMessage: 'hello' } })
  const ticket = await merchant.bot.createTicket({ body: { title: 'Help', customerAccount: 'a' } })
  const customer = widgetClient(helpdesk, merchant.tenantKey, room.roomToken)
  const { uploadId } = await customer.initializeUpload({
    params: { roomId: room.roomId },
    query: {},
    body: { fileName: 'a.gif', contentType: 'image/gif', sizeBytes: 10, clientUploadId: 'u-1' },
  })
  const ids: Readonly<Record<string, string>> = {
    roomId: room.roomId,
    ticketId: ticket.ticketId,
    uploadId,
    formCode: 'general',
  }
  const keys: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    [chat.title]: { 'x-chat-apikey': merchant.apiKey },
    [agent.title]: { 'x-chat-agenttoken': merchant.agentToken },
    [widget.title]: { 'x-chat-tenant-key': merchant.tenantKey, 'x-chat-room-token': room.roomToken },
  }
  return { ids, keys, room }
}

type Setup = Awaited<ReturnType<typeof aSetup>>

/** The request as it is sent. */
function requestOf({ contract, name, endpoint }: EndpointCall, { ids, keys }: Setup, fault: Fault) {
  const right = { ...(contract === chat && name === 'openRoom' ? { customerAccount: 'a' } : {}), ...bodies[name] }
  const names = Object.keys(endpoint.body?.properties ?? {})
  let body: unknown = endpoint.body ? right : undefined
  if ('field' in fault && endpoint.body)
    body = { ...right, [names[fault.field % names.length] ?? 'x']: fault.value, another: fault.value }
  if ('without' in fault && endpoint.body)
    body = Object.fromEntries(Object.entries(right).filter(([key]) => key !== names[fault.without % names.length]))
  if ('body' in fault) body = fault.body
  const hasParts = endpoint.path.includes(':')
  const wrong = 'part' in fault ? fault.part : undefined
  const path = endpoint.path.replace(/:([A-Za-z]+)/g, (_, id: string) => wrong ?? ids[id] ?? 'x')
  const query = 'query' in fault ? fault.query : name === 'poll' ? 'waitMs=0' : ''
  const tail = wrong !== undefined && !hasParts ? `/${wrong}` : ''
  return {
    method: 'method' in fault ? fault.method : endpoint.method,
    path: `${contract.prefixes[0]}${path}${tail}${query === '' ? '' : `?${query}`}`,
    headers: {
      'content-type': 'application/json',
      ...keys[contract.title],
      ...('headers' in fault ? fault.headers : {}),
    },
    ...(body === undefined
      ? {}
      : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
  }
}

type Request = ReturnType<typeof requestOf>

/** Reported counts match what exists, however it was created. */
async function expectWhole(helpdesk: Helpdesk) {
  const { app } = helpdesk
  await app.store.read(async ({ q }) => {
    const events = await q.selectFrom('chat_events').selectAll().orderBy('n').execute()
    for (const room of await q.selectFrom('chat_rooms').selectAll().execute()) {
      const messages = await q
        .selectFrom('chat_messages')
        .selectAll()
        .where('room_id', '=', room.id)
        .orderBy('seq')
        .execute()
      const mine = events.filter((event) => event.room_id === room.id)
      const eventSeqs = mine
        .filter((event) => event.kind === 'message.created')
        .map((event) => JSON.parse(event.data).seq)
      const unread = (side: string, from: number) =>
        messages.filter((each) => each.unread_for === side && each.seq > from).length
      expect({
        sequenceNumbers: eventSeqs,
        numbers: mine.map((event) => event.n),
        lastSeq: room.last_seq,
        agentUnread: room.agent_unread,
        customerUnread: room.customer_unread,
      }).toEqual({
        sequenceNumbers: messages.map((each) => each.seq),
        numbers: mine.map((_, i) => i + 1),
        lastSeq: messages.length,
        agentUnread: unread('agent', room.agent_read_seq),
        customerUnread: unread('customer', room.customer_read_seq),
      })
    }
    for (const ticket of await q.selectFrom('chat_tickets').selectAll().execute()) {
      const count = async (table: 'chat_ticket_comments' | 'chat_ticket_history') =>
        (await q.selectFrom(table).select('seq').where('ticket_id', '=', ticket.id).execute()).length
      const updates = events.filter(
        (event) => event.kind === 'ticket.updated' && JSON.parse(event.data).ticketId === ticket.id,
      )
      expect([updates.length, await count('chat_ticket_comments'), await count('chat_ticket_history')]).toEqual([
        ticket.version,
        ticket.comment_count,
        ticket.history_count,
      ])
    }
  })
}

/**
 * Deviations from the chat's rules: the status, the code, which the contract must list for the endpoint, or internals
 * of the program.
 */
function unmannered(
  { contract, endpoint }: EndpointCall,
  fault: Fault,
  request: Request,
  answer: WireReply,
): string | undefined {
  const { status, headers, body } = answer
  const id = headers['x-request-id']
  if (!id) return 'it has no name'
  if (status >= 500) return 'it failed'
  if (/"[A-Za-z]+(?:At|Since|Until)":(?!null|"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z")/.test(body))
    return 'a time has another format'
  if (status < 400 || request.method === 'HEAD') return undefined
  const { code, message, details, requestId } = JSON.parse(body).error
  if (contract.problems[code] !== status) return 'its code has another status'
  if (!Array.isArray(details) || requestId !== id) return 'it lacks details or its request ID'
  // Another path or method is another endpoint, or none.
  const isSameEndpoint = request.method === endpoint.method && !('part' in fault)
  if (isSameEndpoint && !endpoint.refusals.includes(code) && !contract.common.includes(code))
    return 'its code is not listed'
  return /node_modules|\bat .*:\d+:\d+|sqlite|postgres/i.test(message)
    ? 'it reveals internals of the program'
    : undefined
}

const shownOf = (each: EndpointCall, request: Request, { status, body }: WireReply) =>
  `${titled(each)} ${JSON.stringify(request).slice(0, 400)} → ${status} ${body.slice(0, 300)}`

test('with any value in any position of a request, the response has the chat’s own format, and a refusal has written nothing', async () => {
  let committed = 0
  const helpdesk = await aHelpdesk({
    async store(now) {
      const store = await openStore({ url: ':memory:', migrations: world, now })
      onTestFinished(() => store.close())
      return {
        ...store,
        async write(work, options) {
          const value = await store.write(work, options)
          committed++
          return value
        },
      }
    },
  })
  let written = 0
  const failures: string[] = []
  for (const each of endpoints) {
    const setup = await aSetup(helpdesk, await aMerchant(helpdesk))
    const fields = Object.keys(each.endpoint.body?.properties ?? {})
    const tried: Fault[] = [
      ...fields.flatMap((_, field) => hostile.map((value) => ({ field, value }))),
      ...fields.map((_, without) => ({ without })),
      ...(each.endpoint.body ? wholeBodies.map((body) => ({ body })) : []),
      ...pathParts.map((part) => ({ part })),
      ...(each.endpoint.method === 'GET' ? queries.map((query) => ({ query })) : []),
      ...manners.map((headers) => ({ headers })),
    ]
    for (const fault of tried) {
      const request = requestOf(each, setup, fault)
      const before = committed
      const answer = await helpdesk.server.inject(request)
      const isQuiet = answer.status >= 400 || request.method === 'GET'
      const wrong =
        unmannered(each, fault, request, answer) ?? (isQuiet && committed > before ? 'it has written' : undefined)
      if (wrong) failures.push(`${wrong}: ${shownOf(each, request, answer)}`)
      if (!isQuiet) written += committed - before
    }
  }
  expect(failures).toEqual([])
  await expectWhole(helpdesk)
  // Not all of them were refused by authentication.
  expect(written).toBeGreaterThan(100)
})

test('with any requests in any order, a refused one has changed nothing, and every change is sent once', async () => {
  const steps = fc.array(fc.tuple(fc.constantFrom(...endpoints), faults), { minLength: 10, maxLength: 40 })
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const helpdesk = await aHelpdesk()
      const setup = await aSetup(helpdesk, await aMerchant(helpdesk))
      let before = await stateOf(helpdesk)
      for (const [each, fault] of list) {
        const request = requestOf(each, setup, fault)
        const answer = await helpdesk.server.inject(request)
        const after = await stateOf(helpdesk)
        const title = shownOf(each, request, answer)
        expect(unmannered(each, fault, request, answer), title).toBe(undefined)
        if (answer.status >= 400 || request.method === 'GET') expect(after, title).toEqual(before)
        before = after
      }
      await expectWhole(helpdesk)
    }),
    { numRuns: 10, seed: 20_261_122 },
  )
})

test.each(keepingEngines)(
  'on $name ten concurrent requests with one id, to two processes, are done once, and another request with the id is refused',
  async (engine) => {
    const database = await engine.database()
    const mediaFolder = mkdtempSync(join(tmpdir(), 'countroom-media-'))
    const one = await aHelpdesk({ mediaFolder, store: (now) => database.open({ migrations: world, now }) })
    const store =
      engine === postgres ? (now: () => number) => database.open({ migrations: world, now }) : async () => one.app.store
    const two = await aHelpdesk({ mediaFolder, store })
    const merchant = await aMerchant(one)
    const { ids, keys } = await aSetup(one, merchant)
    const room = `/rooms/${ids['roomId']}`
    const ask = async (
      contract: Contract,
      path: string,
      body: object,
      more: Readonly<Record<string, string>> = {},
      helpdesk = one,
    ) => {
      const request = {
        method: 'POST',
        path: `${contract.prefixes[0]}${path}`,
        headers: { ...keys[contract.title], ...more },
      }
      const answer = await helpdesk.server.inject({ ...request, body: JSON.stringify(body) })
      return { status: answer.status, json: JSON.parse(answer.body) }
    }
    const cases: readonly [Contract, string, object, string, object, string, Record<string, string>?][] = [
      [
        chat,
        `${room}/messages/customer-text`,
        { text: 'x', clientMessageId: 'a' },
        'messageId',
        { text: 'y' },
        'CLIENT_MESSAGE_ID_CONFLICT',
      ],
      [
        widget,
        `${room}/messages`,
        { text: 'x', clientMessageId: 'b' },
        'messageId',
        { text: 'y' },
        'CLIENT_MESSAGE_ID_CONFLICT',
      ],
      [
        agent,
        `${room}/messages`,
        { text: 'x', clientMessageId: 'c' },
        'messageId',
        { text: 'y' },
        'CLIENT_MESSAGE_ID_CONFLICT',
      ],
      [
        chat,
        '/tickets',
        { title: 'x' },
        'ticketId',
        { title: 'y' },
        'IDEMPOTENCY_KEY_REUSED',
        { 'idempotency-key': 'a' },
      ],
      [
        agent,
        '/tickets/1/comments',
        { content: 'x', visibility: 'public' },
        'commentId',
        { visibility: 'internal' },
        'IDEMPOTENCY_KEY_REUSED',
        { 'idempotency-key': 'b' },
      ],
      [
        chat,
        '/tickets/1/comments',
        { content: 'x', clientCommentId: 'c' },
        'commentId',
        { content: 'y' },
        'CLIENT_COMMENT_ID_CONFLICT',
      ],
      [
        widget,
        `${room}/media/initialize`,
        { fileName: 'a.txt', contentType: 'text/plain', sizeBytes: 5, clientUploadId: 'd' },
        'uploadId',
        { sizeBytes: 6 },
        'INVALID_PARAMETER',
      ],
    ]
    for (const [contract, path, body, id, other, code, more] of cases) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, i) => ask(contract, path, body, more, i % 2 ? two : one)),
      )
      expect([path, answers.map(({ status }) => status).sort()]).toEqual([path, [...Array(9).fill(200), 201]])
      expect(new Set(answers.map(({ json }) => json[id])).size).toBe(1)
      const refused = await ask(contract, path, { ...body, ...other }, more, two)
      expect([path, refused.json.error?.code]).toEqual([path, code])
    }
    const upload = `${room}/media/${ids['uploadId']}`
    await one.server.inject({
      method: 'PUT',
      path: `${widget.prefixes[0]}${upload}/chunk`,
      headers: { ...keys[widget.title], 'upload-offset': '0' },
      body: Buffer.from('47494638396101000100', 'hex'),
    })
    const sent = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        ask(widget, `${upload}/complete`, { clientMessageId: `m${i}` }, {}, i % 2 ? two : one),
      ),
    )
    expect(sent.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201])
    // Two comments of agents, and as answers of the customer two texts and the file.
    const { version: expectedVersion } = await one.app.store.read(({ q }) =>
      q.selectFrom('chat_tickets').select('version').where('number', '=', 1).executeTakeFirstOrThrow(),
    )
    expect(expectedVersion).toBe(6)
    const moved = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        ask(
          agent,
          '/tickets/1/status',
          { status: i % 3 ? 'resolved' : 'closed', expectedVersion },
          {},
          i % 2 ? two : one,
        ),
      ),
    )
    expect(moved.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    await expectWhole(one)
  },
)

/** Invalid keys with any earlier value. */
async function damaged(helpdesk: Helpdesk, merchant: Merchant, { keys, room }: Setup) {
  const other = await aMerchant(helpdesk)
  const revoked = await aMerchant(helpdesk)
  const [botKey, agentToken] = [revoked.apiKey, revoked.agentToken]
  await revokeKey(helpdesk.app, revoked.code, idInKey('api', botKey) ?? '')
  await revokeKey(helpdesk.app, revoked.code, idInKey('agent', agentToken) ?? '')
  const rebuilt = merchant.tenantKey
  await rebuildTenantKey(helpdesk.app, merchant.code)
  const old = await merchant.bot.openRoom({ body: { customerAccount: 'revoked' } })
  await revokeRoomTokens(helpdesk.app, merchant.code, { account: 'revoked' })
  const { tenantKey } = other
  const theirs = await other.bot.openRoom({ body: { customerAccount: 'a' } })
  const good = { ...keys[chat.title], ...keys[agent.title] }
  return {
    [chat.title]: {
      code: 'UNAUTHORIZED',
      all: [
        {},
        { 'x-chat-apikey': '' },
        { 'x-chat-apikey': merchant.agentToken },
        { 'x-chat-apikey': merchant.tenantKey },
        { 'x-chat-apikey': room.roomToken },
        { 'x-chat-apikey': botKey },
        { 'x-chat-apikey': `${merchant.apiKey}x` },
        { 'x-chat-apikey': merchant.apiKey.toLowerCase() },
        { 'x-chat-agenttoken': merchant.agentToken },
        { authorization: `Bearer ${merchant.apiKey}` },
      ],
    },
    [agent.title]: {
      code: 'UNAUTHORIZED',
      all: [
        {},
        { 'x-chat-agenttoken': merchant.apiKey },
        { 'x-chat-agenttoken': room.roomToken },
        { 'x-chat-agenttoken': agentToken },
        { 'x-chat-apikey': merchant.apiKey },
        { 'x-chat-agenttoken': `${merchant.agentToken}, ${merchant.agentToken}` },
      ],
    },
    [widget.title]: {
      code: 'INVALID_TENANT_KEY',
      all: [
        good,
        { ...good, 'x-chat-tenant-key': rebuilt, 'x-chat-room-token': room.roomToken },
        { 'x-chat-tenant-key': merchant.apiKey },
        { 'x-chat-tenant-key': 'wk_' },
      ],
    },
    customer: {
      code: 'INVALID_ROOM_TOKEN',
      all: [
        { ...good, 'x-chat-tenant-key': tenantKey },
        { 'x-chat-tenant-key': tenantKey, 'x-chat-room-token': room.roomToken },
        { 'x-chat-tenant-key': tenantKey, 'x-chat-room-token': theirs.roomToken },
        { 'x-chat-tenant-key': tenantKey, 'x-chat-room-token': old.roomToken },
        { 'x-chat-tenant-key': tenantKey, 'x-chat-room-token': merchant.apiKey },
        { 'x-chat-tenant-key': tenantKey, 'x-chat-room-token': `${room.roomToken}A` },
      ],
    },
  } as Record<string, { code: string; all: Record<string, string>[] }>
}

test('a key that is unknown, of the wrong kind, revoked or rebuilt opens no endpoint, and is rejected before anything else', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const setup = await aSetup(helpdesk, merchant)
  const wrong = await damaged(helpdesk, merchant, setup)
  const before = await stateOf(helpdesk)
  const opened: string[] = []
  for (const each of endpoints) {
    const kinds = [wrong[each.contract.title], ...(each.endpoint.access === 'customer' ? [wrong['customer']] : [])]
    // Valid requests, with an invalid body, and for missing objects.
    for (const kind of kinds)
      for (const keys of kind?.all ?? [])
        for (const fault of [{ nothing: true }, { body: '{' }, { part: '%00' }, { method: 'PROPFIND' }] as const) {
          const { headers: _, ...request } = requestOf(each, setup, fault)
          const { status, body } = await helpdesk.server.inject({ ...request, headers: keys })
          const code = JSON.parse(body).error.code
          // A path that is no path of a room belongs to no customer, so no token is checked.
          const isNowhere = kind === wrong['customer'] && 'method' in fault
          if (!isNowhere && (status !== 401 || code !== kind?.code))
            opened.push(
              `${titled(each)} ${request.method} ${request.path} with ${JSON.stringify(keys)}: ${status} ${code}`,
            )
        }
  }
  expect(opened).toEqual([])
  expect(await stateOf(helpdesk)).toEqual(before)
})
