/** A page of a list of rooms. */
interface RoomPage<Room> {
  readonly items: readonly Room[]
  readonly total: number
  readonly hasMore: boolean
}

/** Maximum number of rooms per page, by the document. */
const largestPage = 100

/**
 * Reads rooms, page by page, up to a limit. `take` gets the new rooms of each page, and returns false if no more are wanted. A
 * room that moved between pages is returned once.
 */
export async function readRooms<Room extends { readonly roomId: string }>(
  readPage: (page: { readonly page: number; readonly pageSize: number }) => Promise<RoomPage<Room>>,
  limit: number,
  take: (fresh: readonly Room[]) => Promise<boolean>,
): Promise<{ rooms: Room[]; total: number }> {
  const rooms = new Map<string, Room>()
  let total = 0
  for (let page = 1; rooms.size < limit; page++) {
    const read = await readPage({ page, pageSize: Math.min(largestPage, limit) })
    const fresh = read.items.filter(({ roomId }) => !rooms.has(roomId)).slice(0, limit - rooms.size)
    for (const room of fresh) rooms.set(room.roomId, room)
    total = read.total
    if (!(await take(fresh)) || !read.hasMore) break
  }
  return { rooms: [...rooms.values()], total }
}

/** Messages per page, by the document. */
export const messagesPerPage = 100

/** Returns the newest messages of a room, oldest first. */
export async function latestMessages<Message>(
  readPage: (page: number) => Promise<{ readonly items: readonly Message[] }>,
  lastSeq: number,
  count: number,
): Promise<Message[]> {
  const messages: Message[] = []
  // Pages are oldest first, and full pages never change, so the newest messages are on the last pages.
  const lastPage = Math.max(1, Math.ceil(lastSeq / messagesPerPage))
  const firstPage = Math.max(1, Math.ceil((lastSeq - count + 1) / messagesPerPage))
  for (let page = firstPage; page <= lastPage; page++) messages.push(...(await readPage(page)).items)
  return messages.slice(-count)
}
