import { createReadStream } from 'node:fs'
import type { FileStream } from '../../../http/client/download.ts'
import { refuse } from '../api/contract.ts'
import type { Chat } from '../service.ts'
import { fileOfMedia } from './files.ts'
import { linkedMedia } from './links.ts'

/**
 * Reads the file of one of our links within this process, for a program that opens the database and the files itself.
 */
export async function fileBehind<T>(
  app: Chat,
  link: URL,
  read: (stream: FileStream) => Promise<T>,
  signal: AbortSignal,
): Promise<T> {
  const mediaId = /\/api\/widget\/v1\/media\/([^/]+)$/.exec(link.pathname)?.[1]
  if (mediaId === undefined) throw refuse('NOT_FOUND', 'The link is not a file link of this chat')
  const media = await linkedMedia(app, mediaId, {
    expiresAt: Number(link.searchParams.get('exp')),
    signature: link.searchParams.get('sig') ?? '',
  })
  const bytes = createReadStream(fileOfMedia(app.config.mediaFolder, media), { signal })
  try {
    return await read({ status: 200, sizeBytes: media.size_bytes, bytes })
  } finally {
    bytes.destroy()
  }
}
