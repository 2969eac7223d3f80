import { describe, expect, test } from 'vitest'
import { gateway } from '../../../src/services/gateway/api/contract.ts'
import type { TestWorld } from '../../support/worlds/world.ts'
import { shared } from '../shared.ts'
import * as book from './creating.ts'
import { access, notSupported } from './errors.ts'
import { aFundedShop, ask, wallet } from './gateway.ts'
import { created } from './objects.ts'

async function aStockedShop(world: TestWorld) {
  const made = await aFundedShop(world)
  const post = async (endpoint: string, body: object) => (await ask(made, endpoint, body)).body
  const sub = (await post('POST /sub-partner/balance', { name: 'ann' })).result.id
  const other = (await post('POST /sub-partner/balance', { name: 'bob' })).result.id
  await post('POST /sub-partner/deposit', { currency: 'usdttrc20', amount: 200, sub_partner_id: sub })
  const terms = { title: 'Weekly', interval_day: 7, amount: 10, currency: 'usd' }
  const ids: Readonly<Record<string, string>> = {
    '{invoice}': (await post('POST /invoice', { price_amount: 100, price_currency: 'usd' })).id,
    '{plan}': (await post('POST /subscriptions/plans', terms)).result.id,
    '{sub}': sub,
    '{other sub}': other,
    '{wallet}': wallet,
  }
  const named = (body: object) =>
    JSON.parse(JSON.stringify(body), (_, value) => (typeof value === 'string' ? (ids[value] ?? value) : value))
  return { ...made, named }
}

const shop = shared(aStockedShop)

/** All visible objects, which show whether one was created. */
async function everything() {
  const seen = []
  for (const { endpoint } of book.lists) seen.push((await ask(shop(), `${endpoint}?limit=100`)).body)
  seen.push((await ask(shop(), 'GET /balance')).body)
  return JSON.stringify(seen)
}

const ownPath = ({ method, path }: { method: string; path: string }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`
const endpoints = Object.values(gateway.endpoints).map(ownPath)

test('the tables have every endpoint of the contract', () => {
  const general = (endpoint: string) =>
    endpoint
      .replace(/\?.*/, '')
      .replace(/\/$/, '')
      .replace(/\{\w+\}|999999999|btc$/g, '{}')
  const listed = [...access.map(({ endpoint }) => endpoint), 'POST /auth', ...notSupported].map(general)
  expect(endpoints.map(general).toSorted()).toEqual(listed.toSorted())
  const posts = endpoints.filter((each) => each.startsWith('POST') && !each.includes('/fiat-payouts'))
  const known = [...book.creating.map(({ endpoint }) => endpoint), ...book.notCreating].map(general)
  expect(posts.map(general).toSorted()).toEqual(known.toSorted())
})

describe('an Idempotency-Key', () => {
  test.each(book.creating)(
    '$endpoint: once, repeated, with another body, and refused',
    async ({ endpoint, body, other }) => {
      const { apiKey, token, named } = shop()
      const headers = { 'x-api-key': apiKey, authorization: `Bearer ${token}`, 'idempotency-key': endpoint }
      const send = (change: object = {}) => ask(shop(), endpoint, named({ ...body, ...change }), headers)
      const before = await everything()
      const first = await send()
      expect(first.status).toBe(created.some((each) => each === endpoint) ? 201 : 200)
      const later = await everything()
      expect(later).not.toBe(before)
      const again = await send()
      expect([again.status, again.body]).toEqual([first.status, first.body])
      const reused = await send(other)
      expect([reused.status, reused.body.code]).toEqual([422, 'IDEMPOTENCY_KEY_REUSED'])
      expect(await everything()).toBe(later)
      // Keys belong to the merchant and not to the endpoint.
      const elsewhere = await ask(shop(), 'POST /invoice', { price_amount: 7, price_currency: 'eur' }, headers)
      expect(elsewhere.body.code).toBe('IDEMPOTENCY_KEY_REUSED')
    },
  )
})

describe('lists', () => {
  /** A shop with one of everything that can be created. */
  const listed = shared(async (world) => {
    const made = await aStockedShop(world)
    for (const { endpoint, body } of book.creating) await ask(made, endpoint, made.named(body))
    return made
  })

  test.each(book.lists)('$endpoint page by $by', async ({ endpoint, items, by, counts }) => {
    const page = async (limit: number, at: number) => {
      const { status, body } = await ask(listed(), `${endpoint}?limit=${limit}&${by}=${at}`)
      expect(status).toBe(200)
      return body
    }
    const all = (await page(100, 0))[items]
    expect(all.length).toBeGreaterThan(0)
    const seen = []
    for (let at = 0; at < all.length; at++) {
      const body = await page(1, at)
      expect(body[items]).toHaveLength(1)
      if (counts) expect(body[counts]).toBe(all.length)
      seen.push(...body[items])
    }
    expect(seen).toEqual(all)
    expect((await page(1, all.length))[items]).toEqual([])
    const step = by === 'page' ? 1 : 2
    expect((await page(2, step))[items]).toEqual(all.slice(2, 4))
  })

  test.each(book.lists)(
    '$endpoint returns ten by default, and rejects a value that is no number',
    async ({ endpoint, items, by }) => {
      const { body } = await ask(listed(), endpoint)
      expect(body[items].length).toBeLessThanOrEqual(book.defaultLimit)
      for (const query of ['limit=-1', 'limit=x', 'limit=1.5', `${by}=-1`, `${by}=x`])
        expect((await ask(listed(), `${endpoint}?${query}`)).body.code, query).toBe('INVALID_REQUEST_PARAMS')
    },
  )
})
