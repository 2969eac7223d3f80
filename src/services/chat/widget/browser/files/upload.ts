import type { Strings } from '../context.ts'
import { newId, now } from '../conversation/ambient.ts'
import type { Answer, Failure } from '../conversation/api.ts'
import type { Core } from '../conversation/core.ts'
import type { RoomAccess } from '../conversation/room-access.ts'
import { typeOf } from './refusals.ts'

/** Sends a file in chunks. An interrupted upload continues when the file is chosen again, on any page. */
export async function upload(core: Core, access: RoomAccess, strings: Strings, file: File): Promise<void> {
  const { session, list, status } = core
  const key = `${file.name}/${file.size}/${file.lastModified}`
  const keep = (uploadId?: string) => {
    const { [key]: _, ...rest } = session.load().uploads || {}
    session.save({ uploads: uploadId ? { ...rest, [key]: uploadId } : rest })
  }
  const id = session.load().uploads?.[key] || newId()
  keep(id)
  try {
    await sendFile(core, access, strings, file, id)
    keep()
    status.show('')
  } catch (caught) {
    // A refused upload would be refused again; an interrupted one can continue.
    if ((caught as Failure).status) keep()
    list.remove(({ clientMessageId }) => clientMessageId === id)
    status.show(`${strings.notUploaded}: ${file.name}`)
  }
}

async function sendFile(core: Core, access: RoomAccess, strings: Strings, file: File, id: string): Promise<void> {
  const { api, list, status } = core
  const show = (progress: number) =>
    list.upsert({ clientMessageId: id, text: file.name, senderType: 'customer', pending: true, progress })
  show(0)
  const input = { fileName: file.name, contentType: typeOf(file) || 'text/plain', sizeBytes: file.size }
  const { uploadId, receivedBytes, chunkSizeBytes } = await retryWhileOffline(core, access, () =>
    api.inRoom('POST', '/media/initialize', { ...input, clientUploadId: id }),
  )
  const path = `/media/${uploadId}`
  let reportedAt = 0
  for (let at = receivedBytes; at < file.size; ) {
    at = await retryWhileOffline(core, access, async (isAgain) => {
      // After a failed attempt, only the server knows the offset to continue at.
      const from = isAgain ? (await api.inRoom('GET', path)).receivedBytes : at
      return from < file.size ? sendChunk(core, path, from, file.slice(from, from + chunkSizeBytes)) : from
    })
    const percent = Math.floor((100 * at) / file.size)
    show(percent)
    if (now() - reportedAt > 5_000) {
      reportedAt = now()
      status.show(`${strings.uploading} ${percent}%`)
    }
  }
  list.upsert(
    await retryWhileOffline(core, access, () => api.inRoom('POST', `${path}/complete`, { clientMessageId: id })),
  )
}

/** Sends a chunk that begins at an offset. Returns the offset after it, or the one that the server expects. */
async function sendChunk({ api }: Core, path: string, from: number, chunk: Blob): Promise<number | undefined> {
  try {
    const headers = { 'Upload-Offset': String(from) }
    return (await api.inRoom('PUT', `${path}/chunk`, chunk, { headers })).receivedBytes
  } catch (caught) {
    const { code, details } = caught as Failure
    if (code === 'UPLOAD_OFFSET_MISMATCH') return details?.[0]?.receivedBytes
    throw caught
  }
}

/** Retries work while the network or the server is unavailable. `isAgain` is true after the first attempt. */
async function retryWhileOffline(
  core: Core,
  access: RoomAccess,
  work: (isAgain: boolean) => Promise<Answer>,
): Promise<Answer> {
  for (let attempt = 0, isAgain = false; ; isAgain = true)
    try {
      await access.enter()
      return await work(isAgain)
    } catch (caught) {
      const { status = 0, retryMs } = caught as Failure
      const isRefused = status >= 400 && status < 500 && ![401, 423, 429].includes(status)
      if (core.isStopped || isRefused || (navigator.onLine && ++attempt > 8)) throw caught
      core.status.showIfOffline()
      await core.waits.sleep(retryMs || 500 * 2 ** attempt)
    }
}
