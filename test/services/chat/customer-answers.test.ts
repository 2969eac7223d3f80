import { describe, expect, test } from 'vitest'
import { world } from '../../../src/db/migrations/world/index.ts'
import { saveForm } from '../../../src/services/chat/admin.ts'
import { keepingEngines } from '../../support/databases/engines.ts'
import { aHelpdesk, aMerchant, type Merchant, raw } from './helpdesk.ts'

const ticketOf = async (merchant: Merchant, title: string, status?: string) => {
  const { ticketId } = await merchant.bot.createTicket({ body: { title, customerAccount: 'ann' } })
  if (status) await merchant.bot.setStatus({ params: { ticketId }, body: { status } })
  return ticketId
}

describe.each(keepingEngines)('a customer’s answer on $name', (engine) => {
  test('reaches the waiting ticket of the room once, and ends its waiting', async () => {
    const database = await engine.database()
    const helpdesk = await aHelpdesk({ store: (now) => database.open({ migrations: world, now }) })
    const merchant = await aMerchant(helpdesk)
    const { bot, agent } = merchant
    const { roomId } = await bot.openRoom({ body: { customerAccount: 'ann', customerDisplayName: 'Ann' } })
    const ticketId = await ticketOf(merchant, 'Where is my deposit?')
    await agent.comment({ params: { ticketId }, body: { content: 'Which transfer?', visibility: 'public' } })
    await agent.setStatus({ params: { ticketId }, body: { status: 'waiting_customer' } })
    await agent.changeTicket({ params: { ticketId }, body: { snoozedUntil: '2026-04-01T00:00:00Z' } })
    const before = await bot.ticket({ params: { ticketId } })
    const messages = (await bot.messages({ params: { roomId }, query: {} })).total
    const message = { params: { roomId }, body: { text: 'T-9', clientMessageId: 'm1' } }
    const sent = await Promise.all([
      bot.sendCustomerText(message),
      bot.sendCustomerText(message),
      bot.sendCustomerText(message),
    ])
    expect(sent.filter(({ duplicate }) => !duplicate)).toHaveLength(1)
    const after = await bot.ticket({ params: { ticketId } })
    expect(after).toMatchObject({
      status: 'open',
      statusCategory: 'open',
      lastPublicAuthorType: 'customer',
      commentCount: before.commentCount + 1,
      publicCommentCount: before.publicCommentCount + 1,
      version: before.version + 1,
      snoozedUntil: null,
      firstResponseAt: before.firstResponseAt,
      reopenCount: 0,
    })
    expect(after.comments.at(-1)).toMatchObject({
      authorType: 'customer',
      authorDisplayName: 'Ann',
      visibility: 'public',
      content: 'T-9',
      notified: [],
    })
    expect(after.history.slice(before.history.length)).toMatchObject([
      { kind: 'commentAdded', actorType: 'customer', actorDisplayName: 'Ann', to: 'public' },
      { kind: 'statusChanged', actorType: 'customer', from: 'waiting_customer', to: 'open' },
      { kind: 'snoozed', to: null },
    ])
    // The room gets the message and no copy of the comment.
    expect((await bot.messages({ params: { roomId }, query: {} })).total).toBe(messages + 1)
    const updates = await helpdesk.app.store.read(({ q }) =>
      q.selectFrom('chat_events').select('data').where('kind', '=', 'ticket.updated').orderBy('n', 'desc').execute(),
    )
    expect(JSON.parse(updates[0]?.data ?? '{}')).toMatchObject({ ticketId, status: 'open' })
    expect((await bot.tickets({ query: { keyword: 'T-9' } })).items.map((each) => each.ticketId)).toEqual([ticketId])
  })
})

test('of several tickets the newest waiting one is answered, else the newest open one, and never a finished one', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const { bot } = merchant
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'ann' } })
  const older = await ticketOf(merchant, 'older', 'waiting_customer')
  const newer = await ticketOf(merchant, 'newer', 'waiting_customer')
  const open = await ticketOf(merchant, 'open', 'in_progress')
  const resolved = await ticketOf(merchant, 'resolved', 'resolved')
  const closed = await ticketOf(merchant, 'closed', 'closed')
  const counts = async () => {
    const tickets = await Promise.all(
      [older, newer, open, resolved, closed].map((ticketId) => bot.ticket({ params: { ticketId } })),
    )
    return tickets.map(({ commentCount, status }) => `${commentCount} ${status}`)
  }
  const send = (text: string) => bot.sendCustomerText({ params: { roomId }, body: { text } })
  await send('one')
  expect(await counts()).toEqual(['0 waiting_customer', '1 open', '0 in_progress', '0 resolved', '0 closed'])
  await send('two')
  expect(await counts()).toEqual(['1 open', '1 open', '0 in_progress', '0 resolved', '0 closed'])
  await send('three')
  expect(await counts()).toEqual(['1 open', '1 open', '1 in_progress', '0 resolved', '0 closed'])
  for (const ticketId of [older, newer, open])
    await bot.setStatus({ params: { ticketId }, body: { status: 'resolved' } })
  await send('thanks')
  expect(await counts()).toEqual(['1 resolved', '1 resolved', '1 resolved', '0 resolved', '0 closed'])
  expect((await bot.messages({ params: { roomId }, query: {} })).total).toBe(4)
})

