import { parse as parseQuery } from 'node:querystring'
import { maskedText } from '../../domain/message-masks.ts'
import type { Endpoint } from '../../http/contract/contract.ts'
import { pathFinder } from '../../http/contract/router.ts'
import type { Exchange } from '../../http/server/exchanges/exchange-log.ts'
import { keyHeader } from './command-templates.ts'
import type { RequestValues } from './equal-command.ts'
import { wholeBody } from './record.ts'

/** Headers of a request that change what it does, without credentials. */
const meaningfulHeaders = [keyHeader, 'if-none-match', 'last-event-id', 'upload-offset', 'range', 'accept-language']

/** Returns the headers of a request that change what it does. */
export function meaningfulHeadersOf({ headers }: Pick<Exchange, 'headers'>): Record<string, string> {
  return Object.fromEntries(
    meaningfulHeaders.flatMap((name) => {
      const value = headers[name]
      // Programs without a language send `*`.
      return value === undefined || value === '*' ? [] : [[name, value]]
    }),
  )
}

/** Returns the body with secrets masked; undefined if it is not kept whole. */
export function maskedBody(exchange: Exchange): string | undefined {
  if (exchange.body === undefined) return ''
  const bytes = wholeBody(exchange)
  return bytes === undefined ? undefined : maskedText(Buffer.from(bytes).toString())
}

/** Returns the values of the path's parameters. */
export function paramsOf({ contract, method, url, prefix }: Exchange): Readonly<Record<string, string>> {
  if (!contract) return {}
  const match = pathFinder<Endpoint>(contract.endpoints)(method, (url.split('?')[0] ?? '').slice(prefix.length))
  return match && 'params' in match ? match.params : {}
}

export const queryOf = ({ url }: Exchange) => ({ ...parseQuery(maskedText(url).split('?')[1] ?? '') })

/** Returns the object in a body of JSON or of a form. */
export function objectIn(body: string, type: string | undefined): Record<string, unknown> | undefined {
  if (type?.startsWith('application/x-www-form-urlencoded')) return { ...parseQuery(body) }
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}

/**
 * Returns the values that the service reads from a request: the fields of its schemas, and the headers that change what
 * it does.
 */
export function valuesOf(exchange: Exchange, endpoint: Endpoint, body: string): RequestValues {
  const { 'content-type': type } = exchange.headers
  const { 'accept-language': _, ...headers } = meaningfulHeadersOf(exchange)
  const read = [
    known(endpoint.query, queryOf(exchange)),
    known(endpoint.body, objectIn(body, type) ?? {}),
    paramsOf(exchange),
    headers,
  ]
  return Object.fromEntries(read.flatMap((values) => Object.entries(values).flatMap(flat)))
}

/** Returns the values that a schema names; others are ignored by the service. */
function known(schema: object | undefined, values: Record<string, unknown>): Record<string, unknown> {
  const properties = (schema as { properties?: object } | undefined)?.properties
  if (properties === undefined) return {}
  return Object.fromEntries(Object.entries(values).filter(([name]) => Object.hasOwn(properties, name)))
}

/** Names the values of an object, or of the only object of a list, `parent.child`, and those of a list of fields by their codes. */
function flat([name, value]: [string, unknown]): [string, unknown][] {
  if (Array.isArray(value) && value.every(isField))
    return value.map((each) => [`${name}.${each.fieldCode}`, each.value])
  const inner = Array.isArray(value) && value.length === 1 ? value[0] : value
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return [[name, value]]
  return Object.entries(inner).map(([child, each]) => [`${name}.${child}`, each])
}

function isField(value: unknown): value is { fieldCode: string; value: unknown } {
  return typeof value === 'object' && value !== null && 'fieldCode' in value && 'value' in value
}
