import { partsOf } from '../../../db/chunks.ts'
import type { ChatMediaRow, ChatUploadRow } from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'

export function uploadOf({ q }: Reader, roomId: string, id: string): Promise<ChatUploadRow | undefined> {
  return q.selectFrom('chat_uploads').selectAll().where('id', '=', id).where('room_id', '=', roomId).executeTakeFirst()
}

export function uploadById({ q }: Reader, id: string): Promise<ChatUploadRow | undefined> {
  return q.selectFrom('chat_uploads').selectAll().where('id', '=', id).executeTakeFirst()
}

export function uploadOfClient({ q }: Reader, roomId: string, clientId: string): Promise<ChatUploadRow | undefined> {
  return q
    .selectFrom('chat_uploads')
    .selectAll()
    .where('room_id', '=', roomId)
    .where('client_upload_id', '=', clientId)
    .executeTakeFirst()
}

export async function insertUpload({ q }: Tx, row: ChatUploadRow): Promise<void> {
  await q.insertInto('chat_uploads').values(row).execute()
}

export async function saveUpload({ q }: Tx, id: string, change: Partial<ChatUploadRow>): Promise<void> {
  await q.updateTable('chat_uploads').set(change).where('id', '=', id).execute()
}

/**
 * Returns a room's number of open uploads, and the bytes of those started since a moment. Aborted ones count with their
 * received bytes: otherwise a sender that aborts every file just before its end would have no limit.
 */
export async function uploadLoad({ q, now }: Reader, roomId: string, since: number) {
  const rows = await q
    .selectFrom('chat_uploads')
    .select(['state', 'size_bytes', 'received_bytes', 'created_at', 'expires_at'])
    .where('room_id', '=', roomId)
    .where((each) => each.or([each('created_at', '>', since), each('state', '=', 'open')]))
    .execute()
  return {
    open: rows.filter((row) => row.state === 'open' && row.expires_at > now).length,
    bytes: rows
      .filter((row) => row.created_at > since)
      .reduce((sum, row) => sum + (row.state === 'over' ? row.received_bytes : row.size_bytes), 0),
  }
}

export function uploadsOver({ q, now }: Reader, limit: number): Promise<ChatUploadRow[]> {
  return q
    .selectFrom('chat_uploads')
    .selectAll()
    .where('state', '=', 'open')
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}

export async function insertMedia({ q }: Tx, row: ChatMediaRow): Promise<void> {
  await q.insertInto('chat_media').values(row).execute()
}

export function mediaOf({ q }: Reader, id: string): Promise<ChatMediaRow | undefined> {
  return q.selectFrom('chat_media').selectAll().where('id', '=', id).executeTakeFirst()
}

export function mediaOfUpload({ q }: Reader, uploadId: string): Promise<ChatMediaRow | undefined> {
  return q.selectFrom('chat_media').selectAll().where('upload_id', '=', uploadId).executeTakeFirst()
}

export function mediaAmong({ q }: Reader, ids: readonly string[]): Promise<ChatMediaRow[]> {
  return q.selectFrom('chat_media').selectAll().where('id', 'in', ids).execute()
}

/** Lists the files that uploads and sent media refer to, with the number of valid bytes. */
export async function storedFiles({ q }: Reader): Promise<{ id: string; copy: number; size: number }[]> {
  const uploads = await q
    .selectFrom('chat_uploads')
    .select(['id', 'copy', 'received_bytes as size'])
    .where('received_bytes', '>', 0)
    .where('state', '!=', 'over')
    .execute()
  const media = await q.selectFrom('chat_media').select(['upload_id as id', 'copy', 'size_bytes as size']).execute()
  const files = new Map([...uploads, ...media].map((file) => [`${file.id}.${file.copy}`, file]))
  return [...files.values()]
}

/** Returns the ids of those uploads that exist, or whose file was sent. */
export async function knownUploads({ q }: Reader, ids: readonly string[]): Promise<Set<string>> {
  const known = new Set<string>()
  for (const some of partsOf(ids)) {
    const uploads = await q.selectFrom('chat_uploads').select('id').where('id', 'in', some).execute()
    const media = await q.selectFrom('chat_media').select('upload_id as id').where('upload_id', 'in', some).execute()
    for (const { id } of [...uploads, ...media]) known.add(id)
  }
  return known
}

/** Changes the copy of a file in all rows that refer to it. */
export async function moveToCopy({ q }: Tx, from: { id: string; copy: number }, copy: number): Promise<void> {
  await q
    .updateTable('chat_media')
    .set({ copy })
    .where('upload_id', '=', from.id)
    .where('copy', '=', from.copy)
    .execute()
  await q.updateTable('chat_uploads').set({ copy }).where('id', '=', from.id).where('copy', '=', from.copy).execute()
  await q
    .updateTable('chat_uploads')
    .set({ copies: copy })
    .where('id', '=', from.id)
    .where('copies', '<', copy)
    .execute()
}
