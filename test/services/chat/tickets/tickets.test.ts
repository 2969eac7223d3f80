import { describe, expect, test } from 'vitest'
import { chatTickets } from '../../../../src/db/migrations/world/0095-chat-tickets.ts'
import { world } from '../../../../src/db/migrations/world/index.ts'
import type { FormDefinition } from '../../../../src/domain/tickets/form.ts'
import { saveForm, setPlan } from '../../../../src/services/chat/admin.ts'
import { keepingEngines, postgres, sqliteFile } from '../../../support/databases/engines.ts'
import { aHelpdesk, aMerchant, type Merchant, raw, refuses } from '../helpdesk.ts'

const codes = ['open', 'in_progress', 'waiting_customer', 'resolved', 'closed']

/** A form with one field of each kind, and a workflow without reverse steps. */
const refund: FormDefinition = {
  title: 'Refund',
  description: '',
  fields: [
    {
      fieldCode: 'txn',
      label: 'Transfer',
      type: 'text',
      required: true,
      visibleToCustomer: true,
      validation: { minLength: 2, maxLength: 5, pattern: '[A-Z0-9]+' },
      requiredOnStatus: [],
    },
    {
      fieldCode: 'amount',
      label: 'Amount',
      type: 'decimal',
      required: false,
      visibleToCustomer: true,
      validation: { min: '0.01', max: '1000' },
      requiredOnStatus: ['done'],
    },
    {
      fieldCode: 'count',
      label: 'Count',
      type: 'integer',
      required: false,
      visibleToCustomer: false,
      default: 1,
      validation: { min: '1', max: '9' },
      requiredOnStatus: [],
    },
    {
      fieldCode: 'reasons',
      label: 'Reasons',
      type: 'multiselect',
      required: false,
      visibleToCustomer: true,
      validation: { maxSelections: 2 },
      options: [
        { value: 'late', label: 'Late' },
        { value: 'wrong', label: 'Wrong' },
        { value: 'other', label: 'Other' },
      ],
      requiredOnStatus: [],
    },
    {
      fieldCode: 'day',
      label: 'Day',
      type: 'date',
      required: false,
      visibleToCustomer: true,
      validation: {},
      requiredOnStatus: [],
    },
  ],
  workflow: {
    initialStatus: 'new',
    statuses: [
      { code: 'new', label: 'New', category: 'new' },
      { code: 'checking', label: 'Checking', category: 'open' },
      { code: 'done', label: 'Done', category: 'resolved' },
    ],
    transitions: [
      { from: 'new', to: 'checking' },
      { from: 'checking', to: 'done', requiresComment: true },
      { from: '*', to: 'new' },
    ],
  },
}

const aTicket = ({ bot }: Merchant, body: Partial<Parameters<Merchant['bot']['createTicket']>[0]['body']> = {}) =>
  bot.createTicket({ body: { title: 'Help', ...body } })

test('every ticket endpoint answers 403 below Pro while rooms work, and Pro enables it at once', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk, { plan: 'free' })
  const headers = { 'x-chat-apikey': merchant.apiKey }
  for (const [method, path] of [
    ['GET', '/tickets'],
    ['GET', '/tickets/1'],
    ['POST', '/tickets'],
    ['POST', '/tickets/1/comments'],
    ['POST', '/tickets/1/status'],
    ['GET', '/forms'],
    ['GET', '/forms/general'],
  ] as const) {
    const { status, body } = await raw(
      helpdesk,
      method,
      `/api/public/v1${path}`,
      headers,
      method === 'POST' ? 'no json' : undefined,
    )
    expect([path, status, JSON.parse(body).error.code]).toEqual([path, 403, 'PLAN_REQUIRED'])
  }
  await merchant.bot.openRoom({ body: { customerAccount: 'a' } })
  await setPlan(helpdesk.app, merchant.code, 'pro')
  expect((await merchant.bot.tickets({ query: {} })).total).toBe(0)
})

