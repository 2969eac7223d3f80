import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { expect, onTestFinished, test } from 'vitest'
import { openSigner, SigningThread } from '../../../../src/services/gateway/signer/signer.ts'
import { aHome, root, runProcess } from '../../../support/program/cli.ts'

const at = Date.UTC(2026, 2, 1, 12)
const codeAt = (secret: string, moment: number) => generateSync({ secret, epoch: moment / 1000 })

function opened(keyPath: string | null, thread?: SigningThread) {
  const signer = openSigner(keyPath, thread)
  onTestFinished(() => signer.close())
  return signer
}

test('a code is valid one step early and late, and is identified by its step', async () => {
  const signer = opened(null)
  const { secret, sealed } = await signer.enroll()
  const step = at / 30_000
  expect(await signer.verify(sealed, codeAt(secret, at - 60_000), at)).toBe(null)
  expect(await signer.verify(sealed, codeAt(secret, at - 30_000), at)).toBe(step - 1)
  expect(await signer.verify(sealed, codeAt(secret, at), at)).toBe(step)
  expect(await signer.verify(sealed, codeAt(secret, at), at)).toBe(step)
  expect(await signer.verify(sealed, codeAt(secret, at + 30_000), at)).toBe(step + 1)
  expect(await signer.verify(sealed, 'abcdef', at)).toBe(null)
})

test('a secret has 160 random bits in base32', async () => {
  const signer = opened(null)
  const secrets = await Promise.all(Array.from({ length: 50 }, () => signer.enroll()))
  for (const { secret } of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(new Set(secrets.map(({ secret }) => secret)).size).toBe(50)
  expect(new Set(secrets.map(({ secret }) => secret).join('')).size).toBe(32)
})

test('encrypted data is read by a service with the same key file, which only its owner can read', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-signer-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'key')
  // In two threads, as in two processes: both find no key at the same time.
  const threads = [new SigningThread(), new SigningThread()]
  onTestFinished(async () => {
    for (const thread of threads) await thread.close()
  })
  const [one, other] = [opened(path, threads[0]), opened(path, threads[1])]
  const [enrolled] = await Promise.all([one.enroll(), other.enroll()])
  expect(readdirSync(folder)).toEqual(['key'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(path).size).toBe(32)
  expect(await other.verify(enrolled.sealed, codeAt(enrolled.secret, at), at)).toBe(at / 30_000)
})

test('data encrypted with another key is an error, and the service continues', async () => {
  const { secret, sealed } = await opened(null).enroll()
  const signer = opened(null)
  const own = await signer.enroll()
  const [foreign, mine] = await Promise.allSettled([
    signer.verify(sealed, codeAt(secret, at), at),
    signer.verify(own.sealed, codeAt(own.secret, at), at),
  ])
  expect(foreign).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(/another key/) } })
  expect(mine).toEqual({ status: 'fulfilled', value: at / 30_000 })
})

test('requests to a closed service end, and those to others of the same thread do not', async () => {
  const [signer, other] = [opened(null), opened(null)]
  const { secret, sealed } = await signer.enroll()
  const own = await other.enroll()
  const code = codeAt(secret, at)
  const waiting = Promise.allSettled(Array.from({ length: 50 }, () => signer.verify(sealed, code, at)))
  const others = Array.from({ length: 50 }, () => other.verify(own.sealed, codeAt(own.secret, at), at))
  await signer.close()
  expect(await Promise.all(others)).toEqual(Array(50).fill(at / 30_000))
  expect(await waiting).toEqual(
    Array(50).fill({ status: 'rejected', reason: new Error('The signing service was closed') }),
  )
})

test('the key of a closed service is forgotten', async () => {
  const signer = opened(null)
  const { secret, sealed } = await signer.enroll()
  await signer.close()
  await expect(signer.verify(sealed, codeAt(secret, at), at)).rejects.toThrow(/another key/)
})

test('a key file that cannot be read is an error with its reason, until it can be', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-signer-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const signer = opened(join(folder, 'key'))
  mkdirSync(join(folder, 'key'))
  await expect(signer.enroll()).rejects.toThrow(/EISDIR/)
  rmSync(join(folder, 'key'), { recursive: true })
  expect(await signer.enroll()).toMatchObject({ sealed: expect.any(String) })
})

test('the process ends after the last request, not before it, without closing the service', async () => {
  const script = `import { openSigner } from ${JSON.stringify(join(root, 'src/services/gateway/signer/signer.ts'))}
const signer = openSigner(null)
const { sealed } = await signer.enroll()
console.log(await signer.verify(sealed, 'abcdef', 0))`
  const { code, stdout } = await runProcess([process.execPath, '--input-type=module', '-e', script], { home: aHome() })
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'null\n' })
})

test('requests to a thread that has ended fail, and the next ones start another', async () => {
  const thread = new SigningThread()
  onTestFinished(() => thread.close())
  const signer = opened(null, thread)
  const waiting = Promise.allSettled([signer.enroll(), signer.enroll()])
  await thread.close()
  expect(await waiting).toEqual(
    Array(2).fill({ status: 'rejected', reason: new Error('The signing service has ended') }),
  )
  expect(await signer.enroll()).toMatchObject({ sealed: expect.any(String) })
})
