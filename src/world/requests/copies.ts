import { parse as parseQuery } from 'node:querystring'
import { maskedText } from '../../domain/message-masks.ts'
import type { Endpoint } from '../../http/contract/contract.ts'
import { pathFinder } from '../../http/contract/router.ts'
import type { Exchange } from '../../http/server/exchanges/exchange-log.ts'
import { equalCommand } from './equal-command.ts'
import { wholeBody } from './record.ts'

/** A recorded request as something to run again. No copy contains a key: keys come from the environment. */
export interface RequestCopies {
  /** A shell script that signs the request again and sends it. */
  readonly curl: string
  /** The countroom command that does the same; null where there is none. */
  readonly command: string | null
  /** A program with the typed client; null where the package has none for this API. */
  readonly code: string | null
}

/** Returns a request as curl, as a command and as code. `quoted` quotes a word for a shell. */
export function copiesOf(exchange: Exchange, service: string | null, quoted: (word: string) => string): RequestCopies {
  const body = maskedText(Buffer.from(wholeBody(exchange) ?? new Uint8Array()).toString())
  return {
    curl: curlOf(exchange, service, body, quoted),
    command: equalCommand(service, exchange, valuesOf(exchange, body), quoted),
    code: codeOf(exchange, service, body),
  }
}

function curlOf(exchange: Exchange, service: string | null, body: string, quoted: (word: string) => string): string {
  const { method, kind, headers } = exchange
  const url = maskedText(exchange.url)
  const type = headers['content-type'] ?? (body === '' ? undefined : 'application/json')
  const [signing, signedHeaders] =
    kind === 'callback' ? callbackSigning(headers, quoted) : requestSigning(exchange, service, quoted)
  const all = [...(type === undefined ? [] : [quoted(`content-type: ${type}`)]), ...signedHeaders]
  const target = kind === 'callback' ? quoted(url) : `"$BASE_URL"${quoted(url)}`
  const lines = [
    `curl -i -X ${quoted(method)} ${target}`,
    ...all.map((header) => `-H ${header}`),
    ...(body === '' ? [] : ['--data-raw "$body"']),
  ]
  return [
    ...(body === '' && signing.length === 0 ? [] : [`body=${body === '' ? "''" : quoted(body)}`]),
    ...signing,
    lines.join(' \\\n  '),
  ].join('\n')
}

/** Returns the lines that sign a request to a service, and the headers with its credentials. */
function requestSigning(
  { method, url, headers, contract }: Exchange,
  service: string | null,
  quoted: (word: string) => string,
): [string[], string[]] {
  if (service === 'casino' && headers['x-api-key'] !== undefined)
    return [
      [
        `path=${quoted(maskedText(url))}`,
        'timestamp=$(date +%s)',
        'nonce=$(openssl rand -hex 16)',
        `hash=$(printf '%s' "$body" | openssl dgst -sha256 -r | cut -d' ' -f1)`,
        `signature=$(printf '%s\\n%s\\n%s\\n%s\\n%s' ${quoted(method.toUpperCase())} "$path" "$timestamp" "$nonce" "$hash" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)`,
      ],
      ['x-api-key: $API_KEY', 'x-timestamp: $timestamp', 'x-nonce: $nonce', 'x-signature: $signature'].map(expanded),
    ]
  const names = Object.values(contract?.credentials ?? {}).flatMap((each) =>
    each.type === 'apiKey' && each.in === 'header' ? [each.name.toLowerCase()] : ['authorization'],
  )
  const credentials = [...new Set(names)].filter((name) => headers[name] !== undefined)
  return [
    [],
    credentials.map((name) =>
      expanded(name === 'authorization' ? 'authorization: Bearer $TOKEN' : `${name}: $API_KEY`),
    ),
  ]
}

/** A header whose variables the shell replaces. Only texts of our own: a recorded value could contain shell code. */
const expanded = (header: string) => `"${header}"`

