import { Problem } from '../../kit/problem.ts'
import { remoteCodes } from '../contract/wire-types.ts'
import { openHttpAgent } from './http-agent.ts'

/** Files behind a link, read as they come: they need not fit into memory. */

export interface FileStream {
  readonly status: number
  /** What the answer itself says of the length; null where it does not. */
  readonly sizeBytes: number | null
  readonly bytes: AsyncIterable<Uint8Array>
}

export interface FileOptions {
  readonly connectTimeoutMs?: number
  /** Between two pieces. */
  readonly silenceMs?: number
  readonly signal?: AbortSignal
}

/**
 * Reads what lies behind a link and hands it to `read`. The link is its own proof, so nothing else goes with it, and where
 * it leads on to another place it is not followed.
 */
export async function fileOverHttp<T>(
  link: URL,
  read: (file: FileStream) => Promise<T>,
  { connectTimeoutMs = 5_000, silenceMs = 30_000, signal }: FileOptions = {},
): Promise<T> {
  const agent = await openHttpAgent({
    connect: { timeout: connectTimeoutMs },
    headersTimeout: 15_000,
    bodyTimeout: silenceMs,
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
    throw new Problem(remoteCodes.lost, `The file from ${link.origin} broke off`, { outcome: 'none' }, { cause: error })
  } finally {
    await agent.destroy()
  }
}
