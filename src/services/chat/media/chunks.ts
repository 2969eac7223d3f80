import type { ChatUploadRow } from '../../../db/schema/chat.ts'
import { refuse } from '../api/contract.ts'
import { saveUpload, uploadById } from '../queries/media.ts'
import type { Chat, Uploader } from '../service.ts'
import { copyFile, removeFile, writeAt } from './files.ts'
import { theUpload, toUpload, unlessAborted, uploadLifeMs } from './uploads.ts'

/**
 * A writer's lease of an upload: no other writer writes during it, in any process. After a lease has expired, its
 * writer may be dead, or only paused with the file open. The next writer therefore continues in another copy of the
 * file. The transaction that counts the bytes records which copy is valid, so acknowledged bytes are never overwritten.
 */
export interface UploadLease {
  readonly id: string
  /** The upload when the lease began. */
  readonly upload: ChatUploadRow
  /** Copy of the file to write to. */
  readonly copy: number
}

const leaseMs = 3_000
const renewEveryMs = 1_000

/**
 * Leases an upload for the bytes from an offset on. Throws UPLOAD_LOCKED during another lease, and
 * UPLOAD_OFFSET_MISMATCH with the expected offset, so that the sender can continue.
 */
export function leaseUpload(app: Chat, uploader: Uploader, uploadId: string, offset: number): Promise<UploadLease> {
  const id = app.id()
  return app.store.write(async (tx) => {
    const upload = await theUpload(tx, uploader, uploadId)
    const now = app.machineNow()
    const { writer, writer_until: until } = upload
    if (writer !== null && until !== null && until > now) throw locked(until - now)
    if (offset !== upload.received_bytes) throw offsetMismatch(upload)
    const copies = upload.copies + (writer === null ? 0 : 1)
    await saveUpload(tx, uploadId, { copies, writer: id, writer_until: now + leaseMs })
    return { id, upload, copy: writer === null ? upload.copy : copies }
  })
}

/** Renews a lease every second. Returns a function that stops this. */
export function renewLease(app: Chat, { id, upload }: UploadLease): () => void {
  const renew = () =>
    app.store
      .write(async (tx) => {
        const now = await uploadById(tx, upload.id)
        if (now?.writer === id) await saveUpload(tx, upload.id, { writer_until: app.machineNow() + leaseMs })
      })
      .catch((error: unknown) => app.log.warn({ error: String(error) }, 'Cannot renew the lease of an upload'))
  const timer = setInterval(() => void renew(), renewEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Saves a chunk: first the bytes on disk, then the count, so that no counted byte can be lost in a crash. */
export async function keepChunk(app: Chat, uploader: Uploader, lease: UploadLease, bytes: Uint8Array) {
  const { id, copy, upload } = lease
  const offset = upload.received_bytes
  // The connection dropped before any byte arrived, so no client can receive an error.
  if (bytes.byteLength === 0) return toUpload(upload)
  const folder = app.config.mediaFolder
  if (copy !== upload.copy && offset > 0) await unlessAborted(app, uploader, upload.id, copyFile(folder, upload, copy))
  await writeAt(folder, { id: upload.id, copy }, offset, bytes)
  const result = await app.store.write(async (tx) => {
    const now = await theUpload(tx, uploader, upload.id)
    if (now.received_bytes !== offset) throw offsetMismatch(now)
    if (now.writer !== id) throw locked(leaseMs)
    const received = offset + bytes.byteLength
    const change = { received_bytes: received, copy, writer: null, writer_until: null }
    await saveUpload(tx, upload.id, { ...change, expires_at: tx.now + uploadLifeMs })
    return toUpload({ ...now, ...change })
  })
  if (copy !== upload.copy) await removeFile(folder, upload)
  return result
}

/** Releases a lease during which nothing was saved; otherwise it has been released already. */
export async function endLease(app: Chat, { id, copy, upload }: UploadLease): Promise<void> {
  const now = await app.store.write(async (tx) => {
    const row = await uploadById(tx, upload.id)
    if (row?.writer === id) {
      // A writer that was paused beyond its lease may still write to the valid copy, so the next one uses another copy.
      const isAfterAnother = copy !== row.copy
      await saveUpload(tx, upload.id, isAfterAnother ? { writer_until: 0 } : { writer: null, writer_until: null })
    }
    return row
  })
  if (now && (now.copy !== copy || now.state === 'over'))
    await removeFile(app.config.mediaFolder, { id: upload.id, copy })
}

function locked(waitMs: number) {
  return refuse('UPLOAD_LOCKED', 'Another chunk of this upload is being received', { retryAfterMs: waitMs })
}

function offsetMismatch({ received_bytes }: ChatUploadRow) {
  return refuse('UPLOAD_OFFSET_MISMATCH', `The upload must continue at offset ${received_bytes}`, {
    details: [{ field: 'Upload-Offset', code: 'mismatch', receivedBytes: received_bytes }],
  })
}