test('a ticket is created with the general form and read in full, by ID and by number', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const { bot } = merchant
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'player-77', customerDisplayName: 'Ann' } })
  const made = await aTicket(merchant, {
    formCode: 'general',
    title: 'Where is my deposit?',
    description: 'T-9',
    customerAccount: 'player-77',
    priority: 3,
    fieldValues: [
      { fieldCode: 'txnId', value: 'T-9' },
      { fieldCode: 'amount', value: '10.50' },
    ],
  })
  expect(made).toMatchObject({
    ticketNumber: 1,
    status: 'open',
    statusLabel: 'Open',
    statusCategory: 'open',
    allowedTransitions: codes.slice(1),
    priority: 3,
    roomId,
    customerDisplayName: 'Ann',
    version: 1,
    formVersion: 1,
    assignee: null,
    fieldValues: [
      { fieldCode: 'txnId', value: 'T-9' },
      { fieldCode: 'amount', value: '10.50' },
    ],
  })
  const read = await bot.ticket({ params: { ticketId: '1' } })
  expect(read).toMatchObject({
    ...made,
    comments: [],
    commentsTruncated: false,
    history: [{ kind: 'created', to: 'open', actorType: 'api' }],
  })
  expect(await bot.ticket({ params: { ticketId: made.ticketId } })).toEqual(read)
  for (const ticketId of ['2', 'abc', 'tkt_1', '-1', '1234567890123'])
    await refuses('TICKET_NOT_FOUND', bot.ticket({ params: { ticketId } }))
  await refuses('FORM_NOT_FOUND', bot.form({ params: { formCode: 'no form' } }))
  await refuses('ROOM_NOT_FOUND', bot.messages({ params: { roomId: 'room_1' }, query: {} }))
  await refuses('ROOM_NOT_FOUND', merchant.agent.room({ params: { roomId: `ROOM_${'0'.repeat(26)}` } }))
  await refuses('FORM_NOT_FOUND', aTicket(merchant, { formCode: 'none' }))
  await refuses('INVALID_PARAMETER', aTicket(merchant, { title: '  ' }))
  await refuses('INVALID_PARAMETER', aTicket(merchant, { priority: 5 }))
})

test('fields that are null in responses can be sent back as null', async () => {
  const helpdesk = await aHelpdesk()
  const { bot, agent, apiKey } = await aMerchant(helpdesk)
  const post = async (path: string, body: object) => {
    const answered = await raw(helpdesk, 'POST', `/api/public/v1${path}`, { 'x-chat-apikey': apiKey }, body)
    return { answered: answered.status, ...JSON.parse(answered.body) }
  }
  const nothing = { customerDisplayName: null, customerLanguage: null, formCode: null, priority: null }
  const made = await post('/tickets', {
    title: 'a',
    description: null,
    customerAccount: null,
    fieldValues: null,
    ...nothing,
  })
  expect(made).toMatchObject({ answered: 201, priority: 2, formCode: 'general', customerAccount: null })
  const status = { actorDisplayName: null, expectedVersion: null, comment: null }
  expect(await post('/tickets/1/status', { status: 'resolved', ...status })).toMatchObject({
    status: 'resolved',
    version: 2,
  })
  const unclear = { content: 'x', visibility: null }
  expect(await post('/tickets/1/status', { status: 'open', comment: unclear })).toMatchObject({ answered: 400 })
  const comment = { content: 'x', clientCommentId: null }
  expect(await post('/tickets/1/status', { status: 'open', comment })).toMatchObject({ version: 3, commentCount: 1 })
  expect(await post('/tickets', { title: null })).toMatchObject({ answered: 400 })
  const room = await post('/rooms', {
    customerAccount: 'a',
    channel: null,
    inboxCategoryCode: null,
    initialMessage: null,
  })
  const message = await post(`/rooms/${room.roomId}/messages/customer-text`, { text: 'hi', clientMessageId: null })
  expect([room.channel, message.answered, message.clientMessageId]).toEqual(['api', 201, null])
  const params = { ticketId: '1' }
  const change = { priority: null as never, fieldValues: null as never, expectedVersion: null as never }
  await agent.changeTicket({ params, body: { assignee: 'me', snoozedUntil: '2026-03-02T00:00:00Z' } })
  expect(await agent.changeTicket({ params, body: { ...change, assignee: null } })).toMatchObject({
    assignee: null,
    priority: 2,
    snoozedUntil: '2026-03-02T00:00:00.000Z',
  })
  const refusal = await refuses(
    'INVALID_STATUS',
    bot.setStatus({ params, body: { status: 'x', expectedVersion: null as never } }),
  )
  expect(refusal.detail['details']).toHaveLength(1)
})

test('all errors of field values are reported at once', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  await saveForm(helpdesk.app, merchant.code, 'refund', refund)
  const faultsOf = async (fieldValues: { fieldCode: string; value: unknown }[]) => {
    const refusal = await refuses('INVALID_FIELD_VALUES', aTicket(merchant, { formCode: 'refund', fieldValues }))
    return refusal.detail['details']
  }
  expect(
    await faultsOf([
      { fieldCode: 'amount', value: 10 },
      { fieldCode: 'count', value: 10 },
      { fieldCode: 'count', value: 2 },
      { fieldCode: 'reasons', value: ['late', 'wrong', 'other'] },
      { fieldCode: 'day', value: '2026-02-30' },
      { fieldCode: 'nope', value: 1 },
    ]),
  ).toEqual([
    { field: 'amount', code: 'wrong_type' },
    { field: 'count', code: 'out_of_range' },
    { field: 'count', code: 'duplicate_field' },
    { field: 'reasons', code: 'too_many' },
    { field: 'day', code: 'wrong_type' },
    { field: 'nope', code: 'unknown_field' },
    { field: 'txn', code: 'required' },
  ])
  for (const [value, code] of [
    ['a', 'too_short'],
    ['ABCDEF', 'too_long'],
    ['ab', 'pattern'],
    [7, 'wrong_type'],
  ])
    expect(await faultsOf([{ fieldCode: 'txn', value }])).toEqual([{ field: 'txn', code }])
  const good = await aTicket(merchant, { formCode: 'refund', fieldValues: [{ fieldCode: 'txn', value: 'T9' }] })
  expect(good.fieldValues).toEqual([
    { fieldCode: 'txn', value: 'T9' },
    { fieldCode: 'count', value: 1 },
  ])
})

