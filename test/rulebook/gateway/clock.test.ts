import { generateSync } from 'otplib'
import { describe, expect, test } from 'vitest'
import { createKey, enrollTotp, setMerchant } from '../../../src/services/gateway/admin/platform.ts'
import { setRate } from '../../../src/services/gateway/rates/rates.ts'
import { aReceiver, type Got, status } from '../../support/http/receiver.ts'
import { aClock, testWorld } from '../../support/worlds/world.ts'
import { shared } from '../shared.ts'
import { aFundedShop, aShop, ask, order, wallet } from './gateway.ts'
import * as book from './limits.ts'

const second = 1000
const minute = 60 * second
const day = 24 * 60 * minute

const theWorld = shared(async (world) => world)
let shopper: ReturnType<typeof aFundedShop> | undefined
/** One shop for all tests that do not change it: a new one costs the hashing of a password. */
const aShopper = () => (shopper ??= aFundedShop(theWorld()))
const now = () => theWorld().clock.now()
const wait = async (ms: number) => theWorld().clock.advance((await now()) + ms)

describe('a quote', () => {
  test.each([-1, 0, 1])('is valid for 20 minutes: %i seconds', async (more) => {
    const shop = await aShopper()
    const made = await ask(shop, 'POST /payment', { ...order, pay_currency: 'trx' })
    const { payment_id: id, pay_amount, expiration_estimate_date } = made.body
    expect(Date.parse(expiration_estimate_date)).toBe((await now()) + book.quoteMinutes * minute)
    await setRate(theWorld().gateway, 'trx', '0.2')
    await wait(book.quoteMinutes * minute + more * second)
    const looked = (await ask(shop, `GET /payment/${id}`)).body
    const quoted = (await ask(shop, `POST /payment/${id}/update-merchant-estimate`)).body
    await setRate(theWorld().gateway, 'trx', '0.3')
    if (more < 0)
      expect([looked.pay_amount, quoted]).toEqual([
        pay_amount,
        expect.objectContaining({ pay_amount, expiration_estimate_date }),
      ])
    if (more > 0) {
      expect([looked.pay_amount, quoted.pay_amount]).toEqual([500, 500])
      expect(Date.parse(quoted.expiration_estimate_date)).toBe((await now()) + book.quoteMinutes * minute)
    }
  })

  test.each([
    { what: 'an ordinary one', change: {}, ms: book.validDays * day },
    { what: 'one at a fixed rate', change: { is_fixed_rate: true }, ms: book.quoteMinutes * minute },
    { what: 'one whose fee is the payer’s', change: { is_fee_paid_by_user: true }, ms: book.quoteMinutes * minute },
  ])('is open for: $what', async ({ change, ms }) => {
    const shop = await aShopper()
    const { body } = await ask(shop, 'POST /payment', { ...order, ...change })
    const statusNow = async () => (await ask(shop, `GET /payment/${body.payment_id}`)).body.payment_status
    await wait(ms - second)
    expect(await statusNow()).toBe('waiting')
    await wait(2 * second)
    expect(await statusNow()).toBe('expired')
    expect((await ask(shop, `POST /payment/${body.payment_id}/update-merchant-estimate`)).body.code).toBe('CONFLICT')
  })
})

describe('a batch of payouts', () => {
  const aBatch = async () => {
    const shop = await aShopper()
    const { totpSecret } = await enrollTotp(theWorld().gateway, shop.id)
    const withdrawals = [{ address: wallet, currency: 'usdttrc20', amount: 10 }]
    const call = async (endpoint: string, sent: object) => {
      const { token } = await shop.client.auth({ body: { email: shop.email, password: shop.password } })
      return ask({ ...shop, token }, endpoint, sent)
    }
    const create = async () => (await call('POST /payout', { withdrawals })).body.id
    const id = await create()
    const codeAt = (at: number) => generateSync({ secret: totpSecret, epoch: at / 1000 })
    const verify = async (verification_code: string, of = id) => {
      const reply = await call(`POST /payout/${of}/verify`, { verification_code })
      return reply.status === 200 ? reply.body : reply.body.code
    }
    return { codeAt, verify, create }
  }
  const wrong = (right: string) => String((Number(right) + 123_457) % 1_000_000).padStart(6, '0')

  test.each([-1, 1])('waits for its code for an hour: %i seconds', async (more) => {
    const { verify, codeAt } = await aBatch()
    await wait(book.payoutVerification.rejectedAfterMinutes * minute + more * second)
    expect(await verify(codeAt(await now()))).toBe(more < 0 ? 'OK' : 'CONFLICT')
  })

  test.each([9, 10])('takes ten wrong codes: the right one after %i', async (count) => {
    const { verify, codeAt } = await aBatch()
    const { tries } = book.payoutVerification
    for (let i = 0; i < count; i++) expect(await verify(wrong(codeAt(await now())))).toBe('INVALID_MFA_CODE')
    expect(await verify(codeAt(await now()))).toBe(count < tries ? 'OK' : 'CONFLICT')
  })

  test.each([-2, -1, 0, 1, 2])(
    'accepts a code of %i steps of 30 seconds away: the current one and the adjacent ones',
    async (away) => {
      const { verify, codeAt } = await aBatch()
      const { digits, periodSeconds } = book.payoutVerification
      const code = codeAt((await now()) + away * periodSeconds * second)
      expect(code).toMatch(new RegExp(`^[0-9]{${digits}}$`))
      expect(await verify(code)).toBe(Math.abs(away) <= 1 ? 'OK' : 'INVALID_MFA_CODE')
    },
  )

  test('a code is valid once', async () => {
    const { create, verify, codeAt } = await aBatch()
    const code = codeAt(await now())
    expect([await verify(code), await verify(code, await create())]).toEqual(['OK', 'INVALID_MFA_CODE'])
  })
})

