import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { isKnown } from '../../../http/server/etag.ts'
import type { RouteHandler, RouteReply, RouteRequest, Routes } from '../../../http/server/routes.ts'
import { refuse } from '../api/contract.ts'
import { type AuthRequest, agentOfToken, authenticateCustomer, queryOf, spend } from '../auth/auth.ts'
import { rates } from '../auth/rate-limits.ts'
import { refusing } from '../events/sse-routes.ts'
import { wrong } from '../rooms/text-rules.ts'
import type { Chat, Uploader } from '../service.ts'
import { endLease, keepChunk, leaseUpload, renewLease } from './chunks.ts'
import { isShownInline } from './file-types.ts'
import { fileOfMedia } from './files.ts'
import { linkedMedia } from './links.ts'
import { agentUploader, maxChunkBytes } from './uploads.ts'

/** Returns the routes of the media flow that transfer bytes: uploading a chunk, downloading a file. */
export function mediaRoutes(app: Chat): Routes {
  return (table) => {
    const takeChunk =
      (uploaderOf: (request: AuthRequest) => Promise<Uploader>): RouteHandler =>
      (request, reply) =>
        refusing(app, request, reply, async (authRequest, cors) => {
          const uploader = await uploaderOf(authRequest)
          await spend(app, authRequest, [{ key: `chunk ${uploader.room.id}`, limit: rates.chunk }])
          const offset = offsetOf(request)
          const { uploadId = '' } = request.params
          const digest = digestOf(request)
          const lease = await leaseUpload(app, uploader, uploadId, offset)
          const stopRenewing = renewLease(app, lease)
          const { promise, resolve } = Promise.withResolvers<void>()
          app.chunks.set(uploadId, promise)
          let isSaved = false
          try {
            const { bytes, isWhole } = await readChunk(request, lease.upload.size_bytes - offset)
            if (digest !== undefined && (!isWhole || createHash('sha256').update(bytes).digest('base64') !== digest))
              throw refuse('CHECKSUM_MISMATCH', 'The digest of the chunk does not match; nothing was saved')
            if (isWhole && bytes.byteLength === 0) throw wrong('the chunk', 'is empty')
            const { receivedBytes, complete } = await keepChunk(app, uploader, lease, bytes)
            isSaved = bytes.byteLength > 0
            await reply
              .headers(cors)
              .header('cache-control', 'no-store')
              .header('x-request-id', request.id)
              .header('upload-offset', String(receivedBytes))
              .send({ uploadId, receivedBytes, complete })
          } finally {
            stopRenewing()
            if (!isSaved)
              await endLease(app, lease).catch((error: unknown) =>
                app.log.warn({ error: String(error) }, 'Cannot release the lease of an upload'),
              )
            if (app.chunks.get(uploadId) === promise) app.chunks.delete(uploadId)
            resolve()
          }
        })
    table.put(
      '/api/widget/v1/rooms/:roomId/media/:uploadId/chunk',
      takeChunk((request) => authenticateCustomer(app, request)),
    )
    table.put(
      '/api/agent/v1/rooms/:roomId/media/:uploadId/chunk',
      takeChunk(async (request) =>
        agentUploader(app, await agentOfToken(app, request), request.params['roomId'] ?? ''),
      ),
    )

    table.get('/api/widget/v1/media/:mediaId', (request, reply) =>
      refusing(app, request, reply, () => sendFile(app, request, request.params['mediaId'] ?? '', reply)),
    )
  }
}

function offsetOf({ headers }: RouteRequest): number {
  const text = headers['upload-offset']
  if (typeof text !== 'string' || !/^[0-9]{1,15}$/.test(text)) throw wrong('Upload-Offset', 'must be a whole number')
  return Number(text)
}

