import { Problem } from '../../kit/problem.ts'
import { remoteCodes } from '../contract/wire-types.ts'
import { openStreamingAgent } from './agent/http-agent.ts'
import { type OutgoingProxy, proxyTo } from './agent/proxy.ts'

/** A downloaded file as a stream: it need not fit into memory. */

export interface FileStream {
  readonly status: number
  /** Length from the response headers; null if unknown. */
  readonly sizeBytes: number | null
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface FileOptions {
  readonly connectTimeoutMs?: number
  /** Timeout between two chunks. */
  readonly silenceMs?: number
  readonly signal?: AbortSignal
  readonly proxy?: OutgoingProxy | undefined
}

/**
 * Downloads the file of a link and passes it to `read`. The link is its own authorization, so nothing else is sent, and
 * redirects are not followed.
 */
export async function fileOverHttp<T>(
  link: URL,
  read: (file: FileStream) => Promise<T>,
  { connectTimeoutMs = 5_000, silenceMs = 30_000, signal, proxy }: FileOptions = {},
): Promise<T> {
  const agent = await openStreamingAgent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 15_000,
    bodyTimeout: silenceMs,
    proxy: proxyTo(link, proxy),
  })
  try {
    const reply = await agent.request({
      origin: link.origin,
      path: `${link.pathname}${link.search}`,
      method: 'GET',
      headers: { 'user-agent': 'countroom', 'accept-encoding': 'identity' },
      ...(signal === undefined ? {} : { signal }),
    })
    const length = Number(reply.headers['content-length'] ?? Number.NaN)
    const sizeBytes = Number.isSafeInteger(length) ? length : null
    return await read({ status: reply.statusCode, sizeBytes, bytes: reply.body })
  } catch (error) {
    signal?.throwIfAborted()
    if (error instanceof Problem) throw error
    throw new Problem(
      remoteCodes.lost,
      `The download from ${link.origin} was interrupted`,
      { outcome: 'none' },
      { cause: error },
    )
  } finally {
    await agent.destroy()
  }
}
