import type { Callback, Contract, Endpoint } from './contract.ts'
import type { JsonSchema } from './json-schema.ts'

/** The contract as an OpenAPI 3.1 document, for tools that read such. */
export function openApiOf(contract: Contract, options: { prefix?: string } = {}): object {
  const prefix = options.prefix ?? contract.prefixes[0] ?? ''
  const paths: Record<string, Record<string, object>> = {}
  for (const [name, endpoint] of Object.entries(contract.endpoints)) {
    const path = prefix + endpoint.path.replace(/:([A-Za-z_]+)/g, '{$1}')
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(contract, name, endpoint) }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: contract.title,
      version: contract.version,
      description: [contract.description, contract.security].filter(Boolean).join('\n\n'),
    },
    servers: [{ url: '/' }],
    paths,
    ...(contract.callbacks
      ? { webhooks: mapped(contract.callbacks, (callback) => ({ post: webhookOf(callback) })) }
      : {}),
  }
}

/** Every code an endpoint may end in, in the order of their status. */
export function codesOf(contract: Contract, endpoint: Endpoint): string[] {
  const { usual } = contract
  const codes = new Set([
    ...endpoint.refusals,
    ...Object.values(endpoint.malformed ?? {}),
    ...Object.values(endpoint.absent ?? {}),
    ...(endpoint.query || endpoint.body ? [usual.invalid] : []),
    ...(endpoint.body ? [usual.json, usual.large] : []),
    ...(endpoint.params ? [usual.missing] : []),
    ...contract.common,
    usual.internal,
  ])
  const status = (code: string) => contract.problems[code] ?? 500
  return [...codes].sort((a, b) => status(a) - status(b))
}

function webhookOf({ summary, description, headers, body }: Callback): object {
  return {
    summary,
    ...(description ? { description } : {}),
    parameters: parametersOf('header', headers),
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: { '2XX': { description: 'Acknowledged' } },
  }
}

function mapped<T, R>(values: Readonly<Record<string, T>>, to: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value)]))
}

function operationOf(contract: Contract, name: string, endpoint: Endpoint): object {
  const { envelope } = contract
  return {
    operationId: name,
    summary: endpoint.summary,
    ...(endpoint.description ? { description: endpoint.description } : {}),
    tags: [groupOf(endpoint)],
    'x-access': endpoint.access,
    parameters: [
      ...parametersOf('path', endpoint.params),
      ...parametersOf('query', endpoint.query),
      ...parametersOf('header', endpoint.headers),
    ],
    ...(endpoint.body
      ? {
          requestBody: { required: !endpoint.bodyOptional, content: { 'application/json': { schema: endpoint.body } } },
        }
      : {}),
    responses: {
      [endpoint.status]: {
        description: 'Done',
        content: { 'application/json': { schema: envelope.schema(endpoint.reply) } },
      },
      ...refusalsOf(contract, endpoint),
    },
  }
}

function parametersOf(place: 'path' | 'query' | 'header', schema: JsonSchema | undefined): object[] {
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || (schema?.required?.includes(name) ?? false),
    ...(field.description ? { description: field.description } : {}),
    schema: field,
  }))
}

function refusalsOf(contract: Contract, endpoint: Endpoint): Record<string, object> {
  const byStatus = Map.groupBy(codesOf(contract, endpoint), (code) => contract.problems[code] ?? 500)
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [
      String(status),
      {
        description: codes.join(', '),
        content: {
          'application/json': {
            schema: contract.envelope.refusal,
            examples: Object.fromEntries(codes.map((code) => [code, { value: exampleRefusal(contract, code) }])),
          },
        },
      },
    ]),
  )
}

/** A refusal as it would be read, for the reference. */
export function exampleRefusal(contract: Contract, code: string): unknown {
  const status = contract.problems[code] ?? 500
  return contract.envelope.refuse({
    code,
    message: 'What is wrong, in a sentence',
    status,
    detail: {},
    requestId: 'r1',
  })
}

/** The heading an endpoint stands under: the first word of its path. */
export function groupOf({ path }: Endpoint): string {
  return path.split('/').find((part) => part !== '' && !part.startsWith(':')) ?? 'general'
}

/** A value of the shape: its own example where it has one, else something plain of the right type. */
export function exampleOf(schema: JsonSchema): unknown {
  if (Array.isArray(schema.examples) && schema.examples.length > 0) return schema.examples[0]
  if (schema.default !== undefined) return schema.default
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  if (schema.anyOf) return exampleOf(schema.anyOf[0] ?? {})
  if (schema.allOf) return Object.assign({}, ...schema.allOf.map(exampleOf))
  switch (typeof schema.type === 'object' ? schema.type[0] : schema.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, field]) => [name, exampleOf(field)]),
      )
    case 'array':
      return [schema.items].flat().map((item) => exampleOf(item ?? {}))
    case 'integer':
    case 'number':
      return schema.minimum ?? 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'string':
      return 'text'
    default:
      return {}
  }
}
