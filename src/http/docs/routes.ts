import { createHash } from 'node:crypto'
import { createCache } from '../../kit/cache.ts'
import { ownFile } from '../../kit/module-path.ts'
import { PackedText, readScript, type Script, sendPacked, sendScript } from '../server/packed-text.ts'
import { basePathOf, reachedBy } from '../server/public-url.ts'
import type { RouteReply, RouteRequest, Routes } from '../server/routes.ts'
import type { Documented } from './documented.ts'
import { openApiOf } from './openapi.ts'
import { docsIndex, docsPage } from './page.ts'
import { docsStyle } from './style.ts'

/** Maximum number of texts that are kept: a proxy may be reached by several names. */
const maxTexts = 100

/**
 * Serves `/docs`, `/docs/<name>` and `/docs/<name>.json`, generated from the contracts on first request. Links and
 * `servers` use the address of the request.
 */
export function docsRoutes(all: readonly Documented[], config: { publicUrl(): string }): Routes {
  const texts = createCache<PackedText>(maxTexts)
  const here = (request: RouteRequest) => reachedBy({ config }, request).config.publicUrl()
  const once = (key: string, make: () => string) => texts(key, () => new PackedText(make()))
  const page = (request: RouteRequest, reply: RouteReply, name: string, make: () => string) => {
    const basePath = basePathOf(here(request))
    const text = once(`${name} ${basePath}`, () => below(basePath, make()))
    return sendPacked(request, withPolicy(reply), text)
  }
  let script: Script | undefined
  return (table) => {
    table.get('/docs/reference.js', (request, reply) => {
      script ??= readScript(ownFile('http/docs/reference'))
      return sendScript(request, reply, script)
    })
    for (const path of ['/docs', '/docs/'])
      table.get(path, (request, reply) => page(request, reply, '', () => docsIndex(all)))
    for (const documented of all) {
      const { name, contract, samples } = documented
      table.get(`/docs/${name}`, (request, reply) => page(request, reply, name, () => docsPage(documented, all)))
      table.get(`/docs/${name}.json`, (request, reply) => {
        const baseUrl = here(request)
        const text = once(`${name}.json ${baseUrl}`, () =>
          JSON.stringify(openApiOf(contract, { baseUrl, samples }), null, 2),
        )
        reply.type('application/json; charset=utf-8').header('cache-control', 'no-cache')
        return sendPacked(request, reply, text)
      })
    }
  }
}

/** Adds the base path of the public URL to the links of a page. */
function below(basePath: string, text: string): string {
  if (basePath === '') return text
  return text.replaceAll(/(href|src)="\/(docs|")/g, `$1="${basePath}/$2`)
}

/**
 * Sends a page that may use only its own style and script: no font, image, frame or request. Browsers ask each time
 * whether it has changed.
 */
function withPolicy(reply: RouteReply): RouteReply {
  return reply
    .type('text/html; charset=utf-8')
    .header('cache-control', 'no-cache')
    .header('content-security-policy', policy())
    .header('referrer-policy', 'no-referrer')
}

function policy(): string {
  const hash = createHash('sha256').update(docsStyle).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; script-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}
