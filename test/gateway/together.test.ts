import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { takeKey } from '../../src/store/once.ts'
import { engines, postgres } from '../support/engines.ts'
import { aMerchant, openHouse, refusal } from './house.ts'

/** Several processes on one database, as a served world and the commands beside it are. */

const body = { price_amount: 10, price_currency: 'usd', pay_currency: 'btc' }
const keyed = { headers: { 'idempotency-key': 'k1' } }

test('a twin of a request that another process is working on is in flight, and gets its answer afterwards', async () => {
  const place = await postgres.place({ poolSize: 4 })
  const [one, other] = [await openHouse({ open: place.open }), await openHouse({ open: place.open })]
  const merchant = await aMerchant(one)
  const twin = await aMerchant(other, { email: 'other@shop.example' })
  const beside = twin.clientWith({ 'x-api-key': merchant.apiKey })

  // Somebody holds the counter of ids, so the first request stops in the middle of its work.
  const engine = await place.engine()
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  onTestFinished(() => letGo())
  let isHeld = () => {}
  const holding = new Promise<void>((resolve) => {
    isHeld = resolve
  })
  const holder = engine.write(async (q) => {
    await sql`select value from store_counters where series = 'gateway ids' for update`.execute(q)
    isHeld()
    await held
  })
  await holding
  const first = merchant.client.createPayment({ body }, keyed)
  await expect.poll(() => keysOf(one)).toBe(1)
  expect(await refusal(beside.createPayment({ body }, keyed))).toBe('IDEMPOTENCY_IN_FLIGHT')
  letGo()
  await holder
  const payment = await first
  expect(await beside.createPayment({ body }, keyed)).toEqual(payment)
  expect((await merchant.client.payments({ query: {} })).total).toBe(1)
})

async function keysOf(house: Awaited<ReturnType<typeof openHouse>>): Promise<number> {
  return (await house.app.store.read(({ q }) => q.selectFrom('store_once').selectAll().execute())).length
}

describe.each(engines.filter((engine) => engine.keeps))('on $name', (engine) => {
  test('the key of a process that died at work is in flight for a while, and then free', async () => {
    const place = await engine.place()
    const house = await openHouse({ open: place.open })
    const { id, client } = await aMerchant(house)
    const question = { name: 'createPayment', body }
    await house.app.store.write((tx) =>
      takeKey(tx, { scope: `gateway/${id}`, key: 'k1', question, expiresAt: tx.now + 1 }, 15_000),
    )
    expect(await refusal(client.createPayment({ body }, keyed))).toBe('IDEMPOTENCY_IN_FLIGHT')
    await house.wait(15_000)
    const payment = await client.createPayment({ body }, keyed)
    expect(await client.createPayment({ body }, keyed)).toEqual(payment)
    expect(await refusal(client.createPayment({ body: { ...body, price_amount: 11 } }, keyed))).toBe(
      'IDEMPOTENCY_KEY_REUSED',
    )
    expect((await client.payments({ query: {} })).total).toBe(1)
  })

  test('a refused request gives its key back', async () => {
    const place = await engine.place()
    const house = await openHouse({ open: place.open })
    const { client } = await aMerchant(house)
    expect(await refusal(client.createPayment({ body: { ...body, price_amount: 0.01 } }, keyed))).toBe(
      'AMOUNT_TOO_SMALL',
    )
    expect(await keysOf(house)).toBe(0)
    expect((await client.createPayment({ body }, keyed)).payment_status).toBe('waiting')
  })
})
