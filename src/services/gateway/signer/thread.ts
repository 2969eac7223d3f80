import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { existsSync, linkSync, mkdirSync, readFileSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import { generateSecret, verifySync } from 'otplib'

/**
 * The signing service: a thread that alone can read the merchants' two-factor secrets. Outside of it they are
 * encrypted. Its key never leaves it: it is read from a private file, or created for a world in memory.
 */

interface Question {
  readonly id: number
  readonly ask: 'enroll' | 'verify' | 'wrap' | 'unwrap'
  readonly sealed?: string
  readonly code?: string
  readonly at?: number
  readonly otherKey?: string
}

const stepMs = 30_000
const key = keyFrom((workerData as { keyPath: string | null }).keyPath)

parentPort?.on('message', (question: Question) => {
  const { id } = question
  try {
    parentPort?.postMessage({ id, answer: answers[question.ask](question) })
  } catch {
    // One merchant's unreadable secret must not end the service for the others; error details stay inside.
    parentPort?.postMessage({
      id,
      error: 'The signing service cannot read this secret: it was encrypted with another key',
    })
  }
})

const answers = {
  enroll,
  verify,
  wrap: ({ sealed = '', otherKey = '' }: Question) => seal(unseal(sealed), Buffer.from(otherKey, 'base64')),
  unwrap: ({ sealed = '', otherKey = '' }: Question) => seal(unseal(sealed, Buffer.from(otherKey, 'base64'))),
} as const

function enroll() {
  const secret = generateSecret()
  return { secret, sealed: seal(secret) }
}

function verify({ sealed = '', code = '', at = 0 }: Question): number | null {
  if (!/^[0-9]{6}$/.test(code)) return null
  const secret = unseal(sealed)
  const result = verifySync({ secret, token: code, epoch: Math.floor(at / 1000), epochTolerance: stepMs / 1000 })
  return result.valid ? Math.floor(at / stepMs) + result.delta : null
}

function seal(text: string, by = key): string {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', by, iv)
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64')
}

function unseal(text: string, by = key): string {
  const bytes = Buffer.from(text, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', by, bytes.subarray(0, 12))
  decipher.setAuthTag(bytes.subarray(12, 28))
  return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
}

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