test('an unknown status is 400 with the valid codes', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const { ticketId } = await aTicket(merchant)
  const { status, body } = await raw(
    helpdesk,
    'POST',
    `/api/public/v1/tickets/${ticketId}/status`,
    { 'x-chat-apikey': merchant.apiKey },
    { status: 'opne' },
  )
  expect(status).toBe(400)
  expect(JSON.parse(body)).toEqual({
    error: {
      code: 'INVALID_STATUS',
      message: `unknown status "opne"; valid codes: ${codes.join(', ')}`,
      details: [{ field: 'status', code: 'not_in_workflow', validCodes: codes }],
      requestId: expect.any(String),
    },
  })
  // With any code and any other errors: the list is the useful part.
  const listed = [{ field: 'status', code: 'not_in_workflow', validCodes: codes }]
  for (const [code, more, named] of [
    ['', {}, ''],
    ['x'.repeat(300), {}, `${'x'.repeat(200)}…`],
    ['opne', { expectedVersion: 7 }, 'opne'],
    ['constructor', {}, 'constructor'],
  ] as const) {
    const refusal = await refuses(
      'INVALID_STATUS',
      merchant.bot.setStatus({ params: { ticketId }, body: { status: code, ...more } }),
    )
    expect(refusal.message).toBe(`unknown status "${named}"; valid codes: ${codes.join(', ')}`)
    expect(refusal.detail['details']).toEqual(listed)
  }
})

test('a status changes once, increases the version, and reopening clears the resolution', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const { bot } = merchant
  const { ticketId } = await aTicket(merchant)
  const move = (status: string, more = {}) => bot.setStatus({ params: { ticketId }, body: { status, ...more } })
  expect(await move('resolved', { actorDisplayName: 'Bob' })).toMatchObject({
    changed: true,
    previousStatus: 'open',
    version: 2,
    resolvedAt: expect.any(String),
  })
  expect(await move('resolved')).toMatchObject({ changed: false, previousStatus: 'resolved', version: 2 })
  const refusal = await refuses('VERSION_CONFLICT', move('open', { expectedVersion: 1 }))
  expect(refusal.detail['details']).toMatchObject([{ currentVersion: 2 }])
  expect(await move('open', { expectedVersion: 2 })).toMatchObject({ resolvedAt: null, reopenCount: 1, version: 3 })
  expect(await move('closed', { comment: { content: 'bye', visibility: 'public' } })).toMatchObject({
    status: 'closed',
    commentCount: 1,
    publicCommentCount: 1,
    version: 4,
    closedAt: expect.any(String),
  })
  const { history } = await bot.ticket({ params: { ticketId } })
  expect(history.map(({ kind, from, to, actorDisplayName }) => [kind, from, to, actorDisplayName])).toEqual([
    ['created', null, 'open', 'API'],
    ['statusChanged', 'open', 'resolved', 'Bob'],
    ['statusChanged', 'resolved', 'open', 'API'],
    ['statusChanged', 'open', 'closed', 'API'],
    ['commentAdded', null, 'public', 'API'],
  ])
})

test('a workflow allows its own transitions only, and requires its comments and the fields of a status', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  await saveForm(helpdesk.app, merchant.code, 'refund', refund)
  const { ticketId, allowedTransitions } = await aTicket(merchant, {
    formCode: 'refund',
    fieldValues: [{ fieldCode: 'txn', value: 'T9' }],
  })
  const move = (body: { status: string; comment?: { content: string } }) =>
    merchant.bot.setStatus({ params: { ticketId }, body })
  expect(allowedTransitions).toEqual(['checking'])
  const refusal = await refuses('TRANSITION_NOT_ALLOWED', move({ status: 'done' }))
  expect(refusal.detail['details']).toMatchObject([{ from: 'new', allowedTransitions: ['checking'] }])
  await move({ status: 'checking' })
  await refuses('TRANSITION_NOT_ALLOWED', move({ status: 'done' }))
  await refuses('INVALID_FIELD_VALUES', move({ status: 'done', comment: { content: 'paid' } }))
  await merchant.agent.changeTicket({
    params: { ticketId },
    body: { fieldValues: [{ fieldCode: 'amount', value: '5' }] },
  })
  expect(await move({ status: 'done', comment: { content: 'paid' } })).toMatchObject({
    status: 'done',
    commentCount: 1,
  })
})

