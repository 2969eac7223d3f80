import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatMediaRow, ChatRoomRow, ChatUploadRow } from '../../../db/schema/chat.ts'
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
import type { NewMessage } from '../rooms/room-changes.ts'
import { theRoom } from '../rooms/rooms.ts'
import { messageText } from '../rooms/text-rules.ts'
import { type AgentCaller, type Chat, changing, type Uploader } from '../service.ts'
import { isNameFor } from './file-names.ts'
import { allowedType, isOfType, safeFileName, sizeOfPicture } from './file-types.ts'
import { digestFile, removeCopies } from './files.ts'
import { limitsOf } from './limits.ts'

export const chunkSizeBytes = 262_144
export const maxChunkBytes = 1_048_576
const dayMs = 86_400_000
/** Time without progress after which an upload expires. */
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

/**
 * Returns the agent as an uploader into a room. Files of agents have the same three steps and limits as those of
 * customers.
 */
export function agentUploader(
  app: Chat,
  { tenant, agentId, displayName }: AgentCaller,
  roomId: string,
): Promise<Uploader> {
  return app.store.read(async (reader) => ({
    tenant,
    room: await theRoom(reader, tenant, roomId),
    agent: { agentId, displayName },
  }))
}

/**
 * Returns the client id as it is stored. An agent's has a prefix that no client may send. The customer and the agents
 * of a room therefore cannot access each other's uploads.
 */
const storedClientId = ({ agent }: Uploader, clientUploadId: string): string =>
  agent ? `@${agent.agentId}/${clientUploadId}` : clientUploadId

const isUploadOf = (uploader: Uploader, { client_upload_id: id }: ChatUploadRow): boolean =>
  uploader.agent ? id.startsWith(storedClientId(uploader, '')) : !id.startsWith('@')

/**
 * Returns an upload of the uploader. Throws UPLOAD_NOT_FOUND, or UPLOAD_EXPIRED when it was aborted or had no progress
 * for a day.
 */
export async function theUpload(reader: Reader, uploader: Uploader, uploadId: string): Promise<ChatUploadRow> {
  const upload = await uploadOf(reader, uploader.room.id, uploadId)
  if (!upload || !isUploadOf(uploader, upload)) throw refuse('UPLOAD_NOT_FOUND', `There is no upload ${uploadId}`)
  if (isOver(upload, reader.now)) throw refuse('UPLOAD_EXPIRED', 'The upload was aborted, or had no progress for 1 day')
  return upload
}

/**
 * Waits for work on an upload's file. Throws UPLOAD_EXPIRED if it fails because the upload was aborted and its file
 * deleted.
 */
export async function unlessAborted<T>(app: Chat, uploader: Uploader, uploadId: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    await app.store.read((reader) => theUpload(reader, uploader, uploadId))
    throw error
  }
}

function isOver({ state, expires_at }: ChatUploadRow, now: number): boolean {
  return state === 'over' || (state === 'open' && expires_at <= now)
}

interface UploadInput {
  readonly fileName: string
  readonly contentType: string
  readonly sizeBytes: number
  readonly sha256?: string | undefined
  readonly clientUploadId: string
}

/**
 * Starts an upload, or returns the one started with the same client id. A file that may not be sent is refused before
 * any byte of it is.
 */
