import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TObject } from 'typebox'
import { describe, expect, test } from 'vitest'
import { ipnKinds } from '../../../src/domain/webhooks/retry-schedule.ts'
import { openApiOf } from '../../../src/http/docs/openapi.ts'
import { docsPage } from '../../../src/http/docs/page.ts'
import { gateway } from '../../../src/services/gateway/api/contract.ts'
import { Payment } from '../../../src/services/gateway/api/schemas.ts'
import { paymentTransitions, payoutTransitions, subscriptionTransitions } from '../../rulebook/gateway/transitions.ts'

const text = readFileSync(join(import.meta.dirname, '../../../docs/gateway.md'), 'utf8')

/** The transitions of a diagram, `from --> to`, without its start and end. */
function drawn(title: string): string[] {
  const [, drawing = ''] = new RegExp(`### ${title}\\n[\\s\\S]*?\`\`\`mermaid\\n([\\s\\S]*?)\`\`\``).exec(text) ?? []
  return drawing.split('\n').flatMap((line) => (/^ {2}\w+ --> \w+$/.test(line) ? [line.trim()] : []))
}

const tabled = (transitions: Readonly<Record<string, readonly string[]>>): string[] =>
  Object.entries(transitions).flatMap(([from, ends]) => ends.map((to) => `${from} --> ${to}`))

test.each([
  ['A payment', paymentTransitions],
  ['A payout', payoutTransitions],
  ['A subscription', subscriptionTransitions],
])('%s is drawn with every transition of the rulebook and no other', (title, transitions) => {
  expect(drawn(title).sort()).toEqual(tabled(transitions).sort())
})

describe('the reference', () => {
  const document = openApiOf(gateway) as {
    paths: Record<string, Record<string, { operationId: string; parameters: { name: string; in: string }[] }>>
    webhooks: Record<string, { post: { requestBody: { content: { 'application/json': { schema: TObject } } } } }>
  }

  test('describes for every endpoint that creates an object how a request is idempotent', () => {
    const operations = Object.values(document.paths).flatMap((path) => Object.values(path))
    const keyed = operations.filter(({ parameters }) => parameters.some(({ name }) => name === 'Idempotency-Key'))
    const creating = Object.entries(gateway.endpoints)
      .filter(([, { refusals }]) => (refusals as readonly string[]).includes('IDEMPOTENCY_IN_FLIGHT'))
      .map(([name]) => name)
    expect(creating.length).toBe(12)
    expect(keyed.map(({ operationId }) => operationId).sort()).toEqual(creating.sort())
  })

  test('describes every code, and the content of every kind of callback', () => {
    expect(Object.keys(gateway.meanings)).toEqual(Object.keys(gateway.problems))
    expect(Object.keys(document.webhooks)).toEqual(ipnKinds.filter((kind) => kind !== 'test'))
    const page = docsPage({ name: 'gateway', contract: gateway }, [])
    for (const meaning of [
      'still being processed',
      'Lower-case hex HMAC-SHA512',
      'id="callback-payout"',
      '<code>Idempotency-Key</code>',
    ])
      expect(page).toContain(meaning)
    const { schema } = document.webhooks['payment']?.post.requestBody.content['application/json'] ?? {}
    expect(schema).toBe(Payment)
  })
})
