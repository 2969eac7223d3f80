import { expect, test } from 'vitest'
import { signTenantRequest } from '../../../src/domain/signing.ts'
import { credentialsOf } from '../../../src/world/demo-data.ts'
import { aHome, run, runJson } from '../../support/program/cli.ts'
import { localHome } from '../../support/worlds/served.ts'

const secret = 'whole-secret-of-the-tenant'
const body = '{"username":"amy","txnId":"t-1","amount":"100","currency":"USD"}'
const path = '/api/tenant/v1/wallet/deposit'
const timestamp = String(Math.floor(Date.now() / 1000))
const nonce = '4f9d0c2b7a615e38'
const right = signTenantRequest(secret, { method: 'POST', url: path, timestamp, nonce, body })
const words = ['doctor', 'sign', '--method', 'post', '--path', path, '--timestamp', timestamp, '--nonce', nonce]

test('computes, compares and explains, and never prints the secret', async () => {
  const home = aHome()
  const secretFile = home.write('secret', `${secret}\n`)
  const given = ['--secret-file', secretFile, '--body', home.write('body.json', body)]
  const computed = await runJson([...words, ...given], { home })
  expect(computed).toMatchObject({ code: 0, data: { verdict: 'computed', expected: right, given: null, hints: [] } })
  expect((computed.data['lines'] as { name: string; bytes: number }[]).map(({ name, bytes }) => [name, bytes])).toEqual(
    [
      ['method', 4],
      ['path', 29],
      ['timestamp', 10],
      ['nonce', 16],
      ['bodySha256', 64],
    ],
  )
  expect(await runJson([...words, ...given, '--signature', right], { home })).toMatchObject({
    code: 0,
    data: { verdict: 'match' },
  })
  const differing = await runJson([...words, ...given, '--signature', right.toUpperCase()], { home })
  expect(differing).toMatchObject({ code: 9, data: { verdict: 'differs' }, error: { code: 'DIFFERENCES' } })
  expect((differing.data['hints'] as string[]).join()).toMatch(/upper case/)
  const whole = signTenantRequest(secret, {
    method: 'POST',
    url: `http://127.0.0.1:8080${path}`,
    timestamp,
    nonce,
    body,
  })
  const wholeWords = words.map((word) => (word === path ? `http://127.0.0.1:8080${path}` : word))
  const wholeUrl = await runJson([...wholeWords, ...given, '--signature', whole], { home })
  expect(wholeUrl).toMatchObject({
    code: 9,
    data: { expected: right, differs: 'path', signedValue: `http://127.0.0.1:8080${path}` },
    error: { message: expect.stringContaining('sign the path with its query') },
  })
  const shown = await run([...words, ...given, '--signature', 'ab'.repeat(32)], { home })
  expect(shown.code).toBe(9)
  for (const { stdout, stderr } of [computed, differing, shown]) expect(stdout + stderr).not.toContain(secret)
})

test('reads the body or the secret from stdin, but not both, and takes no secret as a flag', async () => {
  const home = aHome()
  const bodyFile = home.write('body.json', body)
  const fromStdin = await runJson([...words, '--secret-file', '-', '--body', bodyFile, '--signature', right], {
    home,
    input: secret,
  })
  expect(fromStdin).toMatchObject({ code: 0, data: { verdict: 'match' } })
  expect((await run([...words, '--secret-file', '-', '--body', '-'], { home, input: secret })).code).toBe(2)
  expect((await run([...words, '--secret', secret], { home })).code).toBe(2)
  expect((await run([...words, '--secret-file', home.write('empty', '\n')], { home })).code).toBe(2)
})

test('takes the secret of the profile in use', async () => {
  const home = await localHome()
  const world = await home.open()
  const keys = await credentialsOf(world.casino, 'DEMO')
  await world.close()
  const signature = signTenantRequest(String(keys?.live?.secret), {
    method: 'POST',
    url: path,
    timestamp,
    nonce,
    body: '',
  })
  expect(await runJson([...words, '--signature', signature], { home })).toMatchObject({
    code: 0,
    data: { verdict: 'match' },
  })
})
