import { readFileSync } from 'node:fs'
import { generateSync } from 'otplib'
import { describe, expect, onTestFinished, test } from 'vitest'
import { seededBytes } from '../../../src/kit/ambient.ts'
import { deliveriesAbout } from '../../../src/outbox/queries.ts'
import { allBalances, allEntries } from '../../../src/services/gateway/queries/ledger.ts'
import { openWorld } from '../../../src/world/world.ts'
import { postgres, sqliteFile } from '../../support/databases/engines.ts'
import { type Served, served, workbench } from '../../support/program/processes.ts'

/** A served world is killed repeatedly while it creates objects, and then its stored objects are checked. */

const rounds = 2
const begin = Date.UTC(2026, 2, 1, 12)
const roundMs = 10 * 60_000
/** No process listens there: pending deliveries stay pending, and can be counted. */
const ipn_callback_url = 'http://127.0.0.1:9/ipn'

interface SentRequest {
  readonly path: string
  readonly key: string
  readonly body: object
  readonly answer: unknown
}

interface Demo {
  readonly payoutApiKey: string
  readonly email: string
  readonly password: string
  readonly totpSecret: string
  readonly whitelisted: { readonly usdttrc20: string }
}

describe.each([sqliteFile, postgres])('on $name', (engine) => {
  test('kill -9 at any instant loses no acknowledged request, and repeats none', async () => {
    const database = await engine.database()
    const { folder, env, done } = workbench('killed')
    onTestFinished(done)
    const db = database.url
    const chance = seededBytes(`killed ${engine.name}`)
    const below = (limit: number) => (chance(1)[0] ?? 0) % limit
    /** Each time ten minutes later, so that keys held by the dead process are free again. */
    const serveAt = async (round: number) => {
      const clock = new Date(begin + round * roundMs).toISOString()
      const world = await served(folder, env, ['--db', db, '--clock', clock, '--no-rate-limit'])
      onTestFinished(() => world.kill())
      const demo: Demo = JSON.parse(readFileSync(world.readyFile, 'utf8')).gateway.production
      return { world, demo, send: await senderOf(world, demo) }
    }

    const requests = new Map<string, SentRequest>()
    const verified: string[] = []
    for (let round = 0; round < rounds; round++) {
      const { world, demo, send } = await serveAt(round)
      const orders = Array.from({ length: 18 }, (_, i) => orderOf(i, `${round}-${i}`, demo))
      const diesAfter = 3 + below(13)
      let answered = 0
      const verifying = await batchToVerify(send, demo, round)
      const verification_code = generateSync({ secret: demo.totpSecret, epoch: (begin + round * roundMs) / 1000 })
      const ends = orders.map(async (input) => {
        requests.set(input.key, { ...input, answer: undefined })
        const reply = await send('POST', input.path, input.body, input.key).catch(() => undefined)
        if (reply === undefined) return
        expect(reply.status, JSON.stringify(reply.body)).toBeLessThan(300)
        requests.set(input.key, { ...input, answer: reply.body })
        if (++answered === diesAfter) await world.kill()
      })
      const verify = send('POST', `/v1/payout/${verifying}/verify`, { verification_code })
      ends.push(verify.then((reply) => void (reply.status === 200 && verified.push(verifying))).catch(() => {}))
      await Promise.all(ends)
      await world.kill()
    }
    expect([...requests.values()].filter(({ answer }) => answer !== undefined).length).toBeGreaterThanOrEqual(
      rounds * 3,
    )

    const { world, send } = await serveAt(rounds)
    for (const { path, key, body, answer } of requests.values()) {
      const again = await send('POST', path, body, key)
      expect(again.status).toBeLessThan(300)
      if (answer !== undefined) expect(again.body).toEqual(answer)
    }
    const count = (path: string) => [...requests.values()].filter((each) => each.path === path).length
    const read = async (path: string) => (await send('GET', path)).body as Record<string, number & unknown[]>
    expect((await read('/v1/payment/?limit=1'))['total']).toBe(count('/v1/payment'))
    expect((await read('/v1/conversion?limit=1'))['count']).toBe(count('/v1/conversion'))
    expect((await read('/v1/payout?limit=500'))['payouts']?.length).toBe(count('/v1/payout') + rounds)
    await world.stop()
    await proveAfterwards(db, verified)
  })
})