test('tickets stay readable when their form changes, and no status is lost', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  await saveForm(helpdesk.app, merchant.code, 'refund', refund)
  const { ticketId } = await aTicket(merchant, { formCode: 'refund', fieldValues: [{ fieldCode: 'txn', value: 'T9' }] })
  const { workflow } = refund
  const without = {
    ...refund,
    workflow: { ...workflow, statuses: workflow.statuses.slice(1), initialStatus: 'checking', transitions: null },
  }
  await refuses('CHAT_FORM_INVALID', saveForm(helpdesk.app, merchant.code, 'refund', without))
  const inactive = {
    ...refund,
    workflow: {
      ...without.workflow,
      statuses: workflow.statuses.map((each) => ({ ...each, active: each.code !== 'new' })),
    },
  }
  expect(await saveForm(helpdesk.app, merchant.code, 'refund', inactive)).toMatchObject({ version: 2 })
  expect(await merchant.bot.ticket({ params: { ticketId } })).toMatchObject({ formVersion: 1, statusLabel: 'New' })
  const fresh = await aTicket(merchant, { formCode: 'refund', fieldValues: [{ fieldCode: 'txn', value: 'T9' }] })
  expect(fresh).toMatchObject({ formVersion: 2, status: 'checking' })
  await refuses(
    'INVALID_STATUS',
    merchant.bot.setStatus({ params: { ticketId: fresh.ticketId }, body: { status: 'new' } }),
  )
  const dangerous = {
    ...refund,
    fields: refund.fields.map((field) => ({ ...field, validation: { pattern: '(a+)+b' } })),
  }
  await refuses('CHAT_FORM_INVALID', saveForm(helpdesk.app, merchant.code, 'slow', dangerous))
})

test('a comment is internal by default; a public one is sent to the customer’s room', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const { bot } = merchant
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'a' } })
  const { ticketId } = await aTicket(merchant, { customerAccount: 'a' })
  const comment = (body: Parameters<typeof bot.comment>[0]['body']) => bot.comment({ params: { ticketId }, body })
  expect(await comment({ content: 'note' })).toMatchObject({
    visibility: 'internal',
    seq: 1,
    notified: [],
    authorDisplayName: 'API',
    ticketVersion: 2,
  })
  expect((await bot.messages({ params: { roomId }, query: {} })).total).toBe(0)
  const publicComment = await comment({ content: 'we found it', visibility: 'public', authorDisplayName: 'Desk 1' })
  expect(publicComment).toMatchObject({ visibility: 'public', seq: 2, notified: [{ channel: 'room', roomId }] })
  const { items } = await bot.messages({ params: { roomId }, query: {} })
  expect(items).toMatchObject([
    {
      messageType: 'event',
      eventKind: 'ticketComment',
      ticketId,
      text: 'we found it',
      senderType: 'system',
      senderDisplayName: 'Desk 1',
    },
  ])
  expect(items[0]?.messageId).toBe(publicComment.notified[0]?.messageId)
  expect(await merchant.agent.room({ params: { roomId } })).toMatchObject({ customerUnreadCount: 1 })
  expect((await bot.ticket({ params: { ticketId } })).firstResponseAt).not.toBeNull()
  const homeless = await aTicket(merchant, { customerAccount: 'nobody' })
  expect(
    await bot.comment({ params: { ticketId: homeless.ticketId }, body: { content: 'x', visibility: 'public' } }),
  ).toMatchObject({ notified: [{ channel: 'none' }] })
  const { status } = await raw(
    helpdesk,
    'POST',
    `/api/public/v1/tickets/${ticketId}/comments`,
    { 'x-chat-apikey': merchant.apiKey },
    { content: 'x', visibility: 'Public' },
  )
  expect(status).toBe(400)
})

test('a ticket is shown to its customer also if the room was created later', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const { bot } = merchant
  const { ticketId } = await aTicket(merchant, { customerAccount: 'late' })
  await aTicket(merchant, { customerAccount: 'other' })
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'late' } })
  expect(await bot.ticket({ params: { ticketId } })).toMatchObject({ roomId, version: 1, historyTruncated: false })
  expect(await bot.ticket({ params: { ticketId: '2' } })).toMatchObject({ roomId: null })
  await bot.setStatus({ params: { ticketId }, body: { status: 'resolved' } })
  const events = await helpdesk.app.store.read(({ q }) =>
    q.selectFrom('chat_events').select(['kind', 'data']).where('room_id', '=', roomId).orderBy('n').execute(),
  )
  expect(events.map(({ kind }) => kind)).toEqual(['room.updated', 'ticket.updated'])
  expect(JSON.parse(events[1]?.data ?? '')).toMatchObject({ ticketId, status: 'resolved' })
})