export async function initializeUpload(
  app: Chat,
  uploader: Uploader,
  input: UploadInput,
): Promise<Answer<ReturnType<typeof toUpload>>> {
  const { tenant, room } = uploader
  const clientUploadId = storedClientId(uploader, input.clientUploadId)
  const type = allowedType(input.contentType)
  if (!type) throw refuse('FILE_TYPE_NOT_ALLOWED', `Files of type ${input.contentType} are not allowed`)
  const { maxFileBytes, maxOpenUploads, maxBytesPerDay } = limitsOf(tenant)
  const name = safeFileName(input.fileName)
  if (!isNameFor(type, name))
    throw refuse('FILE_TYPE_NOT_ALLOWED', `A file of type ${type} must not have the name ${name}`, {
      details: [{ field: 'fileName', code: 'not_allowed' }],
    })
  if (input.sizeBytes > maxFileBytes)
    throw refuse('FILE_TOO_LARGE', `A file must be at most ${maxFileBytes} bytes`, {
      details: [{ field: 'sizeBytes', code: 'too_large', maxFileBytes }],
    })
  const begun = await app.store.read((reader) => uploadOfClient(reader, room.id, clientUploadId))
  if (begun) await settled(app, begun.id)
  return app.store.write(async (tx) => {
    const earlier = await uploadOfClient(tx, room.id, clientUploadId)
    if (earlier) {
      if (isOver(earlier, tx.now))
        throw refuse('UPLOAD_EXPIRED', 'The upload was aborted, or had no progress for 1 day')
      if (earlier.size_bytes !== input.sizeBytes)
        throw refuse('INVALID_PARAMETER', 'clientUploadId belongs to a file of a different size', {
          details: [{ field: 'clientUploadId', code: 'used' }],
        })
      return answer(toUpload(earlier), { status: 200 })
    }
    const load = await uploadLoad(tx, room.id, tx.now - dayMs)
    if (load.open >= maxOpenUploads)
      throw refuse('UPLOAD_LIMIT', `A room can have at most ${maxOpenUploads} open uploads`)
    if (load.bytes + input.sizeBytes > maxBytesPerDay)
      throw refuse('UPLOAD_LIMIT', `A room can send at most ${maxBytesPerDay} bytes per day`)
    const row: ChatUploadRow = {
      id: `upl_${app.id()}`,
      tenant: tenant.code,
      room_id: room.id,
      client_upload_id: clientUploadId,
      file_name: name,
      content_type: type,
      size_bytes: input.sizeBytes,
      received_bytes: 0,
      sha256: input.sha256 ?? null,
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

/** Maximum time that a request for the progress waits for a chunk being received. */
const settleMs = 2_000

/**
 * Waits for a chunk being received. A sender whose connection dropped requests the progress at once; an early response
 * would make it send bytes again.
 */
async function settled(app: Chat, uploadId: string): Promise<void> {
  const underWay = app.chunks.get(uploadId)
  if (underWay) await Promise.race([underWay, sleep(settleMs, undefined, { ref: false })])
}

export async function readUpload(app: Chat, uploader: Uploader, uploadId: string) {
  await settled(app, uploadId)
  return app.store.read(async (reader) => toUpload(await theUpload(reader, uploader, uploadId)))
}

/** Aborts an upload and deletes its bytes; succeeds if it was already aborted. */
export async function abortUpload(app: Chat, uploader: Uploader, uploadId: string): Promise<Answer<object>> {
  const upload = await app.store.write(async (tx) => {
    const row = await uploadOf(tx, uploader.room.id, uploadId)
    if (!row || row.state === 'done' || !isUploadOf(uploader, row))
      throw refuse('UPLOAD_NOT_FOUND', `There is no open upload ${uploadId}`)
    await saveUpload(tx, uploadId, { state: 'over' })
    return row
  })
  await removeCopies(app.config.mediaFolder, upload)
  return answer({}, { status: 204 })
}

/** Sends the uploaded file as a message, once. Checks first that it is complete and matches its type. */
export async function completeUpload(
  app: Chat,
  uploader: Uploader,
  uploadId: string,
  input: { clientMessageId: string; text?: string | undefined; sha256?: string | undefined },
): Promise<Answer<Message & { duplicate: boolean }>> {
  const text = input.text === undefined || input.text.trim() === '' ? '' : messageText(input.text)
  const { upload, done } = await app.store.read(async (reader) => {
    const row = await theUpload(reader, uploader, uploadId)
    return { upload: row, done: await sentMedia(app, reader, uploadId) }
  })
  if (done) return answer({ ...done, duplicate: true }, { status: 200 })
  if (upload.received_bytes < upload.size_bytes)
    throw refuse('UPLOAD_INCOMPLETE', `${upload.size_bytes - upload.received_bytes} bytes are missing`, {
      details: [{ field: 'receivedBytes', code: 'incomplete', receivedBytes: upload.received_bytes }],
    })
  const file = await verifiedFile(app, uploader, upload, input.sha256)
  return changing(app, async (tx, changes) => {
    const existing = await sentMedia(app, tx, uploadId)
    if (existing) return answer({ ...existing, duplicate: true }, { status: 200 })
    // It may have been aborted during the check, with its bytes deleted.
    await theUpload(tx, uploader, uploadId)
    const room = await theRoom(tx, uploader.tenant, uploader.room.id)
    const mediaId = `med_${app.id()}`
    const { row } = await writeMessage(
      app,
      tx,
      room,
      {
        sender: senderOf(uploader, room),
        text,
        type: 'media',
        clientMessageId: input.clientMessageId,
        attachments: [mediaId],
        preview: `[${upload.file_name}]`,
      },
      changes,
    )
    await insertMedia(tx, mediaRowOf(upload, file, { id: mediaId, seq: row.seq, created_at: tx.now }))
    await saveUpload(tx, uploadId, { state: 'done' })
    const [message] = await shownMessages(app, tx, [row])
    if (!message) throw new Error('a written message cannot be read')
    return answer({ ...message, duplicate: false }, {})
  })
}

const senderOf = ({ agent }: Uploader, room: ChatRoomRow): NewMessage['sender'] =>
  agent
    ? { type: 'agent', id: agent.agentId, name: agent.displayName }
    : { type: 'customer', id: room.customer_account, name: room.customer_display_name }

/** Results of checking an uploaded file. */
interface VerifiedFile {
  readonly sha256: string
  readonly picture: ReturnType<typeof sizeOfPicture>
}

/** Checks the uploaded file. Throws CHECKSUM_MISMATCH for another hash and FILE_TYPE_NOT_ALLOWED for another type. */
async function verifiedFile(
  app: Chat,
  uploader: Uploader,
  upload: ChatUploadRow,
  announced: string | undefined,
): Promise<VerifiedFile> {
  const digest = digestFile(app.config.mediaFolder, upload, upload.size_bytes)
  const { sha256, head } = await unlessAborted(app, uploader, upload.id, digest)
  for (const expected of [announced, upload.sha256])
    if (expected != null && expected !== sha256)
      throw refuse('CHECKSUM_MISMATCH', 'The file does not match its announced hash')
  if (!(await isOfType(upload.content_type, head)))
    throw refuse('FILE_TYPE_NOT_ALLOWED', `The file is not of type ${upload.content_type}`)
  return { sha256, picture: sizeOfPicture(upload.content_type, head) }
}

function mediaRowOf(
  upload: ChatUploadRow,
  { sha256, picture }: VerifiedFile,
  sent: Pick<ChatMediaRow, 'id' | 'seq' | 'created_at'>,
): ChatMediaRow {
  return {
    ...sent,
    tenant: upload.tenant,
    room_id: upload.room_id,
    upload_id: upload.id,
    copy: upload.copy,
    file_name: upload.file_name,
    content_type: upload.content_type,
    size_bytes: upload.size_bytes,
    sha256,
    width: picture?.width ?? null,
    height: picture?.height ?? null,
  }
}

/** Returns the message that an upload was sent in, if any. */
async function sentMedia(app: Chat, reader: Reader, uploadId: string): Promise<Message | undefined> {
  const media = await mediaOfUpload(reader, uploadId)
  if (!media) return undefined
  const [message] = await shownMessages(app, reader, await messagesFrom(reader, media.room_id, media.seq, 1))
  return message
}

/**
 * Expires uploads without progress for a day. Files are deleted first: after a crash, the next run deletes them again.
 */
export async function endUploads(app: Chat, limit: number): Promise<number> {
  const over = await app.store.read((reader) => uploadsOver(reader, limit))
  for (const upload of over) await removeCopies(app.config.mediaFolder, upload)
  if (over.length > 0)
    await app.store.write(async (tx) => {
      for (const { id } of over) await saveUpload(tx, id, { state: 'over' })
    })
  return over.length
}
