import { describe, expect, test } from 'vitest'
import type { Contract, Endpoint } from '../../src/http/contract/contract.ts'
import { allows, type JsonSchema } from '../../src/http/contract/json-schema.ts'
import { serve } from '../../src/http/server/handle.ts'
import { casino } from '../../src/services/casino/api/contract.ts'
import { agent, chat, widget } from '../../src/services/chat/api/contract.ts'
import { gateway } from '../../src/services/gateway/api/contract.ts'

/** Numbers that JSON text can contain and no program can represent exactly. */
const unholdable = ['1e400', '-1e400', '1E+9999', `1${'0'.repeat(400)}`, '1e-400', '-1e-400', '-0', '-0.0', '-0e5']
const unsafeIntegers = ['9007199254740992', '9007199254740993', '-9007199254740993', '12345678901234567890', '1e300']

const contracts: readonly [string, Contract][] = [
  ['casino', casino],
  ['gateway', gateway],
  ['chat', chat],
  ['widget', widget],
  ['agent', agent],
]

/** A path into a body, and its schema. */
type NumberField = readonly [path: readonly string[], schema: JsonSchema]

/** Every position of a schema that may contain a number: in fields, in lists, in lists of objects. */
function numbersIn(schema: JsonSchema, path: readonly string[] = []): NumberField[] {
  if (schema.anyOf) {
    const own: NumberField[] = allows(schema, 'number') || allows(schema, 'integer') ? [[path, schema]] : []
    return [
      ...own,
      ...schema.anyOf
        .filter(({ type }) => type === 'object' || type === 'array')
        .flatMap((each) => numbersIn(each, path)),
    ]
  }
  if (schema.type === 'number' || schema.type === 'integer') return [[path, schema]]
  if (schema.type === 'array' && schema.items) return numbersIn(schema.items as JsonSchema, [...path, '0'])
  return Object.entries(schema.properties ?? {}).flatMap(([name, part]) => numbersIn(part, [...path, name]))
}

/** A minimal value that a schema accepts. */
function rightValue(schema: JsonSchema): unknown {
  if (schema.anyOf?.[0]) return rightValue(schema.anyOf[0])
  if ('const' in schema) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.type === 'object')
    return Object.fromEntries(
      (schema.required ?? []).map((name) => [name, rightValue(schema.properties?.[name] ?? {})]),
    )
  if (schema.type === 'array')
    return Array.from({ length: schema.minItems ?? 0 }, () => rightValue(schema.items as JsonSchema))
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1
  if (schema.type === 'boolean') return true
  if (Array.isArray(schema.examples)) return schema.examples[0]
  return 'x'.repeat(Math.max(1, schema.minLength ?? 1))
}

const mark = '"the number under test"'

/** JSON text of a valid body with one number in one position. */
function bodyWith(schema: JsonSchema, path: readonly string[], number: string): string {
  const body = rightValue(schema) as Record<string, unknown>
  let at: Record<string, unknown> = body
  for (const [i, name] of path.entries()) {
    const isLast = i === path.length - 1
    const nextIsList = path[i + 1] === '0'
    if (isLast) at[name] = JSON.parse(mark)
    else at = at[name] = (at[name] as Record<string, unknown>) ?? ((nextIsList ? [] : {}) as Record<string, unknown>)
  }
  return JSON.stringify(body).replace(mark, number)
}

/**
 * Answers a request as the service does, except that every caller is authenticated, and the handlers only record that
 * they were reached.
 */
function surface(contract: Contract) {
  const handlers = Object.fromEntries(
    Object.keys(contract.endpoints).map((name) => [
      name,
      async () => {
        throw new Error(`${name} was reached`)
      },
    ]),
  )
  const service = serve(contract, async () => ({}) as never, handlers as never)
  return async (endpoint: Endpoint, query: string, body: string) => {
    const prefix = contract.prefixes[0] ?? ''
    const url = `${prefix}${endpoint.path.replace(/:(\w+)/g, (_, name: string) => String(rightValue((endpoint.params as JsonSchema)?.properties?.[name] ?? {})))}?${query}`
    const reply = await service.respond(
      {
        method: endpoint.method,
        url,
        headers: { 'content-type': 'application/json' },
        address: '127.0.0.1',
        requestId: 'r',
        readBody: async () => Buffer.from(body),
      },
      prefix,
    )
    const parsed = JSON.parse(reply.body) as {
      code?: string
      message?: string
      error?: { code: string; message: string }
    }
    return {
      status: reply.status,
      code: parsed.error?.code ?? parsed.code,
      message: parsed.error?.message ?? parsed.message,
    }
  }
}

describe.each(contracts)('%s', (_name, contract) => {
  const ask = surface(contract)
  const bodies = Object.entries(contract.endpoints).flatMap(([name, endpoint]) =>
    endpoint.body ? numbersIn(endpoint.body as JsonSchema).map((field) => [name, endpoint, field] as const) : [],
  )
  const queries = Object.entries(contract.endpoints).flatMap(([name, endpoint]) =>
    endpoint.query ? numbersIn(endpoint.query as JsonSchema).map((field) => [name, endpoint, field] as const) : [],
  )

  test('no body with a number that cannot be represented reaches an endpoint', async () => {
    for (const [name, endpoint, [path, schema]] of bodies) {
      const isWhole = allows(schema, 'integer') && !allows(schema, 'number')
      const field = path[0] ?? ''
      const code = endpoint.malformed?.[field] ?? contract.standardCodes.invalid
      for (const number of [...unholdable, ...(isWhole ? unsafeIntegers : [])]) {
        const response = await ask(endpoint, '', bodyWith(endpoint.body as JsonSchema, path, number))
        expect([name, path, number, response]).toEqual([
          name,
          path,
          number,
          expect.objectContaining({ status: 400, code }),
        ])
        expect(response.message, `${name} ${path.join('.')} ${number}`).toContain(field)
      }
    }
  })

  test('no query with a number that cannot be represented reaches an endpoint', async () => {
    for (const [name, endpoint, [path]] of queries) {
      const field = path[0] ?? ''
      const right = rightValue(endpoint.query as JsonSchema) as Record<string, unknown>
      const code = endpoint.malformed?.[field] ?? contract.standardCodes.invalid
      for (const number of [...unholdable, ...unsafeIntegers]) {
        const query = new URLSearchParams({ ...right, [field]: number } as Record<string, string>).toString()
        const response = await ask(endpoint, query, '')
        expect([name, field, number, response]).toEqual([
          name,
          field,
          number,
          expect.objectContaining({ status: 400, code }),
        ])
      }
    }
  })

  test('a number outside the contract is ignored, in any notation', async () => {
    for (const [name, endpoint] of Object.entries(contract.endpoints)) {
      if (!endpoint.body) continue
      const body = { ...(rightValue(endpoint.body as JsonSchema) as object), unknown: JSON.parse(mark) }
      const response = await ask(endpoint, '', JSON.stringify(body).replace(mark, '1e400'))
      if (endpoint.query === undefined) expect(response.status, `${name} ${response.message}`).toBe(500)
    }
  })
})

test('the three services have number fields', () => {
  const count = (part: 'body' | 'query') =>
    contracts.flatMap(([, { endpoints }]) =>
      Object.values(endpoints).flatMap((each) => numbersIn((each[part] ?? {}) as JsonSchema)),
    ).length
  expect(count('body')).toBeGreaterThan(25)
  expect(count('query')).toBeGreaterThan(20)
})
