import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { generateSecret, verifySync } from 'otplib'

/**
 * The signing service: a thread that alone can read the merchants' two-factor secrets. Outside of it they are
 * encrypted. A key never leaves it: it is read from a private file, or created for a world in memory.
 */

interface Question {
  readonly id: number
  readonly ask: keyof typeof answers
  /** The number of the service that asks. Each has a key of its own. */
  readonly signer: number
  readonly keyPath: string | null
  readonly sealed?: string
  readonly code?: string
  readonly at?: number
  readonly otherKey?: string
}

interface Forget {
  readonly ask: 'forget'
  readonly signer: number
}

const stepMs = 30_000
const keys = new Map<number, Buffer>()

const answers = {
  enroll,
  verify,
  wrap: ({ sealed = '', otherKey = '' }: Question, key: Buffer) => seal(unseal(sealed, key), fromBase64(otherKey)),
  unwrap: ({ sealed = '', otherKey = '' }: Question, key: Buffer) => seal(unseal(sealed, fromBase64(otherKey)), key),
} as const

parentPort?.on('message', (message: Question | Forget) => {
  if (message.ask === 'forget') keys.delete(message.signer)
  else parentPort?.postMessage({ id: message.id, ...outcomeOf(message) })
})

function outcomeOf(question: Question): { answer: unknown } | { error: string } {
  let key: Buffer
  try {
    key = keyOf(question)
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) }
  }
  try {
    return { answer: answers[question.ask](question, key) }
  } catch {
    // One merchant's unreadable secret must not end the service for the others; error details stay inside.
    return { error: 'The signing service cannot read this secret: it was encrypted with another key' }
  }
}

function keyOf({ signer, keyPath }: Question): Buffer {
  const key = keys.get(signer) ?? keyFrom(keyPath)
  keys.set(signer, key)
  return key
}

function enroll(_: Question, key: Buffer) {
  const secret = generateSecret()
  return { secret, sealed: seal(secret, key) }
}

function verify({ sealed = '', code = '', at = 0 }: Question, key: Buffer): number | null {
  if (!/^[0-9]{6}$/.test(code)) return null
  const secret = unseal(sealed, key)
  const result = verifySync({ secret, token: code, epoch: Math.floor(at / 1000), epochTolerance: stepMs / 1000 })
  return result.valid ? Math.floor(at / stepMs) + result.delta : null
}

function seal(text: string, key: Buffer): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

function unseal(text: string, key: Buffer): string {
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

const fromBase64 = (text: string): Buffer => Buffer.from(text, 'base64')

function keyFrom(path: string | null): Buffer {
  if (path === null) return randomBytes(32)
  if (!existsSync(path)) {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    // Written under another name and then linked: of two concurrent starts one wins, and both read its key.
    const draft = `${path}.${randomBytes(6).toString('hex')}`
    writeFileSync(draft, randomBytes(32), { mode: 0o600, flag: 'wx' })
    try {
      linkSync(draft, path)
    } catch (error) {
      if (!existsSync(path)) throw error
    } finally {
      unlinkSync(draft)
    }
  }
  return readFileSync(path)
}