test('a workflow that allows no open status keeps waiting, and still gets the answer', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const { bot, code } = merchant
  const { roomId } = await bot.openRoom({ body: { customerAccount: 'ann' } })
  const form = (transitions: object[]) => ({
    fields: [{ fieldCode: 'ref', label: 'Ref', type: 'text', requiredOnStatus: ['first'] }],
    workflow: {
      initialStatus: 'wait',
      statuses: [
        { code: 'wait', label: 'Wait', category: 'waiting' },
        { code: 'first', label: 'First', category: 'open' },
        { code: 'second', label: 'Second', category: 'open' },
        { code: 'done', label: 'Done', category: 'resolved' },
      ],
      transitions,
    },
  })
  const answered = async (transitions: object[]) => {
    await saveForm(helpdesk.app, code, 'f', form(transitions))
    const { ticketId } = await bot.createTicket({ body: { title: 't', formCode: 'f', customerAccount: 'ann' } })
    await bot.sendCustomerText({ params: { roomId }, body: { text: 'answer' } })
    const { status, comments } = await bot.ticket({ params: { ticketId } })
    return [status, comments.length]
  }
  expect(await answered([{ from: 'wait', to: 'done' }])).toEqual(['wait', 1])
  // The first lacks a required field; the second requires a comment, which the answer is.
  expect(
    await answered([
      { from: 'wait', to: 'first' },
      { from: 'wait', to: 'second', requiresComment: true },
    ]),
  ).toEqual(['second', 1])
})

test('an initial message answers a ticket that existed before the room', async () => {
  const helpdesk = await aHelpdesk()
  const merchant = await aMerchant(helpdesk)
  const ticketId = await ticketOf(merchant, 't', 'waiting_customer')
  await merchant.bot.openRoom({ body: { customerAccount: 'ann', initialMessage: 'Here I am' } })
  expect(await merchant.bot.ticket({ params: { ticketId } })).toMatchObject({
    status: 'open',
    comments: [{ content: 'Here I am', authorType: 'customer', authorDisplayName: 'ann' }],
  })
})

test('an empty number in a query is refused in all of the chat’s APIs', async () => {
  const helpdesk = await aHelpdesk()
  const { apiKey, agentToken, tenantKey, bot } = await aMerchant(helpdesk)
  const { roomId, roomToken } = await bot.openRoom({ body: { customerAccount: 'ann' } })
  const room = { 'x-chat-tenant-key': tenantKey, 'x-chat-room-token': roomToken }
  for (const [path, headers] of [
    [`/api/public/v1/rooms/${roomId}/messages?page=`, { 'x-chat-apikey': apiKey }],
    [`/api/public/v1/rooms/${roomId}/messages?afterSeq=`, { 'x-chat-apikey': apiKey }],
    ['/api/public/v1/tickets?page=', { 'x-chat-apikey': apiKey }],
    ['/api/public/v1/tickets?pageSize=', { 'x-chat-apikey': apiKey }],
    ['/api/public/v1/tickets?priority=', { 'x-chat-apikey': apiKey }],
    [`/api/agent/v1/rooms?page=`, { 'x-chat-agenttoken': agentToken }],
    [`/api/agent/v1/rooms?unread=`, { 'x-chat-agenttoken': agentToken }],
    [`/api/agent/v1/rooms/${roomId}/messages?page=`, { 'x-chat-agenttoken': agentToken }],
    ['/api/agent/v1/tickets?page=', { 'x-chat-agenttoken': agentToken }],
    [`/api/widget/v1/rooms/${roomId}/messages?limit=`, room],
    [`/api/widget/v1/rooms/${roomId}/messages?beforeSeq=`, room],
    [`/api/widget/v1/rooms/${roomId}/events/poll?waitMs=`, room],
  ] as const) {
    const { status, body } = await raw(helpdesk, 'GET', path, headers)
    expect([path, status, JSON.parse(body).error?.code]).toEqual([path, 400, 'INVALID_PARAMETER'])
  }
})

test('a locale with underscores is a language tag in every input', async () => {
  const helpdesk = await aHelpdesk()
  const { bot, tenantKey } = await aMerchant(helpdesk)
  const customerLanguage = 'zh_Hant_TW'
  const room = await bot.openRoom({ body: { customerAccount: 'ann', customerLanguage } })
  expect(room.customerLanguage).toBe('zh-Hant-TW')
  const updates = () =>
    helpdesk.app.store.read(async ({ q }) => (await q.selectFrom('chat_events').select('id').execute()).length)
  const before = await updates()
  await bot.openRoom({ body: { customerAccount: 'ann', customerLanguage } })
  expect(await updates()).toBe(before)
  expect((await bot.createTicket({ body: { title: 't', customerLanguage: 'zh_TW' } })).customerLanguage).toBe('zh-TW')
  const { status, body } = await raw(
    helpdesk,
    'POST',
    '/api/widget/v1/rooms',
    { 'x-chat-tenant-key': tenantKey },
    { customerLanguage: 'en_US' },
  )
  expect([status, JSON.parse(body).customerLanguage]).toEqual([201, 'en-US'])
})
