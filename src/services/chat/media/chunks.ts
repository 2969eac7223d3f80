import type { ChatUploadRow } from '../../../db/schema/chat.ts'
import { refuse } from '../api/contract.ts'
import { saveUpload, uploadById } from '../queries/media.ts'
import type { Chat, Customer } from '../service.ts'
import { copyFile, removeFile, writeAt } from './files.ts'
import { theUpload, toUpload, unlessGivenUp, uploadLifeMs } from './uploads.ts'

/**
 * A writer's turn at an upload. While it lasts nobody else writes, in whatever process; who dies with it is waited for
 * until it runs out.
 *
 * Of a writer whose turn ran out nobody knows whether it is dead or only asleep, to wake up with its hand on the file. So
 * whoever comes after it goes on in another copy of the file, and which copy counts is said by the transaction that
 * counts the bytes: bytes that were acknowledged are written over by nobody.
 */
export interface Turn {
  readonly id: string
  /** The upload as it was when the turn began. */
  readonly upload: ChatUploadRow
  /** The copy of the file that is written into. */
  readonly copy: number
}

const turnMs = 3_000
const renewEveryMs = 1_000

/**
 * Takes the turn to send the bytes from a place on. UPLOAD_LOCKED while it is another's, UPLOAD_OFFSET_MISMATCH with the
 * place where the next byte belongs when that is another, so that the sender can go on.
 */
export function takeTurn(app: Chat, customer: Customer, uploadId: string, offset: number): Promise<Turn> {
  const id = app.id()
  return app.store.write(async (tx) => {
    const upload = await theUpload(tx, customer, uploadId)
    const now = app.machineNow()
    const { writer, writer_until: until } = upload
    if (writer !== null && until !== null && until > now) throw locked(until - now)
    if (offset !== upload.received_bytes) throw offsetMismatch(upload)
    const copies = upload.copies + (writer === null ? 0 : 1)
    await saveUpload(tx, uploadId, { copies, writer: id, writer_until: now + turnMs })
    return { id, upload, copy: writer === null ? upload.copy : copies }
  })
}

/** Holds on to a turn for as long as its bytes take to come. */
export function holdTurn(app: Chat, { id, upload }: Turn): () => void {
  const renew = () =>
    app.store
      .write(async (tx) => {
        const now = await uploadById(tx, upload.id)
        if (now?.writer === id) await saveUpload(tx, upload.id, { writer_until: app.machineNow() + turnMs })
      })
      .catch((error: unknown) => app.log.warn({ error: String(error) }, 'The turn at an upload could not be held'))
  const timer = setInterval(() => void renew(), renewEveryMs)
  timer.unref()
  return () => clearInterval(timer)
}

/** Keeps a chunk: first the bytes on the disk, then the count, so that no byte is counted that a crash could take back. */
export async function keepChunk(app: Chat, customer: Customer, turn: Turn, bytes: Uint8Array) {
  const { id, copy, upload } = turn
  const offset = upload.received_bytes
  // Nothing came before the line dropped, and nobody is there to be told.
  if (bytes.byteLength === 0) return toUpload(upload)
  const folder = app.config.mediaFolder
  if (copy !== upload.copy && offset > 0) await unlessGivenUp(app, customer, upload.id, copyFile(folder, upload, copy))
  await writeAt(folder, { id: upload.id, copy }, offset, bytes)
  const kept = await app.store.write(async (tx) => {
    const now = await theUpload(tx, customer, upload.id)
    if (now.received_bytes !== offset) throw offsetMismatch(now)
    if (now.writer !== id) throw locked(turnMs)
    const received = offset + bytes.byteLength
    const change = { received_bytes: received, copy, writer: null, writer_until: null }
    await saveUpload(tx, upload.id, { ...change, expires_at: tx.now + uploadLifeMs })
    return toUpload({ ...now, ...change })
  })
  if (copy !== upload.copy) await removeFile(folder, upload)
  return kept
}

/** Gives back a turn in which nothing was kept; after one in which something was, there is nothing to give back. */
export async function endTurn(app: Chat, { id, copy, upload }: Turn): Promise<void> {
  const now = await app.store.write(async (tx) => {
    const row = await uploadById(tx, upload.id)
    if (row?.writer === id) {
      // Whoever slept through its turn may still write into the copy that counts, so the next one does not either.
      const isAfterAnother = copy !== row.copy
      await saveUpload(tx, upload.id, isAfterAnother ? { writer_until: 0 } : { writer: null, writer_until: null })
    }
    return row
  })
  if (now && (now.copy !== copy || now.state === 'over'))
    await removeFile(app.config.mediaFolder, { id: upload.id, copy })
}

function locked(waitMs: number) {
  return refuse('UPLOAD_LOCKED', 'Another chunk of this upload is being taken', { retryAfterMs: waitMs })
}

function offsetMismatch({ received_bytes }: ChatUploadRow) {
  return refuse('UPLOAD_OFFSET_MISMATCH', `The next byte is number ${received_bytes}`, {
    details: [{ field: 'Upload-Offset', code: 'mismatch', receivedBytes: received_bytes }],
  })
}
