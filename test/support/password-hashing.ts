import crypto from 'node:crypto'
import { syncBuiltinESMExports } from 'node:module'

/**
 * Derives the key of a password and a salt once per worker. A derivation takes more CPU time than most tests, and
 * worlds with the same seed have the same salts. Must be loaded before any module that hashes passwords.
 */
const derive = crypto.scrypt
const derived = new Map<string, Promise<Buffer>>()

/** Number of times a key was derived. */
export const passwordsHashed = { count: 0 }

crypto.scrypt = ((password: string, salt: Buffer, length: number, done: (error: Error | null, key: Buffer) => void) => {
  passwordsHashed.count++
  const name = JSON.stringify([password, salt.toString('hex'), length])
  const key =
    derived.get(name) ??
    new Promise<Buffer>((resolve, reject) => {
      derive(password, salt, length, (error, made) => (error ? reject(error) : resolve(made)))
    })
  derived.set(name, key)
  key.then(
    (made) => done(null, made),
    (error) => done(error, Buffer.alloc(0)),
  )
}) as typeof crypto.scrypt
syncBuiltinESMExports()
