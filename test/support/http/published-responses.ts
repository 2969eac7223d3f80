import type { IncomingHttpHeaders } from 'node:http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import { expect } from 'vitest'
import type { Contract, Endpoint } from '../../../src/http/contract/contract.ts'
import { hasNoBody, openApiOf } from '../../../src/http/docs/openapi.ts'
import { type ObservedResponse, responses } from '../../../src/http/server/handle.ts'
import { casino } from '../../../src/services/casino/api/contract.ts'

/**
 * Compares every response that a test causes in this process with the published OpenAPI document.
 * Its status must be listed for the operation, its body must fit the schema, its listed headers must be there, and the
 * code of a refusal must be listed.
 * Loaded once per worker; `each-file.ts` checks after every test.
 */

interface Operation {
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly description: string
        readonly headers?: Readonly<Record<string, object>>
        readonly content?: Readonly<Record<string, { readonly schema: object; readonly examples?: object }>>
      }
    >
  >
}

interface Webhook {
  readonly parameters: readonly { readonly name: string; readonly required: boolean; readonly schema: object }[]
  readonly requestBody: { readonly content: { readonly 'application/json': { readonly schema: object } } }
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, { readonly post: Webhook }>>
}

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const documents = new WeakMap<Contract, Document>()
const validators = new WeakMap<object, ValidateFunction>()
const deviations: string[] = []

responses.subscribe((message) => {
  const deviation = deviationOf(message as ObservedResponse)
  if (deviation) deviations.push(deviation)
})

/** Throws if there was a deviation since the last check. */
export function expectPublishedResponses(): void {
  expect(deviations.splice(0), 'responses that the published OpenAPI document does not describe').toEqual([])
}

function deviationOf({ contract, endpoint, method, url, sent }: ObservedResponse): string | undefined {
  // A request for an unpublished path has no operation to compare with.
  if (!endpoint) return undefined
  const at = `${method} ${url.split('?')[0]} ${sent.status}`
  const { status, body } = sent
  const published = operationOf(contract, endpoint).responses[status]
  if (!published) return `${at}: the status is not listed: ${body.slice(0, 200)}`
  const known = Object.keys(published.headers ?? {}).map((name) => name.toLowerCase())
  const missing = known.filter((name) => sent.headers?.[name] === undefined)
  if (missing.length > 0) return `${at}: without the header ${missing.join(', ')}`
  if (sent.headers?.['etag'] !== undefined && !known.includes('etag')) return `${at}: the header ETag is not listed`
  if (hasNoBody(status)) return body === '' ? undefined : `${at}: has a body`
  const { schema, examples } = published.content?.['application/json'] ?? {}
  if (!schema) return `${at}: has no schema`
  const value = JSON.parse(body)
  const validate = validatorOf(schema)
  if (!validate(value)) return `${at}: ${ajv.errorsText(validate.errors)}: ${body.slice(0, 300)}`
  const code = codeIn(contract, status, value)
  return code === undefined || Object.hasOwn(examples ?? {}, code) ? undefined : `${at}: the code ${code} is not listed`
}

/** Compares a casino webhook that a receiver got with its published description. */
export function holdWebhook(headers: IncomingHttpHeaders, body: unknown): void {
  const event = headers['x-svc-event']
  if (typeof event !== 'string') return
  const webhook = documentOf(casino).webhooks?.[event]?.post
  if (!webhook) {
    deviations.push(`${event}: the webhook is not published`)
    return
  }
  const validate = validatorOf(webhook.requestBody.content['application/json'].schema)
  if (!validate(body)) deviations.push(`${event}: ${ajv.errorsText(validate.errors)}: ${JSON.stringify(body)}`)
  for (const { name, schema } of webhook.parameters)
    if (!validatorOf(schema)(headers[name.toLowerCase()])) deviations.push(`${event}: the header ${name}`)
}

function documentOf(contract: Contract): Document {
  const known = documents.get(contract)
  if (known) return known
  const document = openApiOf(contract) as Document
  documents.set(contract, document)
  return document
}

function operationOf(contract: Contract, endpoint: Endpoint): Operation {
  const path = `${contract.prefixes[0] ?? ''}${endpoint.path.replace(/:([A-Za-z_]+)/g, '{$1}')}`
  const operation = documentOf(contract).paths[path]?.[endpoint.method.toLowerCase()]
  if (!operation) throw new Error(`${endpoint.method} ${path} is not published`)
  return operation
}

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema)
  if (known) return known
  const validate = ajv.compile(schema)
  validators.set(schema, validate)
  return validate
}

/** Code of a refusal; `undefined` for a success. */
function codeIn(contract: Contract, status: number, value: unknown): string | undefined {
  const read = contract.envelope.read(status, value)
  return read && 'code' in read ? read.code : undefined
}
