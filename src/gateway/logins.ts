import type { GatewayEnvironment } from '../domain/chains/networks.ts'
import type { MerchantRow } from '../store/tables/gateway.ts'
import { refuse } from './contract.ts'
import type { Gateway } from './gateway.ts'
import { isPassword } from './passwords.ts'
import { environmentOf, merchantOf, userOf } from './queries/merchants.ts'
import { signToken } from './tokens.ts'

/** A token for the console user of these credentials; AUTH_REQUIRED when they are wrong, or where a key is missing that may not be. */
export async function logIn(
  app: Gateway,
  environment: GatewayEnvironment,
  keyHolder: MerchantRow | undefined,
  credentials: { email: string; password: string },
): Promise<{ token: string }> {
  const found = await app.store.read(async (reader) => {
    const user = await userOf(reader, environment, credentials.email.trim().toLowerCase())
    const merchant = user && (await merchantOf(reader, user.merchant))
    return { user, merchant, secret: (await environmentOf(reader, environment))?.token_secret ?? '', now: reader.now }
  })
  // Hashing takes its time on purpose, so no transaction is open meanwhile.
  const isRight = await isPassword(credentials.password, found.user?.password_hash)
  if (!isRight || !found.user) throw refuse('AUTH_REQUIRED', 'E-mail or password is wrong')
  if (keyHolder === undefined && found.merchant?.compat !== 1)
    throw refuse('AUTH_REQUIRED', 'The header x-api-key is missing')
  if (keyHolder !== undefined && keyHolder.id !== found.user.merchant)
    throw refuse('AUTH_REQUIRED', 'E-mail or password is wrong')
  return { token: await signToken(found.secret, { merchant: found.user.merchant, email: found.user.email }, found.now) }
}
