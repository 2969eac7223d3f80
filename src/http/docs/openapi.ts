import type { TObject } from 'typebox'
import type { Callback, Contract, Endpoint, RawResponse, RawRoute } from '../contract/contract.ts'
import type { JsonSchema } from '../contract/json-schema.ts'
import { exampleOf } from './example.ts'
import { sampleLanguages } from './samples/languages.ts'
import { exampleValue, planOf } from './samples/plan.ts'
import type { ApiSamples } from './samples/sample.ts'

export interface OpenApiOptions {
  /** Replaces the contract's first prefix. */
  readonly prefix?: string
  /** Base URL of the API: scheme, host and, behind a proxy, a path, without a trailing slash. */
  readonly baseUrl?: string
  /** Code samples and examples; without them the document has neither. */
  readonly samples?: ApiSamples | undefined
}

/** Returns the contract as an OpenAPI 3.1 document. Without a base URL its server is relative. */
export function openApiOf(contract: Contract, options: OpenApiOptions = {}): object {
  const prefix = options.prefix ?? contract.prefixes[0] ?? ''
  const paths: Record<string, Record<string, object>> = {}
  const add = (method: string, path: string, operation: object) => {
    const templated = prefix + path.replace(/:([A-Za-z_]+)/g, '{$1}')
    paths[templated] = { ...paths[templated], [method.toLowerCase()]: operation }
  }
  for (const [name, endpoint] of Object.entries(contract.endpoints))
    add(endpoint.method, endpoint.path, operationOf(contract, name, endpoint, options.samples))
  for (const [name, route] of Object.entries(contract.rawRoutes ?? {}))
    add(route.method, route.path, rawOperationOf(contract, name, route, options.samples))
  return {
    openapi: '3.1.0',
    info: {
      title: contract.title,
      version: contract.version,
      description: [contract.description, contract.security].filter(Boolean).join('\n\n'),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: serversOf(contract, options.baseUrl ?? ''),
    tags: groupsOf(contract).map((name) => {
      const description = contract.groups?.[name]
      return { name, ...(description ? { description } : {}) }
    }),
    paths,
    ...(contract.callbacks
      ? { webhooks: mapped(contract.callbacks, (callback, name) => ({ post: webhookOf(callback, name) })) }
      : {}),
    ...(contract.credentials ? { components: { securitySchemes: contract.credentials } } : {}),
  }
}

function serversOf({ environments = {} }: Contract, baseUrl: string): object[] {
  return [
    { url: baseUrl || '/' },
    ...Object.entries(environments).map(([path, description]) => ({ url: baseUrl + path, description })),
  ]
}

/** Returns the groups of a contract's endpoints and routes, each once, in order. */
function groupsOf({ endpoints, rawRoutes = {} }: Contract): string[] {
  return [...new Set([...Object.values(endpoints), ...Object.values(rawRoutes)].map(groupOf))]
}

/** Returns the alternative credentials of an access as OpenAPI security. An API without any is open. */
function securityOf({ accepts }: Contract, access: string): object[] {
  return (accepts?.[access] ?? []).map((names) => Object.fromEntries(names.map((name) => [name, []])))
}

/** Returns every error code of an endpoint, in order of status. */
export function codesOf(contract: Contract, endpoint: Endpoint): string[] {
  const { standardCodes } = contract
  return byStatusOf(contract, [
    ...endpoint.refusals,
    ...Object.values(endpoint.malformed ?? {}),
    ...Object.values(endpoint.absent ?? {}),
    ...(endpoint.query || endpoint.body ? [standardCodes.invalid] : []),
    ...(endpoint.body ? [standardCodes.json, standardCodes.large] : []),
    ...(endpoint.params ? [standardCodes.missing] : []),
    ...contract.common,
    standardCodes.internal,
  ])
}

/** Returns every error code of a stream or file, in order of status. */
export function rawCodesOf(contract: Contract, route: RawRoute): string[] {
  const { standardCodes, common } = contract
  return byStatusOf(contract, [
    ...route.refusals,
    ...(route.query ? [standardCodes.invalid] : []),
    ...common,
    standardCodes.internal,
  ])
}

/** Returns distinct codes, sorted by HTTP status. */
function byStatusOf(contract: Contract, codes: readonly string[]): string[] {
  const status = (code: string) => contract.problems[code] ?? 500
  return [...new Set(codes)].sort((a, b) => status(a) - status(b))
}

function webhookOf({ summary, description, headers, body }: Callback, name: string): object {
  return {
    operationId: `${name.replace(/[._-](\w)/g, (_, letter: string) => letter.toUpperCase())}Callback`,
    summary,
    ...(description ? { description } : {}),
    // The receiver verifies a signature in a header and requires no credential.
    security: [],
    parameters: parametersOf('header', headers),
    requestBody: { required: true, content: { 'application/json': { schema: body } } },
    responses: {
      '2XX': { description: 'Acknowledged' },
      default: { description: 'Not acknowledged: the same delivery is retried later' },
    },
  }
}

function mapped<T, R>(values: Readonly<Record<string, T>>, to: (value: T, name: string) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, to(value, name)]))
}

