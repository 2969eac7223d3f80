import { fund, setWhitelisted, theMerchant } from '../../../src/services/gateway/admin/platform.ts'
import { aMerchant } from '../../services/gateway/house.ts'
import type { TestWorld } from '../../support/worlds/world.ts'

const scopes = { scopes: ['read', 'payments', 'custody', 'payouts'] as const, addresses: ['127.0.0.1'] }

/** A merchant of a world's gateway, with the document's paths: `POST /payment` with a body. */
export async function aShop(world: TestWorld, email = 'owner@shop.example') {
  const shop = await aMerchant({ app: world.gateway, server: world.server }, { email, environment: 'sandbox', scopes })
  const { token } = await shop.client.auth({ body: { email: shop.email, password: shop.password } })
  return { ...shop, world, token }
}

export type Shop = Awaited<ReturnType<typeof aShop>>

/** A TRON address of both environments. */
export const wallet = 'TUEZSdKsoDHQMeZwihtdoBiN46zxhGWYdH'

/** A merchant with 1,000 usdttrc20 in custody, of which payouts may go to the wallet. */
export async function aFundedShop(world: TestWorld, email?: string) {
  const shop = await aShop(world, email)
  await world.store.write(async (tx) => fund(world.gateway, tx, await theMerchant(tx, shop.id), 'usdttrc20', '1000'))
  await setWhitelisted(world.gateway, shop.id, 'usdttrc20', wallet)
  return shop
}

export interface Outcome {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: each test expects another body.
  readonly body: any
}

/** Sends a request with the key and the token, or with other headers. */
export async function ask(
  { world, apiKey, token }: Pick<Shop, 'world' | 'apiKey' | 'token'>,
  endpoint: string,
  sent?: object | string,
  headers: Readonly<Record<string, string>> = { 'x-api-key': apiKey, authorization: `Bearer ${token}` },
): Promise<Outcome> {
  const [method = '', path = ''] = endpoint.split(' ')
  const body = sent === undefined && method === 'POST' ? '{}' : typeof sent === 'object' ? JSON.stringify(sent) : sent
  const reply = await world.server.inject({
    method,
    path: `/sandbox/api/v1${path}`,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body }),
  })
  return { status: reply.status, headers: reply.headers, body: reply.body === '' ? undefined : JSON.parse(reply.body) }
}

export const order = {
  price_amount: 100,
  price_currency: 'usd',
  pay_currency: 'usdttrc20',
  order_id: 'A-1',
  order_description: 'shoes',
}
