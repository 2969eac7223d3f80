import { createConfig, lintFromString } from '@redocly/openapi-core'
import { describe, expect, test } from 'vitest'
import { testWorld } from '../support/worlds/world.ts'

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

async function problemsOf(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source, config })
  return problems.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} ${location[0]?.pointer}`,
  )
}

describe.each(names)('the OpenAPI document of %s', (name) => {
  test("passes Redocly's recommended rules without errors or warnings", async () => {
    expect(await problemsOf(await read(name))).toEqual([])
  })

  test('names its server, describes every tag and lists the credentials of every operation', async () => {
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

test("Redocly's rules report a document without credentials, with a duplicate path, or that is no OpenAPI", async () => {
  const document = JSON.parse(await read('casino'))
  const { components, security: _, ...rest } = document
  const open = Object.fromEntries(
    Object.entries(document.paths as Document['paths']).map(([path, operations]) => [
      path,
      Object.fromEntries(Object.entries(operations).map(([method, { security: __, ...each }]) => [method, each])),
    ]),
  )
  const taken = {
    ...document.paths,
    '/api/tenant/v1/rounds/{other}': document.paths['/api/tenant/v1/rounds/{roundId}'],
  }
  for (const [rule, broken] of [
    ['error security-defined', { ...rest, components, paths: open }],
    ['error no-identical-paths', { ...document, paths: taken }],
    ['error struct', { ...document, paths: [] }],
  ] as const)
    expect(await problemsOf(JSON.stringify(broken))).toContainEqual(expect.stringContaining(rule))
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
