import crypto from 'node:crypto'
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Derives the key of a password and a salt once per run. A derivation takes more CPU time than most tests, and worlds with
 * the same seed have the same salts. Must be loaded before any module that hashes passwords.
 */
const derive = crypto.scrypt
const derived = new Map<string, Promise<Buffer>>()
/** Folder of the keys that the workers of this run, which have the same parent, have derived. */
const folder = join(tmpdir(), `countroom-derived-keys-${process.ppid}`)
mkdirSync(folder, { recursive: true })

/** Number of times a key was derived. */
export const passwordsHashed = { count: 0 }

crypto.scrypt = ((password: string, salt: Buffer, length: number, done: (error: Error | null, key: Buffer) => void) => {
  passwordsHashed.count++
  const name = JSON.stringify([password, salt.toString('hex'), length])
  const key = derived.get(name) ?? storedOrDerived(name, password, salt, length)
  derived.set(name, key)
  key.then(
    (made) => done(null, made),
    (error) => done(error, Buffer.alloc(0)),
  )
}) as typeof crypto.scrypt
syncBuiltinESMExports()

async function storedOrDerived(name: string, password: string, salt: Buffer, length: number): Promise<Buffer> {
  const path = join(folder, crypto.createHash('sha256').update(name).digest('hex'))
  try {
    return readFileSync(path)
  } catch {
    const made = await new Promise<Buffer>((resolve, reject) => {
      derive(password, salt, length, (error, key) => (error ? reject(error) : resolve(key)))
    })
    writeFileSync(`${path}-${process.pid}`, made)
    renameSync(`${path}-${process.pid}`, path)
    return made
  }
}
