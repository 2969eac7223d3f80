import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatMediaRow, ChatUploadRow } from '../../../db/schema/chat.ts'
import type { Reader } from '../../../db/store.ts'
import { type Answer, answer } from '../../../http/contract/contract.ts'
import { momentText } from '../../../kit/moment.ts'
import { refuse } from '../api/contract.ts'
import type { Message } from '../api/schemas.ts'
import {
  insertMedia,
  insertUpload,
  mediaOfUpload,
  saveUpload,
  uploadLoad,
  uploadOf,
  uploadOfClient,
  uploadsOver,
} from '../queries/media.ts'
import { messagesFrom } from '../queries/rooms.ts'
import { shownMessages, writeMessage } from '../rooms/messages.ts'
import { theRoom } from '../rooms/rooms.ts'
import { messageText } from '../rooms/text-rules.ts'
import { type Chat, type Customer, changing } from '../service.ts'
import { isNameFor } from './file-names.ts'
import { allowedType, isOfType, safeFileName, sizeOfPicture } from './file-types.ts'
import { digestFile, removeCopies } from './files.ts'
import { limitsOf } from './limits.ts'

export const chunkSizeBytes = 262_144
export const maxChunkBytes = 1_048_576
const dayMs = 86_400_000
/** An upload that stood still for so long is over. */
export const uploadLifeMs = dayMs

export function toUpload(row: ChatUploadRow) {
  return {
    uploadId: row.id,
    receivedBytes: row.received_bytes,
    sizeBytes: row.size_bytes,
    complete: row.received_bytes === row.size_bytes,
    chunkSizeBytes,
    maxChunkBytes,
    expiresAt: momentText(row.expires_at),
  }
}

/** The customer's upload: UPLOAD_NOT_FOUND, or UPLOAD_EXPIRED when it was given up or stood still for a day. */
export async function theUpload(reader: Reader, { room }: Customer, uploadId: string): Promise<ChatUploadRow> {
  const upload = await uploadOf(reader, room.id, uploadId)
  if (!upload) throw refuse('UPLOAD_NOT_FOUND', `There is no upload ${uploadId}`)
  if (isOver(upload, reader.now)) throw refuse('UPLOAD_EXPIRED', 'The upload was given up, or stood still for a day')
  return upload
}

/** What is done with an upload's file. Where that fails because the upload was given up meanwhile and its file is gone, UPLOAD_EXPIRED. */
export async function unlessGivenUp<T>(app: Chat, customer: Customer, uploadId: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    await app.store.read((reader) => theUpload(reader, customer, uploadId))
    throw error
  }
}

function isOver({ state, expires_at }: ChatUploadRow, now: number): boolean {
  return state === 'over' || (state === 'open' && expires_at <= now)
}

interface UploadOrder {
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly sha256?: string | undefined
  readonly clientUploadId: string
}

/** Begins an upload, or finds the one that was begun under the same client id; what may not be sent is refused before any byte. */
export async function initializeUpload(
  app: Chat,
  { tenant, room }: Customer,
  order: UploadOrder,
): Promise<Answer<ReturnType<typeof toUpload>>> {
  const type = allowedType(order.contentType)
  if (!type) throw refuse('FILE_TYPE_NOT_ALLOWED', `Files of type ${order.contentType} may not be sent`)
  const { maxFileBytes, maxOpenUploads, maxBytesPerDay } = limitsOf(tenant)
  const name = safeFileName(order.fileName)
  if (!isNameFor(type, name))
    throw refuse('FILE_TYPE_NOT_ALLOWED', `A file of type ${type} may not be called ${name}`, {
      details: [{ field: 'fileName', code: 'not_allowed' }],
    })
  if (order.sizeBytes > maxFileBytes)
    throw refuse('FILE_TOO_LARGE', `A file may have ${maxFileBytes} bytes at most`, {
      details: [{ field: 'sizeBytes', code: 'too_large', maxFileBytes }],
    })
  const begun = await app.store.read((reader) => uploadOfClient(reader, room.id, order.clientUploadId))
  if (begun) await settled(app, begun.id)
  return app.store.write(async (tx) => {
    const earlier = await uploadOfClient(tx, room.id, order.clientUploadId)
    if (earlier) {
      if (isOver(earlier, tx.now)) throw refuse('UPLOAD_EXPIRED', 'The upload was given up, or stood still for a day')
      if (earlier.size_bytes !== order.sizeBytes)
        throw refuse('INVALID_PARAMETER', 'clientUploadId belongs to a file of another size', {
          details: [{ field: 'clientUploadId', code: 'used' }],
        })
      return answer(toUpload(earlier), { status: 200 })
    }
    const load = await uploadLoad(tx, room.id, tx.now - dayMs)
    if (load.open >= maxOpenUploads)
      throw refuse('UPLOAD_LIMIT', `A room may have ${maxOpenUploads} uploads open at once`)
    if (load.bytes + order.sizeBytes > maxBytesPerDay)
      throw refuse('UPLOAD_LIMIT', `A room may send ${maxBytesPerDay} bytes a day`)
    const row: ChatUploadRow = {
      id: `upl_${app.id()}`,
      tenant: tenant.code,
      room_id: room.id,
      client_upload_id: order.clientUploadId,
      file_name: name,
      content_type: type,
      size_bytes: order.sizeBytes,
      received_bytes: 0,
      sha256: order.sha256 ?? null,
      state: 'open',
      created_at: tx.now,
      expires_at: tx.now + uploadLifeMs,
      copy: 0,
      copies: 0,
      writer: null,
      writer_until: null,
    }
    await insertUpload(tx, row)
    return answer(toUpload(row), {})
  })
}

