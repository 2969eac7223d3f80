import { hashPassword } from '../../../kit/password-hash.ts'
import { refuse } from '../api/contract.ts'
import { type Permission, permissions } from '../api/scopes.ts'
import { insertUser, removeUser, userOf, usersOf } from '../queries/merchants.ts'
import type { Gateway } from '../service.ts'
import { checkUser, theMerchant } from './platform.ts'

/** A console user of a merchant's account, with the permissions of their tokens. */
export interface ListedUser {
  readonly email: string
  readonly permissions: readonly Permission[]
}

/** Adds a console user whose tokens have only these permissions. */
export async function addMerchantUser(
  app: Gateway,
  merchantId: string,
  input: { email: string; password: string; permissions: readonly Permission[] },
): Promise<ListedUser> {
  const email = checkUser(input)
  const own = permissions.filter((permission) => input.permissions.includes(permission))
  if (own.length === 0)
    throw refuse('INVALID_REQUEST_PARAMS', `A user needs at least one permission: ${permissions.join(' or ')}`)
  // Hashing is slow on purpose, so it runs before the transaction.
  const password_hash = await hashPassword(input.password, app.random(16))
  return app.store.write(async (tx) => {
    const { environment } = await theMerchant(tx, merchantId)
    if (await userOf(tx, environment, email)) throw refuse('CONFLICT', `User ${email} already exists`)
    await insertUser(tx, {
      environment,
      email,
      merchant: merchantId,
      password_hash,
      permissions: own.length === permissions.length ? null : JSON.stringify(own),
    })
    return { email, permissions: own }
  })
}

export function listMerchantUsers(app: Gateway, merchantId: string): Promise<ListedUser[]> {
  return app.store.read(async (reader) => {
    await theMerchant(reader, merchantId)
    return (await usersOf(reader, merchantId)).map((row) => ({
      email: row.email,
      permissions: row.permissions === null ? [...permissions] : JSON.parse(row.permissions),
    }))
  })
}

/** Removes a user and revokes their tokens. Throws CONFLICT for the last user of an account. */
export function removeMerchantUser(app: Gateway, merchantId: string, email: string): Promise<{ email: string }> {
  return app.store.write(async (tx) => {
    const users = await usersOf(tx, merchantId)
    const user = users.find((each) => each.email === email.trim().toLowerCase())
    if (!user) throw refuse('NOT_FOUND', `Merchant ${merchantId} has no user ${email}`)
    if (users.length === 1) throw refuse('CONFLICT', 'The last user of an account cannot be removed')
    await removeUser(tx, user.environment, user.email)
    return { email: user.email }
  })
}