test('an agent changes assignee, priority and snooze, and each is recorded once', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const { ticketId } = await aTicket(merchant)
  const change = (body: Parameters<typeof merchant.agent.changeTicket>[0]['body']) =>
    merchant.agent.changeTicket({ params: { ticketId }, body })
  const changed = await change({ assignee: 'me', priority: 4, snoozedUntil: '2026-03-02T00:00:00.000Z' })
  expect(changed).toMatchObject({
    assignee: { displayName: 'Desk 1' },
    priority: 4,
    snoozedUntil: '2026-03-02T00:00:00.000Z',
    version: 2,
  })
  expect(await change({ assignee: 'me', priority: 4 })).toEqual(changed)
  await refuses('AGENT_NOT_FOUND', change({ assignee: 'agt_x' }))
  await refuses('VERSION_CONFLICT', change({ priority: 1, expectedVersion: 1 }))
  // In the format of the ticket, by the id, and to no agent.
  expect(await change({ assignee: { agentId: merchant.agentId } })).toEqual(changed)
  expect((await change({ assignee: null })).assignee).toBeNull()
  expect((await change({ assignee: merchant.agentId })).assignee).toEqual(changed.assignee)
  await refuses('INVALID_PARAMETER', change({ assignee: 7 as never }))
  // A time is accepted in any zone, and a time that no calendar has in none.
  const snoozed = async (snoozedUntil: string) => (await change({ snoozedUntil })).snoozedUntil
  expect(await snoozed('2026-03-02T08:00+08:00')).toBe('2026-03-02T00:00:00.000Z')
  expect(await snoozed('2026-03-02T00:00:00Z')).toBe('2026-03-02T00:00:00.000Z')
  for (const moment of [
    '2027-02-30T00:00:00.000Z',
    '2027-02-28T24:00:00Z',
    '2027-02-28T00:00:00',
    '2027-02-28',
    '9999-12-31T23:59:59-01:00',
  ])
    await refuses('INVALID_PARAMETER', snoozed(moment))
  await refuses('INVALID_PARAMETER', merchant.bot.tickets({ query: { updatedSince: '2026-02-30T00:00:00.000Z' } }))
  expect((await merchant.bot.tickets({ query: { updatedSince: '2026-03-01T16:00:00+08:00' } })).total).toBe(1)
  // Moving a ticket reopens it: two changes, each of them recorded.
  await merchant.agent.setStatus({ params: { ticketId }, body: { status: 'in_progress' } })
  const { history } = await merchant.agent.ticket({ params: { ticketId } })
  expect(history.map(({ kind, to }) => [kind, to])).toEqual([
    ['created', 'open'],
    ['assigneeChanged', merchant.agentId],
    ['priorityChanged', '4'],
    ['snoozed', '2026-03-02T00:00:00.000Z'],
    ['assigneeChanged', null],
    ['assigneeChanged', merchant.agentId],
    ['statusChanged', 'in_progress'],
    ['snoozed', null],
  ])
})