function digestOf({ headers }: RouteRequest): string | undefined {
  const text = headers['content-digest']
  if (text === undefined) return undefined
  // A dictionary (RFC 9530): other algorithms are ignored, and of repeated members the last one counts.
  const members = String(text)
    .split(',')
    .map((each) => each.trim())
  if (!members.every((each) => /^[a-z*][a-z0-9_.*-]*=:[A-Za-z0-9+/]*={0,2}:(?:[ ]*;[^,]*)?$/.test(each)))
    throw wrong('Content-Digest', 'must be a list of algorithms with digests, such as sha-256=:base64:')
  const digest = members.findLast((each) => each.startsWith('sha-256='))
  if (digest === undefined) return undefined
  const [, value] = /^sha-256=:([A-Za-z0-9+/]{43}=):/.exec(digest) ?? []
  if (value === undefined) throw wrong('Content-Digest', 'must have 32 bytes for sha-256')
  return value
}

/** Reads the bytes of a chunk, or those that arrived before the connection dropped. Throws PAYLOAD_TOO_LARGE. */
function readChunk({ raw }: RouteRequest, left: number): Promise<{ bytes: Buffer; isWhole: boolean }> {
  const limit = Math.min(left, maxChunkBytes)
  const tooLarge = () => refuse('PAYLOAD_TOO_LARGE', `A chunk must be at most ${limit} bytes here`)
  if (Number(raw.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge())
  // The connection dropped before the listeners were added, so they would not be called.
  if (raw.destroyed) return Promise.resolve({ bytes: raw.read() ?? Buffer.alloc(0), isWhole: false })
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    raw.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size > limit) reject(tooLarge())
      else chunks.push(chunk)
    })
    const settle = () => resolve({ bytes: Buffer.concat(chunks), isWhole: raw.complete })
    raw.once('end', settle)
    raw.once('error', settle)
    raw.once('close', settle)
  })
}

/** Serves a file under a link that we created: with its own type, without sniffing or execution, in ranges if requested. */
async function sendFile(app: Chat, request: RouteRequest, mediaId: string, reply: RouteReply) {
  const media = await linkedMedia(app, mediaId, {
    expiresAt: Number(queryOf(request.url, 'exp')),
    signature: queryOf(request.url, 'sig') ?? '',
  })
  const size = media.size_bytes
  const etag = `"${media.sha256}"`
  reply
    .headers(fileHeaders)
    .header('etag', etag)
    .header('accept-ranges', 'bytes')
    .header('content-type', media.content_type)
    .header('content-disposition', disposition(media.content_type, media.file_name))
  if (isKnown(request.headers['if-none-match'], etag)) return reply.code(304).send()
  // With If-Range, a range is sent only of the same file: a range of another one would corrupt the client's copy.
  const condition = request.headers['if-range']
  const range = condition === undefined || condition === etag ? rangeOf(request.headers.range, size) : undefined
  if (range === 'unsatisfiable') return reply.code(416).header('content-range', `bytes */${size}`).send()
  const { start, end } = range ?? { start: 0, end: size - 1 }
  if (range) reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`)
  reply.header('content-length', String(end - start + 1))
  return reply.send(createReadStream(fileOfMedia(app.config.mediaFolder, media), { start, end }))
}

const fileHeaders = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'X-Countroom-Time',
  'cache-control': 'private, max-age=3600',
}

function disposition(type: string, name: string): string {
  const kind = isShownInline(type) ? 'inline' : 'attachment'
  const plain = name.replace(/[^ -~]|["\\%]/g, '_')
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${kind}; filename="${plain}"; filename*=UTF-8''${exact}`
}

/** Returns a single byte range. A request for several ranges gets the whole file, as HTTP allows. */
function rangeOf(
  header: string | undefined,
  size: number,
): { start: number; end: number } | 'unsatisfiable' | undefined {
  const [, from = '', to = ''] = /^bytes=([0-9]{0,15})-([0-9]{0,15})$/.exec(header ?? '') ?? []
  if (from === '' && to === '') return undefined
  // A range that ends before it begins is invalid and ignored (RFC 9110, 14.1.1).
  if (from !== '' && to !== '' && Number(to) < Number(from)) return undefined
  const start = from === '' ? Math.max(0, size - Number(to)) : Number(from)
  const end = from === '' || to === '' ? size - 1 : Math.min(Number(to), size - 1)
  return start > end || (from === '' && Number(to) === 0) ? 'unsatisfiable' : { start, end }
}
