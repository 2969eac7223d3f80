import { addressOfKey } from '../../../domain/chains/addresses.ts'
import { type GatewayEnvironment, gatewayEnvironments } from '../../../domain/chains/networks.ts'
import { letters } from '../../../kit/ids.ts'
import { scopes } from '../api/scopes.ts'
import { environmentOf, merchantsOf, saveEnvironment } from '../queries/merchants.ts'
import { theCoin } from '../rates/currencies.ts'
import type { Gateway } from '../service.ts'
import {
  createKey,
  createMerchant,
  enrollTotp,
  ensureEnvironment,
  fund,
  setWhitelisted,
  theMerchant,
} from './platform.ts'

/** Credentials of the demo merchant in one environment, for the ready file. */
export interface DemoCredentials {
  readonly merchantId: string
  readonly apiKey: string
  readonly ipnSecret: string
  readonly email: string
  readonly password: string
  /** A key with payout permission, which works only from this machine. */
  readonly payoutApiKey: string
  readonly totpSecret: string
  /** Whitelisted payout addresses by coin. */
  readonly whitelisted: Readonly<Record<string, string>>
}

/** Initial custody balances of the demo merchant. */
const opening = { usdttrc20: '25000', btc: '1.5', eth: '20' } as const

/** Creates the demo merchant in each environment without a merchant. Returns true if it created one. */
export async function ensureGatewayDemo(app: Gateway): Promise<boolean> {
  let isFilled = false
  for (const environment of gatewayEnvironments) {
    const isEmpty = await app.store.read(async (reader) => (await merchantsOf(reader, environment)).length === 0)
    if (isEmpty) await seedMerchant(app, environment)
    isFilled ||= isEmpty
  }
  return isFilled
}

async function seedMerchant(app: Gateway, environment: GatewayEnvironment): Promise<void> {
  await ensureEnvironment(app, environment)
  const email = `demo@${environment}.example`
  const password = letters(20, app.random)
  const { id, ipnSecret } = await createMerchant(app, { environment, name: 'Demo Casino', email, password })
  const { apiKey } = await createKey(app, id)
  const { apiKey: payoutApiKey } = await createKey(app, id, { scopes, addresses: ['127.0.0.1', '::1'] })
  const { totpSecret } = await enrollTotp(app, id)
  const whitelisted: Record<string, string> = {}
  for (const coin of Object.keys(opening)) {
    // A random key, so that the wallet is not the deposit address of a payment.
    const address = addressOfKey(app.random(32), environment, theCoin(coin).network)
    whitelisted[coin] = (await setWhitelisted(app, id, coin, address)).address
  }
  const credentials: DemoCredentials = {
    merchantId: id,
    apiKey,
    payoutApiKey,
    ipnSecret,
    email,
    password,
    totpSecret,
    whitelisted,
  }
  await app.store.write(async (tx) => {
    const merchant = await theMerchant(tx, id)
    for (const [coin, amount] of Object.entries(opening)) await fund(app, tx, merchant, coin, amount)
    await saveEnvironment(tx, environment, { demo: JSON.stringify(credentials) })
  })
}

/** Returns the demo merchant's credentials, if the environment has one. */
export function demoCredentials(app: Gateway, environment: GatewayEnvironment): Promise<DemoCredentials | undefined> {
  return app.store.read(async (reader) => {
    const text = (await environmentOf(reader, environment))?.demo
    return text ? JSON.parse(text) : undefined
  })
}
