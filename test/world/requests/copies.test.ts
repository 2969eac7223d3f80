import { describe, expect, onTestFinished, test } from 'vitest'
import { overHttp } from '../../../src/http/client/transport.ts'
import { quoted } from '../../../src/kit/shell-quote.ts'
import { agentOn, connectCasino, connectChat, connectGateway } from '../../../src/world/library/connect.ts'
import { commandTemplates } from '../../../src/world/requests/command-templates.ts'
import { equalCommand } from '../../../src/world/requests/equal-command.ts'
import type { RequestDetail } from '../../../src/world/requests/recorded-requests.ts'
import { run } from '../../support/program/cli.ts'
import { commandOf } from '../../support/program/command-line.ts'
import { servedBeside } from '../../support/worlds/served.ts'

/** A request with every field that its command can send. */
interface Case {
  readonly api: keyof typeof commandTemplates & string
  readonly endpoint: string
  readonly input?: object
  readonly key?: string
  /** Fields that the command fills in by itself, or leaves out where the service has the same value. */
  readonly but?: readonly string[]
  /** Field with the number of results: the command asks for one more to tell whether there are more. */
  readonly limit?: string
}

const url = (name: string) => `https://shop.example/${name}`
const list = { limit: 3, page: 0 }
const offsets = { limit: 3, offset: 0 }

