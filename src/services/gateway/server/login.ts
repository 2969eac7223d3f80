import type { MerchantRow } from '../../../db/schema/gateway.ts'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'
import { isPassword } from '../../../kit/password-hash.ts'
import { refuse } from '../api/contract.ts'
import { admitAttempt, recordSuccess } from '../login-guard.ts'
import { environmentOf, merchantOf, userOf } from '../queries/merchants.ts'
import type { Gateway } from '../service.ts'
import { signToken } from './jwt.ts'

/** Credentials of a login, and the IP address of the request. */
export interface Login {
  readonly email: string
  readonly password: string
  readonly address: string
}

/**
 * Returns a token for a console user, or throws AUTH_REQUIRED when the credentials are wrong or a required key is
 * missing. The password is hashed only if the request has a key or the user's account needs none. Nothing is hashed
 * beyond the limits on wrong passwords.
 */
export async function logIn(
  app: Gateway,
  environment: GatewayEnvironment,
  keyHolder: MerchantRow | undefined,
  login: Login,
): Promise<{ token: string }> {
  const email = login.email.trim().toLowerCase()
  const context = await app.store.read(async (reader) => {
    const user = await userOf(reader, environment, email)
    const merchant = user && (await merchantOf(reader, user.merchant))
    return { user, merchant, secret: (await environmentOf(reader, environment))?.token_secret ?? '', now: reader.now }
  })
  const account = keyHolder ?? (context.merchant?.compat === 1 ? context.merchant : undefined)
  if (!account) throw refuse('AUTH_REQUIRED', 'The header x-api-key is missing')
  const attempt = { credential: 'password', merchant: account.id, email, address: login.address } as const
  await admitAttempt(app, attempt)
  // Hashing is slow on purpose, so no transaction is open during it; it takes the same time for an unknown user.
  const isRight = await isPassword(login.password, context.user?.password_hash)
  if (!isRight || context.user?.merchant !== account.id)
    throw refuse('AUTH_REQUIRED', 'The email address or password is wrong')
  const { user } = context
  if (app.config.rateLimits)
    await app.store.write((tx) => recordSuccess(app, tx, attempt), { writeGroup: 'gateway logins' })
  return { token: await signToken(context.secret, { merchant: user.merchant, email: user.email }, context.now) }
}