describe.each(keepingEngines)('on $name', (engine) => {
  const open = async () => {
    const database = await engine.database()
    return aHelpdesk({ store: (now) => database.open({ migrations: world, now }) })
  }

  test('a repeat with the same key or client ID is done once, and one with other content is rejected', async () => {
    const helpdesk = await open()
    const merchant = await aMerchant(helpdesk)
    const { bot } = merchant
    const keyed = { headers: { 'idempotency-key': 'k-1' } }
    const tickets = await Promise.all([1, 2, 3].map(() => bot.createTicket({ body: { title: 'Once' } }, keyed)))
    expect(new Set(tickets.map((ticket) => ticket.ticketId)).size).toBe(1)
    await refuses('IDEMPOTENCY_KEY_REUSED', bot.createTicket({ body: { title: 'Other' } }, keyed))
    // An existing object is not reported as created.
    const keys = { 'x-chat-apikey': merchant.apiKey, ...keyed.headers }
    const again = await raw(helpdesk, 'POST', '/api/public/v1/tickets', keys, { title: 'Once' })
    expect([again.status, again.headers['idempotency-replayed'], JSON.parse(again.body)]).toEqual([
      200,
      'true',
      tickets[0],
    ])
    const params = { ticketId: tickets[0]?.ticketId ?? '' }
    const body = { content: 'a', clientCommentId: 'c-1' }
    const comments = await Promise.all([1, 2, 3].map(() => bot.comment({ params, body })))
    expect(comments.map((comment) => comment.duplicate).sort()).toEqual([false, true, true])
    await refuses('CLIENT_COMMENT_ID_CONFLICT', bot.comment({ params, body: { ...body, content: 'b' } }))
    await refuses('CLIENT_COMMENT_ID_CONFLICT', bot.comment({ params, body: { ...body, visibility: 'public' } }))
    const other = await bot.comment({ params, body: { content: 'z' } }, { headers: { 'idempotency-key': 'k-2' } })
    expect(await bot.comment({ params, body: { content: 'z' } }, { headers: { 'idempotency-key': 'k-2' } })).toEqual({
      ...other,
      duplicate: true,
    })
    expect((await bot.ticket({ params })).commentCount).toBe(2)
    helpdesk.clock.now += 86_400_000
    expect((await bot.createTicket({ body: { title: 'Other' } }, keyed)).ticketNumber).toBe(2)
  })

  test('keywords match words, parts of words, and Chinese terms of one, two and three characters', async () => {
    const helpdesk = await open()
    const merchant = await aMerchant(helpdesk)
    const { bot } = merchant
    await aTicket(merchant, { title: '存款沒有到帳', description: '玩家存款 100% 未到', customerAccount: 'player-77' })
    await aTicket(merchant, { title: '提款問題', description: 'Withdrawal T-9_b is late' })
    await aTicket(merchant, { title: 'Deposit missing', description: 'café crème; ＡＢＣ１２３' })
    await bot.comment({ params: { ticketId: '2' }, body: { content: '客戶已存入保證金 ok 😀 5€ C:\\x' } })
    await aTicket(merchant, { title: 'Hello T提現', description: 'world' })
    const find = async (keyword: string, more = {}) =>
      (await bot.tickets({ query: { keyword, sort: 'createdAt', ...more } })).items.map((ticket) => ticket.ticketNumber)
    const cases: [string, number[]][] = [
      ['存', [1, 2]],
      ['款', [1, 2]],
      ['存款', [1]],
      ['沒有到', [1]],
      ['沒到', []],
      ['存款沒有到帳', [1]],
      ['款存', []],
      ['保證金', [2]],
      ['deposit', [3]],
      ['EPOSI', [3]],
      ['de', [3]],
      ['po', [3]],
      ['el', [4]],
      ['lo', [4]],
      ['l', [1, 2, 4]],
      ['L', [1, 2, 4]],
      ['z', []],
      ['zq', []],
      ['d w', [2, 4]],
      ['a e i o', [2, 3]],
      ['T提', [4]],
      ['t提現', [4]],
      ['提T', []],
      ['€', [2]],
      ['5€', [2]],
      ['😀', [2]],
      ['\\', [2]],
      ['c:\\x', [2]],
      ['-', [1, 2]],
      // No term spans the end of one text and the start of the next.
      ['"沒有到帳 玩家"', []],
      ['"late 客戶"', []],
      ['"hello t提現"', [4]],
      ['"t提現 world"', []],
      ['"未到 player-77"', []],
      ['T-9', [2]],
      ['9_b', [2]],
      ['9xb', []],
      ['100%', [1]],
      ['%', [1]],
      ['_', [2]],
      ['!', []],
      ['%%', []],
      ['deposit missing', [3]],
      ['missing deposit', [3]],
      ['"deposit missing"', [3]],
      ['"missing deposit"', []],
      ['提款 late', [2]],
      ['提款 存款', []],
      ['cafe', []],
      ['CAFÉ', [3]],
      ['abc123', [3]],
      ['#2', [2]],
      ['#9', []],
      ['player-77', [1]],
    ]
    for (const [keyword, numbers] of cases) expect([keyword, await find(keyword)]).toEqual([keyword, numbers])
    await refuses('INVALID_PARAMETER', find('a b c d e f g h i j k'))
    expect(await find('存', { status: 'resolved' })).toEqual([])
    for (const keyword of ['l', '%', 'zq']) expect(await find(keyword, { status: 'resolved' })).toEqual([])
    expect(await find('存', { customerAccount: 'player-77' })).toEqual([1])
    const other = await aMerchant(helpdesk)
    expect((await other.bot.tickets({ query: { keyword: '存款' } })).total).toBe(0)
  })

  test('tickets of older databases belong to their room and are found by all their text, like new ones', async () => {
    const helpdesk = await open()
    const merchant = await aMerchant(helpdesk)
    await aTicket(merchant, { customerAccount: 'a' })
    await aTicket(merchant, { customerAccount: 'nobody' })
    await aTicket(merchant, { description: 'Fee:\n5 € or ％' })
    await merchant.bot.comment({ params: { ticketId: '3' }, body: { content: 'paid 😀' } })
    const { roomId } = await merchant.bot.openRoom({ body: { customerAccount: 'a' } })
    const rooms = async () => (await merchant.bot.tickets({ query: { sort: 'createdAt' } })).items.map((t) => t.roomId)
    expect(await rooms()).toEqual([roomId, null, null])
    await helpdesk.app.store.write(async ({ q }) => {
      const filed = await q.selectFrom('chat_ticket_texts').selectAll().orderBy('number').orderBy('part').execute()
      const termRows = await q.selectFrom('chat_ticket_terms').selectAll().orderBy('term').orderBy('number').execute()
      // In the earlier format: without a room, in one line, and without terms.
      await q.updateTable('chat_tickets').set({ room_id: null }).execute()
      await q.updateTable('chat_ticket_texts').set({ text: 'help in one line' }).where('part', '=', 0).execute()
      await q.deleteFrom('chat_ticket_terms').where('term', 'in', [':', '€', '%', '😀']).execute()
      await chatTickets.up(q as never)
      const texts = q.selectFrom('chat_ticket_texts').selectAll().orderBy('number').orderBy('part')
      expect(await texts.execute()).toEqual(filed)
      const terms = q.selectFrom('chat_ticket_terms').selectAll().orderBy('term').orderBy('number')
      expect(await terms.execute()).toEqual(termRows)
    })
    expect(await rooms()).toEqual([roomId, null, null])
    // Waiting rooms are found by numbers in both kinds of database.
    await merchant.bot.sendCustomerText({ params: { roomId }, body: { text: 'one' } })
    await merchant.agent.close({ params: { roomId } })
    expect((await merchant.agent.reopen({ params: { roomId } })).waitingSince).toBe('2026-03-01T08:00:00.000Z')
  })

  test('lists have a total, filters and sort orders', async () => {
    const helpdesk = await open()
    const merchant = await aMerchant(helpdesk)
    const { bot } = merchant
    for (let i = 1; i <= 7; i++) {
      helpdesk.clock.now += 1000
      await aTicket(merchant, { title: `t${i}`, priority: (i % 4) + 1, customerAccount: `c${i % 2}` })
    }
    helpdesk.clock.now += 1000
    await bot.setStatus({ params: { ticketId: '3' }, body: { status: 'resolved' } })
    const list = async (query: Parameters<typeof bot.tickets>[0]['query']) => {
      const { items, ...page } = await bot.tickets({ query })
      return { numbers: items.map((ticket) => ticket.ticketNumber), ...page }
    }
    expect(await list({ pageSize: 3 })).toEqual({
      numbers: [3, 7, 6],
      page: 1,
      pageSize: 3,
      total: 7,
      totalPages: 3,
      hasMore: true,
    })
    expect(await list({ pageSize: 3, page: 3 })).toMatchObject({ numbers: [1], hasMore: false })
    // Also far after the end, and with a long value that no ticket has.
    const farthest = 999_999_999_999_999
    expect(await list({ pageSize: 100, page: farthest })).toMatchObject({ numbers: [], total: 7, hasMore: false })
    const far = await merchant.agent.rooms({ query: { pageSize: 100, page: farthest } })
    expect(far).toMatchObject({ items: [], page: farthest, hasMore: false })
    for (const name of ['status', 'statusCategory', 'formCode', 'customerAccount'])
      expect((await list({ [name]: 'x'.repeat(2_000) })).numbers).toEqual([])
    expect(await list({ pageSize: 3, page: 4 })).toMatchObject({ numbers: [], total: 7, hasMore: false })
    expect((await list({ status: 'resolved' })).numbers).toEqual([3])
    expect((await list({ status: 'open,resolved', sort: 'createdAt' })).numbers).toEqual([1, 2, 3, 4, 5, 6, 7])
    expect((await list({ status: 'nope' })).total).toBe(0)
    expect((await list({ statusCategory: 'resolved' })).numbers).toEqual([3])
    expect((await list({ sort: '-priority' })).numbers).toEqual([7, 3, 6, 2, 5, 1, 4])
    expect((await list({ customerAccount: 'c0', sort: '-createdAt' })).numbers).toEqual([6, 4, 2])
    expect((await list({ formCode: 'none' })).total).toBe(0)
    for (const priority of [9, 0, -1, 9_999_999_999]) expect((await list({ priority })).total).toBe(0)
    expect((await list({ priority: 4 })).numbers).toEqual([3, 7])
    expect((await list({ updatedSince: new Date(helpdesk.clock.now - 1000).toISOString() })).numbers).toEqual([3, 7])
  })
})