test('every printed command sends the recorded request again', async () => {
  const { world, home, baseUrl, sandboxBaseUrl, casino, gateway, chat } = await servedBeside({
    records: { requests: true, hasDesk: false },
  })
  const ready = home.write('ready.json', JSON.stringify({ baseUrl, sandboxBaseUrl, casino, gateway, chat }))
  const added = await run(['profiles', 'add', 'demo-sbx', '--from', ready, '--environment', 'sandbox'], { home })
  expect(added.stderr).toContain('demo-sbx')
  const env = { COUNTROOM_PROFILE: 'demo-sbx' }
  const { whitelisted } = gateway?.sandbox ?? { whitelisted: {} as Record<string, string> }
  const open = {
    casino: connectCasino({ baseUrl, retries: false, ...(casino?.sandbox as { apiKey: string; secret: string }) }),
    gateway: connectGateway({ baseUrl: sandboxBaseUrl, retries: false, apiKey: gateway?.sandbox.payoutApiKey ?? '' }),
    chat: connectChat({ baseUrl, retries: false, apiKey: chat?.apiKey ?? '' }),
  }
  const http = overHttp(baseUrl)
  onTestFinished(async () => {
    await Promise.all([...Object.values(open).map((each) => each.close()), http.close()])
  })
  const clients = {
    casino: open.casino.client,
    gateway: open.gateway.client,
    chat: open.chat.client,
    agent: agentOn(http, chat?.agentToken ?? ''),
  }
  const { email = '', password = '' } = gateway?.sandbox ?? {}
  const { token } = await clients.gateway.auth({ body: { email, password } })
  const bearer = { authorization: `Bearer ${token}` }

  const last = async (endpoint: string): Promise<RequestDetail> => {
    const found = (await world.requests.details({ limit: 12 })).find((each) => each.endpoint === endpoint)
    return found ?? expect.fail(`no request ${endpoint}`)
  }
  const tried = new Set<string>()
  /** Sends a request, runs the command of its copy, and compares what arrived. Returns the response. */
  const again = async ({ api, endpoint, input = {}, key, but = [], limit }: Case): Promise<never> => {
    const headers = { ...(api === 'gateway' ? bearer : {}), ...(key === undefined ? {} : { 'idempotency-key': key }) }
    const call = (clients[api as 'casino'] as unknown as Record<string, (...all: unknown[]) => Promise<never>>)[
      endpoint
    ]
    const response = await call?.(input, { headers }).catch(() => undefined as never)
    const sent = await last(endpoint)
    const { command, notes } = sent.copies
    expect.soft(notes.command, endpoint).toBeNull()
    if (command === null) return response as never
    // The command acts in its own process; here the profile of the addresses sends to the process that records.
    const sending = command.replace(' --profile local.demo-sbx', '')
    const words = [...sending.matchAll(/(?:'[^']*'|[^\s'])+/g)].map(([word]) => word.replaceAll("'", '')).slice(1)
    const flags = commandOf(words)?.flags ?? {}
    const result = await run([...words, ...('yes' in flags ? ['--yes'] : [])], { home, env })
    const resent = await last(endpoint)
    expect.soft([resent.id === sent.id, result.stderr], command).toEqual([false, expect.anything()])
    const expected = shapeOf(sent, but)
    if (limit !== undefined) expected.query[limit] = String(Number(expected.query[limit]) + 1)
    expect.soft(shapeOf(resent, but), command).toEqual(expected)
    tried.add(`${api} ${endpoint}`)
    return response as never
  }

  // Casino
  const user = { username: 'amy' }
  await again({
    api: 'casino',
    endpoint: 'launch',
    input: {
      body: {
        ...user,
        nickname: 'Amy A',
        currency: 'USD',
        lang: 'ENG',
        device: 'mobile',
        table: 'BAC-01',
        variant: 'nocomm',
        lobbyUrl: url('lobby'),
        limitProfileId: null,
      },
    },
  })
  await again({ api: 'casino', endpoint: 'logout', input: { body: user } })
  await again({ api: 'casino', endpoint: 'player', input: { query: user } })
  await again({
    api: 'casino',
    endpoint: 'updatePlayer',
    input: { body: { ...user, status: 'no_bet', nickname: 'A B', limitProfileId: null } },
  })
  await again({ api: 'casino', endpoint: 'updatePlayer', input: { body: { ...user, nickname: null } } })
  const transfer = { username: 'bob', txnId: 'copy-1', amount: '25', currency: 'USD' }
  await again({ api: 'casino', endpoint: 'deposit', input: { body: transfer } })
  await again({ api: 'casino', endpoint: 'withdraw', input: { body: { ...transfer, txnId: 'copy-2' } } })
  await again({ api: 'casino', endpoint: 'transfer', input: { query: { txnId: 'copy-1', username: 'bob' } } })
  await again({ api: 'casino', endpoint: 'balance', input: { query: user } })
  await again({ api: 'casino', endpoint: 'summary', input: { query: { date: '2026-03-01' } } })
  await again({ api: 'casino', endpoint: 'round', input: { params: { roundId: '01JC2Z5M8Q4N6R7S9TVWXYZ012' } } })
  for (const endpoint of ['tables', 'account', 'statements']) await again({ api: 'casino', endpoint })
  for (const endpoint of ['disableTable', 'enableTable'])
    await again({ api: 'casino', endpoint, input: { body: { tableId: 'BAC-01' } } })
  await again({ api: 'casino', endpoint: 'usage', input: { query: { from: '2026-03-01', to: '2026-03-02' } } })

  // Gateway
  const order = { order_id: 'order 1', order_description: 'two words', ipn_callback_url: url('ipn') }
  const rates = { is_fixed_rate: true, is_fee_paid_by_user: true }
  const links = { success_url: url('ok'), cancel_url: url('no'), partially_paid_url: url('part') }
  const mail = { customer_email: 'a@b.example' }
  for (const endpoint of ['fullCurrencies', 'merchantCoins', 'balance']) await again({ api: 'gateway', endpoint })
  await again({ api: 'gateway', endpoint: 'currency', input: { params: { code: 'btc' } } })
  await again({
    api: 'gateway',
    endpoint: 'estimate',
    input: { query: { amount: '10', currency_from: 'usd', currency_to: 'btc' } },
  })
  await again({
    api: 'gateway',
    endpoint: 'minAmount',
    input: { query: { currency_from: 'btc', currency_to: 'eth', fiat_equivalent: 'usd' } },
  })
  const payment: { payment_id: string } = await again({
    api: 'gateway',
    endpoint: 'createPayment',
    key: 'copy-payment',
    input: {
      body: {
        price_amount: 50,
        price_currency: 'usd',
        pay_currency: 'usdttrc20',
        ...order,
        ...rates,
        payout_currency: 'usdttrc20',
        ...mail,
        case: 'common',
      },
    },
  })
  const ofPayment = { params: { payment_id: payment.payment_id } }
  await again({ api: 'gateway', endpoint: 'payment', input: ofPayment })
  await again({ api: 'gateway', endpoint: 'updateEstimate', input: ofPayment })
  await again({
    api: 'gateway',
    endpoint: 'payments',
    limit: 'limit',
    input: {
      query: {
        ...list,
        status: 'waiting,confirming',
        sortBy: 'payment_id',
        orderBy: 'asc',
        dateFrom: '2026-01-01',
        dateTo: '2027-01-01',
        invoiceId: '1',
        orderId: 'order 1',
      },
    },
  })
  const invoice: { id: string } = await again({
    api: 'gateway',
    endpoint: 'createInvoice',
    key: 'copy-invoice',
    input: {
      body: { price_amount: 50.5, price_currency: 'usd', pay_currency: 'btc', ...order, ...links, ...rates, ...mail },
    },
  })
  await again({ api: 'gateway', endpoint: 'invoice', input: { params: { id: invoice.id } } })
  await again({
    api: 'gateway',
    endpoint: 'invoices',
    limit: 'limit',
    input: { query: { ...list, orderBy: 'desc', dateFrom: '2026-01-01', dateTo: '2027-01-01', orderId: 'order 1' } },
  })
  await again({
    api: 'gateway',
    endpoint: 'createInvoicePayment',
    key: 'copy-pay',
    input: { body: { iid: invoice.id, pay_currency: 'btc', order_description: 'd', ...mail } },
  })
  const address = whitelisted['usdttrc20'] ?? ''
  await again({ api: 'gateway', endpoint: 'validateAddress', input: { body: { address, currency: 'usdttrc20' } } })
  const batch: { id: string; withdrawals: { id: string }[] } = await again({
    api: 'gateway',
    endpoint: 'createPayouts',
    key: 'copy-payout',
    input: {
      body: {
        ipn_callback_url: url('ipn'),
        payout_description: 'wages',
        withdrawals: [{ address, currency: 'usdttrc20', amount: '20', unique_external_id: 'p-1' }],
      },
    },
  })
  const [{ id: payoutId } = { id: '' }] = batch.withdrawals
  await again({ api: 'gateway', endpoint: 'payout', input: { params: { id: batch.id } } })
  await again({
    api: 'gateway',
    endpoint: 'payouts',
    limit: 'limit',
    input: {
      query: {
        ...list,
        batch_id: batch.id,
        status: 'creating',
        order_by: 'dateCreated',
        order: 'desc',
        date_from: '2026-01-01',
        date_to: '2027-01-01',
      },
    },
  })
  await again({ api: 'gateway', endpoint: 'payoutFee', input: { query: { currency: 'usdttrc20', amount: '20' } } })
  await again({
    api: 'gateway',
    endpoint: 'verifyPayouts',
    input: { params: { id: batch.id }, body: { verification_code: '000000' } },
  })
  await again({ api: 'gateway', endpoint: 'cancelPayout', input: { params: { id: payoutId }, body: {} } })
  await again({ api: 'gateway', endpoint: 'cancelBatch', input: { params: { id: batch.id } } })
  const conversion: { result: { id: string } } = await again({
    api: 'gateway',
    endpoint: 'createConversion',
    key: 'copy-conversion',
    input: { body: { amount: 10, from_currency: 'usdttrc20', to_currency: 'btc' } },
  })
  await again({ api: 'gateway', endpoint: 'conversion', input: { params: { id: conversion.result.id } } })
  await again({
    api: 'gateway',
    endpoint: 'conversions',
    limit: 'limit',
    input: {
      query: {
        ...offsets,
        order: 'ASC',
        from_currency: 'usdttrc20',
        to_currency: 'btc',
        created_at_from: '2026-01-01',
        created_at_to: '2027-01-01',
      },
    },
  })
  const subs: string[] = []
  for (const name of ['first', 'second']) {
    const made: { result: { id: string } } = await again({
      api: 'gateway',
      endpoint: 'createSubaccount',
      key: `copy-${name}`,
      input: { body: { name } },
    })
    subs.push(made.result.id)
  }
  const [first = '', second = ''] = subs
  await again({ api: 'gateway', endpoint: 'subBalance', input: { params: { id: first } } })
  await again({
    api: 'gateway',
    endpoint: 'subaccounts',
    limit: 'limit',
    input: { query: { ...offsets, order: 'DESC' } },
  })
  const move = { currency: 'usdttrc20', amount: 5 }
  const moved: { result: { id: string } } = await again({
    api: 'gateway',
    endpoint: 'depositToSub',
    key: 'copy-in',
    input: { body: { ...move, sub_partner_id: first } },
  })
  await again({
    api: 'gateway',
    endpoint: 'createSubTransfer',
    key: 'copy-over',
    input: { body: { currency: 'usdttrc20', amount: 1, from_id: first, to_id: second } },
  })
  await again({
    api: 'gateway',
    endpoint: 'writeOffSub',
    key: 'copy-out',
    input: { body: { currency: 'usdttrc20', amount: 1, sub_partner_id: first } },
  })
  await again({ api: 'gateway', endpoint: 'subTransfer', input: { params: { id: moved.result.id } } })
  await again({
    api: 'gateway',
    endpoint: 'subTransfers',
    limit: 'limit',
    input: { query: { ...offsets, order: 'ASC' } },
  })
  await again({
    api: 'gateway',
    endpoint: 'createSubPayment',
    key: 'copy-subpay',
    input: { body: { ...move, amount: 50, sub_partner_id: first, ...rates, ipn_callback_url: url('ipn') } },
  })
  await again({
    api: 'gateway',
    endpoint: 'subPayments',
    limit: 'limit',
    input: { query: { ...list, sub_partner_id: first, status: 'waiting', orderBy: 'desc' } },
  })
  const planned = {
    title: 'Monthly plan',
    interval_day: 31,
    amount: 9.5,
    currency: 'usd',
    ipn_callback_url: url('ipn'),
    ...links,
  }
  const plan: { result: { id: string } } = await again({
    api: 'gateway',
    endpoint: 'createPlan',
    key: 'copy-plan',
    input: { body: planned },
  })
  const ofPlan = { params: { id: plan.result.id } }
  await again({ api: 'gateway', endpoint: 'updatePlan', input: { ...ofPlan, body: { ...planned, title: 'Other' } } })
  await again({ api: 'gateway', endpoint: 'plan', input: ofPlan })
  await again({ api: 'gateway', endpoint: 'plans', limit: 'limit', input: { query: offsets } })
  const subscription: { result: { id: string } } = await again({
    api: 'gateway',
    endpoint: 'createSubscription',
    key: 'copy-sub',
    input: { body: { subscription_plan_id: plan.result.id, email: 'a@b.example' } },
  })
  await again({
    api: 'gateway',
    endpoint: 'subscriptions',
    limit: 'limit',
    input: { query: { ...offsets, subscription_plan_id: plan.result.id, status: 'active' } },
  })
  const subscriptionId = [subscription.result].flat()[0]?.id
  await again({ api: 'gateway', endpoint: 'subscription', input: { params: { id: subscriptionId } } })
  await again({ api: 'gateway', endpoint: 'cancelSubscription', input: { params: { id: subscriptionId } } })

  // Chat
  const { roomId }: { roomId: string } = await again({
    api: 'chat',
    endpoint: 'openRoom',
    input: {
      body: {
        customerAccount: 'amy',
        customerDisplayName: 'Amy A',
        channel: 'web',
        customerLanguage: 'en',
        inboxCategoryCode: 'vip',
        initialMessage: 'Hello there',
      },
    },
  })
  const inRoom = { params: { roomId } }
  await again({
    api: 'chat',
    endpoint: 'sendCustomerText',
    input: { ...inRoom, body: { text: '- it is "quoted"', clientMessageId: 'm-1' } },
  })
  await again({ api: 'chat', endpoint: 'messages', input: { ...inRoom, query: { page: 1 } } })
  const { ticketId }: { ticketId: string } = await again({
    api: 'chat',
    endpoint: 'createTicket',
    key: 'copy-ticket',
    input: {
      body: {
        formCode: 'general',
        title: 'No payout',
        description: 'Two words',
        customerAccount: 'amy',
        customerDisplayName: 'Amy A',
        customerLanguage: 'en',
        priority: 3,
      },
    },
  })
  const ofTicket = { params: { ticketId } }
  await again({
    api: 'chat',
    endpoint: 'tickets',
    input: {
      query: { page: 1, pageSize: 3, status: 'open', keyword: 'payout', formCode: 'general', customerAccount: 'amy' },
    },
  })
  await again({ api: 'chat', endpoint: 'ticket', input: ofTicket })
  await again({
    api: 'chat',
    endpoint: 'comment',
    input: {
      ...ofTicket,
      body: { content: 'A word', visibility: 'public', authorDisplayName: 'Desk', clientCommentId: 'c-1' },
    },
  })
  await again({
    api: 'chat',
    endpoint: 'setStatus',
    but: ['expectedVersion', 'comment.clientCommentId'],
    input: {
      ...ofTicket,
      body: { status: 'closed', actorDisplayName: 'Desk', comment: { content: 'Done', visibility: 'internal' } },
    },
  })
  await again({ api: 'chat', endpoint: 'forms' })

  // Agents
  await again({
    api: 'agent',
    endpoint: 'rooms',
    input: { query: { status: 'open', unread: true, inboxCategoryCode: 'vip', keyword: 'amy', page: 1, pageSize: 3 } },
  })
  await again({ api: 'agent', endpoint: 'room', input: inRoom })
  await again({
    api: 'agent',
    endpoint: 'reply',
    input: { ...inRoom, body: { text: 'How can I help?', clientMessageId: 'r-1', expectedLastSeq: 2 } },
  })
  await again({ api: 'agent', endpoint: 'read', input: { ...inRoom, body: { seq: 1 } } })
  await again({ api: 'agent', endpoint: 'unread', input: { ...inRoom, body: { seq: 1 } } })
  await again({
    api: 'agent',
    endpoint: 'assign',
    but: ['expectedAssignee'],
    input: { ...inRoom, body: { agentId: null } },
  })
  await again({ api: 'agent', endpoint: 'close', input: inRoom })
  await again({ api: 'agent', endpoint: 'reopen', input: inRoom })

  const all = Object.entries(commandTemplates).flatMap(([api, forms]) =>
    Object.keys(forms).map((name) => `${api} ${name}`),
  )
  expect(all.filter((name) => !tried.has(name))).toEqual([])
})

