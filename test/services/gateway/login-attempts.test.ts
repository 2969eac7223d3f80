import { describe, expect, test } from 'vitest'
import { createClient } from '../../../src/http/client/client.ts'
import { inProcess } from '../../../src/http/client/transport.ts'
import { isProblem } from '../../../src/kit/problem.ts'
import { listLoginFailures, unlockLogins } from '../../../src/services/gateway/admin/logins.ts'
import {
  enrollTotp,
  fund,
  setMerchant,
  setWhitelisted,
  theMerchant,
} from '../../../src/services/gateway/admin/platform.ts'
import { gateway } from '../../../src/services/gateway/api/contract.ts'
import { keepingEngines } from '../../support/databases/engines.ts'
import { passwordsHashed } from '../../support/password-hashing.ts'
import { aMerchant, type House, type Merchant, openHouse } from './house.ts'

const home = '198.51.100.7'
const elsewhere = (n: number) => `203.0.113.${n}`
const second = 1_000
const minute = 60 * second

async function aGuardedHouse(): Promise<{ house: House; merchant: Merchant }> {
  const house = await openHouse({ rateLimits: true })
  const merchant = await aMerchant(house)
  passwordsHashed.count = 0
  return { house, merchant }
}

interface Tried {
  readonly code: string
  /** Seconds to wait, from Retry-After. */
  readonly after: number | undefined
}

/** One login from an address, sent by a different client implementation. */
async function logIn(
  { house, merchant }: { house: House; merchant: Merchant },
  { password = 'wrong', email = merchant.email, address = home, key = merchant.apiKey as string | null } = {},
): Promise<Tried> {
  const reply = await house.server.inject(
    {
      method: 'POST',
      path: '/api/v1/auth',
      headers: { 'content-type': 'application/json', ...(key === null ? {} : { 'x-api-key': key }) },
      body: JSON.stringify({ email, password }),
    },
    { address },
  )
  const { code = 'ok' } = JSON.parse(reply.body) as { code?: string }
  const after = reply.headers['retry-after']
  return { code, after: after === undefined ? undefined : Number(after) }
}

/** Logs in with a wrong password until it has failed this many times, waiting as required. */
async function failing(at: Parameters<typeof logIn>[0], times: number, how: Parameters<typeof logIn>[1] = {}) {
  for (let failed = 0; failed < times; ) {
    const { code, after = 0 } = await logIn(at, how)
    if (code === 'AUTH_REQUIRED') failed++
    else if (code === 'RATE_LIMITED') await at.house.sleep(after * second)
    else throw new Error(`${code} after ${failed} failures`)
  }
}

describe('a wrong password', () => {
  test('has no delay five times; then the delay starts at one second and doubles up to 15 minutes', async () => {
    const at = await aGuardedHouse()
    for (let i = 0; i < 5; i++) expect(await logIn(at)).toEqual({ code: 'AUTH_REQUIRED', after: undefined })
    const waits: number[] = []
    for (let i = 0; i < 14; i++) {
      expect((await logIn(at)).code).toBe('AUTH_REQUIRED')
      const { code, after = 0 } = await logIn(at)
      expect(code).toBe('RATE_LIMITED')
      waits.push(after)
      await at.house.sleep(after * second - 1)
      expect((await logIn(at)).code).toBe('RATE_LIMITED')
      await at.house.sleep(1)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900])
  })

  test('locks the login from that address at the 20th attempt; only the console unlocks it', async () => {
    const at = await aGuardedHouse()
    await failing(at, 20)
    expect((await logIn(at)).code).toBe('FORBIDDEN')
    await at.house.wait(40 * 24 * 60 * minute)
    expect((await logIn(at, { password: at.merchant.password })).code).toBe('FORBIDDEN')
    const [locked] = await listLoginFailures(at.house.app)
    expect(locked).toMatchObject({
      state: 'locked',
      countedBy: 'pair',
      user: at.merchant.email,
      address: home,
      failures: 20,
    })
    await unlockLogins(at.house.app, { email: at.merchant.email.toUpperCase() })
    expect((await logIn(at, { password: at.merchant.password })).code).toBe('ok')
    expect(await listLoginFailures(at.house.app, { email: at.merchant.email })).toEqual([])
  })

  test('expires after 24 hours, and with a login', async () => {
    const at = await aGuardedHouse()
    await failing(at, 5)
    await at.house.sleep(24 * 60 * minute)
    for (let i = 0; i < 5; i++) expect((await logIn(at)).code).toBe('AUTH_REQUIRED')
    expect((await logIn(at, { password: at.merchant.password })).code).toBe('ok')
    for (let i = 0; i < 6; i++) expect((await logIn(at)).code).toBe('AUTH_REQUIRED')
    expect((await logIn(at)).code).toBe('RATE_LIMITED')
  })

  test('is not checked during a delay, and neither is a right one', async () => {
    const at = await aGuardedHouse()
    await failing(at, 6)
    passwordsHashed.count = 0
    expect((await logIn(at, { password: at.merchant.password })).code).toBe('RATE_LIMITED')
    expect(passwordsHashed.count).toBe(0)
    await at.house.sleep(second)
    expect((await logIn(at, { password: at.merchant.password })).code).toBe('ok')
  })

  test('of an unknown user gets the same response and counts like one of a known user', async () => {
    const at = await aGuardedHouse()
    const course = async (email: string, address: string) => {
      const answers: string[] = []
      passwordsHashed.count = 0
      for (let i = 0; i < 8; i++) answers.push((await logIn(at, { email, address })).code)
      return { answers, hashes: passwordsHashed.count }
    }
    const real = await course(at.merchant.email, elsewhere(1))
    expect(await course('nobody@shop.example', elsewhere(2))).toEqual(real)
    const other = await aMerchant(at.house, { email: 'other@shop.example' })
    expect(await course(other.email, elsewhere(3))).toEqual(real)
    expect(real).toEqual({ answers: [...Array(6).fill('AUTH_REQUIRED'), 'RATE_LIMITED', 'RATE_LIMITED'], hashes: 6 })
  })
})

