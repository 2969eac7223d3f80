import { onTestFinished } from 'vitest'
import { world } from '../../../src/db/migrations/world/index.ts'
import { openStore, type Store, type StoreOptions } from '../../../src/db/store.ts'
import type { GatewayEnvironment } from '../../../src/domain/chains/networks.ts'
import { fixedRates } from '../../../src/domain/payments/rates.ts'
import { createClient } from '../../../src/http/client/client.ts'
import { inProcess } from '../../../src/http/client/in-process-transport.ts'
import { openServer } from '../../../src/http/server/server.ts'
import { seededAmbient } from '../../../src/kit/ambient.ts'
import type { Log } from '../../../src/kit/log.ts'
import { deliveriesAbout } from '../../../src/outbox/queries.ts'
import { createKey, createMerchant, ensureEnvironment } from '../../../src/services/gateway/admin/platform.ts'
import { gateway } from '../../../src/services/gateway/api/contract.ts'
import { gatewayPages } from '../../../src/services/gateway/hosted-pages/routes.ts'
import { allBalances, allEntries } from '../../../src/services/gateway/queries/ledger.ts'
import { environmentOf } from '../../../src/services/gateway/queries/merchants.ts'
import { signToken } from '../../../src/services/gateway/server/jwt.ts'
import { gatewayJobs } from '../../../src/services/gateway/server/periodic.ts'
import { gatewayService } from '../../../src/services/gateway/server/server.ts'
import type { Gateway, RateSource } from '../../../src/services/gateway/service.ts'
import { openSigner, type Signer } from '../../../src/services/gateway/signer/signer.ts'
import { simulatedChains } from '../../../src/services/gateway/simulator/chains.ts'
import { lookUpLocalhost } from '../../support/http/known-names.ts'

export const noon = Date.UTC(2026, 2, 1, 12)

export interface HouseOptions {
  readonly rates?: RateSource
  readonly rateLimits?: boolean
  /** A signing service shared by several gateways; its opener closes it. */
  readonly signer?: Signer
  /** Opens the store instead of a database in memory; the creator of the database closes it. */
  readonly open?: (options: StoreOptions) => Promise<Store>
}

/** A separate gateway on an empty database, with a manual clock; closed at the end of the test. */
export async function openHouse(options: HouseOptions = {}) {
  const house = await aHouse(options)
  onTestFinished(house.close)
  return house
}

/** Like `openHouse`, closed by its opener: for tests that open hundreds. */
export async function aHouse(options: HouseOptions = {}) {
  let now = noon
  const storeOptions = { migrations: world, now: () => now }
  const store = await (options.open?.(storeOptions) ?? openStore({ url: ':memory:', ...storeOptions }))
  const failures: string[] = []
  const log: Log = {
    debug() {},
    info() {},
    warn() {},
    error: (detail) => void failures.push(JSON.stringify(detail)),
  }
  const app: Gateway = {
    ...seededAmbient('gateway', { now: () => now }),
    store,
    log,
    chains: simulatedChains(store),
    signer: options.signer ?? openSigner(null),
    rates: options.rates ?? { table: () => fixedRates },
    config: {
      publicUrl: () => 'https://pay.example',
      rateLimits: options.rateLimits ?? false,
      loopbackCallbacks: () => true,
      lookup: lookUpLocalhost,
    },
  }
  await ensureEnvironment(app, 'production')
  await ensureEnvironment(app, 'sandbox')
  const server = openServer({
    services: [gatewayService(app, 'production'), gatewayService(app, 'sandbox')],
    routes: [gatewayPages(app)],
    log,
  })
  const jobs = gatewayJobs(app)
  /** Runs due jobs until none is left. */
  async function settle(): Promise<void> {
    for (let round = 0; round < 100; round++) {
      let done = 0
      for (const pass of jobs) done += await pass.run(100)
      if (done === 0) return
    }
    throw new Error('the passes never come to rest')
  }

  return {
    app,
    server,
    failures,
    jobs,
    settle,
    now: () => now,
    async close(): Promise<void> {
      await server.close()
      if (!options.signer) await app.signer.close()
      await store.close()
    },
    /** Advances the clock without running the jobs that become due. */
    async sleep(ms: number): Promise<void> {
      now += ms
    },
    /** Advances the clock to each due time in between, as a served world does. */
    async wait(ms: number): Promise<void> {
      const end = now + ms
      for (let step = 0; step < 1000; step++) {
        const due = await store.read(async (reader) => {
          const moments = await Promise.all(jobs.map((pass) => pass.nextRun?.(reader)))
          return Math.min(...moments.map((moment) => moment ?? Infinity))
        })
        if (due > end) break
        now = Math.max(now, due)
        await settle()
      }
      now = end
      await settle()
    },
    /** Fails unless every account is the sum of its entries and all of a currency sum to zero. */
    async proveLedger(): Promise<void> {
      const { balances, entries } = await store.read(async (reader) => ({
        balances: await allBalances(reader),
        entries: await allEntries(reader),
      }))
      const totals = new Map<string, bigint>()
      const sums = new Map<string, bigint>()
      for (const { account, units } of entries) sums.set(account, (sums.get(account) ?? 0n) + BigInt(units))
      for (const { account, currency, units } of balances) {
        totals.set(currency, (totals.get(currency) ?? 0n) + BigInt(units))
        if (sums.get(account) !== BigInt(units)) throw new Error(`${account} is not the sum of its entries`)
      }
      for (const [currency, total] of totals) if (total !== 0n) throw new Error(`${currency} sums to ${total}`)
    },
    /** Callbacks of a payment, in order. */
    async callbackStatuses(merchant: string, paymentId: number): Promise<string[]> {
      const rows = await store.read((reader) => deliveriesAbout(reader, merchant, String(paymentId)))
      return rows.map(({ event }) => event)
    },
  }
}

