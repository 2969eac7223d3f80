import type { Reader, Store } from '../../../db/store.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { lifeOf } from '../queries/events.ts'

/**
 * Converts event numbers to cursors that contain a mark of the source and of this database. A database that was wiped
 * and filled again from the same seed has the same room ids, but different events.
 */
export interface Cursors {
  /** Returns the cursors of a room's events. Inside a transaction, pass its reader so that no other one is opened. */
  ofRoom(roomId: string, reader?: Reader): Promise<(at: number) => string>
  /** Returns the cursors of a tenant's events. */
  ofTenant(code: string, reader?: Reader): Promise<(at: number) => string>
  /** Forgets the mark of the database, because its content was replaced. */
  forget(): void
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
    forget() {
      life = undefined
    },
  }
}
