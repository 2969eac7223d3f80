import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { generateSync } from 'otplib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { reserveKey } from '../../../src/db/idempotency-keys.ts'
import { createClient } from '../../../src/http/client/client.ts'
import { inProcess } from '../../../src/http/client/in-process-transport.ts'
import type { Client } from '../../../src/http/contract/contract.ts'
import { enrollTotp, fund, setWhitelisted, theMerchant } from '../../../src/services/gateway/admin/platform.ts'
import { gateway } from '../../../src/services/gateway/api/contract.ts'
import { openWorld } from '../../../src/world/world.ts'
import { keepingEngines, postgres, sqliteFile } from '../../support/databases/engines.ts'
import { aMerchant, openHouse, refusal } from './house.ts'

/** Several processes on one database, like a served world and the commands next to it. */

const body = { price_amount: 10, price_currency: 'usd', pay_currency: 'btc' }
const wallet = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'
const keyed = { headers: { 'idempotency-key': 'k1' } }

test('a duplicate of a request that another process works on is in flight, and gets its response afterwards', async () => {
  const database = await postgres.database({ poolSize: 4 })
  const [one, other] = [await openHouse({ open: database.open }), await openHouse({ open: database.open })]
  const merchant = await aMerchant(one)
  const twin = await aMerchant(other, { email: 'other@shop.example' })
  const twinClient = twin.clientWith({ 'x-api-key': merchant.apiKey })

  // Another transaction holds the counter of ids, so the first request stops in the middle of its work.
  const engine = await database.engine()
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  onTestFinished(() => release())
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
  expect(await refusal(twinClient.createPayment({ body }, keyed))).toBe('IDEMPOTENCY_IN_FLIGHT')
  release()
  await holder
  const payment = await first
  expect(await twinClient.createPayment({ body }, keyed)).toEqual(payment)
  expect((await merchant.client.payments({ query: {} })).total).toBe(1)
})

async function keysOf(house: Awaited<ReturnType<typeof openHouse>>): Promise<number> {
  return (await house.app.store.read(({ q }) => q.selectFrom('store_once').selectAll().execute())).length
}

describe.each(keepingEngines)('on $name', (engine) => {
  test('the key of a process that died at work is in flight for a while, and then free', async () => {
    const database = await engine.database()
    const house = await openHouse({ open: database.open })
    const { id, client } = await aMerchant(house)
    const request = { name: 'createPayment', body }
    await house.app.store.write((tx) =>
      reserveKey(tx, { scope: `gateway/${id}`, key: 'k1', request, expiresAt: tx.now + 1 }, 15_000),
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

  test('a refused request frees its key', async () => {
    const database = await engine.database()
    const house = await openHouse({ open: database.open })
    const { client } = await aMerchant(house)
    expect(await refusal(client.createPayment({ body: { ...body, price_amount: 0.01 } }, keyed))).toBe(
      'AMOUNT_TOO_SMALL',
    )
    expect(await keysOf(house)).toBe(0)
    expect((await client.createPayment({ body }, keyed)).payment_status).toBe('waiting')
  })
})

describe.each([postgres, sqliteFile])('two-factor secrets, on $name', (engine) => {
  test('are available to other processes, and a code is valid once, in any process', async () => {
    const { url: db = '' } = await engine.database()
    const dataFolder = mkdtempSync(join(tmpdir(), 'countroom-signer-'))
    onTestFinished(() => rmSync(dataFolder, { recursive: true }))
    const at = Date.UTC(2026, 2, 2)
    const open = async () => {
      const world = await openWorld({ db, dataFolder, machineNow: () => at, rateLimits: false })
      onTestFinished(() => world.close())
      return world
    }
    const first = await open()
    const { gateway: app, server } = first
    const merchant = await aMerchant(
      { app, server },
      { scopes: { scopes: ['read', 'payouts', 'custody'], addresses: ['127.0.0.1'] } },
    )
    await app.store.write(async (tx) => fund(app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '1000'))
    await setWhitelisted(app, merchant.id, 'usdttrc20', wallet)
    const { totpSecret } = await enrollTotp(app, merchant.id)
    await first.close()

    /** A client on the world's current database: data in one process's memory is unknown to the next. */
    const inNewProcess = async <T>(work: (client: Client<typeof gateway>) => Promise<T>): Promise<T> => {
      const world = await open()
      const transport = inProcess(world.server)
      const clientWith = (headers: Record<string, string>) =>
        createClient(gateway, (request) => transport({ ...request, headers: { ...request.headers, ...headers } }))
      const key = { 'x-api-key': merchant.apiKey }
      const { token } = await clientWith(key).auth({ body: { email: merchant.email, password: merchant.password } })
      try {
        return await work(clientWith({ ...key, authorization: `Bearer ${token}` }))
      } finally {
        await world.close()
      }
    }
    const input = { body: { withdrawals: [{ address: wallet, currency: 'usdttrc20', amount: 100 }] } }
    const body = { verification_code: generateSync({ secret: totpSecret, epoch: at / 1000 }) }
    const later = await inNewProcess(async (client) => {
      const [now, after] = [await client.createPayouts(input), await client.createPayouts(input)]
      expect(await client.verifyPayouts({ params: { id: now.id }, body })).toBe('OK')
      return after.id
    })
    expect(await inNewProcess((client) => refusal(client.verifyPayouts({ params: { id: later }, body })))).toBe(
      'INVALID_MFA_CODE',
    )
  })
})
