import { describe, expect, test } from 'vitest'
import { chat } from '../../../src/services/chat/api/contract.ts'
import { shared } from '../shared.ts'
import { aHelpdesk, aShop, ask, type Outcome } from './ask.ts'
import * as book from './errors.ts'
import { generalStatuses } from './forms.ts'

const helpdesk = shared((world) => aHelpdesk(world))

/** Checks that a failure has the body of the page and the status of its code. */
function expectRefusal({ status, body, headers }: Outcome, code: string, field: string | null = null) {
  expect(Object.keys(body)).toEqual(['error'])
  expect(Object.keys(body.error).toSorted()).toEqual([...book.errorKeys].toSorted())
  expect(body.error.code).toBe(code)
  expect(status).toBe(book.errors[code as keyof typeof book.errors])
  expect(Array.isArray(body.error.details)).toBe(true)
  expect(headers['x-request-id']).toBe(body.error.requestId)
  if (field !== null) expect(body.error.details.map((each: { field: string }) => each.field)).toContain(field)
}

test.each(Object.entries(book.errors))('%s is %i', (code, status) => {
  expect(chat.problems).toHaveProperty(code, status)
})

describe('keys and plans', () => {
  const endpoints = [
    'POST /rooms',
    'GET /rooms/{room}/messages',
    'POST /rooms/{room}/messages/customer-text',
    ...book.ticketEndpoints,
  ]

  test.each(endpoints)('%s without a key, and with a wrong one', async (endpoint) => {
    const sent = endpoint.startsWith('POST') ? {} : null
    for (const headers of [
      {},
      { 'x-chat-apikey': '' },
      { 'x-chat-apikey': 'wrong' },
      { 'x-chat-apikey': helpdesk().tenantKey },
    ])
      expectRefusal(
        await ask(helpdesk(), helpdesk().named(endpoint), sent, headers as Record<string, string>),
        'UNAUTHORIZED',
      )
  })

  test.each(book.ticketEndpoints)('%s below Pro is PLAN_REQUIRED', async (endpoint) => {
    const free = await aShop(helpdesk().world, 'free')
    expectRefusal(await ask(free, endpoint, endpoint.startsWith('POST') ? {} : null), 'PLAN_REQUIRED')
  })

  test('rooms need no Pro', async () => {
    const free = await aShop(helpdesk().world, 'free')
    expect((await ask(free, 'POST /rooms', { customerAccount: 'ann' })).status).toBe(201)
  })
})

describe('refusals', () => {
  test.each(book.refusals)('$endpoint with $sent is $code', async ({ endpoint, sent, code, field }) => {
    expectRefusal(await ask(helpdesk(), helpdesk().named(endpoint), sent), code, field)
  })

  test.each(book.notObjects)('a body of %j', async (body) => {
    for (const endpoint of ['POST /rooms', 'POST /tickets', 'POST /tickets/{ticket}/comments'])
      expectRefusal(await ask(helpdesk(), helpdesk().named(endpoint), body || ' '), 'INVALID_JSON')
  })

  test('an unknown status names the valid ones', async () => {
    const { body } = await ask(helpdesk(), helpdesk().named('POST /tickets/{ticket}/status'), { status: 'opne' })
    const codes = generalStatuses.map(({ code }) => code)
    expect(body.error.details[0]).toMatchObject({ field: 'status', code: 'not_in_workflow', validCodes: codes })
    for (const code of codes) expect(body.error.message).toContain(code)
  })

  test('an object of another tenant is not found', async () => {
    const other = await aShop(helpdesk().world)
    for (const [endpoint, code] of [
      ['GET /rooms/{room}/messages', 'ROOM_NOT_FOUND'],
      ['GET /tickets/{ticket}', 'TICKET_NOT_FOUND'],
    ] as const)
      expectRefusal(await ask(other, helpdesk().named(endpoint)), code)
  })

  test('a client message id with another text, and an idempotency key with another body', async () => {
    const send = (text: string) =>
      ask(helpdesk(), helpdesk().named('POST /rooms/{room}/messages/customer-text'), { text, clientMessageId: 'c-1' })
    const first = await send('one')
    const again = await send('one')
    expect([first.status, again.status, again.body]).toEqual([201, 200, { ...first.body, duplicate: true }])
    expectRefusal(await send('two'), 'CLIENT_MESSAGE_ID_CONFLICT')
    const headers = { 'x-chat-apikey': helpdesk().apiKey, 'idempotency-key': 'once' }
    await ask(helpdesk(), 'POST /tickets', { title: 'A' }, headers)
    expectRefusal(await ask(helpdesk(), 'POST /tickets', { title: 'B' }, headers), 'IDEMPOTENCY_KEY_REUSED')
  })

  test('the widget: a wrong tenant key, a wrong room token', async () => {
    const wrong = await ask(helpdesk(), 'GET /api/widget/v1/config?tenantKey=wrong', null, {})
    expectRefusal(wrong, 'INVALID_TENANT_KEY')
    const path = `GET /api/widget/v1/rooms/${helpdesk().room.body.roomId}/messages?tenantKey=${helpdesk().tenantKey}`
    for (const token of ['', 'rt_wrong', `${helpdesk().room.body.roomToken}x`])
      expectRefusal(await ask(helpdesk(), path, null, { 'x-chat-room-token': token }), 'INVALID_ROOM_TOKEN')
    expect((await ask(helpdesk(), path, null, { 'x-chat-room-token': helpdesk().room.body.roomToken })).status).toBe(
      200,
    )
  })
})
