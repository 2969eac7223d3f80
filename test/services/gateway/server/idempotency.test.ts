import { expect, test } from 'vitest'
import { isProblem } from '../../../../src/kit/problem.ts'
import { creating } from '../../../../src/services/gateway/server/idempotency.ts'
import type { MerchantCaller } from '../../../../src/services/gateway/service.ts'
import { aMerchant, openHouse, refusal } from '../house.ts'

const hour = 3_600_000
const invoice = { price_amount: 20, price_currency: 'usd' }

async function aShop() {
  const house = await openHouse()
  const merchant = await aMerchant(house)
  const under = (key: string) => merchant.clientWith({ 'x-api-key': merchant.apiKey, 'idempotency-key': key })
  const create = async (key: string, body = invoice) => (await under(key).createInvoice({ body })).id
  return { house, merchant, create }
}

test('a key is kept for 48 hours, twice the documented minimum', async () => {
  const { house, create } = await aShop()
  const first = await create('k')
  await house.sleep(48 * hour - 1)
  expect(await create('k')).toBe(first)
  expect(await refusal(create('k', { ...invoice, price_amount: 21 }))).toBe('IDEMPOTENCY_KEY_REUSED')
  await house.sleep(1)
  const later = await create('k', { ...invoice, price_amount: 21 })
  expect(later).not.toBe(first)
})

test('a key has up to 255 characters, and an empty one is none', async () => {
  const { create } = await aShop()
  for (const length of [254, 255]) expect(await create('k'.repeat(length))).toBe(await create('k'.repeat(length)))
  expect(await refusal(create('k'.repeat(256)))).toBe('INVALID_REQUEST_PARAMS')
  for (const none of ['', ' ']) expect(await create(none)).not.toBe(await create(none))
})

test('the key of a process that died at work is in flight for 15 seconds, and may be retried after one', async () => {
  const { house, merchant, create } = await aShop()
  let writes = 0
  let hasTaken = () => {}
  const isTaken = new Promise<void>((resolve) => {
    hasTaken = resolve
  })
  const { store } = house.app
  const dying = {
    ...house.app,
    store: {
      ...store,
      // The first write stores the key; the next one would do the work, and its process is gone.
      write: ((...args: Parameters<typeof store.write>) => {
        writes += 1
        if (writes === 1) return store.write(...args)
        hasTaken()
        return new Promise(() => {})
      }) as typeof store.write,
    },
  }
  const caller = { merchant: { id: merchant.id } } as MerchantCaller
  const sender = { headers: { 'idempotency-key': 'k' }, address: '127.0.0.1' } as unknown as Parameters<
    typeof creating
  >[1]['sender']
  void creating(dying, { caller, sender, name: 'createInvoice', body: invoice }, async () => ({}))
  await isTaken
  const problem = await create('k').catch((error: unknown) => error)
  expect(isProblem(problem, 'IDEMPOTENCY_IN_FLIGHT')).toBe(true)
  await house.sleep(15_000 - 1)
  expect(await refusal(create('k'))).toBe('IDEMPOTENCY_IN_FLIGHT')
  const { url } = await house.server.listen()
  const reply = await fetch(`${url}/api/v1/invoice`, {
    method: 'POST',
    headers: { 'x-api-key': merchant.apiKey, 'content-type': 'application/json', 'idempotency-key': 'k' },
    body: JSON.stringify(invoice),
  })
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([409, '1'])
  await house.sleep(1)
  expect(await refusal(create('k'))).toBe('not refused')
})
