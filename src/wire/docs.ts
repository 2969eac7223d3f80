import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type Documented, docsIndex, docsPage, docsStyle } from './docs-page.ts'
import type { Routes } from './http.ts'
import { openApiOf } from './openapi.ts'

/** Serves `/docs`, `/docs/<name>` and `/docs/<name>.json`, made from the contracts when first asked for. */
export function docsRoutes(all: readonly Documented[]): Routes {
  const made = new Map<string, string>()
  const once = (key: string, make: () => string) => {
    const text = made.get(key) ?? make()
    made.set(key, text)
    return text
  }
  return (app) => {
    app.get('/docs', (_request, reply) =>
      html(
        reply,
        once('', () => docsIndex(all)),
      ),
    )
    app.get('/docs/', (_request, reply) =>
      html(
        reply,
        once('', () => docsIndex(all)),
      ),
    )
    for (const documented of all) {
      const { name, contract } = documented
      app.get(`/docs/${name}`, (_request, reply) =>
        html(
          reply,
          once(name, () => docsPage(documented, all)),
        ),
      )
      app.get(`/docs/${name}.json`, (request, reply) =>
        reply
          .type('application/json; charset=utf-8')
          .send(JSON.stringify(openApiOf(contract, { baseUrl: baseUrlOf(request) }), null, 2)),
      )
    }
  }
}

/** The address this request came in by, so that a tool that reads the document calls the same server. */
function baseUrlOf({ protocol, host }: FastifyRequest): string {
  return `${protocol}://${host}`
}

/** The page may use its own style and nothing else: no script, no font, no image, no frame. */
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
