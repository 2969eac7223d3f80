import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** A script as browsers get it: without what only its readers need, and packed. */
export interface Script {
  readonly text: string
  readonly packed: Buffer
  readonly etag: string
}

/** Reads a script that runs in browsers as it is written. Comments on lines of their own and indentation go; nothing else is touched. */
export function readScript(path: string): Script {
  const text = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n')
  const packed = gzipSync(text, { level: 9 })
  return { text, packed, etag: `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"` }
}

/** Answers with a script: not again when the browser has it, and packed where it can unpack. */
export function sendScript(request: FastifyRequest, reply: FastifyReply, script: Script): FastifyReply {
  reply
    .type('text/javascript; charset=utf-8')
    .header('cache-control', 'public, max-age=300')
    .header('vary', 'Accept-Encoding')
    .header('etag', script.etag)
  if (request.headers['if-none-match'] === script.etag) return reply.code(304).send()
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(script.text)
  return reply.header('content-encoding', 'gzip').send(script.packed)
}
