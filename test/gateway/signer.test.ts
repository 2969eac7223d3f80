import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generateSync } from 'otplib'
import { expect, onTestFinished, test } from 'vitest'
import { openSigner } from '../../src/gateway/signer/signer.ts'

const at = Date.UTC(2026, 2, 1, 12)
const codeAt = (secret: string, moment: number) => generateSync({ secret, epoch: moment / 1000 })

function opened(keyPath: string | null) {
  const signer = openSigner(keyPath)
  onTestFinished(() => signer.close())
  return signer
}

test('a code holds one step early and late, once, and no code of an earlier step after it', async () => {
  const signer = opened(null)
  const { secret, sealed } = await signer.enrol()
  expect(await signer.verify(sealed, codeAt(secret, at - 60_000), at)).toBe(false)
  expect(await signer.verify(sealed, codeAt(secret, at - 30_000), at)).toBe(true)
  expect(await signer.verify(sealed, codeAt(secret, at), at)).toBe(true)
  expect(await signer.verify(sealed, codeAt(secret, at), at)).toBe(false)
  expect(await signer.verify(sealed, codeAt(secret, at - 30_000), at)).toBe(false)
  expect(await signer.verify(sealed, codeAt(secret, at + 30_000), at)).toBe(true)
  expect(await signer.verify(sealed, 'abcdef', at)).toBe(false)
})

test('what was sealed is read by a service with the same key file, which is its owner’s alone', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'countroom-signer-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'key')
  const [one, other] = [opened(path), opened(path)]
  const [enrolled] = await Promise.all([one.enrol(), other.enrol()])
  expect(readdirSync(folder)).toEqual(['key'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(path).size).toBe(32)
  expect(await other.verify(enrolled.sealed, codeAt(enrolled.secret, at), at)).toBe(true)
})

test('what another key sealed is an error and no yes', async () => {
  const { secret, sealed } = await opened(null).enrol()
  await expect(opened(null).verify(sealed, codeAt(secret, at), at)).rejects.toThrow()
})
