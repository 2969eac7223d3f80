import { expect, test } from 'vitest'
import type { Forwarder } from '../../../src/operator/callbacks/forward.ts'
import { keepCallback, listCallbacks } from '../../../src/operator/callbacks/inbox.ts'
import type { Captured } from '../../../src/operator/callbacks/parse.ts'
import { type Replayed, replayCallbacks } from '../../../src/operator/callbacks/replay.ts'
import { webhookForm } from '../../../src/operator/callbacks/signatures.ts'
import { aBook } from '../book-rows.ts'

const signedAt = Date.UTC(2026, 2, 2, 12)
const body = Buffer.from('{"id":"d1"}')

/** Replays a stored webhook 301 seconds after it was signed. */
async function replayed(secret: string | undefined) {
  const book = await aBook()
  const identity = { id: 'd1', owner: 'ACME', kind: 'webhook', subject: null, event: 'test', eventAt: null } as const
  const headers = [['X-Svc-Signature', 'the old one']] as const
  await keepCallback(book, { ...identity, channel: 'tenant-webhook', body, headers, signedAt })
  const sent: Captured[] = []
  const forwarder: Forwarder = {
    to: 'http://127.0.0.1:3000/hook',
    async send(captured) {
      sent.push(captured)
      return { status: 204, error: null }
    },
    async close() {},
  }
  const now = () => signedAt + 301_000
  const options = { book, form: webhookForm, forwarder, secret, now, waitsMs: [], sleep: async () => {} }
  const rows = await listCallbacks(book, { channel: 'tenant-webhook' })
  const results: Replayed[] = []
  for await (const result of replayCallbacks({ ...options, stop: new AbortController().signal }, rows))
    results.push(result)
  return { resigned: results[0]?.resigned, signature: sent[0]?.headers[0]?.[1] }
}

test('an expired signature is renewed with the secret, and reported', async () => {
  const renewed = webhookForm.sign('whs_1', body, signedAt + 301_000)
  expect(await replayed('whs_1')).toEqual({ resigned: true, signature: renewed })
})

test('without a secret it is sent unchanged, and not reported as renewed', async () => {
  expect(await replayed(undefined)).toEqual({ resigned: false, signature: 'the old one' })
})