test.each([sqliteFile, postgres])(
  '$name returns pages of large tickets in order, complete, and each once',
  async (engine) => {
    const database = await engine.database()
    const helpdesk = await aHelpdesk({ store: (now) => database.open({ migrations: world, now }) })
    const merchant = await aMerchant(helpdesk)
    const { ticketId } = await aTicket(merchant, { title: 'even' })
    // The first of each list are the odd ones, so that some pages are within the rows read one by one and some after
    // them.
    const size = 3_500
    const isEven = (number: number) => number % 2 === 0 || number < 1_500
    await helpdesk.app.store.write(async ({ q }) => {
      const one = await q.selectFrom('chat_tickets').selectAll().where('id', '=', ticketId).executeTakeFirstOrThrow()
      await q.deleteFrom('chat_tickets').execute()
      for (let from = 1; from <= size; from += 500) {
        const numbers = Array.from({ length: 500 }, (_, i) => from + i)
        const rows = numbers.map((number) => ({
          ...one,
          id: `tkt_${String(number).padStart(26, '0')}`,
          number,
          updated_at: 1_000 + Math.floor(number / 3),
        }))
        await q.insertInto('chat_tickets').values(rows).execute()
        const text = (number: number) => (isEven(number) ? 'even x' : 'odd')
        const tenant = one.tenant
        await q
          .insertInto('chat_ticket_texts')
          .values(numbers.map((number) => ({ tenant, number, part: 1, text: text(number) })))
          .execute()
        await q
          .insertInto('chat_ticket_terms')
          .values(numbers.map((number) => ({ tenant, number, term: text(number).split(' ')[0] ?? '' })))
          .onConflict((conflict) => conflict.doNothing())
          .execute()
      }
    })
    const even = Array.from({ length: size }, (_, i) => i + 1).filter(isEven)
    for (const keyword of ['eve x', 'v'])
      for (const [sort, expected] of [
        ['-updatedAt', even.toReversed()],
        ['updatedAt', even],
      ] as const)
        for (const page of [1, 9, 26]) {
          const result = await merchant.bot.tickets({ query: { keyword, sort, page, pageSize: 100 } })
          const at = (page - 1) * 100
          expect([keyword, sort, page, result.items.map((each) => each.ticketNumber)]).toEqual([
            keyword,
            sort,
            page,
            expected.slice(at, at + 100),
          ])
          expect(result.total).toBe(even.length)
        }
    // The count is the same for every query plan: of a text, of words, and with another filter.
    for (const query of [{ keyword: 'v', status: 'open' }, { keyword: '"even x"' }, { keyword: 'even ven eve' }])
      expect([query, (await merchant.bot.tickets({ query })).total]).toEqual([query, even.length])
    for (const query of [{ keyword: 'v', status: 'resolved' }, { keyword: 'eve odd' }, { keyword: '"even y"' }])
      expect([query, (await merchant.bot.tickets({ query })).total]).toEqual([query, 0])
  },
)

