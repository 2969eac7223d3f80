import type { Transport } from '../../../http/contract/wire-types.ts'
import { Problem } from '../../../kit/problem.ts'
import { chat as chatContract } from '../../../services/chat/api/contract.ts'
import type { Announced } from '../fetch-media.ts'
import { readFiles } from '../parse.ts'
import { requestReply } from '../tickets-request.ts'

/** A file of a message. */
export interface RoomFile extends Announced {
  readonly mediaId: string | null
  readonly fileName: string
  readonly link: string
}

/** Maximum number of pages of a room that are searched for a file. */
const maxPages = 10_000

/** Searches the messages of a room for a file, by its ID or that of its message; without an ID, returns the newest file. */
export async function findFile(bot: Transport, roomId: string, id: string | undefined): Promise<RoomFile> {
  let latest: RoomFile | undefined
  for (let page = 1; page <= maxPages; page++) {
    const body = await requestReply(chatContract, bot, 'messages', { params: { roomId }, query: { page } })
    const { files, count } = readFiles(body)
    const match = files.find(({ mediaId, messageId }) => id !== undefined && [mediaId, messageId].includes(id))
    if (match) return match
    latest = files.at(-1) ?? latest
    if (count < 100) break
  }
  if (id === undefined && latest) return latest
  throw new Problem(
    'NOT_FOUND',
    id === undefined
      ? `Room ${roomId} has no file`
      : `Room ${roomId} has no file or message ${id}. To list its messages: countroom rooms show ${roomId}`,
    {
      roomId,
      remoteCode: null,
    },
  )
}

/** Returns the file that a link points to. */
export function fileBehind(link: string): RoomFile {
  if (!URL.canParse(link))
    throw new Problem('INVALID_USAGE', `${JSON.stringify(link.slice(0, 80))} is neither a room ID nor a valid link`)
  const { pathname } = new URL(link)
  const last = pathname.split('/').at(-1) ?? ''
  return { link, mediaId: last === '' ? null : last, fileName: last, sizeBytes: null, sha256: null }
}
