import { createHash } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { openApiOf } from '../../../src/http/docs/openapi.ts'
import { docsRoutes } from '../../../src/http/docs/routes.ts'
import { openServer } from '../../../src/http/server/server.ts'
import { library } from '../library.ts'

interface OpenApi {
  openapi: string
  paths: Record<
    string,
    Record<
      string,
      {
        operationId: string
        parameters: { name: string; in: string; required: boolean }[]
        requestBody?: { required: boolean }
        responses: Record<string, { description: string }>
      }
    >
  >
}

async function read(path: string, sent: Record<string, string> = {}) {
  const server = openServer({
    services: [],
    routes: [
      docsRoutes([{ name: 'library', contract: { ...library, title: 'Books <& "more">' } }], {
        publicUrl: () => 'http://127.0.0.1:8787',
      }),
    ],
  })
  onTestFinished(() => server.close())
  return server.inject({ method: 'GET', path, headers: sent })
}

test('the OpenAPI document has every endpoint with its parameters, body, reply and refusals', () => {
  const document = openApiOf(library) as OpenApi
  expect(document.openapi).toBe('3.1.0')
  const operations = Object.values(document.paths).flatMap((path) =>
    Object.values(path).map(({ operationId }) => operationId),
  )
  expect(operations.toSorted()).toEqual(Object.keys(library.endpoints).toSorted())
  const add = document.paths['/api/library/v1/books']?.['post']
  expect(add?.requestBody?.required).toBe(true)
  expect(add?.responses['400']?.description).toBe('INVALID_TITLE, TITLE_NEEDED, INVALID_PARAMETER, INVALID_JSON')
  expect(Object.keys(add?.responses ?? {})).toEqual(['200', '201', '400', '401', '404', '409', '413', '429', '500'])
  expect(document.paths['/api/library/v1/books/{bookId}']?.['get']?.parameters).toMatchObject([
    { name: 'bookId', in: 'path', required: true },
  ])
})

test('the page shows every endpoint, field and code, and loads nothing from other servers', async () => {
  const { status, headers, body } = await read('/docs/library')
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const [name, { summary }] of Object.entries(library.endpoints)) {
    expect(body).toContain(`<article id="${name}"`)
    expect(body).toContain(summary)
  }
  for (const code of Object.keys(library.problems)) expect(body).toContain(`id="error-${code}"`)
  expect(body).toContain('Books &lt;&amp; &quot;more&quot;&gt;')
  expect(body.match(/<script[^>]*>/g)).toEqual(['<script src="/docs/reference.js" defer>'])
  expect(body.replace(/<script.*/, '')).not.toMatch(/https?:|src=|style=|\son\w+=|undefined/)
  const style = /<style>([\s\S]*)<\/style>/.exec(body)?.[1] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(headers['content-security-policy']).toContain(`style-src 'sha256-${hash}'`)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  expect(headers['content-security-policy']).toContain("script-src 'self'")
})

test('every link within the page has a target', async () => {
  const { body } = await read('/docs/library')
  const ids = new Set([...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))
  for (const [, target] of body.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target)
})

test.each(['/docs', '/docs/library', '/docs/library.json', '/docs/reference.js'])(
  '%s is sent compressed, and not again when the browser has it',
  async (path) => {
    const plain = await read(path)
    const etag = plain.headers['etag'] ?? ''
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(plain.headers['vary']).toBe('Accept-Encoding')
    for (const [accepted, encoding] of [
      ['gzip, deflate, br', 'br'],
      ['gzip;q=1.0, br;q=0', 'gzip'],
    ] as const) {
      const packed = await read(path, { 'accept-encoding': accepted })
      expect([packed.status, packed.headers['content-encoding']]).toEqual([200, encoding])
      expect(Number(packed.headers['content-length'])).toBeLessThan(Buffer.byteLength(plain.body) / 2)
    }
    const again = await read(path, { 'if-none-match': etag })
    expect([again.status, again.body]).toEqual([304, ''])
    expect((await read(path, { 'if-none-match': '"other"' })).status).toBe(200)
  },
)

test('the index and the document are returned, and other paths are not found', async () => {
  expect((await read('/docs')).body).toContain('href="/docs/library"')
  const json = await read('/docs/library.json')
  expect(json.headers['content-type']).toBe('application/json; charset=utf-8')
  expect(JSON.parse(json.body).info.title).toBe('Books <& "more">')
  expect((await read('/docs/other')).status).toBe(404)
})
