import type { Reader, Store } from '../../../db/store.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { lifeOf } from '../queries/events.ts'

/**
 * How the numbers of events become cursors: behind a mark of the source and of the life of this database. One that was
 * wiped and filled anew from the same seed has the same rooms under the same ids, and other events.
 */
export interface Cursors {
  /** For the events of a room. Inside a transaction its reader is given, so that nothing is asked beside it. */
  ofRoom(roomId: string, reader?: Reader): Promise<(at: number) => string>
  /** For the events of a tenant. */
  ofTenant(code: string, reader?: Reader): Promise<(at: number) => string>
}

export function openCursors(store: Store): Cursors {
  let life: string | undefined
  async function behind(source: string, reader: Reader | undefined): Promise<(at: number) => string> {
    life ??= reader ? await lifeOf(reader) : await store.read(lifeOf)
    const epoch = sha256Hex(`${life} ${source}`).slice(0, 16)
    return (at) => `${epoch}.${at}`
  }
  return {
    ofRoom: (roomId, reader) => behind(`room ${roomId}`, reader),
    ofTenant: (code, reader) => behind(`tenant ${code}`, reader),
  }
}
