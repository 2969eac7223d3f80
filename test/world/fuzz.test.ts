import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Contract, Endpoint } from '../../src/http/contract/contract.ts'
import { agent, chat, widget } from '../../src/services/chat/api/contract.ts'
import { gateway } from '../../src/services/gateway/api/contract.ts'
import { ensureDemoWorld } from '../../src/world/demo-data.ts'
import { readyDocument } from '../../src/world/ready-file.ts'
import { anyCharacter } from '../support/any-text.ts'
import { type TestWorld, testWorld } from '../support/worlds/world.ts'

/**
 * Every endpoint of the gateway and the chat, with valid, almost valid and invalid requests. The casino has its own
 * file.
 */

type Headers = Readonly<Record<string, string>>
type Send = (contract: Contract, method: string, path: string, body?: object) => Promise<Reply>
interface Reply {
  readonly status: number
  readonly body: Record<string, unknown>
}

/** A world with an object of each kind, and clients for every role. */
async function aLivedInWorld() {
  const world = await testWorld()
  await ensureDemoWorld(world)
  const { gateway: keys, chat: chatKeys } = await readyDocument(world, 'http://127.0.0.1:1', ':memory:')
  if (!keys || !chatKeys) throw new Error('the demo world has no keys')
  const { sandbox } = keys
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    'x-api-key': sandbox.payoutApiKey,
    'x-chat-apikey': chatKeys.apiKey,
    'x-chat-agenttoken': chatKeys.agentToken,
    'x-chat-tenant-key': chatKeys.tenantKey,
  }
  const send: Send = (contract, method, path, body) => sendRequest(world, headers, contract, method, path, body)
  const { email, password } = sandbox
  const login = await send(gateway, 'POST', '/auth', { email, password })
  headers['authorization'] = `Bearer ${login.body['token']}`
  headers['x-api-key'] = sandbox.apiKey
  const payment = await send(gateway, 'POST', '/payment', {
    price_amount: 30,
    price_currency: 'usd',
    pay_currency: 'usdttrc20',
  })
  const invoice = await send(gateway, 'POST', '/invoice', { price_amount: 20, price_currency: 'usd' })
  const opened = await send(widget, 'POST', '/rooms', { tenantKey: chatKeys.tenantKey })
  headers['x-chat-room-token'] = String(opened.body['roomToken'])
  const ticket = await send(chat, 'POST', '/tickets', { title: 'Missing deposit', description: 'Since noon' })
  for (const { status } of [login, payment, invoice, opened, ticket]) expect([200, 201]).toContain(status)
  const ids = [payment.body['payment_id'], invoice.body['id'], opened.body['roomId'], ticket.body['ticketId']]
  const address = sandbox.whitelisted['usdttrc20']
  return { send, near: fc.constantFrom(...ids, address, email, ...values) }
}

async function sendRequest(
  world: TestWorld,
  headers: Headers,
  contract: Contract,
  method: string,
  path: string,
  body?: object,
): Promise<Reply> {
  const prefix = contract === gateway ? '/sandbox/api/v1' : (contract.prefixes[0] ?? '')
  const reply = await world.server.inject({
    method,
    path: prefix + path,
    headers,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: reply.status, body: reply.body === '' ? {} : JSON.parse(reply.body) }
}

const values: readonly unknown[] = [
  ...['usdttrc20', 'btc', 'USD', 'eur', '0.5', '100', '-1', '0', '1e3', '1e400', '0.00000000000000000001'],
  ...['true', 'active', 'open', 'resolved', 'public', 'internal', 'general', 'default', 'asc', 'created_at', 'me'],
  ...['amy', 'a@b.example', 'https://example.com/x', 'http://10.0.0.1/', '2026-03-10', '2026-02-30', 'image/png'],
  ...['', ' ', '\u0000', 'a\u0000b', '\ud800', '\u202e', '__proto__', '%', "'; drop table gateway_payments; --"],
  ...['字'.repeat(300), 'x'.repeat(5_000), '5000000001', '9'.repeat(30), 'room_01', 'tkt_01', '../..'],
  ...[null, true, false, 0, 1, -1, 2, 100, 1.5, 1e300, 2 ** 53],
  ...[[], {}, [''], [null], ['\u0000'], { a: '\u0000' }],
]

const namesIn = (schema: Endpoint['body']) => Object.keys(schema?.properties ?? {})

/** A typical value of a name; every other value must cause no failure. */
const usual: Readonly<Record<string, unknown>> = {
  amount: '1',
  price_amount: 20,
  price_currency: 'usd',
  pay_currency: 'usdttrc20',
  currency: 'usdttrc20',
  currency_from: 'usd',
  currency_to: 'btc',
  from_currency: 'usdttrc20',
  to_currency: 'btc',
  email: 'a@b.example',
  title: 'A title',
  name: 'a-name',
  text: 'hello',
  content: 'hello',
  status: 'open',
  visibility: 'public',
  fileName: 'a.png',
  contentType: 'image/png',
  sizeBytes: 10,
  seq: 1,
  page: 1,
}

/** Values for all or some names of a part of a request, and for an unknown one. */
function someOf(schema: Endpoint['body'], value: fc.Arbitrary<unknown>) {
  const wordFor = (name: string) =>
    Object.hasOwn(usual, name) ? fc.oneof({ weight: 3, arbitrary: fc.constant(usual[name]) }, value) : value
  const words = Object.fromEntries([...namesIn(schema), 'extra'].map((name) => [name, wordFor(name)]))
  return fc.oneof(fc.record(words), fc.record(words, { requiredKeys: [] }))
}

const textOf = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value)).toWellFormed()

function pathOf({ path, query: schema }: Endpoint, params: object, query: object): string {
  const given = new Map<string, unknown>(Object.entries(params))
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(textOf(given.get(name) ?? 'x')))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) search.append(name, textOf(value))
  // Long polls are sent without a wait.
  if (namesIn(schema).includes('waitMs')) search.set('waitMs', '0')
  return `${filled}?${search}`
}

const contracts: readonly [string, Contract][] = [
  ['gateway', gateway],
  ['chat', chat],
  ['widget', widget],
  ['agent', agent],
]

describe.each(contracts)(
  'every request to the %s gets a documented response, and none causes a failure:',
  (_, contract) => {
    test('every endpoint', async () => {
      const { send, near } = await aLivedInWorld()
      const value = fc.oneof(
        { weight: 4, arbitrary: near },
        fc.jsonValue({ maxDepth: 2 }),
        fc.string({ unit: anyCharacter }),
      )
      for (const [name, endpoint] of Object.entries(contract.endpoints)) {
        const request = fc.record({
          params: someOf(endpoint.params, value),
          query: someOf(endpoint.query, value),
          body: someOf(endpoint.body, value),
        })
        await fc.assert(
          fc.asyncProperty(request, async ({ params, query, body }) => {
            const path = pathOf(endpoint, params, query)
            const response = await send(contract, endpoint.method, path, endpoint.body && body)
            if (response.status < 400) return
            const code = String(
              (response.body['error'] as { code?: string } | undefined)?.code ?? response.body['code'],
            )
            expect([...endpoint.refusals, ...contract.common], name).toContain(code)
            expect(code, name).not.toBe(contract.standardCodes.internal)
            expect(contract.problems[code], `${name}: ${code}`).toBe(response.status)
          }),
          { numRuns: 40 },
        )
      }
    })
  },
)
