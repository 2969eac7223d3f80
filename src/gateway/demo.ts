import { type GatewayEnvironment, gatewayEnvironments } from '../domain/chains/networks.ts'
import { letters } from '../kit/ids.ts'
import { createKey, createMerchant, ensureEnvironment, fund, theMerchant } from './console.ts'
import type { Gateway } from './gateway.ts'
import { environmentOf, merchantsOf, saveEnvironment } from './queries/merchants.ts'

/** What the ready file says of the demo merchant in one environment. */
export interface DemoCredentials {
  readonly merchantId: string
  readonly apiKey: string
  readonly ipnSecret: string
  readonly email: string
  readonly password: string
}

/** What the demo merchant begins with, in custody. */
const opening = { usdttrc20: '25000', btc: '1.5', eth: '20' } as const

/** Fills environments that have no merchant; one that has any is left alone. */
export async function ensureGatewayDemo(app: Gateway): Promise<void> {
  for (const environment of gatewayEnvironments) {
    const isEmpty = await app.store.read(async (reader) => (await merchantsOf(reader, environment)).length === 0)
    if (isEmpty) await furnish(app, environment)
  }
}

async function furnish(app: Gateway, environment: GatewayEnvironment): Promise<void> {
  await ensureEnvironment(app, environment)
  const email = `demo@${environment}.example`
  const password = letters(20, app.random)
  const { id, ipnSecret } = await createMerchant(app, { environment, name: 'Demo Casino', email, password })
  const { apiKey } = await createKey(app, id)
  const credentials: DemoCredentials = { merchantId: id, apiKey, ipnSecret, email, password }
  await app.store.write(async (tx) => {
    const merchant = await theMerchant(tx, id)
    for (const [coin, amount] of Object.entries(opening)) await fund(app, tx, merchant, coin, amount)
    await saveEnvironment(tx, environment, { demo: JSON.stringify(credentials) })
  })
}

/** The demo merchant's credentials, where an environment has one. */
export function demoCredentials(app: Gateway, environment: GatewayEnvironment): Promise<DemoCredentials | undefined> {
  return app.store.read(async (reader) => {
    const text = (await environmentOf(reader, environment))?.demo
    return text ? JSON.parse(text) : undefined
  })
}