describe('attempts from other addresses', () => {
  test('never lock out a user who has logged in from an address before', async () => {
    const at = await aGuardedHouse()
    const own = { password: at.merchant.password }
    expect((await logIn(at, own)).code).toBe('ok')
    for (let n = 1; n <= 6; n++) for (let i = 0; i < 5; i++) await logIn(at, { address: elsewhere(n) })
    expect((await logIn(at, { ...own, address: elsewhere(99) })).code).toBe('RATE_LIMITED')
    expect((await logIn(at, own)).code).toBe('ok')
  })

  test('from many addresses delay the user, a minute at most, without a lockout', async () => {
    const at = await aGuardedHouse()
    let n = 0
    const logInElsewhere = () => logIn(at, { address: elsewhere(++n % 250) })
    for (let i = 0; i < 20; i++) expect((await logInElsewhere()).code).toBe('AUTH_REQUIRED')
    const waits: number[] = []
    for (let i = 0; i < 9; i++) {
      expect((await logInElsewhere()).code).toBe('AUTH_REQUIRED')
      const { code, after = 0 } = await logInElsewhere()
      expect(code).toBe('RATE_LIMITED')
      waits.push(after)
      await at.house.sleep(after * second)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60])
    expect((await logIn(at, { password: at.merchant.password, address: home })).code).toBe('ok')
  })

  test('for many users delay the merchant and the address', async () => {
    const at = await aGuardedHouse()
    for (let n = 0; n < 51; n++)
      expect((await logIn(at, { email: `u${n}@shop.example`, address: elsewhere(1) })).code).toBe('AUTH_REQUIRED')
    expect((await logIn(at, { email: 'u99@shop.example', address: elsewhere(1) })).code).toBe('RATE_LIMITED')
    for (let n = 0; n < 50; n++)
      expect((await logIn(at, { email: `v${n}@shop.example`, address: elsewhere(2) })).code).toBe('AUTH_REQUIRED')
    expect((await logIn(at, { email: 'v99@shop.example', address: elsewhere(3) })).code).toBe('RATE_LIMITED')
    const other = await aMerchant(at.house, { email: 'other@shop.example' })
    expect(
      (await logIn({ house: at.house, merchant: other }, { password: other.password, address: elsewhere(3) })).code,
    ).toBe('ok')
  })

  test('with the key of another merchant do not delay a user', async () => {
    const at = await aGuardedHouse()
    const other = await aMerchant(at.house, { email: 'other@shop.example' })
    for (let n = 1; n <= 30; n++) await logIn(at, { email: other.email, address: elsewhere(n) })
    expect(
      (await logIn({ house: at.house, merchant: other }, { password: other.password, address: elsewhere(200) })).code,
    ).toBe('ok')
  })

  test('from several addresses of one IPv6 customer count as one address', async () => {
    const at = await aGuardedHouse()
    for (let i = 1; i <= 6; i++) expect((await logIn(at, { address: `2001:db8:1:2::${i}` })).code).toBe('AUTH_REQUIRED')
    expect((await logIn(at, { address: '2001:db8:1:2:ffff::1' })).code).toBe('RATE_LIMITED')
    expect((await logIn(at, { address: '2001:db8:1:3::1' })).code).toBe('AUTH_REQUIRED')
  })
})

