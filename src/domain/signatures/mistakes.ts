import { createHash, createHmac } from 'node:crypto'
import { canonicalJson } from '../../kit/canonical-json.ts'
import { signatureWindowMs, type TenantRequest } from '../signing.ts'

/** Usual mistakes in a tenant's signature, each as a change of what is signed. A signature proves a mistake if the changed text gives it. */

/** The five signed lines, in their order. */
export const lineNames = ['method', 'path', 'timestamp', 'nonce', 'bodySha256'] as const
export type LineName = (typeof lineNames)[number]

/** A signed text before it is put together. */
export interface Draft {
  readonly lines: Readonly<Record<LineName, string>>
  readonly secret: string | Uint8Array
  /** Joins the lines and signs them. */
  readonly sign: (lines: readonly string[], secret: string | Uint8Array) => Buffer
}

/** A mistake: the part it changes, a sentence, and the changed value. */
export interface Mistake {
  readonly part: LineName | 'secret' | 'text'
  readonly hint: string
  readonly apply: (draft: Draft) => Draft
}

const digestOf = (text: string, secret: string | Uint8Array, algorithm = 'sha256') =>
  createHmac(algorithm, secret).update(text).digest()

/** Signs as the document says: the lines joined by a line feed, none after the last. */
export const properly: Draft['sign'] = (lines, secret) => digestOf(lines.join('\n'), secret)

/** Returns every mistake that can be tried on a request. */
export function mistakesOf(request: TenantRequest, secret: string): Mistake[] {
  return [
    ...methodMistakes(request),
    ...pathMistakes(request),
    ...timestampMistakes(request),
    ...nonceMistakes(request),
    ...bodyMistakes(request),
    ...textMistakes,
    ...secretMistakes(secret),
  ]
}

/** Returns a mistake in one line, if the line is another one with it. */
function inLine(part: LineName, value: string, hint: string): Mistake {
  return { part, hint, apply: (draft) => ({ ...draft, lines: { ...draft.lines, [part]: value } }) }
}

function unlike(right: string, mistakes: readonly Mistake[]): Mistake[] {
  return mistakes.filter(({ part, apply }) => apply(blank(right)).lines[part as LineName] !== right)
}

const blank = (value: string): Draft => ({
  lines: { method: value, path: value, timestamp: value, nonce: value, bodySha256: value },
  secret: '',
  sign: properly,
})

function methodMistakes({ method }: TenantRequest): Mistake[] {
  const right = method.toUpperCase()
  const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((other) =>
    inLine('method', other, `The signature was made for ${other}, the request is ${right}`),
  )
  const lower = inLine('method', method.toLowerCase(), 'Sign the method in upper case')
  return unlike(right, [lower, ...others])
}