/** Payments, conversions and payouts in turn. */
function orderOf(i: number, name: string, { whitelisted }: Demo): Omit<SentRequest, 'answer'> {
  const key = `key-${name}`
  if (i % 3 === 0)
    return {
      path: '/v1/payment',
      key,
      body: { price_amount: 25, price_currency: 'usd', pay_currency: 'btc', order_id: name },
    }
  if (i % 3 === 1)
    return {
      path: '/v1/conversion',
      key,
      body: { amount: `1.${name.replace('-', '')}`, from_currency: 'usdttrc20', to_currency: 'eth' },
    }
  const withdrawals = [{ address: whitelisted.usdttrc20, currency: 'usdttrc20', amount: 10 + i }]
  return { path: '/v1/payout', key, body: { withdrawals } }
}

async function batchToVerify(send: Send, { whitelisted }: Demo, round: number): Promise<string> {
  const withdrawals = [{ address: whitelisted.usdttrc20, currency: 'usdttrc20', amount: 50 + round }]
  const { body } = await send('POST', '/v1/payout', { withdrawals, ipn_callback_url })
  return (body as { id: string }).id
}

type Send = Awaited<ReturnType<typeof senderOf>>

/** Sends a request over HTTP, with key and token. */
async function senderOf({ baseUrl }: Served, { payoutApiKey, email, password }: Demo) {
  let token = ''
  const send = async (method: 'GET' | 'POST', path: string, body?: object, key?: string) => {
    const reply = await fetch(baseUrl + path, {
      method,
      headers: {
        'x-api-key': payoutApiKey,
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        ...(key === undefined ? {} : { 'idempotency-key': key }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: reply.status, body: (await reply.json()) as unknown }
  }
  const { body } = await send('POST', '/v1/auth', { email, password })
  token = (body as { token: string }).token
  return send
}

/**
 * Advances the chains: verified payouts are paid once and called back step by step, no others are, and the ledger
 * balances.
 */
async function proveAfterwards(db: string, verified: readonly string[]): Promise<void> {
  const world = await openWorld({ db })
  try {
    await world.clock.advance((await world.clock.now()) + 3 * 60_000)
    await world.store.read(async (reader) => {
      const payouts = await reader.q.selectFrom('gateway_payouts').selectAll().execute()
      const sent = await reader.q.selectFrom('gateway_chain_txs').selectAll().where('direction', '=', 'out').execute()
      const paid = payouts.filter(({ status }) => status === 'finished')
      for (const batch of verified) expect(paid.map((payout) => payout.batch)).toContain(batch)
      expect(sent.map(({ id }) => id).sort()).toEqual(paid.map(({ id }) => id).sort())
      for (const { id, merchant } of paid)
        expect((await deliveriesAbout(reader, merchant, id)).map(({ event }) => event)).toEqual([
          'creating',
          'waiting',
          'processing',
          'sending',
          'finished',
        ])
      const totals = new Map<string, bigint>()
      const sums = new Map<string, bigint>()
      for (const { account, units } of await allEntries(reader))
        sums.set(account, (sums.get(account) ?? 0n) + BigInt(units))
      for (const { account, currency, units } of await allBalances(reader)) {
        totals.set(currency, (totals.get(currency) ?? 0n) + BigInt(units))
        expect(sums.get(account)).toBe(BigInt(units))
      }
      expect([...totals.values()].every((total) => total === 0n)).toBe(true)
    })
  } finally {
    await world.close()
  }
}