describe('without a valid key', () => {
  test('nothing is hashed, for any input and any number of attempts', async () => {
    const at = await aGuardedHouse()
    const right = { password: at.merchant.password }
    for (const key of [null, '', 'gw_p_wrong', 'x'.repeat(300)])
      for (let i = 0; i < 10; i++)
        expect((await logIn(at, { ...right, key })).code).toBe(key ? 'INVALID_API_KEY' : 'AUTH_REQUIRED')
    expect(passwordsHashed.count).toBe(0)
    expect(await listLoginFailures(at.house.app)).toEqual([])
  })

  test('the compatibility option hashes for users of its accounts only, and no more often than with a key', async () => {
    const at = await aGuardedHouse()
    await setMerchant(at.house.app, at.merchant.id, { compat: true })
    expect((await logIn(at, { key: '', email: 'nobody@shop.example' })).code).toBe('AUTH_REQUIRED')
    expect(passwordsHashed.count).toBe(0)
    for (let i = 0; i < 6; i++) expect((await logIn(at, { key: '' })).code).toBe('AUTH_REQUIRED')
    expect((await logIn(at, { key: '' })).code).toBe('RATE_LIMITED')
    expect((await logIn(at)).code).toBe('RATE_LIMITED')
    expect(passwordsHashed.count).toBe(6)
  })
})

describe.each(keepingEngines)('on $name', (engine) => {
  test('twenty concurrent attempts each count, and no more are allowed than in sequence', async () => {
    const database = await engine.database()
    const house = await openHouse({ rateLimits: true, open: (options) => database.open(options) })
    const at = { house, merchant: await aMerchant(house) }
    passwordsHashed.count = 0
    const codes = (await Promise.all(Array.from({ length: 20 }, () => logIn(at)))).map(({ code }) => code)
    const compared = codes.filter((code) => code === 'AUTH_REQUIRED').length
    expect([compared, codes.filter((code) => code === 'RATE_LIMITED').length]).toEqual([6, 14])
    expect(passwordsHashed.count).toBe(6)
    expect(
      (await listLoginFailures(house.app, { address: home })).find(({ countedBy }) => countedBy === 'pair'),
    ).toMatchObject({
      failures: 6,
      refused: 14,
    })
    await Promise.all(Array.from({ length: 14 }, (_, n) => logIn(at, { address: elsewhere(n) })))
    expect(
      (await listLoginFailures(house.app, { email: at.merchant.email })).find(({ countedBy }) => countedBy === 'user')
        ?.failures,
    ).toBe(20)
  })

  test('another process, and one that starts later, continue the count', async () => {
    const database = await engine.database()
    const first = await openHouse({ rateLimits: true, open: (options) => database.open(options) })
    const merchant = await aMerchant(first)
    await failing({ house: first, merchant }, 6)
    await first.app.store.close()
    const later = await openHouse({ rateLimits: true, open: (options) => database.open(options) })
    expect((await logIn({ house: later, merchant })).code).toBe('RATE_LIMITED')
  })
})

test('with rate limits off nothing is delayed', async () => {
  const house = await openHouse()
  const at = { house, merchant: await aMerchant(house) }
  for (let i = 0; i < 30; i++) expect((await logIn(at)).code).toBe('AUTH_REQUIRED')
  expect((await logIn(at, { password: at.merchant.password })).code).toBe('ok')
})

