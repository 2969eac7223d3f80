import type { MerchantRow } from '../../../db/schema/gateway.ts'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'
import { isPassword } from '../../../kit/password-hash.ts'
import { refuse } from '../api/contract.ts'
import { admitAttempt, noteSuccess } from '../login-guard.ts'
import { environmentOf, merchantOf, userOf } from '../queries/merchants.ts'
import type { Gateway } from '../service.ts'
import { signToken } from './jwt.ts'

/** What a login brings along, and from where. */
export interface Login {
  readonly email: string
  readonly password: string
  readonly address: string
}

/**
 * A token for the console user of these credentials; AUTH_REQUIRED when they are wrong, or where a key is missing that may
 * not be. Passwords are hashed only for callers with a key, or where the user's account does without one, and only as
 * often as wrong ones allow.
 */
export async function logIn(
  app: Gateway,
  environment: GatewayEnvironment,
  keyHolder: MerchantRow | undefined,
  login: Login,
): Promise<{ token: string }> {
  const email = login.email.trim().toLowerCase()
  const found = await app.store.read(async (reader) => {
    const user = await userOf(reader, environment, email)
    const merchant = user && (await merchantOf(reader, user.merchant))
    return { user, merchant, secret: (await environmentOf(reader, environment))?.token_secret ?? '', now: reader.now }
  })
  const account = keyHolder ?? (found.merchant?.compat === 1 ? found.merchant : undefined)
  if (!account) throw refuse('AUTH_REQUIRED', 'The header x-api-key is missing')
  const attempt = { credential: 'password', merchant: account.id, email, address: login.address } as const
  await admitAttempt(app, attempt)
  // Hashing takes its time on purpose, so no transaction is open meanwhile; it takes the same for a user there is not.
  const isRight = await isPassword(login.password, found.user?.password_hash)
  if (!isRight || found.user?.merchant !== account.id) throw refuse('AUTH_REQUIRED', 'E-mail or password is wrong')
  const { user } = found
  if (app.config.rateLimits) await app.store.write((tx) => noteSuccess(app, tx, attempt), { lane: 'gateway logins' })
  return { token: await signToken(found.secret, { merchant: user.merchant, email: user.email }, found.now) }
}
