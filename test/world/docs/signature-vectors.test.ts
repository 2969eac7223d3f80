import { expect, test } from 'vitest'
import { signIpn, signTenantRequest, signWebhook, verifyWebhook } from '../../../src/domain/signing.ts'
import type { SignatureVector } from '../../../src/http/docs/samples/sample.ts'
import { hmacHex, sha256Hex } from '../../../src/kit/hmac.ts'
import { signatureVectors as casinoVectors } from '../../../src/services/casino/api/signature-vectors.ts'
import { identityVector } from '../../../src/services/chat/api/signature-vectors.ts'
import { isIdentity } from '../../../src/services/chat/auth/tokens.ts'
import { signatureVectors as gatewayVectors } from '../../../src/services/gateway/api/signature-vectors.ts'
import { aHome, run } from '../../support/program/cli.ts'

/** The worked signatures of the reference, against the code that signs and verifies. */

const partOf = ({ parts }: SignatureVector, name: string): string => {
  const found = parts.find(([each]) => each === name)?.[1]
  if (found === undefined) throw new Error(`no ${name}`)
  return found
}
const [request, webhook] = casinoVectors as [SignatureVector, SignatureVector]
const [ipn] = gatewayVectors as [SignatureVector]

test.each([...casinoVectors, ...gatewayVectors, identityVector])(
  '$title: the text and its secret give the signature',
  (vector) => {
    expect(hmacHex(vector.algorithm, vector.secret, vector.text)).toBe(vector.signature)
  },
)

test('the client and the server sign the request like this', () => {
  const body = partOf(request, 'Body')
  expect(partOf(request, 'SHA-256 of the body')).toBe(sha256Hex(body))
  const parts = {
    method: partOf(request, 'Method'),
    url: partOf(request, 'Path and query'),
    timestamp: partOf(request, 'X-Timestamp'),
    nonce: partOf(request, 'X-Nonce'),
    body,
  }
  expect(signTenantRequest(request.secret, parts)).toBe(request.signature)
})

test('the services sign the webhook, the IPN and the identity like this', () => {
  const seconds = Number(partOf(webhook, 'Time'))
  const body = partOf(webhook, 'Body')
  const header = `t=${seconds},v1=${webhook.signature}`
  expect(signWebhook(webhook.secret, body, seconds * 1000)).toBe(header)
  expect(verifyWebhook(webhook.secret, header, body, seconds * 1000)).toBe('genuine')
  expect(signIpn(ipn.secret, partOf(ipn, 'Body'))).toBe(ipn.signature)
  const issuedAt = Number(partOf(identityVector, 'issuedAt'))
  const tenant = { identity_secret: identityVector.secret, identity_secret_before: null, identity_before_until: null }
  const identity = {
    customerAccount: partOf(identityVector, 'customerAccount'),
    issuedAt,
    signature: identityVector.signature,
  }
  expect(isIdentity(tenant as Parameters<typeof isIdentity>[0], identity, issuedAt * 1000)).toBe(true)
})

test('doctor sign gives the signature of the request', async () => {
  const home = aHome()
  const flags = {
    method: partOf(request, 'Method'),
    path: partOf(request, 'Path and query'),
    timestamp: partOf(request, 'X-Timestamp'),
    nonce: partOf(request, 'X-Nonce'),
    body: home.write('body.json', partOf(request, 'Body')),
    'secret-file': home.write('secret', request.secret),
    signature: request.signature,
  }
  const args = Object.entries(flags).flatMap(([name, value]) => [`--${name}`, value])
  const { code, stdout } = await run(['doctor', 'sign', ...args, '--json'], { home })
  expect([code, JSON.parse(stdout).data]).toMatchObject([0, { verdict: 'match', expected: request.signature }])
})