describe('callbacks', () => {
  /** Creates a payment whose callback goes to the receiver; returns the times of the attempts. */
  async function aCallbackShop(
    answer: Parameters<typeof aReceiver>[0],
    of: ReturnType<typeof aFundedShop> = aShopper(),
  ) {
    const at: Promise<number>[] = []
    const shop = await of
    const { world } = shop
    const receiver = await aReceiver((got, response) => {
      if (JSON.parse(got.raw.toString()).payment_status === 'waiting') at.push(world.clock.now())
      answer?.(got, response)
    })
    const sent = { ...order, ipn_callback_url: receiver.url }
    const pay = async () => ask(shop, 'POST /payment', sent).then(() => world.settle())
    return { shop, receiver, pay, attemptsAt: () => Promise.all(at) }
  }

  const { attempts, firstWaitSeconds, factor, longestWaitSeconds, jitter } = book.ipn
  const waits = Array.from({ length: book.ipn.settable.most - 1 }, (_, i) =>
    Math.min(firstWaitSeconds * factor ** i, longestWaitSeconds),
  )

  test.each([
    { answer: 'a 500', respond: status(500) },
    { answer: 'a redirect', respond: status(302, { location: 'http://127.0.0.1:9/' }) },
    { answer: 'a 410', respond: status(410) },
    {
      answer: 'a cut line',
      respond: (_got: Got, response: Parameters<ReturnType<typeof status>>[1]) => void response.destroy(),
    },
  ])('are tried ten times, each delay longer by the factor: $answer', async ({ respond }) => {
    const { receiver, pay, attemptsAt } = await aCallbackShop(respond)
    await pay()
    await wait(2 * day)
    expectWaits(await attemptsAt(), attempts)
    expect(new Set(receiver.got.map(({ raw }) => raw.toString())).size).toBe(1)
  })

  function expectWaits(at: readonly number[], count: number) {
    expect(at).toHaveLength(count)
    for (const [i, seconds] of waits.slice(0, count - 1).entries()) {
      const waited = (at[i + 1] ?? 0) - (at[i] ?? 0)
      expect(waited, `wait ${i + 1}`).toBeGreaterThanOrEqual(seconds * second)
      expect(waited, `wait ${i + 1}`).toBeLessThanOrEqual(seconds * (1 + jitter) * second)
    }
  }

  test('are acknowledged by the statuses of the table and by no others', async () => {
    const receivers = []
    for (const { status: code } of book.acknowledges) {
      const one = await aCallbackShop(status(code))
      await one.pay()
      receivers.push(one)
    }
    await wait(firstWaitSeconds * 2 * second)
    for (const [i, { status: code, is }] of book.acknowledges.entries())
      expect((receivers[i]?.receiver.got.length ?? 0) > 1, String(code)).toBe(!is)
  })

  test('are tried as often as the console sets', async () => {
    const { least, most } = book.ipn.settable
    for (const count of [least, most]) {
      // In a separate world: unacknowledged callbacks of earlier tests would be retried during this one.
      const { shop, pay, attemptsAt } = await aCallbackShop(status(503), testWorld().then(aFundedShop))
      const { clock, gateway } = shop.world
      const pass = async (ms: number) => clock.advance((await clock.now()) + ms)
      await setMerchant(gateway, shop.id, { ipnAttempts: count })
      await pay()
      await pass(waits.slice(0, count - 1).reduce((sum, each) => sum + each, 1) * (1 + jitter) * second)
      expectWaits(await attemptsAt(), count)
      await pass(2 * day)
      expect(await attemptsAt()).toHaveLength(count)
      for (const ipnAttempts of [least - 1, most + 1])
        await expect(setMerchant(gateway, shop.id, { ipnAttempts })).rejects.toThrow()
    }
  })

  test('have the compatible header only with the option', async () => {
    const { shop, receiver, pay } = await aCallbackShop(status(200))
    await pay()
    await setMerchant(theWorld().gateway, shop.id, { compat: true })
    await pay()
    const [without, with_] = receiver.got.map(({ headers }) => headers)
    expect(without?.[book.headers.compatible]).toBeUndefined()
    expect(with_?.[book.headers.compatible]).toBe(with_?.[book.headers.signature])
  })
})

describe('request rates', () => {
  test.each(book.rates)('$per: $burst at once, then $perSecond a second', async ({ per, perSecond, burst }) => {
    const time = aClock()
    const shop = await aShop(await testWorld({ time, rateLimits: true }))
    const another = await createKey(shop.world.gateway, shop.id)
    const keys = per === 'key' ? [shop.apiKey] : [shop.apiKey, another.apiKey]
    const passing = async (count: number) => {
      const path = per === 'key' ? 'GET /balance' : 'GET /status'
      const calls = Array.from({ length: count }, (_, i) =>
        ask(shop, path, undefined, { 'x-api-key': keys[i % keys.length] ?? '' }),
      )
      const answers = await Promise.all(calls)
      for (const { status: code, headers } of answers) if (code === 429) expect(headers['retry-after']).toMatch(/^\d+$/)
      return answers.filter(({ status: code }) => code === 200).length
    }
    // The shop requested a token before.
    time.add('1m')
    expect(await passing(burst + 5)).toBe(burst)
    time.add('1s')
    expect(await passing(perSecond + 5)).toBe(perSecond)
    time.add(`${1000 / perSecond}ms`)
    expect(await passing(3)).toBe(1)
  })
})