function operationOf(contract: Contract, name: string, endpoint: Endpoint, samples: ApiSamples | undefined): object {
  const example = samples && requestExample(samples, name)
  return {
    ...headOf(contract, name, endpoint),
    ...codeSamplesOf(contract, name, samples),
    ...(endpoint.body
      ? {
          requestBody: {
            required: !endpoint.bodyOptional,
            content: {
              'application/json': { schema: endpoint.body, ...(example === undefined ? {} : { example }) },
            },
          },
        }
      : {}),
    responses: {
      ...successesOf(contract, endpoint, samples),
      ...refusalsOf(contract, codesOf(contract, endpoint)),
    },
  }
}

function rawOperationOf(contract: Contract, name: string, route: RawRoute, samples: ApiSamples | undefined): object {
  return {
    ...headOf(contract, name, route),
    ...codeSamplesOf(contract, name, samples),
    ...(route.sends
      ? {
          requestBody: { required: true, content: { [route.sends]: { schema: bodyOf(route.sends) } } },
        }
      : {}),
    responses: {
      ...mapped(route.responses as Record<string, RawResponse>, ({ description, type, schema, headers }) => ({
        description,
        ...headersOf(headers),
        ...(type ? { content: { [type]: { schema: schema ?? bodyOf(type) } } } : {}),
      })),
      ...refusalsOf(contract, rawCodesOf(contract, route)),
    },
  }
}

/** Returns the schema of a body that is not JSON. */
function bodyOf(type: string): object {
  return { type: 'string', ...(type.startsWith('text/') ? {} : { format: 'binary' }) }
}

function headersOf(headers: TObject | undefined): object {
  const entries = Object.entries((headers as JsonSchema | undefined)?.properties ?? {})
  if (entries.length === 0) return {}
  return {
    headers: Object.fromEntries(
      entries.map(([name, schema]) => [
        name,
        { ...(schema.description ? { description: schema.description } : {}), schema },
      ]),
    ),
  }
}

function headOf(contract: Contract, name: string, of: Endpoint | RawRoute): object {
  return {
    operationId: name,
    summary: of.summary,
    ...(of.description ? { description: of.description } : {}),
    tags: [groupOf(of)],
    'x-access': of.access,
    security: securityOf(contract, of.access),
    parameters: [
      ...parametersOf('path', of.params),
      ...parametersOf('query', of.query),
      ...parametersOf('header', of.headers),
    ],
  }
}

function parametersOf(location: 'path' | 'query' | 'header', schema: JsonSchema | undefined): object[] {
  return Object.entries(schema?.properties ?? {}).map(([name, field]) => ({
    name,
    in: location,
    required: location === 'path' || (schema?.required?.includes(name) ?? false),
    ...(field.description ? { description: field.description } : {}),
    schema: field,
  }))
}

/** Returns the example of a request's body; undefined if it has none. */
export function requestExample(samples: ApiSamples, name: string): unknown {
  return exampleValue(samples.endpoints[name]?.body)
}

/** Returns the code samples in the form that reference tools read. */
function codeSamplesOf(contract: Contract, name: string, samples: ApiSamples | undefined): object {
  const plan = samples && planOf(contract, samples, name)
  if (!plan) return {}
  return {
    'x-codeSamples': sampleLanguages.map(({ lang, label, write }) => ({ lang, label, source: write(plan) })),
  }
}

function successesOf(
  { envelope }: Contract,
  { status, alternatives = {}, reply, replyHeaders }: Endpoint,
  samples: ApiSamples | undefined,
): Record<string, object> {
  const all: Record<string, string> = { [status]: 'Success', ...alternatives }
  const schema = envelope.schema(reply)
  const content = { schema, ...(samples ? { example: exampleOf(schema as JsonSchema, samples.fields) } : {}) }
  return mapped(all, (description, each) => ({
    description,
    ...headersOf(replyHeaders),
    ...(hasNoBody(Number(each)) ? {} : { content: { 'application/json': content } }),
  }))
}

/** Returns whether a response with this status has no body. */
export function hasNoBody(status: number): boolean {
  return status === 204 || status === 304
}

function refusalsOf(contract: Contract, codes: readonly string[]): Record<string, object> {
  const byStatus = Map.groupBy(codes, (code) => contract.problems[code] ?? 500)
  return Object.fromEntries(
    [...byStatus].map(([status, some]) => [
      String(status),
      {
        description: some.join(', '),
        content: {
          'application/json': {
            schema: contract.envelope.refusal,
            examples: Object.fromEntries(some.map((code) => [code, { value: exampleRefusal(contract, code) }])),
          },
        },
      },
    ]),
  )
}

/** Returns an example of a refusal, for the reference. */
export function exampleRefusal(contract: Contract, code: string): unknown {
  const status = contract.problems[code] ?? 500
  return contract.envelope.refuse({
    code,
    message: 'A sentence that says what is wrong',
    status,
    detail: {},
    requestId: 'r1',
  })
}

/** Returns the group of an endpoint: the first word of its path. */
export function groupOf({ path }: Pick<Endpoint, 'path'>): string {
  return path.split('/').find((part) => part !== '' && !part.startsWith(':')) ?? 'general'
}