describe('a wrong 2FA code', () => {
  async function paying() {
    const house = await openHouse({ rateLimits: true })
    const scopes = { scopes: ['read', 'payouts'] as const, addresses: ['0.0.0.0/0'] }
    const merchant = await aMerchant(house, {
      scopes: { scopes: [...scopes.scopes], addresses: [...scopes.addresses] },
    })
    const address = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
    await house.app.store.write(async (tx) => {
      await fund(house.app, tx, await theMerchant(tx, merchant.id), 'usdttrc20', '100000')
    })
    await setWhitelisted(house.app, merchant.id, 'usdttrc20', address)
    const { totpSecret } = await enrollTotp(house.app, merchant.id)
    const { generate } = await import('otplib')
    const code = () => generate({ secret: totpSecret, epoch: Math.floor(house.now() / 1000) })
    const clientAt = async (from: string) => {
      const transport = inProcess(house.server, { address: from })
      const bare = (headers: Record<string, string>) =>
        createClient(gateway, (request) => transport({ ...request, headers: { ...request.headers, ...headers } }))
      const key = { 'x-api-key': merchant.apiKey }
      const { token } = await bare(key).auth({ body: { email: merchant.email, password: merchant.password } })
      return bare({ ...key, authorization: `Bearer ${token}` })
    }
    const batch = async (from: string) => {
      const client = await clientAt(from)
      const made = await client.createPayouts({
        body: { withdrawals: [{ address, currency: 'usdttrc20', amount: 10 }] },
      })
      return 'id' in made ? made.id : ''
    }
    const verify = async (id: string, text: string, from = home): Promise<Tried> => {
      const client = await clientAt(from)
      try {
        await client.verifyPayouts({ params: { id }, body: { verification_code: text } })
        return { code: 'ok', after: undefined }
      } catch (error) {
        if (!isProblem(error)) throw error
        return { code: error.code, after: Number(error.detail['retryAfterMs'] ?? 0) / second }
      }
    }
    const status = async (id: string) => {
      const result = await (await clientAt(home)).payout({ params: { id } })
      return 'withdrawals' in result ? result.withdrawals[0]?.status : undefined
    }
    const wrong = async () => String((Number(await code()) + 123_457) % 1_000_000).padStart(6, '0')
    return { house, merchant, code, wrong, batch, verify, status }
  }

  test('leaves the batch in creating ten times; the next batch is not delayed by it', async () => {
    const { code, wrong, batch, verify, status } = await paying()
    const [damaged, next] = [await batch(home), await batch(home)]
    for (let i = 0; i < 10; i++) expect((await verify(damaged, await wrong())).code).toBe('INVALID_MFA_CODE')
    expect((await verify(damaged, await code())).code).toBe('CONFLICT')
    expect(await status(damaged)).toBe('creating')
    expect((await verify(next, await code())).code).toBe('ok')
  })

  test('counts across batches: from the eleventh on each has a longer delay, and so has the right one', async () => {
    const { house, code, wrong, batch, verify } = await paying()
    const [first, other] = [await batch(home), await batch(home)]
    for (let i = 0; i < 10; i++) await verify(first, await wrong())
    const waits: number[] = []
    for (let i = 0; i < 5; i++) {
      expect((await verify(other, await wrong())).code).toBe('INVALID_MFA_CODE')
      const { code: refused, after = 0 } = await verify(other, await code())
      expect(refused).toBe('RATE_LIMITED')
      waits.push(after)
      await house.sleep(after * second)
    }
    expect(waits).toEqual([1, 2, 4, 8, 16])
    expect((await verify(other, await code())).code).toBe('ok')
  })

  test('locks the account at the hundredth, from any addresses, until the console unlocks it', async () => {
    const { house, merchant, code, wrong, batch, verify } = await paying()
    let failed = 0
    for (let n = 1; failed < 100; n++) {
      const from = elsewhere(n)
      const id = await batch(from)
      for (let i = 0; i < 10 && failed < 100; ) {
        const tried = await verify(id, await wrong(), from)
        if (tried.code === 'RATE_LIMITED') await house.sleep((tried.after ?? 0) * second)
        else if (tried.code === 'CONFLICT') {
          // The delays took longer than the hour of the batch: the next one continues.
          break
        } else {
          expect(tried.code).toBe('INVALID_MFA_CODE')
          failed++
          i++
        }
      }
    }
    const id = await batch(home)
    expect((await verify(id, await code())).code).toBe('FORBIDDEN')
    await house.sleep(30 * minute)
    expect((await verify(id, await code())).code).toBe('FORBIDDEN')
    const [locked] = await listLoginFailures(house.app)
    expect(locked).toMatchObject({ credential: 'code', countedBy: 'merchant', state: 'locked', failures: 100 })
    await unlockLogins(house.app, { merchant: merchant.id })
    expect((await verify(id, await code())).code).toBe('ok')
  })
})
