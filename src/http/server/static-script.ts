import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { gzipSync } from 'node:zlib'
import { etagOf, isKnown } from './etag.ts'
import type { RouteReply, RouteRequest } from './routes.ts'

/** A script as browsers get it, plain and compressed. */
export interface Script {
  readonly text: string
  readonly packed: Buffer
  readonly etag: string
}

/** Reads a browser script: the minified build, or its source without the types. */
export function readScript(stem: string): Script {
  const built = `${stem}.js`
  const text = existsSync(built)
    ? readFileSync(built, 'utf8')
    : module.stripTypeScriptTypes(readFileSync(`${stem}.ts`, 'utf8'))
  return scriptOf(text)
}

/** Packs the text of a script for browsers. */
export function scriptOf(text: string): Script {
  return { text, packed: gzipSync(text, { level: 9, memLevel: 9 }), etag: etagOf(text) }
}

/** Answers with a script: not again when the browser has it, and packed where it can unpack. */
export function sendScript(request: RouteRequest, reply: RouteReply, script: Script): Promise<void> {
  reply
    .type('text/javascript; charset=utf-8')
    .header('cache-control', 'public, max-age=300')
    .header('vary', 'Accept-Encoding')
    .header('etag', script.etag)
  if (isKnown(request.headers['if-none-match'], script.etag)) return reply.code(304).send()
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(script.text)
  return reply.header('content-encoding', 'gzip').send(script.packed)
}
