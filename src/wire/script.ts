import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { gzipSync } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { etagOf, isKnown } from './conditional.ts'

/** A script as browsers get it: without what only its readers need, and packed. */
export interface Script {
  readonly text: string
  readonly packed: Buffer
  readonly etag: string
}

/**
 * Reads a script that runs in browsers, as the build made it or from its source. Types go, comments on lines of their own,
 * indentation, and the room that types leave behind; so no text in such a script has two spaces in a row.
 */
export function readScript(stem: string): Script {
  const built = `${stem}.js`
  const source = existsSync(built)
    ? readFileSync(built, 'utf8')
    : module.stripTypeScriptTypes(readFileSync(`${stem}.ts`, 'utf8'))
  const text = source
    .split('\n')
    .map((line) => line.trim().replace(/ {2,}/g, ' '))
    .filter((line) => line !== '' && !line.startsWith('//'))
    .join('\n')
  const packed = gzipSync(text, { level: 9, memLevel: 9 })
  return { text, packed, etag: etagOf(text) }
}

/** Answers with a script: not again when the browser has it, and packed where it can unpack. */
export function sendScript(request: FastifyRequest, reply: FastifyReply, script: Script): FastifyReply {
  reply
    .type('text/javascript; charset=utf-8')
    .header('cache-control', 'public, max-age=300')
    .header('vary', 'Accept-Encoding')
    .header('etag', script.etag)
  if (isKnown(request.headers['if-none-match'], script.etag)) return reply.code(304).send()
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding']))) return reply.send(script.text)
  return reply.header('content-encoding', 'gzip').send(script.packed)
}
