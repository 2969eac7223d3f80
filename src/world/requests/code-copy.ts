import type { Endpoint } from '../../http/contract/contract.ts'
import type { Exchange } from '../../http/server/exchanges/exchange-log.ts'
import { meaningfulHeadersOf, objectIn, paramsOf, queryOf } from './request-values.ts'

const connectors: Readonly<Record<string, { readonly connect: string; readonly keys: string }>> = {
  casino: { connect: 'connectCasino', keys: 'apiKey: API_KEY, secret: SECRET' },
  gateway: { connect: 'connectGateway', keys: 'apiKey: API_KEY' },
  chat: { connect: 'connectChat', keys: 'apiKey: API_KEY' },
}

/** Returns a program that sends a request with the typed client; undefined where the package has none for its API. */
export function codeOf(exchange: Exchange, api: string | null, body: string): string | undefined {
  const { endpoint, endpointName } = exchange
  const connector = connectors[api ?? '']
  if (!endpoint || endpointName === undefined || !connector) return undefined
  const { connect, keys } = connector
  const base = exchange.prefix.startsWith('/sandbox') ? "BASE_URL + '/sandbox'" : 'BASE_URL'
  const names = ['BASE_URL', 'API_KEY', ...(keys.includes('SECRET') ? ['SECRET'] : [])]
  const headers = headersText(exchange, (name) => names.push(name))
  const call = `client.${endpointName}(${inputText(exchange, endpoint, body)}${headers})`
  return [
    "import { env } from 'node:process'",
    `import { ${connect} } from 'countroom'`,
    '',
    `const { ${names.join(', ')} } = env`,
    `const { client, close } = ${connect}({ baseUrl: ${base}, ${keys} })`,
    `console.log(await ${call})`,
    'await close()',
  ].join('\n')
}

/** Returns the option with the headers of a call, and names the variables that they need. */
function headersText(exchange: Exchange, needs: (variable: string) => void): string {
  const all = Object.entries(meaningfulHeadersOf(exchange)).map(
    ([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`,
  )
  if (exchange.headers['authorization'] !== undefined) {
    needs('TOKEN')
    // biome-ignore lint/suspicious/noTemplateCurlyInString: code of the copy
    all.push('authorization: `Bearer ${TOKEN}`')
  }
  return all.length === 0 ? '' : `, { headers: { ${all.join(', ')} } }`
}

function inputText(exchange: Exchange, endpoint: Endpoint, body: string): string {
  const input = {
    ...(endpoint.params ? { params: paramsOf(exchange) } : {}),
    ...(endpoint.query ? { query: numbered(endpoint.query, queryOf(exchange)) } : {}),
    ...(endpoint.body ? { body: objectIn(body, exchange.headers['content-type']) ?? {} } : {}),
  }
  return JSON.stringify(input)
}

/** Returns the values of a query in the types of the schema, so that the code compiles. */
function numbered(schema: object, query: Record<string, unknown>): Record<string, unknown> {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> }
  return Object.fromEntries(
    Object.entries(query).map(([name, value]) => {
      const type = properties[name]?.type
      if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(String(value)))
        return [name, Number(value)]
      if (type === 'boolean' && (value === 'true' || value === 'false')) return [name, value === 'true']
      return [name, value]
    }),
  )
}

/** Returns a receiver that verifies a callback before it uses it. Its only dependency is Node. */
export function receiverOf({ headers, url }: Exchange): string {
  const path = JSON.stringify(pathOf(url))
  const isWebhook = headers['x-svc-signature'] !== undefined
  return [
    '// Start it with SECRET and PORT in the environment.',
    `import { createHmac, timingSafeEqual } from 'node:crypto'`,
    `import { createServer } from 'node:http'`,
    `import { env } from 'node:process'`,
    '',
    "const { SECRET = '', PORT = '3000' } = env",
    '',
    ...(isWebhook ? webhookCheck : ipnCheck),
    '',
    'createServer(async (request, response) => {',
    '  const chunks = []',
    '  for await (const chunk of request) chunks.push(chunk)',
    '  // The signature is that of the bytes as they came.',
    '  const body = Buffer.concat(chunks)',
    `  if (request.url !== ${path}) return response.writeHead(404).end()`,
    '  if (!isGenuine(request.headers, body)) return response.writeHead(401).end()',
    ...(isWebhook ? webhookUse : ipnUse),
    '  response.writeHead(200).end()',
    "}).listen(Number(PORT), '127.0.0.1')",
  ].join('\n')
}

function pathOf(url: string): string {
  try {
    const { pathname, search } = new URL(url)
    return pathname + search
  } catch {
    return '/'
  }
}

const same = [
  'function isSame(given, expected) {',
  "  const bytes = Buffer.from(given, 'hex')",
  '  return bytes.length === expected.length && timingSafeEqual(bytes, expected)',
  '}',
  '',
]

const webhookCheck = [
  ...same,
  'function isGenuine(headers, body) {',
  "  const [, t = '', v1 = ''] = /^t=(\\d+),v1=([0-9a-f]+)$/.exec(headers['x-svc-signature'] ?? '') ?? []",
  "  const expected = createHmac('sha256', SECRET).update(t + '.').update(body).digest()",
  '  return isSame(v1, expected) && Math.abs(Date.now() / 1000 - Number(t)) <= 300',
  '}',
]

const webhookUse = [
  '  // Deliveries can be duplicates: keep the id, and skip one that you have.',
  '  const { id, event, data } = JSON.parse(body)',
  '  console.log(id, event, data)',
]

const ipnCheck = [
  ...same,
  'function isGenuine(headers, body) {',
  "  return isSame(headers['x-gw-sig'] ?? '', createHmac('sha512', SECRET).update(body).digest())",
  '}',
]

const ipnUse = [
  '  // IPNs can be duplicates, late or out of order: apply each status of an object once, or read the object from the API.',
  '  console.log(JSON.parse(body))',
]