/** How long the state of an upload is withheld for a chunk that is just being taken. */
const settleMs = 2_000

/**
 * Waits for the chunk that is under way. A sender whose line dropped asks at once how far it came; told before the end
 * of what did arrive, it would send it a second time.
 */
async function settled(app: Chat, uploadId: string): Promise<void> {
  const underWay = app.chunks.get(uploadId)
  if (underWay) await Promise.race([underWay, sleep(settleMs, undefined, { ref: false })])
}

export async function readUpload(app: Chat, customer: Customer, uploadId: string) {
  await settled(app, uploadId)
  return app.store.read(async (reader) => toUpload(await theUpload(reader, customer, uploadId)))
}

/** Gives an upload up and takes its bytes away; given up already, it is as good. */
export async function abortUpload(app: Chat, { room }: Customer, uploadId: string): Promise<Answer<object>> {
  const upload = await app.store.write(async (tx) => {
    const found = await uploadOf(tx, room.id, uploadId)
    if (!found || found.state === 'done') throw refuse('UPLOAD_NOT_FOUND', `There is no open upload ${uploadId}`)
    await saveUpload(tx, uploadId, { state: 'over' })
    return found
  })
  await removeCopies(app.config.mediaFolder, upload)
  return answer({}, { status: 204 })
}

/** Sends the uploaded file as a message, once, after looking whether it is whole and what it says it is. */
export async function completeUpload(
  app: Chat,
  customer: Customer,
  uploadId: string,
  order: { clientMessageId: string; text?: string | undefined; sha256?: string | undefined },
): Promise<Answer<Message & { duplicate: boolean }>> {
  const text = order.text === undefined || order.text.trim() === '' ? '' : messageText(order.text)
  const { upload, done } = await app.store.read(async (reader) => {
    const found = await theUpload(reader, customer, uploadId)
    return { upload: found, done: await sentMedia(app, reader, uploadId) }
  })
  if (done) return answer({ ...done, duplicate: true }, { status: 200 })
  if (upload.received_bytes < upload.size_bytes)
    throw refuse('UPLOAD_INCOMPLETE', `${upload.size_bytes - upload.received_bytes} bytes are still to come`, {
      details: [{ field: 'receivedBytes', code: 'incomplete', receivedBytes: upload.received_bytes }],
    })
  const digest = digestFile(app.config.mediaFolder, upload, upload.size_bytes)
  const { sha256, head } = await unlessGivenUp(app, customer, uploadId, digest)
  for (const expected of [order.sha256, upload.sha256])
    if (expected != null && expected !== sha256)
      throw refuse('CHECKSUM_MISMATCH', 'The file is not the one that was announced')
  if (!(await isOfType(upload.content_type, head)))
    throw refuse('FILE_TYPE_NOT_ALLOWED', `The file is not of type ${upload.content_type}`)
  const picture = sizeOfPicture(upload.content_type, head)
  return changing(app, async (tx, told) => {
    const twin = await sentMedia(app, tx, uploadId)
    if (twin) return answer({ ...twin, duplicate: true }, { status: 200 })
    // Given up meanwhile, its bytes are gone.
    await theUpload(tx, customer, uploadId)
    const room = await theRoom(tx, customer.tenant, customer.room.id)
    const mediaId = `med_${app.id()}`
    const { row } = await writeMessage(
      app,
      tx,
      room,
      {
        sender: { type: 'customer', id: room.customer_account, name: room.customer_display_name },
        text,
        type: 'media',
        clientMessageId: order.clientMessageId,
        attachments: [mediaId],
        preview: `[${upload.file_name}]`,
      },
      told,
    )
    const media: ChatMediaRow = {
      id: mediaId,
      tenant: upload.tenant,
      room_id: room.id,
      upload_id: uploadId,
      copy: upload.copy,
      seq: row.seq,
      file_name: upload.file_name,
      content_type: upload.content_type,
      size_bytes: upload.size_bytes,
      sha256,
      width: picture?.width ?? null,
      height: picture?.height ?? null,
      created_at: tx.now,
    }
    await insertMedia(tx, media)
    await saveUpload(tx, uploadId, { state: 'done' })
    const [message] = await shownMessages(app, tx, [row])
    if (!message) throw new Error('a message was written and cannot be shown')
    return answer({ ...message, duplicate: false }, {})
  })
}

/** The message an upload was sent in, if it was. */
async function sentMedia(app: Chat, reader: Reader, uploadId: string): Promise<Message | undefined> {
  const media = await mediaOfUpload(reader, uploadId)
  if (!media) return undefined
  const [message] = await shownMessages(app, reader, await messagesFrom(reader, media.room_id, media.seq, 1))
  return message
}

/** Ends uploads that stood still for a day. The bytes go first: a crash in between leaves an upload to be ended again. */
export async function endUploads(app: Chat, limit: number): Promise<number> {
  const over = await app.store.read((reader) => uploadsOver(reader, limit))
  for (const upload of over) await removeCopies(app.config.mediaFolder, upload)
  if (over.length > 0)
    await app.store.write(async (tx) => {
      for (const { id } of over) await saveUpload(tx, id, { state: 'over' })
    })
  return over.length
}
