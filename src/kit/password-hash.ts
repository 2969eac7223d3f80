import { scrypt, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Uint8Array, number, Buffer>(scrypt)

/** Returns `scrypt$salt$key`, both in hex, at Node's default cost. `salt` has 16 random bytes. */
export async function hashPassword(password: string, salt: Uint8Array): Promise<string> {
  const key = await derive(password.normalize('NFKC'), salt, 32)
  return `scrypt$${Buffer.from(salt).toString('hex')}$${key.toString('hex')}`
}

/** Hash that an unknown user's password is compared with, so that response times do not reveal which users exist. */
const nobody = `scrypt$${'00'.repeat(16)}$${'00'.repeat(32)}`

/** Returns whether the password matches the hash. False for an absent hash, in the same time. */
export async function isPassword(password: string, hash: string | undefined): Promise<boolean> {
  const [, salt = '', key = ''] = (hash ?? nobody).split('$')
  const derived = await derive(password.normalize('NFKC'), Buffer.from(salt, 'hex'), 32)
  return timingSafeEqual(derived, Buffer.from(key, 'hex')) && hash !== undefined
}