export type House = Awaited<ReturnType<typeof aHouse>>

/** A merchant with a key and a client that sends it. */
export async function aMerchant(
  house: Pick<House, 'app' | 'server'>,
  options: { environment?: GatewayEnvironment; email?: string; scopes?: Parameters<typeof createKey>[2] } = {},
) {
  const environment = options.environment ?? 'production'
  const email = options.email ?? 'owner@shop.example'
  const password = 'correct horse battery'
  const { id, ipnSecret } = await createMerchant(house.app, { environment, name: 'Shop', email, password })
  const { apiKey } = await createKey(house.app, id, options.scopes)
  const basePath = environment === 'sandbox' ? '/sandbox' : ''
  const transport = inProcess(house.server, { basePath })
  const clientWith = (headers: Record<string, string>) =>
    createClient(gateway, (request) => transport({ ...request, headers: { ...request.headers, ...headers } }))
  const client = clientWith({ 'x-api-key': apiKey })
  return {
    id,
    ipnSecret,
    apiKey,
    email,
    password,
    environment,
    client,
    clientWith,
    /** Like `loggedIn`, without the time that hashing a password takes: for tests that send thousands of requests. */
    async signedIn() {
      const secret = (await house.app.store.read((reader) => environmentOf(reader, environment)))?.token_secret ?? ''
      const token = await signToken(secret, { merchant: id, email }, house.app.now())
      return clientWith({ 'x-api-key': apiKey, authorization: `Bearer ${token}` })
    },
    /** A client that sends a new token in addition to the key. */
    async loggedIn() {
      const { token } = await client.auth({ body: { email, password } })
      return clientWith({ 'x-api-key': apiKey, authorization: `Bearer ${token}` })
    },
  }
}

export type Merchant = Awaited<ReturnType<typeof aMerchant>>

/** USD 100 in the coin, with a callback. */
export function aPayment(merchant: Merchant, over: Record<string, unknown> = {}) {
  return merchant.client.createPayment({
    body: {
      price_amount: 100,
      price_currency: 'usd',
      pay_currency: 'usdttrc20',
      order_id: 'o-1',
      ipn_callback_url: 'https://shop.example/ipn',
      ...over,
    },
  })
}

/** The code that a call is refused with. */
export async function refusal(call: Promise<unknown>): Promise<string> {
  try {
    await call
  } catch (error) {
    if (error instanceof Error && 'code' in error) return String(error.code)
    throw error
  }
  return 'not refused'
}
