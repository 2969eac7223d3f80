import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { etagOf, isKnown } from './etag.ts'
import type { RouteReply, RouteRequest } from './routes.ts'

/** A text for browsers, plain or compressed. Each form is made on its first request. */
export class PackedText {
  readonly text: string
  readonly etag: string
  readonly #packed = new Map<'br' | 'gzip', Buffer>()

  constructor(text: string) {
    this.text = text
    this.etag = etagOf(text)
  }

  packed(encoding: 'br' | 'gzip'): Buffer {
    const known = this.#packed.get(encoding)
    if (known) return known
    const packed = encoding === 'br' ? brotli(this.text) : gzipSync(this.text, { level: 9, memLevel: 9 })
    this.#packed.set(encoding, packed)
    return packed
  }
}

/** Compresses with quality 9: 11 takes ten times as long, and the first reader waits for it. */
function brotli(text: string): Buffer {
  return brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
    },
  })
}

/** Sends a text, compressed where the browser accepts it, or 304 if the browser has it. The caller sets the type. */
export function sendPacked(request: RouteRequest, reply: RouteReply, content: PackedText): Promise<void> {
  reply.header('vary', 'Accept-Encoding').header('etag', content.etag)
  if (isKnown(request.headers['if-none-match'], content.etag)) return reply.code(304).send()
  const encoding = encodingFor(request.headers['accept-encoding'])
  if (encoding === undefined) return reply.send(content.text)
  return reply.header('content-encoding', encoding).send(content.packed(encoding))
}

/**
 * Sends a text that is made for one response, compressed with gzip: brotli takes longer than the smaller size saves.
 */
export function sendUncached(request: RouteRequest, reply: RouteReply, text: string): Promise<void> {
  if (encodingFor(request.headers['accept-encoding'], ['gzip']) === undefined) return reply.send(text)
  return reply.header('content-encoding', 'gzip').send(gzipSync(text))
}

/** Returns the better encoding that an `Accept-Encoding` allows; one with q=0 is not allowed (RFC 9110, 12.5.3). */
function encodingFor(
  accepted: string | string[] | undefined,
  known: readonly ('br' | 'gzip')[] = ['br', 'gzip'],
): 'br' | 'gzip' | undefined {
  const allowed = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((each) => each.split(';').map((part) => part.trim()))
    .filter(([, weight]) => !/^q=0(\.0{0,3})?$/.test(weight ?? ''))
    .map(([name]) => name)
  return known.find((encoding) => allowed.includes(encoding))
}

/** A browser script. */
export type Script = PackedText

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
  return new PackedText(text)
}

/** Sends a script, compressed where the browser accepts it, or 304 if the browser has it. */
export function sendScript(request: RouteRequest, reply: RouteReply, script: Script): Promise<void> {
  reply.type('text/javascript; charset=utf-8').header('cache-control', 'public, max-age=300')
  return sendPacked(request, reply, script)
}
