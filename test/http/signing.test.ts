import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  ipnText,
  isIpnSignature,
  isTenantSignature,
  isTimely,
  noncePattern,
  signIpn,
  signTenantRequest,
  signWebhook,
  tenantText,
  verifyWebhook,
} from '../../src/domain/signing.ts'
import { tenantSigner } from '../../src/http/client/signers.ts'
import { seededBytes } from '../../src/kit/ambient.ts'

const request = {
  method: 'get',
  url: '/api/tenant/v1/wallet/balance?username=amy',
  timestamp: '1772353800',
  nonce: 'abcdefghijklmnop',
  body: '',
}

describe('the tenant’s signature', () => {
  test('is over five lines, without a final line feed', () => {
    expect(tenantText(request)).toBe(
      'GET\n/api/tenant/v1/wallet/balance?username=amy\n1772353800\nabcdefghijklmnop\ne3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
    )
    expect(signTenantRequest('secret', request)).toBe(
      createHmac('sha256', 'secret').update(tenantText(request)).digest('hex'),
    )
  })

  test('is valid for these exact bytes only', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.uint8Array(), fc.string(), (body, other, secret) => {
        const signature = signTenantRequest(secret, { ...request, body })
        expect(isTenantSignature(secret, { ...request, body }, signature)).toBe(true)
        expect(isTenantSignature(`${secret}x`, { ...request, body }, signature)).toBe(false)
        expect(isTenantSignature(secret, { ...request, body: other }, signature)).toBe(
          Buffer.compare(body, other) === 0,
        )
      }),
    )
  })

  test.each([
    { method: 'POST' },
    { url: '/api/tenant/v1/wallet/balance?username=amY' },
    { timestamp: '1772353801' },
    { nonce: 'abcdefghijklmnoq' },
    { body: ' ' },
  ])('is invalid if %o is changed', (change) => {
    const signature = signTenantRequest('s', request)
    expect(isTenantSignature('s', { ...request, ...change }, signature)).toBe(false)
  })

  test('is refused in upper case, cut, or empty', () => {
    const signature = signTenantRequest('s', request)
    for (const wrong of [signature.toUpperCase(), signature.slice(1), `${signature} `, '']) {
      expect(isTenantSignature('s', request, wrong)).toBe(false)
    }
  })

  test.each([
    [0, true],
    [300, true],
    [-300, true],
    [301, false],
    [-301, false],
  ])('a timestamp %i seconds off is accepted: %s', (off, expected) => {
    expect(isTimely(String(1_772_353_800 + off), 1_772_353_800_000)).toBe(expected)
  })

  test.each(['', '17723538', '177235380000', '1772353800.0', ' 1772353800', '+1772353800', '0x69a3f688', 'NaN'])(
    'the timestamp %j is malformed',
    (timestamp) => {
      expect(isTimely(timestamp, Number(timestamp) * 1000 || 0)).toBe(false)
    },
  )

  test('is added by the client’s signer, over the path as sent and with its own nonce', () => {
    const sign = tenantSigner({ apiKey: 'ek_s_1', secret: 's', now: () => 1_772_353_800_999, random: seededBytes('x') })
    const wire = { method: 'POST', path: '/api/tenant/v1/player/logout', headers: {}, body: '{"username":"amy"}' }
    const first = sign(wire) as Record<string, string>
    const second = sign(wire) as Record<string, string>
    expect(first['x-api-key']).toBe('ek_s_1')
    expect(first['x-timestamp']).toBe('1772353800')
    expect(first['x-nonce']).toMatch(noncePattern)
    expect(second['x-nonce']).not.toBe(first['x-nonce'])
    const signed = {
      method: 'POST',
      url: wire.path,
      timestamp: '1772353800',
      nonce: first['x-nonce'] ?? '',
      body: wire.body,
    }
    expect(isTenantSignature('s', signed, first['x-signature'] ?? '')).toBe(true)
  })
})

describe('the webhook’s signature', () => {
  const now = 1_772_353_800_500
  const body = '{"event":"test","id":"é"}'
  const header = signWebhook('whs_abc', body, now)

  test('is over the second, a dot and the raw body', () => {
    const expected = createHmac('sha256', 'whs_abc').update(`1772353800.${body}`).digest('hex')
    expect(header).toBe(`t=1772353800,v1=${expected}`)
    expect(verifyWebhook('whs_abc', header, Buffer.from(body), now)).toBe('genuine')
  })

  test('is forged with another secret, body or time, and stale if it is old', () => {
    expect(verifyWebhook('abc', header, body, now)).toBe('forged')
    expect(verifyWebhook('whs_abc', header, `${body} `, now)).toBe('forged')
    expect(verifyWebhook('whs_abc', header.replace('800,', '801,'), body, now)).toBe('forged')
    expect(verifyWebhook('whs_abc', header, body, now + 300_000)).toBe('stale')
    expect(verifyWebhook('whs_abc', header, body, now - 301_000)).toBe('stale')
    expect(verifyWebhook('whs_abc', header, body, now + 299_000)).toBe('genuine')
  })

  test.each(['', 't=1,v1=', 'v1=ab,t=1', 't=x,v1=00', `t=1,v1=${'A'.repeat(64)}`])('%j is malformed', (text) => {
    expect(verifyWebhook('whs_abc', text, body, now)).toBe('malformed')
  })
})

describe('the IPN’s signature', () => {
  test('is over a body whose keys are sorted at every depth, without spaces', () => {
    const text = ipnText({ b: 1, a: { d: [{ z: 1, y: 'é/' }], c: null } })
    expect(text).toBe('{"a":{"c":null,"d":[{"y":"é/","z":1}]},"b":1}')
    expect(signIpn('k', text)).toBe(createHmac('sha512', 'k').update(text).digest('hex'))
    expect(isIpnSignature('k', Buffer.from(text), signIpn('k', text))).toBe(true)
    expect(isIpnSignature('k', `${text}\n`, signIpn('k', text))).toBe(false)
  })
})
