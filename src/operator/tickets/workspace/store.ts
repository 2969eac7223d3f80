import type { BookDeskAnswerRow } from '../../../db/schema/book.ts'
import type { Book } from '../../book/book.ts'
import type { Outgoing, Snooze } from './state.ts'
import type { Stored } from './step.ts'

/** The agent's screen in the book, per chat and agent. */
export interface WorkspaceStore {
  restore(now: number): Promise<Stored>
  keepRoom(roomId: string, draft: string, snooze: Snooze | undefined): Promise<void>
  /**
   * Stores an answer before it is sent. `expectedSeq` is what the first attempt expects; null while the answer can
   * still become a draft.
   */
  keepAnswer(answer: Outgoing, expectedSeq: number | null): Promise<void>
  /** Returns what the first attempt expected; null if there was none. */
  expectedSeqOf(key: string): Promise<number | null>
  forgetAnswer(key: string): Promise<void>
}

/** The chat and the agent that rows belong to. */
interface WorkspaceOwner {
  readonly target: string
  readonly agent: string
}

export const openWorkspaceStore = (book: Book, owner: WorkspaceOwner): WorkspaceStore =>
  new BookWorkspaceStore(book, owner)

class BookWorkspaceStore implements WorkspaceStore {
  readonly #store: Book['store']
  readonly #owner: WorkspaceOwner

  constructor({ store }: Book, owner: WorkspaceOwner) {
    this.#store = store
    this.#owner = owner
  }

  restore(now: number): Promise<Stored> {
    const { target, agent } = this.#owner
    return this.#store.read(async ({ q }) => {
      const rooms = await q
        .selectFrom('book_desk_rooms')
        .selectAll()
        .where('target', '=', target)
        .where('agent', '=', agent)
        .execute()
      const answers = await q
        .selectFrom('book_desk_answers')
        .selectAll()
        .where('target', '=', target)
        .where('agent', '=', agent)
        .orderBy('made_at')
        .execute()
      return {
        drafts: new Map(rooms.filter(({ draft }) => draft !== '').map(({ room_id, draft }) => [room_id, draft])),
        snoozes: new Map(
          rooms.flatMap(({ room_id, snoozed_until: until, snoozed_seq: seq }) =>
            until === null || seq === null ? [] : [[room_id, { until, seq }]],
          ),
        ),
        attempted: answers.filter(({ expected_seq }) => expected_seq !== null).map((row) => toOutgoing(row, now)),
        held: answers.filter(({ expected_seq }) => expected_seq === null).map((row) => toOutgoing(row, now)),
      }
    })
  }

  keepRoom(roomId: string, draft: string, snooze: Snooze | undefined): Promise<void> {
    const key = { ...this.#owner, room_id: roomId }
    return this.#store.write(async ({ q, now }) => {
      if (draft === '' && snooze === undefined) {
        await q
          .deleteFrom('book_desk_rooms')
          .where('target', '=', key.target)
          .where('agent', '=', key.agent)
          .where('room_id', '=', roomId)
          .execute()
        return
      }
      const change = {
        draft,
        snoozed_until: snooze?.until ?? null,
        snoozed_seq: snooze?.seq ?? null,
        changed_at: now,
      }
      await q
        .insertInto('book_desk_rooms')
        .values({ ...key, ...change })
        .onConflict((conflict) => conflict.columns(['target', 'agent', 'room_id']).doUpdateSet(change))
        .execute()
    })
  }

  keepAnswer({ key, roomId, text, file, seenSeq }: Outgoing, expectedSeq: number | null): Promise<void> {
    return this.#store.write(async ({ q, now }) => {
      await q
        .insertInto('book_desk_answers')
        .values({
          ...{ key, text, ...this.#owner },
          room_id: roomId,
          file: file ?? null,
          seen_seq: seenSeq,
          expected_seq: expectedSeq,
          made_at: now,
        })
        .onConflict((conflict) => conflict.column('key').doUpdateSet({ expected_seq: expectedSeq }))
        .execute()
    })
  }

  expectedSeqOf(key: string): Promise<number | null> {
    return this.#store.read(async ({ q }) => {
      const row = await q
        .selectFrom('book_desk_answers')
        .select('expected_seq')
        .where('key', '=', key)
        .executeTakeFirst()
      return row?.expected_seq ?? null
    })
  }

  forgetAnswer(key: string): Promise<void> {
    return this.#store.write(async ({ q }) => {
      await q.deleteFrom('book_desk_answers').where('key', '=', key).execute()
    })
  }
}

function toOutgoing(row: BookDeskAnswerRow, now: number): Outgoing {
  return {
    key: row.key,
    roomId: row.room_id,
    text: row.text,
    ...(row.file === null ? {} : { file: row.file }),
    seenSeq: row.seen_seq,
    state: 'unknown',
    dueAt: now,
    failures: 0,
  }
}
