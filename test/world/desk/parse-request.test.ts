import { expect, test } from 'vitest'
import { parseRequest } from '../../../src/world/desk/browser/pages/requests/parse-request.ts'

const url = 'http://127.0.0.1:8787/api/tenant/v1/launch'
const body = '{"username":"amy","note":"it\'s Ü"}'
const headers = [
  'X-Api-Key: ek_l_1',
  'X-Timestamp: 1772323200',
  'X-Nonce: 4f9d0c2b7a615e38',
  `X-Signature: ${'0'.repeat(64)}`,
]
const quotedHeaders = headers.map((header) => `-H '${header}'`).join(' ')
const shell = body.replaceAll("'", "'\\''")
const post = {
  method: 'POST',
  path: '/api/tenant/v1/launch',
  timestamp: '1772323200',
  nonce: '4f9d0c2b7a615e38',
  signature: '0'.repeat(64),
  key: 'ek_l_1',
  body,
}

test.each([
  ['a raw request', [`POST /api/tenant/v1/launch HTTP/1.1`, ...headers, '', body].join('\r\n')],
  ['a raw request with the whole URL', [`POST ${url} HTTP/1.1`, ...headers, '', body].join('\n')],
  ['curl', `curl -X POST '${url}' ${quotedHeaders} -d '${shell}'`],
  ['curl with its options in another order', `curl ${quotedHeaders} --data-raw '${shell}' ${url} --max-time 5 -o out`],
  [
    'curl with attached values',
    `curl -sS -XPOST --url=${url} ${quotedHeaders.replaceAll("-H '", "--header='")} --data='${shell}'`,
  ],
  ['curl --json', `curl --json '${shell}' ${quotedHeaders} ${url}`],
  [
    'curl over several lines',
    `curl "${url}" \\\n  ${quotedHeaders} \\\n  --data-binary "${body.replaceAll('"', '\\"')}"`,
  ],
  [
    'curl as a browser copies it',
    `curl '${url}' ${quotedHeaders} --compressed --data-raw $'${body.replace("'", "\\'").replace('Ü', '\\u00dc')}'`,
  ],
])('reads the signed parts of %s', (_title, text) => {
  expect(parseRequest(text)).toEqual(post)
})

test('reads the query that curl makes of its data, and refuses other texts', () => {
  expect(parseRequest(`curl -G ${url}?a=1 -d b=2 -d c=3 ${quotedHeaders}`)).toMatchObject({
    method: 'GET',
    path: '/api/tenant/v1/launch?a=1&b=2&c=3',
    body: '',
  })
  for (const text of ['', 'hello there', '{"a":1}', '<p>', 'curl', 'curl -X POST'])
    expect(parseRequest(text)).toBe(undefined)
})