function pathMistakes({ url }: TenantRequest): Mistake[] {
  const [path = '', query] = splitQuery(url)
  const pairs = query?.split('&') ?? []
  const withQuery = (text: string) => (query === undefined ? path : `${path}?${text}`)
  const belowPrefix = url.replace(/^\/api\/tenant\/v1/, '')
  const at = (value: string, hint: string) => inLine('path', value, hint)
  return unlike(url, [
    at(path, 'Sign the path with its query, exactly as sent'),
    at(withQuery(decoded(query ?? '')), 'Sign the query as it is sent, percent-encoded, not decoded'),
    at(decoded(url), 'Sign the path and query as they are sent, percent-encoded, not decoded'),
    at(encodeURI(decoded(url)), 'Sign the query with the same percent-encoding as it is sent with'),
    at(withQuery(pairs.map(encodedPair).join('&')), 'Send the query percent-encoded as it was signed'),
    at(withQuery((query ?? '').replaceAll('%20', '+')), 'The query is sent with %20 for a space but signed with +'),
    at(withQuery((query ?? '').replaceAll('+', '%20')), 'The query is sent with + for a space but signed with %20'),
    at(withQuery([...pairs].sort().join('&')), 'Sign the query in the order it is sent; the signed one was sorted'),
    at(
      withQuery([...pairs].reverse().join('&')),
      'Sign the query in the order it is sent; the signed one was in another order',
    ),
    at(withQuery(lowerEscapes(query ?? '')), 'Percent-encoding is signed in lower case but sent in upper case'),
    at(withQuery(upperEscapes(query ?? '')), 'Percent-encoding is signed in upper case but sent in lower case'),
    at(`${path}?`, 'Sign the path without a "?" when there is no query'),
    at(belowPrefix, 'Sign the whole path, starting with /api/tenant/v1'),
    at(`/api/tenant/v1${url}`, 'The path is sent without /api/tenant/v1 but signed with it'),
    at(url.replace(/^\//, ''), 'Sign the path with its first slash'),
    at(query === undefined ? `${path}/` : `${path}/?${query}`, 'Sign the path without a slash at its end'),
    at(path.replace(/\/$/, ''), 'The path is sent with a slash at its end but signed without it'),
  ])
}

function timestampMistakes({ timestamp }: TenantRequest): Mistake[] {
  const at = (value: string, hint: string) => inLine('timestamp', value, hint)
  const seconds = Number(timestamp)
  if (!/^\d{1,14}$/.test(timestamp)) return []
  if (timestamp.length > 11)
    return [at(String(Math.floor(seconds / 1000)), 'X-Timestamp is in milliseconds but the signed one is in seconds')]
  // A client that asks for the time twice signs any millisecond of that second.
  const milliseconds = Array.from({ length: 1000 }, (_, ms) =>
    at(String(seconds * 1000 + ms), 'The signed timestamp is in milliseconds: sign the seconds of X-Timestamp'),
  )
  const iso = new Date(seconds * 1000).toISOString()
  return [
    at(iso, 'The signed timestamp is an ISO 8601 text: sign the seconds of X-Timestamp'),
    at(iso.replace('.000Z', 'Z'), 'The signed timestamp is an ISO 8601 text: sign the seconds of X-Timestamp'),
    ...[-2, -1, 1, 2].map((off) =>
      at(String(seconds + off), 'The signed timestamp is another second than X-Timestamp: read the clock once'),
    ),
    ...milliseconds,
  ]
}

function nonceMistakes({ nonce }: TenantRequest): Mistake[] {
  const at = (value: string, hint: string) => inLine('nonce', value, hint)
  const uuid = nonce.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return unlike(nonce, [
    at(nonce.toLowerCase(), 'The nonce is signed in lower case but sent otherwise'),
    at(nonce.toUpperCase(), 'The nonce is signed in upper case but sent otherwise'),
    at(uuid, 'The nonce is signed with dashes but sent without them'),
    at('', 'The signed nonce is empty'),
  ])
}

const sha256 = (body: string | Uint8Array) => createHash('sha256').update(body).digest()

function bodyMistakes({ body }: TenantRequest): Mistake[] {
  const bytes = typeof body === 'string' ? Buffer.from(body) : Buffer.from(body)
  const text = bytes.toString()
  const right = sha256(bytes)
  const at = (value: string, hint: string) => inLine('bodySha256', value, hint)
  const hashed = (other: string, hint: string) => at(sha256(other).toString('hex'), hint)
  const ended = text.replace(/\r?\n$/, '')
  return unlike(right.toString('hex'), [
    hashed(`${text}\n`, 'The signed body ends with a line feed that the sent one does not have'),
    hashed(`${text}\r\n`, 'The signed body ends with a line break that the sent one does not have'),
    hashed(ended, 'The sent body ends with a line feed that the signed one does not have'),
    hashed(text.replaceAll('\r\n', '\n'), 'The body is sent with CRLF line ends but signed with LF'),
    hashed(text.replaceAll(/\r?\n/g, '\r\n'), 'The body is sent with LF line ends but signed with CRLF'),
    hashed(`\uFEFF${text}`, 'The signed body begins with a byte order mark that the sent one does not have'),
    hashed(
      text.replace(/^\uFEFF/, ''),
      'The sent body begins with a byte order mark that the signed one does not have',
    ),
    at(
      createHash('sha256').update(Buffer.from(text, 'latin1')).digest('hex'),
      'The body is signed as Latin-1 but sent as UTF-8',
    ),
    ...serializations(text).map((other) =>
      hashed(other, 'The body was serialized again: sign the exact bytes that are sent'),
    ),
    hashed('', 'The signature does not cover the body'),
    at(right.toString('base64'), 'Sign the body hash in lower-case hex, not in Base64'),
    at(right.toString('hex').toUpperCase(), 'Sign the body hash in lower-case hex, not in upper case'),
    at(createHash('md5').update(bytes).digest('hex'), 'Sign the SHA-256 of the body, not its MD5'),
    at(createHash('sha1').update(bytes).digest('hex'), 'Sign the SHA-256 of the body, not its SHA-1'),
    at('', 'Sign the SHA-256 of the body even if it is empty'),
    at(text, 'Sign the SHA-256 of the body, not the body itself'),
  ])
}

/** Returns other texts of a JSON body, as common libraries write them. */
function serializations(text: string): string[] {
  if (text === '') return ['{}', 'null', '""', '[]', 'undefined']
  try {
    const value: unknown = JSON.parse(text)
    const compact = JSON.stringify(value)
    return [
      compact,
      ...[2, 4, '\t'].map((indent) => JSON.stringify(value, null, indent)),
      ...[compact, canonicalJson(value)].flatMap((each) => [
        spaced(each),
        ascii(each),
        ascii(spaced(each)),
        slashed(each),
      ]),
      canonicalJson(value),
      JSON.stringify(value, (_, part) => (typeof part === 'number' ? String(part) : part)),
      JSON.stringify(value, (_, part) => (isDecimal(part) ? Number(part) : part)),
    ]
  } catch {
    return []
  }
}

const isDecimal = (part: unknown): part is string => typeof part === 'string' && /^-?\d+(\.\d+)?$/.test(part)

/** Writes a compact JSON text as Python does by default: a space after each colon and comma. */
const spaced = (json: string) =>
  json.replace(/"(?:[^"\\]|\\.)*"|[:,]/g, (token) => (token === ':' || token === ',' ? `${token} ` : token))

/** Escapes all that is not ASCII, as PHP and Python do by default. */
const ascii = (json: string) =>
  json.replace(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Escapes slashes, as PHP does by default. */
const slashed = (json: string) => ascii(json).replaceAll('/', '\\/')

const joinedBy = (separator: string, hint: string, end = ''): Mistake => ({
  part: 'text',
  hint,
  apply: (draft) => ({ ...draft, sign: (lines, secret) => digestOf(lines.join(separator) + end, secret) }),
})

const signedBy = (hint: string, sign: Draft['sign']): Mistake => ({
  part: 'text',
  hint,
  apply: (draft) => ({ ...draft, sign }),
})

const orders: Mistake[] = permutations([0, 1, 2, 3, 4])
  .filter((order) => order.some((line, at) => line !== at))
  .map((order) =>
    signedBy('Sign the lines in the order method, path, timestamp, nonce, body hash', (lines, secret) =>
      properly(
        order.map((at) => lines[at] ?? ''),
        secret,
      ),
    ),
  )

const omissions: Mistake[] = lineNames.map((name, at) =>
  signedBy(`The line ${name} was not signed`, (lines, secret) =>
    properly(
      lines.filter((_, line) => line !== at),
      secret,
    ),
  ),
)

const textMistakes: readonly Mistake[] = [
  joinedBy('\n', 'Sign no line feed after the last line', '\n'),
  joinedBy('\r\n', 'Join the lines with a line feed (LF), not with CRLF'),
  joinedBy('\r\n', 'Join the lines with a line feed (LF), not with CRLF, and sign none after the last line', '\r\n'),
  joinedBy('\\n', 'Join the lines with a line feed, not with the two characters \\n'),
  ...['', ' ', ':', '|', '&', '.', ','].map((separator) =>
    joinedBy(separator, `Join the lines with a line feed, not with ${separator === '' ? 'nothing' : `"${separator}"`}`),
  ),
  ...omissions,
  ...orders,
  signedBy('Sign with HMAC-SHA256, not with a plain SHA-256 of secret and text', (lines, secret) =>
    createHash('sha256').update(secret).update(lines.join('\n')).digest(),
  ),
  signedBy(
    'Sign with HMAC-SHA256: the text is the message and the secret is the key, not the other way around',
    (lines, secret) => createHmac('sha256', lines.join('\n')).update(secret).digest(),
  ),
  signedBy('Sign with HMAC-SHA256, not with HMAC-SHA512', (lines, secret) =>
    digestOf(lines.join('\n'), secret, 'sha512'),
  ),
  signedBy('Sign with HMAC-SHA256, not with HMAC-SHA1', (lines, secret) => digestOf(lines.join('\n'), secret, 'sha1')),
]

function permutations(items: readonly number[]): number[][] {
  if (items.length <= 1) return [[...items]]
  return items.flatMap((item) => permutations(items.filter((each) => each !== item)).map((rest) => [item, ...rest]))
}

function secretMistakes(secret: string): Mistake[] {
  const at = (other: string | Uint8Array, hint: string): Mistake => ({
    part: 'secret',
    hint,
    apply: (draft) => ({ ...draft, secret: other }),
  })
  const space = 'The secret has white space around it: remove the space or line break at its end'
  const others = [
    at(`${secret}\n`, space),
    at(`${secret}\r\n`, space),
    at(`${secret} `, space),
    at(` ${secret}`, space),
    at(`${secret}\t`, space),
    at(secret.trim(), 'The secret given here has white space around it, the one that signed has not'),
    at(`"${secret}"`, 'The secret has quotation marks around it'),
    at(secret.toLowerCase(), 'The secret was changed to lower case'),
    at(secret.toUpperCase(), 'The secret was changed to upper case'),
    at(Buffer.from(secret, 'base64'), 'Use the secret as it is: it was decoded from Base64'),
    at(Buffer.from(secret, 'hex'), 'Use the secret as it is: it was decoded from hex'),
    at(Buffer.from(secret).toString('base64'), 'Use the secret as it is: it was encoded in Base64'),
    at('', 'The secret is empty'),
  ]
  return others.filter((mistake) => mistake.apply(blank('')).secret !== secret)
}

/** Returns hints that need no signature: forms that the platform refuses, and a time far from now. */
export function formHints(request: TenantRequest, now: number): string[] {
  const { url, timestamp, nonce } = request
  const hints: string[] = []
  if (/^https?:\/\//i.test(url)) hints.push('The path must be without scheme and host, starting with /api/tenant/v1')
  else if (!url.startsWith('/api/tenant/v1/')) hints.push('The path must start with /api/tenant/v1/')
  if (/^\d{12,14}$/.test(timestamp)) hints.push('X-Timestamp must be in seconds; this one is in milliseconds')
  else if (!/^\d{9,11}$/.test(timestamp)) hints.push('X-Timestamp must be the Unix time in seconds')
  else {
    const skew = Math.round((Number(timestamp) * 1000 - now) / 1000)
    if (Math.abs(skew) * 1000 > signatureWindowMs)
      hints.push(
        `X-Timestamp is ${Math.abs(skew)} s ${skew < 0 ? 'behind' : 'ahead of'} the clock used here; the platform accepts ${signatureWindowMs / 1000} s`,
      )
  }
  if (!/^[A-Za-z0-9]{16,64}$/.test(nonce)) hints.push('X-Nonce must be 16 to 64 letters and digits')
  return hints
}

function splitQuery(url: string): [string, string | undefined] {
  const mark = url.indexOf('?')
  return mark < 0 ? [url, undefined] : [url.slice(0, mark), url.slice(mark + 1)]
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

function encodedPair(pair: string): string {
  const [name = '', ...rest] = pair.split('=')
  return [name, ...rest].map((part) => encodeURIComponent(decoded(part))).join('=')
}

const lowerEscapes = (text: string) => text.replace(/%[0-9A-F]{2}/g, (code) => code.toLowerCase())
const upperEscapes = (text: string) => text.replace(/%[0-9a-f]{2}/g, (code) => code.toUpperCase())