/** Returns what a request asks for, without the given fields. */
function shapeOf({ method, path, request }: RequestDetail, but: readonly string[]) {
  const [at = '', query = ''] = path.split('?')
  const body = request.body ? JSON.parse(request.body) : undefined
  for (const field of but) {
    const [parent = '', child] = field.split('.')
    if (child !== undefined) delete body[parent]?.[child]
    else if (body) delete body[parent]
  }
  return {
    method,
    at,
    query: Object.fromEntries(new URLSearchParams(query)) as Record<string, string>,
    body,
    key: request.headers['idempotency-key'],
  }
}

describe('a request that no command sends is not printed as one that sends another', () => {
  const copy = (api: string, endpoint: string, values: Record<string, unknown>) =>
    equalCommand({ api, endpoint, values }, quoted)
  const payment = { price_amount: 1e-7, price_currency: 'usd', pay_currency: 'btc' }

  test.each([
    [
      'gateway',
      'createPayment',
      { ...payment, payout_address: 'T1' },
      '"countroom payments create" cannot send payout_address=T1',
    ],
    [
      'gateway',
      'createPayment',
      { price_amount: 1 },
      'The request has no price_currency, which "countroom payments create" needs',
    ],
    ['gateway', 'payments', { page: '2' }, '"countroom payments list" cannot send page=2'],
    [
      'gateway',
      'subPayments',
      {},
      '"countroom subaccounts payments" would send another request because of orderBy=desc',
    ],
    ['gateway', 'currencies', {}, 'No command sends this request. "countroom coins list" reads GET /full-currencies'],
    ['gateway', 'fiatPayouts', {}, 'No command sends this request'],
    ['casino', 'bets', { cursor: 'x' }, /"countroom bets sync"/],
    [
      'casino',
      'updatePlayer',
      { username: 'amy', password: '***' },
      '"countroom players update" cannot send password=***',
    ],
    [
      'chat',
      'messages',
      { roomId: 'r', 'if-none-match': '"1"' },
      '"countroom rooms messages" cannot send if-none-match="1"',
    ],
    ['chat', 'comment', { ticketId: '1', content: '@hello' }, /would send another request because of content=@hello/],
    ['agent', 'ticket', { ticketId: '1' }, /uses the public API/],
    [null, undefined as never, {}, 'No command sends this request'],
  ] as const)('%s %s %j', (api, endpoint, values, reason) => {
    const { command, reason: given } = copy(api ?? '', endpoint, values)
    expect(command).toBeNull()
    expect(given).toMatch(reason)
  })

  test.each([
    ['gateway', 'createPayment', payment, 'countroom payments create 0.0000001 usd btc'],
    // The service sorts ascending without a word about it, and the command descending.
    ['gateway', 'payments', {}, 'countroom payments list --asc --limit 10'],
    [
      'casino',
      'deposit',
      { username: 'amy', amount: '-5', currency: 'USD', txnId: 't' },
      'countroom wallet deposit --txn t -- amy -5 USD',
    ],
    [
      'chat',
      'createTicket',
      { title: 'A b', 'fieldValues.txnId': 'T 9' },
      "countroom tickets create 'A b' --field 'txnId=T 9'",
    ],
  ] as const)('%s %s %j is %s', (api, endpoint, values, command) => {
    expect(copy(api, endpoint, values)).toEqual({ command })
  })
})
