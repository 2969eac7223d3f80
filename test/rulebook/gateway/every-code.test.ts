import { generateSync } from 'otplib'
import { reserveKey } from '../../../src/db/idempotency-keys.ts'
import {
  createKey,
  enrollTotp,
  sanction,
  setMerchant,
  setWhitelisted,
} from '../../../src/services/gateway/admin/platform.ts'
import { gateway } from '../../../src/services/gateway/api/contract.ts'
import { ageRates, resetRates } from '../../../src/services/gateway/rates/rates.ts'
import { testWorld } from '../../support/worlds/world.ts'
import { everyCode, type Refused } from '../every-code.ts'
import { shared } from '../shared.ts'
import * as book from './errors.ts'
import { aFundedShop, aShop, ask, order, wallet } from './gateway.ts'

const shop = shared(async (world) => {
  const made = await aFundedShop(world)
  const { totpSecret } = await enrollTotp(world.gateway, made.id)
  return { ...made, totpSecret }
})
const app = () => shop().world.gateway
const pay = (change: object = {}, headers = {}) =>
  ask(shop(), 'POST /payment', { ...order, ...change }, { 'x-api-key': shop().apiKey, ...headers })
const withdraw = (change: object = {}) =>
  ask(shop(), 'POST /payout', { withdrawals: [{ address: wallet, currency: 'usdttrc20', amount: 10, ...change }] })
const verify = async (sent: object) => ask(shop(), `POST /payout/${(await withdraw()).body.id}/verify`, sent)

/** Sends a request while a setting is changed, and restores it. */
async function during<T>(
  set: () => Promise<unknown>,
  call: () => Promise<T>,
  back: () => Promise<unknown>,
): Promise<T> {
  await set()
  try {
    return await call()
  } finally {
    await back()
  }
}

/** A world whose store is closed. */
async function brokenShop() {
  const broken = await aShop(await testWorld())
  await broken.world.store.close()
  return broken
}

/** A payment that a fault refuses. */
async function faulty(code: string) {
  const { faults } = shop().world
  const { id } = await faults.set({ kind: 'refuse', service: 'gateway', endpoint: 'createPayment', code })
  try {
    return await pay()
  } finally {
    await faults.clear([id])
  }
}

/** Six digits that are not the current code. */
const wrongCode = () => {
  const right = generateSync({ secret: shop().totpSecret, epoch: shop().world.gateway.now() / 1000 })
  return String((Number(right) + 123_457) % 1_000_000).padStart(6, '0')
}

everyCode(
  { book: book.errors, contract: gateway.problems },
  {
    ...Object.fromEntries(book.byFaultAlone.map((code) => [code, () => faulty(code)])),
    INVALID_REQUEST_PARAMS: () => pay({ pay_currency: undefined }),
    INVALID_AMOUNT: () => pay({ price_amount: 0 }),
    INVALID_ADDRESS: () => withdraw({ address: `${wallet}x` }),
    AMOUNT_TOO_SMALL: () => pay({ price_amount: 0.01 }),
    AMOUNT_TOO_LARGE: () => pay({ price_amount: 1e12 }),
    CURRENCY_UNAVAILABLE: () => pay({ pay_currency: 'doge1' }),
    RATE_UNAVAILABLE: () =>
      during(
        () => ageRates(app(), 3_600_000),
        () => pay(),
        () => resetRates(app()),
      ),
    AUTH_REQUIRED: () => ask(shop(), 'GET /currencies', undefined, {}),
    INVALID_API_KEY: () => ask(shop(), 'GET /currencies', undefined, { 'x-api-key': 'wrong' }),
    INVALID_TOKEN: () =>
      ask(shop(), 'GET /conversion', undefined, { 'x-api-key': shop().apiKey, authorization: 'Bearer a.b.c' }),
    MFA_REQUIRED: () => verify({}),
    INVALID_MFA_CODE: () => verify({ verification_code: wrongCode() }),
    async FORBIDDEN() {
      const { apiKey } = await createKey(app(), shop().id, { scopes: ['read'] })
      return pay({}, { 'x-api-key': apiKey })
    },
    async IP_NOT_ALLOWED() {
      const scopes = { scopes: ['payouts'] as const, addresses: ['203.0.113.7'] }
      const { apiKey } = await createKey(app(), shop().id, scopes)
      return ask(shop(), 'GET /balance', undefined, { 'x-api-key': apiKey })
    },
    NOT_FOUND: () => ask(shop(), 'GET /payment/999999999'),
    async CONFLICT() {
      await ask(shop(), 'POST /sub-partner/balance', { name: 'twice' })
      return ask(shop(), 'POST /sub-partner/balance', { name: 'twice' })
    },
    async IDEMPOTENCY_KEY_REUSED() {
      await pay({}, { 'idempotency-key': 'reused' })
      return pay({ order_id: 'B' }, { 'idempotency-key': 'reused' })
    },
    async IDEMPOTENCY_IN_FLIGHT() {
      // The state while another process works on the first request.
      const key = { scope: `gateway/${shop().id}`, key: 'busy', request: {} }
      await shop().world.store.write((tx) => reserveKey(tx, { ...key, expiresAt: tx.now + 60_000 }, 15_000))
      return pay({}, { 'idempotency-key': 'busy' })
    },
    async RATE_LIMITED() {
      const limited = await aShop(await testWorld({ rateLimits: true }))
      const calls = Array.from({ length: 450 }, () => ask(limited, 'GET /status', undefined, {}))
      const answers: Refused[] = await Promise.all(calls)
      return answers.find(({ status }) => status !== 200) ?? { status: 200, body: {} }
    },
    INSUFFICIENT_BALANCE: () => withdraw({ amount: 1_000_000 }),
    LIMIT_EXCEEDED: () =>
      during(
        () => setMerchant(app(), shop().id, { payoutLimitUsd: '5' }),
        () => withdraw(),
        () => setMerchant(app(), shop().id, { payoutLimitUsd: null }),
      ),
    ADDRESS_NOT_WHITELISTED: () => withdraw({ address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' }),
    async POOL_EXHAUSTED() {
      const dry = await aShop(await testWorld())
      await dry.world.store.write(({ q }) =>
        q.deleteFrom('gateway_environments').where('environment', '=', 'sandbox').execute(),
      )
      return ask(dry, 'POST /payment', order, { 'x-api-key': dry.apiKey })
    },
    FROZEN: () =>
      during(
        () => setMerchant(app(), shop().id, { frozen: true }),
        () => pay(),
        () => setMerchant(app(), shop().id, { frozen: false }),
      ),
    async POLICY_REJECTED() {
      const address = 'TXYZopYRdj2D9XRtbG411XZZ3kM5VkAeBf'
      await setWhitelisted(app(), shop().id, 'usdttrc20', address)
      await sanction(app(), address)
      return withdraw({ address })
    },
    NOT_SUPPORTED: () => withdraw({ currency: 'usd' }),
    INTERNAL_ERROR: async () => ask(await brokenShop(), 'GET /balance'),
  },
)
