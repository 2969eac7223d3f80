import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { testWorld } from '../support/world.ts'

interface Document {
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, { operationId: string; tags: string[]; security: object[]; responses: object }>>
  webhooks?: Record<string, unknown>
  components: { securitySchemes: Record<string, { type: string; name?: string }> }
}

const names = ['casino', 'gateway', 'chat', 'chat-widget', 'chat-agent']
const read = async (name: string) => {
  const world = await testWorld({ publicUrl: 'https://api.casino.test' })
  const request = { method: 'GET', path: `/docs/${name}.json`, headers: { host: 'other.test' } }
  const { status, body } = await world.server.inject(request)
  expect(status).toBe(200)
  return body
}

describe.each(names)('the OpenAPI document of %s', (name) => {
  test("passes Redocly's recommended rules without errors or warnings", async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const problems = await lintFromString({ source: await read(name), config })
    expect(
      problems.map(
        ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} ${location[0]?.pointer}`,
      ),
    ).toEqual([])
  })

  test('names its server, describes every tag and says of every operation which credentials it takes', async () => {
    const document: Document = JSON.parse(await read(name))
    expect(document.servers[0]?.url).toBe('https://api.casino.test')
    for (const tag of document.tags) expect(tag.description, tag.name).toBeTruthy()
    const tags = new Set(document.tags.map((tag) => tag.name))
    const schemes = Object.keys(document.components.securitySchemes)
    for (const path of Object.values(document.paths))
      for (const operation of Object.values(path)) {
        expect(operation.tags.every((tag) => tags.has(tag))).toBe(true)
        const used = operation.security.flatMap((together) => Object.keys(together))
        expect(schemes).toEqual(expect.arrayContaining(used))
        const open = ['status', 'media']
        expect(used.length > 0 || open.includes(operation.operationId), operation.operationId).toBe(true)
      }
  })
})

test('the casino document describes the ten webhooks of the tenant API', async () => {
  const { webhooks = {} }: Document = JSON.parse(await read('casino'))
  expect(Object.keys(webhooks)).toEqual([
    'bet.settled',
    'round.corrected',
    'round.voided',
    'player.kicked',
    'account.grace',
    'account.downgraded',
    'account.restored',
    'account.topup',
    'account.low_balance',
    'test',
  ])
})
