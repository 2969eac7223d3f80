import { maskedText } from '../../domain/message-masks.ts'
import type { Exchange } from '../../http/server/exchanges/exchange-log.ts'
import { meaningfulHeadersOf } from './request-values.ts'

/** Returns a shell script that signs a request or a callback again and sends it. */
export function curlOf(
  exchange: Exchange,
  service: string | null,
  body: string,
  quoted: (word: string) => string,
): string {
  const { method, kind, headers } = exchange
  const url = maskedText(exchange.url)
  const type = headers['content-type'] ?? (body === '' ? undefined : 'application/json')
  const [signing, signedHeaders] =
    kind === 'callback' ? callbackSigning(headers, quoted) : requestSigning(exchange, service, quoted)
  const meaningful = Object.entries(meaningfulHeadersOf(exchange))
  const all = [
    ...(type === undefined ? [] : [quoted(`content-type: ${type}`)]),
    ...meaningful.map(([name, value]) => quoted(`${name}: ${value}`)),
    ...signedHeaders,
  ]
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
  const names = ipnSignatureHeaders(headers)
  return [
    [`signature=$(printf '%s' "$body" | openssl dgst -sha512 -hmac "$SECRET" -r | cut -d' ' -f1)`],
    [...others, ...names.map((name) => expanded(`${name}: $signature`))],
  ]
}

/** Returns the headers of an IPN that have its signature: the gateway's own, and one that its merchant has chosen. */
export function ipnSignatureHeaders(headers: Exchange['headers']): string[] {
  const value = headers['x-gw-sig']
  const names = Object.keys(headers).filter((name) => value !== undefined && headers[name] === value)
  return names.length === 0 ? ['x-gw-sig'] : names
}
