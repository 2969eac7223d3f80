import { describe, expect, test } from 'vitest'
import type { Contract } from '../../../src/http/contract/contract.ts'
import { type ObservedResponse, responses } from '../../../src/http/server/handle.ts'
import { casino } from '../../../src/services/casino/api/contract.ts'
import { widget } from '../../../src/services/chat/api/contract.ts'
import { expectPublishedResponses, holdWebhook } from '../../support/http/published-responses.ts'

/**
 * The check over all tests of the APIs: a response that the document does not describe fails the test that caused it.
 */

const { balance } = casino.endpoints
const good = { ok: true, data: { balance: '10', currency: 'USD' } }

function answered(status: number, body: unknown, endpoint: ObservedResponse['endpoint'] = balance): void {
  const url = '/api/tenant/v1/wallet/balance?username=amy'
  const sent = { status, headers: {}, body: typeof body === 'string' ? body : JSON.stringify(body) }
  responses.publish({ contract: casino, endpoint, method: 'GET', url, sent } satisfies ObservedResponse)
}

const failure = (code: string) => ({ ok: false, error: { code, message: 'A message' } })

describe('a response', () => {
  test('as published passes, as does one to a request for an unpublished path', () => {
    answered(200, good)
    answered(404, failure('PLAYER_NOT_FOUND'))
    responses.publish({ contract: casino, endpoint: undefined, method: 'GET', url: '/x', sent: { status: 418 } })
    expectPublishedResponses()
  })

  test.each<readonly [string, number, unknown]>([
    ['with an amount that is a number', 200, { ok: true, data: { balance: 10, currency: 'USD' } }],
    ['with an amount of five decimals', 200, { ok: true, data: { balance: '1.00001', currency: 'USD' } }],
    ['without a field', 200, { ok: true, data: { balance: '10' } }],
    ['without its envelope', 200, { balance: '10', currency: 'USD' }],
    ['with an unlisted status', 201, good],
    ['with a code of another endpoint', 409, failure('TXN_CONFLICT')],
    ['with a code of another status', 404, failure('ROUND_NOT_FOUND')],
    ['with an empty body', 200, '{}'],
  ])('%s fails the test', (_, status, body) => {
    answered(status, body)
    expect(expectPublishedResponses).toThrow('published OpenAPI document')
    // Reported once: the next test begins without it.
    expectPublishedResponses()
  })
})

describe('a response with an ETag', () => {
  const { config } = widget.endpoints
  const cached = (endpoint: ObservedResponse['endpoint'], contract: Contract, headers: Record<string, string>) =>
    responses.publish({ contract, endpoint, method: 'GET', url: '/x', sent: { status: 304, headers, body: '' } })

  test('passes if the header is published and sent', () => {
    cached(config, widget, { etag: '"1"' })
    expectPublishedResponses()
  })

  test('fails the test if the header is missing', () => {
    cached(config, widget, {})
    expect(expectPublishedResponses).toThrow('published OpenAPI document')
  })

  test('fails the test if the header is not published', () => {
    const sent = { status: 200, headers: { etag: '"1"' }, body: JSON.stringify(good) }
    responses.publish({ contract: casino, endpoint: balance, method: 'GET', url: '/x', sent })
    expect(expectPublishedResponses).toThrow('published OpenAPI document')
  })
})

describe('a webhook', () => {
  const topUp = {
    ...{ id: 'd-1', event: 'account.topup', companyCode: 'DEMO', createdAt: '2026-03-10T12:00:00.000Z' },
    data: { amountUsd: '5.00', balanceUsd: '6.00', ref: 'r-1' },
  }
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'countroom-webhooks/1',
    'x-svc-event': 'account.topup',
    'x-svc-delivery': 'd-1',
    'x-svc-signature': `t=1773144000,v1=${'0'.repeat(64)}`,
  }

  test('as published passes', () => {
    holdWebhook(headers, topUp)
    expectPublishedResponses()
  })

  test.each<readonly [string, Record<string, string>, object]>([
    ['of an event that is not published', { 'x-svc-event': 'account.closed' }, topUp],
    ['with a number for an amount', {}, { ...topUp, data: { ...topUp.data, amountUsd: 5 } }],
    ['without its data', {}, { ...topUp, data: {} }],
    ['with a signature in another form', { 'x-svc-signature': 'sha256=00' }, topUp],
  ])('%s fails the test', (_, other, body) => {
    holdWebhook({ ...headers, ...other }, body)
    expect(expectPublishedResponses).toThrow('published OpenAPI document')
    expectPublishedResponses()
  })
})
