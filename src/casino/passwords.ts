import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'

const derive = promisify<string, Uint8Array, number, Buffer>(scrypt)

/** `scrypt$salt$key`, both in hex; Node's default cost. The salt is handed in: 16 random bytes. */
export async function hashPassword(password: string, salt: Uint8Array): Promise<string> {
  const key = await derive(password.normalize('NFKC'), salt, 32)
  return `scrypt$${Buffer.from(salt).toString('hex')}$${key.toString('hex')}`
}
