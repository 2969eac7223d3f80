import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { Routes } from '../../wire/server.ts'

/** A script as browsers get it: without what only its readers need, and packed. */
export interface Script {
  readonly text: string
  readonly packed: Buffer
  readonly etag: string
}

/** Reads a script of the widget. Comments on lines of their own and indentation go; nothing else is touched. */
export function readScript(name: 'loader' | 'app'): Script {
  const source = readFileSync(join(import.meta.dirname, `${name}.js`), 'utf8')
  const text = source
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n')
  const packed = gzipSync(text, { level: 9 })
  return { text, packed, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

/** The widget's two scripts, for any page that may load scripts from here. */
export function widgetRoutes(): Routes {
  return (server) => {
    for (const [path, name] of [
      ['/widget.js', 'loader'],
      ['/widget-app.js', 'app'],
    ] as const) {
      let script: Script | undefined
      server.get(path, async (request, reply) => {
        script ??= readScript(name)
        reply
          .type('text/javascript; charset=utf-8')
          .header('cache-control', 'public, max-age=300')
          .header('access-control-allow-origin', '*')
          .header('cross-origin-resource-policy', 'cross-origin')
          .header('vary', 'Accept-Encoding')
          .header('etag', script.etag)
        if (request.headers['if-none-match'] === script.etag) return reply.code(304).send()
        if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(script.text)
        return reply.header('content-encoding', 'gzip').send(script.packed)
      })
    }
  }
}