test('on PostgreSQL a ticket can be changed while customers write continuously', async () => {
  const database = await postgres.database()
  let runs = 0
  const helpdesk = await aHelpdesk({
    async store(now) {
      const store = await database.open({ migrations: world, now })
      return {
        ...store,
        write: (work, options) =>
          store.write((tx) => {
            runs++
            return work(tx)
          }, options),
      }
    },
  })
  const { bot, agent } = await aMerchant(helpdesk)
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'a' } })
  const { ticketId } = await bot.createTicket({ body: { title: 'Help', customerAccount: 'a' } })
  let [writes, isOver] = [0, false]
  runs = 0
  const customers = [1, 2, 3].map(async () => {
    for (; !isOver; writes++) await bot.sendCustomerText({ params: { roomId }, body: { text: 'x' } })
  })
  for (let i = 0; i < 10; i++) {
    await bot.comment({ params: { ticketId }, body: { content: 'x', visibility: 'public' } })
    await bot.setStatus({ params: { ticketId }, body: { status: i % 2 ? 'open' : 'resolved' } })
    await agent.changeTicket({ params: { ticketId }, body: { priority: (i % 4) + 1 } })
    await bot.createTicket({ body: { title: 'More', customerAccount: 'a' } })
    writes += 4
  }
  isOver = true
  await Promise.all(customers)
  // Each is done in one attempt, because all of them belong to the same write group.
  expect(runs).toBe(writes)
})

test('nothing of one merchant is available with the key of another', async () => {
  const helpdesk = await aHelpdesk()
  const one = await aMerchant(helpdesk)
  const other = await aMerchant(helpdesk)
  const { ticketId } = await aTicket(one)
  const params = { ticketId }
  await refuses('TICKET_NOT_FOUND', other.bot.ticket({ params }))
  await refuses('TICKET_NOT_FOUND', other.bot.comment({ params, body: { content: 'x' } }))
  await refuses('TICKET_NOT_FOUND', other.bot.setStatus({ params, body: { status: 'open' } }))
  await refuses('TICKET_NOT_FOUND', other.agent.changeTicket({ params, body: { priority: 1 } }))
  expect((await other.bot.tickets({ query: {} })).total).toBe(0)
})

test('an undo restores the earlier milestones, and only the actor’s own latest status change is undone', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const { bot } = merchant
  const { ticketId } = await aTicket(merchant)
  const move = async (status: string, actorDisplayName: string, undo?: boolean) => {
    helpdesk.clock.now += 1_000
    const body = { status, actorDisplayName, ...(undo === undefined ? {} : { undo }) }
    const { resolvedAt, closedAt, reopenCount } = await bot.setStatus({ params: { ticketId }, body })
    return { resolvedAt, closedAt, reopenCount }
  }
  const resolved = await move('resolved', 'Ann')
  const closed = await move('closed', 'Ann')
  expect(closed).toMatchObject({ resolvedAt: resolved.resolvedAt, reopenCount: 0 })
  await move('open', 'Ann')
  // A reopening is undone to exactly the times that it ended.
  expect(await move('closed', 'Ann', true)).toEqual(closed)
  // Another agent's change cannot be undone: it counts as any other.
  expect(await move('open', 'Bea', true)).toMatchObject({ reopenCount: 1, resolvedAt: null })
  // Nor can it be undone to another status than the previous one.
  await move('resolved', 'Bea')
  expect(await move('in_progress', 'Bea', true)).toMatchObject({ reopenCount: 2 })
  const { history } = await bot.ticket({ params: { ticketId } })
  expect(history.filter(({ note }) => note === 'undone')).toHaveLength(1)
})
