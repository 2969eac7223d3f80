import { createHash } from 'node:crypto'
import { basePathOf, reachedBy } from '../server/public-url.ts'
import type { RouteReply, RouteRequest, Routes } from '../server/routes.ts'
import { openApiOf } from './openapi.ts'
import { type Documented, docsIndex, docsPage, docsStyle } from './page.ts'

/**
 * Serves `/docs`, `/docs/<name>` and `/docs/<name>.json`, generated from the contracts on first request. Links and
 * `servers` use the address of the request.
 */
export function docsRoutes(all: readonly Documented[], config: { publicUrl(): string }): Routes {
  const made = new Map<string, string>()
  const here = (request: RouteRequest) => reachedBy({ config }, request).config.publicUrl()
  const once = (key: string, request: RouteRequest, make: () => string) => {
    const text = made.get(key) ?? make()
    made.set(key, text)
    const basePath = basePathOf(here(request))
    return basePath === '' ? text : text.replaceAll('href="/docs', `href="${basePath}/docs`)
  }
  return (table) => {
    table.get('/docs', (request, reply) =>
      html(
        reply,
        once('', request, () => docsIndex(all)),
      ),
    )
    table.get('/docs/', (request, reply) =>
      html(
        reply,
        once('', request, () => docsIndex(all)),
      ),
    )
    for (const documented of all) {
      const { name, contract } = documented
      table.get(`/docs/${name}`, (request, reply) =>
        html(
          reply,
          once(name, request, () => docsPage(documented, all)),
        ),
      )
      table.get(`/docs/${name}.json`, (request, reply) =>
        reply
          .type('application/json; charset=utf-8')
          .send(JSON.stringify(openApiOf(contract, { baseUrl: here(request) }), null, 2)),
      )
    }
  }
}

/** The page may use its own style and nothing else: no script, no font, no image, no frame. */
function html(reply: RouteReply, text: string): Promise<void> {
  return reply
    .type('text/html; charset=utf-8')
    .header('content-security-policy', policy())
    .header('referrer-policy', 'no-referrer')
    .send(text)
}

function policy(): string {
  const hash = createHash('sha256').update(docsStyle).digest('base64')
  return `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
}
