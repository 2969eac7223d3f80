import type { BookDeskAnswerRow } from '../../../db/schema/book.ts'
import type { Book } from '../../book/book.ts'
import type { Outgoing, Snooze } from './state.ts'
import type { Stored } from './step.ts'

/** The agent's screen in the book, per chat and agent. */
export interface DeskStore {
  restore(now: number): Promise<Stored>
  keepRoom(roomId: string, draft: string, snooze: Snooze | undefined): Promise<void>
  /** Stores an answer before it is sent, with what the first attempt expects; until then it can become a draft again. */
  keepAnswer(answer: Outgoing, expectedSeq: number | null): Promise<void>
  /** Returns what the first attempt expected; null if there was none. */
  expectedSeqOf(key: string): Promise<number | null>
  forgetAnswer(key: string): Promise<void>
}

export function openDeskStore(book: Book, { target, agent }: { target: string; agent: string }): DeskStore {
  const { store } = book
  return {
    restore: (now) =>
      store.read(async ({ q }) => {
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
      }),
    keepRoom: (roomId, draft, snooze) =>
      store.write(async ({ q, now }) => {
        if (draft === '' && snooze === undefined) {
          await q
            .deleteFrom('book_desk_rooms')
            .where('target', '=', target)
            .where('agent', '=', agent)
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
          .values({ target, agent, room_id: roomId, ...change })
          .onConflict((conflict) => conflict.columns(['target', 'agent', 'room_id']).doUpdateSet(change))
          .execute()
      }),
    keepAnswer: ({ key, roomId, text, file, seenSeq }, expectedSeq) =>
      store.write(async ({ q, now }) => {
        await q
          .insertInto('book_desk_answers')
          .values({
            ...{ key, target, agent, text },
            room_id: roomId,
            file: file ?? null,
            seen_seq: seenSeq,
            expected_seq: expectedSeq,
            made_at: now,
          })
          .onConflict((conflict) => conflict.column('key').doUpdateSet({ expected_seq: expectedSeq }))
          .execute()
      }),
    expectedSeqOf: (key) =>
      store.read(async ({ q }) => {
        const row = await q
          .selectFrom('book_desk_answers')
          .select('expected_seq')
          .where('key', '=', key)
          .executeTakeFirst()
        return row?.expected_seq ?? null
      }),
    forgetAnswer: (key) =>
      store.write(async ({ q }) => {
        await q.deleteFrom('book_desk_answers').where('key', '=', key).execute()
      }),
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