/** Returns the lines that sign a callback with the receiver's secret. */
function callbackSigning(headers: Exchange['headers'], quoted: (word: string) => string): [string[], string[]] {
  const others = Object.entries(headers)
    .filter(([name]) => /^x-svc-(event|delivery)$|^user-agent$/.test(name))
    .map(([name, value]) => quoted(`${name}: ${value}`))
  if (headers['x-svc-signature'] !== undefined)
    return [
      [
        'timestamp=$(date +%s)',
        `signature=$(printf '%s.%s' "$timestamp" "$body" | openssl dgst -sha256 -hmac "$SECRET" -r | cut -d' ' -f1)`,
      ],
      [...others, expanded('x-svc-signature: t=$timestamp,v1=$signature')],
    ]
  const name = Object.keys(headers).find((each) => /sig$/.test(each)) ?? 'x-gw-sig'
  return [
    [`signature=$(printf '%s' "$body" | openssl dgst -sha512 -hmac "$SECRET" -r | cut -d' ' -f1)`],
    [...others, expanded(`${name}: $signature`)],
  ]
}

const connectors: Readonly<Record<string, { readonly connect: string; readonly keys: string }>> = {
  casino: { connect: 'connectCasino', keys: 'apiKey: API_KEY, secret: SECRET' },
  gateway: { connect: 'connectGateway', keys: 'apiKey: API_KEY' },
  chat: { connect: 'connectChat', keys: 'apiKey: API_KEY' },
}

function codeOf(exchange: Exchange, service: string | null, body: string): string | null {
  const { endpoint, endpointName, headers, contract, kind } = exchange
  const connector = connectors[service ?? '']
  // The package has clients of the three main APIs; the pages' own have none.
  const isMain =
    contract !== undefined && /^\/(api\/tenant|api\/public|api|v1)\/?(v1)?$/.test(contract.prefixes[0] ?? '')
  if (kind === 'callback' || !endpoint || endpointName === undefined || !connector || !isMain) return null
  const { connect, keys } = connector
  const bearer = headers['authorization'] === undefined ? '' : ", { headers: { authorization: 'Bearer ' + env.TOKEN } }"
  const base = exchange.prefix.startsWith('/sandbox') ? "BASE_URL + '/sandbox'" : 'BASE_URL'
  return [
    "import { env } from 'node:process'",
    `import { ${connect} } from 'countroom'`,
    '',
    `const { BASE_URL, API_KEY${keys.includes('SECRET') ? ', SECRET' : ''} } = env`,
    `const { client, close } = ${connect}({ baseUrl: ${base}, ${keys} })`,
    `console.log(await client.${endpointName}(${inputText(exchange, endpoint, body)}${bearer}))`,
    'await close()',
  ].join('\n')
}

function inputText(exchange: Exchange, endpoint: Endpoint, body: string): string {
  const input = {
    ...(endpoint.params ? { params: paramsOf(exchange) } : {}),
    ...(endpoint.query ? { query: { ...parseQuery(maskedText(exchange.url).split('?')[1] ?? '') } } : {}),
    ...(endpoint.body ? { body: jsonOf(body) ?? {} } : {}),
  }
  return JSON.stringify(input)
}

function paramsOf({ contract, method, url, prefix }: Exchange): Readonly<Record<string, string>> {
  if (!contract) return {}
  const match = pathFinder<Endpoint>(contract.endpoints)(method, (url.split('?')[0] ?? '').slice(prefix.length))
  return match && 'params' in match ? match.params : {}
}

/** Returns the values of a request by their names. A later source wins, as a path names its subject best. */
function valuesOf(exchange: Exchange, body: string): Record<string, string> {
  const query = parseQuery(maskedText(exchange.url).split('?')[1] ?? '')
  const all = Object.entries({ ...jsonOf(body), ...query, ...paramsOf(exchange) })
  return Object.fromEntries(
    all.flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'number' ? [[name, String(value)]] : [],
    ),
  )
}

function jsonOf(body: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(body)
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
  } catch {
    return undefined
  }
}
