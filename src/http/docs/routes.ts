import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { basePathOf, reachedBy } from '../server/public-url.ts'
import type { Routes } from '../server/socket-server.ts'
import { openApiOf } from './openapi.ts'
import { type Documented, docsIndex, docsPage, docsStyle } from './page.ts'

/**
 * Serves `/docs`, `/docs/<name>` and `/docs/<name>.json`, generated from the contracts on first request. Links and
 * `servers` use the address of the request.
 */
export function docsRoutes(all: readonly Documented[], config: { publicUrl(): string }): Routes {
  const made = new Map<string, string>()
  const here = (request: FastifyRequest) => reachedBy({ config }, request).config.publicUrl()
  const once = (key: string, request: FastifyRequest, make: () => string) => {
    const text = made.get(key) ?? make()
    made.set(key, text)
    const basePath = basePathOf(here(request))
    return basePath === '' ? text : text.replaceAll('href="/docs', `href="${basePath}/docs`)
  }
  return (app) => {
    app.get('/docs', (request, reply) =>
      html(
        reply,
        once('', request, () => docsIndex(all)),
      ),
    )
    app.get('/docs/', (request, reply) =>
      html(
        reply,
        once('', request, () => docsIndex(all)),
      ),
    )
    for (const documented of all) {
      const { name, contract } = documented
      app.get(`/docs/${name}`, (request, reply) =>
        html(
          reply,
          once(name, request, () => docsPage(documented, all)),
        ),
      )
      app.get(`/docs/${name}.json`, (request, reply) =>
        reply
          .type('application/json; charset=utf-8')
          .send(JSON.stringify(openApiOf(contract, { baseUrl: here(request) }), null, 2)),
      )
    }
  }
}

/** Sends a page with a content security policy that allows only its own style. */
function html(reply: FastifyReply, text: string): FastifyReply {
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
