import { readBody } from './request.ts'
import { type Routes, StatusError } from './routes.ts'

/** A received request with its raw body. */
export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  /** In the order and spelling in which they were sent. */
  readonly headers: readonly (readonly [name: string, value: string])[]
  readonly body: Uint8Array
}

/** Larger than any round with all its slips. */
const bodyLimit = 32 * 1024 * 1024

/** Receives POST requests at any path. The response is a status and a sentence. */
export function receiving(take: (request: ReceivedRequest) => Promise<{ status: number; message: string }>): Routes {
  return (table) => {
    table.post('/*', async (request, reply) => {
      const body = await readBody(request.raw, bodyLimit)
      if (body === 'too-large') throw new StatusError(413)
      const { status, message } = await take({
        method: request.method,
        url: request.url,
        headers: pairs(request.raw.rawHeaders),
        body,
      })
      return reply.code(status).send({ message })
    })
  }
}

function pairs(raw: readonly string[]): (readonly [string, string])[] {
  return Array.from({ length: raw.length / 2 }, (_, i) => [raw[i * 2] ?? '', raw[i * 2 + 1] ?? ''] as const)
}
