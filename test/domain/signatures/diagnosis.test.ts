import { createHash, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { diagnose, signedLines } from '../../../src/domain/signatures/diagnosis.ts'
import { formHints } from '../../../src/domain/signatures/mistakes.ts'
import { diagnoseSent, splitUrl } from '../../../src/domain/signatures/whole-url.ts'
import { signTenantRequest } from '../../../src/domain/signing.ts'

const secret = 'sk_9f8e7d6c5b4a39281706f5e4d3c2b1a0'
const body = '{"username":"amy","txnId":"t-1","amount":"100","currency":"USD"}'
const post = {
  method: 'POST',
  url: '/api/tenant/v1/wallet/deposit',
  timestamp: '1772323200',
  nonce: 'a1b2c3d4e5f60718293a4b5c6d7e8f90',
  body,
}
const get = { ...post, method: 'GET', url: '/api/tenant/v1/bets?limit=10&cursor=a%2Fb%20c', body: '' }

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const hmac = (text: string, key: string | Buffer = secret) => createHmac('sha256', key).update(text).digest()
/** Signs five lines, any of them replaced. */
const signed = (
  request: typeof post,
  change: Partial<Record<'method' | 'url' | 'timestamp' | 'nonce' | 'hash', string>>,
) =>
  hmac(
    [
      change.method ?? request.method,
      change.url ?? request.url,
      change.timestamp ?? request.timestamp,
      change.nonce ?? request.nonce,
      change.hash ?? hash(request.body),
    ].join('\n'),
  ).toString('hex')
const lines = (request: typeof post) => [
  request.method,
  request.url,
  request.timestamp,
  request.nonce,
  hash(request.body),
]
const pretty = JSON.stringify(JSON.parse(body), null, 2)

test('the five lines are those of the document, with their length in bytes', () => {
  expect(signedLines({ ...post, method: 'post' })).toEqual([
    { name: 'method', value: 'POST', bytes: 4 },
    { name: 'path', value: post.url, bytes: 29 },
    { name: 'timestamp', value: post.timestamp, bytes: 10 },
    { name: 'nonce', value: post.nonce, bytes: 32 },
    { name: 'bodySha256', value: hash(body), bytes: 64 },
  ])
})

test('the right signature matches', () => {
  const right = { verdict: 'match', differs: null, hints: [] }
  expect(diagnose(secret, post, signTenantRequest(secret, post))).toMatchObject(right)
  expect(diagnose(secret, get, signed(get, {}))).toMatchObject(right)
})

test('a signature of the whole URL is named, with any of the hosts, with and without a scheme', () => {
  const hosts = ['casino.example:8443', 'https://other.example/base', '']
  for (const prefix of ['http://casino.example:8443', 'https://other.example', 'other.example'])
    expect(diagnoseSent(secret, get, signed(get, { url: prefix + get.url }), hosts)).toEqual({
      ...{ verdict: 'differs', differs: 'path', signedValue: prefix + get.url },
      hints: [expect.stringContaining('sign the path with its query')],
    })
  const foreign = signed(get, { url: `https://third.example${get.url}` })
  expect(diagnoseSent(secret, get, foreign, hosts)).toMatchObject({ verdict: 'differs', differs: null, hints: [] })
  expect(diagnoseSent(secret, get, signed(get, {}), hosts)).toMatchObject({ verdict: 'match' })
  expect(diagnoseSent(secret, get, signed(get, { method: 'get' }), hosts)).toMatchObject({ differs: 'method' })
  expect(splitUrl(`https://other.example${get.url}`)).toEqual({ origin: 'https://other.example', path: get.url })
  expect(splitUrl(get.url)).toEqual({ origin: '', path: get.url })
})

describe('a mistake is named with its line', () => {
  const cases: readonly [
    name: string,
    request: typeof post,
    signature: string,
    differs: string | null,
    hint: RegExp,
  ][] = [
    ['a body that is serialized again', { ...post, body: pretty }, signed(post, {}), 'bodySha256', /serialized again/],
    [
      'a body with spaces as Python writes it',
      post,
      signed(post, { hash: hash(body.replaceAll(':', ': ').replaceAll(',', ', ')) }),
      'bodySha256',
      /serialized again/,
    ],
    [
      'a line feed at the end of the sent body',
      { ...post, body: `${body}\n` },
      signed(post, {}),
      'bodySha256',
      /sent body ends with a line feed/,
    ],
    [
      'a line feed at the end of the signed body',
      post,
      signed(post, { hash: hash(`${body}\n`) }),
      'bodySha256',
      /signed body ends with a line feed/,
    ],
    ['the body in place of its hash', post, signed(post, { hash: body }), 'bodySha256', /not the body itself/],
    ['no hash for an empty body', get, signed(get, { hash: '' }), 'bodySha256', /even if it is empty/],
    [
      'a query that is not encoded',
      get,
      signed(get, { url: '/api/tenant/v1/bets?limit=10&cursor=a/b c' }),
      'path',
      /percent-encoded/,
    ],
    [
      'a query in another order',
      get,
      signed(get, { url: '/api/tenant/v1/bets?cursor=a%2Fb%20c&limit=10' }),
      'path',
      /order/,
    ],
    ['a path without its query', get, signed(get, { url: '/api/tenant/v1/bets' }), 'path', /with its query/],
    ['a path without its prefix', post, signed(post, { url: '/wallet/deposit' }), 'path', /whole path/],
    ['milliseconds', post, signed(post, { timestamp: '1772323200417' }), 'timestamp', /milliseconds/],
    [
      'seconds where the header has milliseconds',
      { ...post, timestamp: '1772323200417' },
      signed(post, {}),
      'timestamp',
      /milliseconds/,
    ],
    ['the clock read twice', post, signed(post, { timestamp: '1772323201' }), 'timestamp', /read the clock once/],
    ['a method in lower case', post, signed(post, { method: 'post' }), 'method', /upper case/],
    [
      'a nonce with the dashes of a UUID',
      post,
      signed(post, { nonce: 'a1b2c3d4-e5f6-0718-293a-4b5c6d7e8f90' }),
      'nonce',
      /dashes/,
    ],
    ['CRLF', post, hmac(lines(post).join('\r\n')).toString('hex'), null, /LF/],
    [
      'a line feed after the last line',
      post,
      hmac(`${lines(post).join('\n')}\n`).toString('hex'),
      null,
      /after the last line/,
    ],
    ['no line ends', post, hmac(lines(post).join('')).toString('hex'), null, /not with nothing/],
    [
      'the nonce before the timestamp',
      post,
      hmac([0, 1, 3, 2, 4].map((at) => lines(post)[at]).join('\n')).toString('hex'),
      null,
      /order/,
    ],
    [
      'a secret with a line break',
      post,
      hmac(lines(post).join('\n'), `${secret}\n`).toString('hex'),
      null,
      /white space/,
    ],
    [
      'a secret decoded from hex',
      post,
      hmac(lines(post).join('\n'), Buffer.from(secret, 'hex')).toString('hex'),
      null,
      /decoded from hex/,
    ],
    ['Base64', post, hmac(lines(post).join('\n')).toString('base64'), null, /Base64/],
    ['upper-case hex', post, signed(post, {}).toUpperCase(), null, /upper case/],
    ['SHA-512', post, createHmac('sha512', secret).update(lines(post).join('\n')).digest('hex'), null, /SHA512/],
    ['a plain hash', post, hash(secret + lines(post).join('\n')), null, /plain SHA-256/],
  ]
  test.each(cases)('%s', (_, request, signature, differs, hint) => {
    const diagnosis = diagnose(secret, request, signature)
    expect(diagnosis).toMatchObject({ verdict: 'differs', differs })
    expect(diagnosis.hints.join('. ')).toMatch(hint)
  })

  test('two mistakes in different parts are both named', () => {
    const signature = hmac([...lines(post).slice(0, 4), hash(pretty)].join('\r\n')).toString('base64')
    const { hints, differs } = diagnose(secret, post, signature)
    expect(differs).toBe('bodySha256')
    expect(hints.join('. ')).toMatch(/Base64.*serialized again.*LF/)
  })
})

test('a signature that matches no mistake has no hint, and no line is named', () => {
  const other = signTenantRequest('another secret', post)
  expect(diagnose(secret, post, other)).toEqual({ verdict: 'differs', differs: null, signedValue: null, hints: [] })
  expect(diagnose(secret, post, 'nonsense').hints.join()).toMatch(/64 characters/)
})

test('no hint contains the secret', () => {
  const all = [signed(post, { timestamp: '1772323200417' }), hmac(lines(post).join('\n'), `${secret} `).toString('hex')]
  for (const signature of all) expect(JSON.stringify(diagnose(secret, post, signature))).not.toContain(secret)
})

test('formats that the platform rejects are named without a signature', () => {
  const now = 1_772_323_200_000
  expect(formHints(post, now)).toEqual([])
  expect(formHints({ ...post, timestamp: '1772323200000' }, now).join()).toMatch(/milliseconds/)
  expect(formHints({ ...post, timestamp: '1772322899' }, now).join()).toMatch(/301 s behind/)
  expect(formHints({ ...post, timestamp: '1772322900' }, now)).toEqual([])
  expect(formHints({ ...post, nonce: 'short' }, now).join()).toMatch(/16 to 64/)
  expect(formHints({ ...post, url: 'https://x.example/api/tenant/v1/tables' }, now).join()).toMatch(/scheme/)
  expect(formHints({ ...post, url: '/wallet/deposit' }, now).join()).toMatch(/api.tenant.v1/)
})

/** A request, and the same with one part changed. */
const sent = (text: string) => ({ ...post, body: text })
const hintsOf = (request: typeof post, signature: string) => diagnose(secret, request, signature).hints

describe('a changed line is named with the value that was signed', () => {
  const cases: readonly [request: typeof post, change: Parameters<typeof signed>[1]][] = [
    ...['GET', 'PUT', 'PATCH', 'DELETE', 'post'].map(
      (method) => [post, { method }] as [typeof post, { method: string }],
    ),
    [get, { method: 'POST' }],
    [get, { url: get.url.replace('%20', '+') }],
    [post, { url: `${post.url}/` }],
    [get, { url: get.url.replace('?', '/?') }],
    ...['1772323199', '1772323198', '1772323201', '1772323202', '1772323200000', '1772323200999'].map(
      (timestamp) => [post, { timestamp }] as [typeof post, { timestamp: string }],
    ),
    [post, { timestamp: '2026-03-01T00:00:00.000Z' }],
    [post, { timestamp: '2026-03-01T00:00:00Z' }],
    [{ ...post, timestamp: '17723232001' }, { timestamp: '17723232001417' }],
    [{ ...post, timestamp: '177232320041' }, { timestamp: '177232320' }],
    ...['{}', 'null', '""', '[]', 'undefined'].map((text) => [get, { hash: hash(text) }] as [typeof post, object]),
    ...[2, 4, '\t'].map(
      (indent) => [post, { hash: hash(JSON.stringify(JSON.parse(body), null, indent)) }] as [typeof post, object],
    ),
    [sent('{"amount":100,"at":"x"}'), { hash: hash('{"amount":"100","at":"x"}') }],
    [sent('{"amount":"-1.50","at":"x"}'), { hash: hash('{"amount":-1.5,"at":"x"}') }],
    [sent('{"name":"é","url":"a/b"}'), { hash: hash('{"name":"\\u00e9","url":"a/b"}') }],
    [sent('{"name":"é","url":"a/b"}'), { hash: hash('{"name":"\\u00e9","url":"a\\/b"}') }],
  ]
  test.each(cases)('%j with %j', (request, change) => {
    const found = diagnose(secret, request, signed(request, change))
    const [[part, value] = []] = Object.entries(change)
    const line = part === 'url' ? 'path' : part === 'hash' ? 'bodySha256' : part
    expect([found.differs, found.signedValue, found.hints.length]).toEqual([line, value, 1])
  })

  test.each([
    { timestamp: '1772323197' },
    { timestamp: '1772323203' },
    { timestamp: '1772323199999' },
    { timestamp: '1772323201000' },
  ])('%j is no usual mistake', (change) => {
    expect(diagnose(secret, post, signed(post, change))).toMatchObject({ differs: null, signedValue: null, hints: [] })
  })
})

describe('a mistake in the text as a whole', () => {
  test.each(['method', 'path', 'timestamp', 'nonce', 'bodySha256'])('%s was not signed', (name) => {
    const at = signedLines(post).findIndex((line) => line.name === name)
    const text = lines(post).filter((_, line) => line !== at)
    const found = diagnose(secret, post, hmac(text.join('\n')).toString('hex'))
    expect(found).toMatchObject({ differs: null, signedValue: null, hints: [`The line ${name} was not signed`] })
  })

  test.each([[[1, 2, 3, 4, 0]], [[0, 1, 2, 4, 3]], [[4, 3, 2, 1, 0]]])('the order %j', (order) => {
    const text = order.map((at) => lines(post)[at]).join('\n')
    expect(hintsOf(post, hmac(text).toString('hex'))).toEqual([
      'Sign the lines in the order method, path, timestamp, nonce, body hash',
    ])
  })

  test.each([' ', ':', '|', '&', '.', ','])('the separator "%s"', (separator) => {
    expect(hintsOf(post, hmac(lines(post).join(separator)).toString('hex'))).toEqual([
      `Join the lines with a line feed, not with "${separator}"`,
    ])
  })
})

test.each([
  // The first mistake of all with another one, and the last one of a line with the first one of the next.
  [post, { method: 'post', hash: hash(pretty) }, ['Sign the method in upper case', 'The body was serialized again']],
  [get, { method: 'DELETE', url: '/api/tenant/v1/bets' }, ['The signature was made for DELETE', 'Sign the path with']],
] as const)('two mistakes are found wherever they are: %#', (request, change, hints) => {
  const found = hintsOf({ ...request }, signed({ ...request }, change))
  expect(found).toEqual(hints.map((hint) => expect.stringContaining(hint)))
})

test('a time that is off is named in whole seconds, before or after the clock used here', () => {
  const at = (seconds: number) => formHints({ ...post, timestamp: String(1_772_323_200 + seconds) }, 1_772_323_200_000)
  const text = (difference: string) => `X-Timestamp is ${difference} the clock used here; the platform accepts 300 s`
  expect([at(-7200), at(-301), at(-300), at(300), at(301), at(7200)]).toEqual([
    [text('7200 s behind')],
    [text('301 s behind')],
    [],
    [],
    [text('301 s ahead of')],
    [text('7200 s ahead of')],
  ])
})
