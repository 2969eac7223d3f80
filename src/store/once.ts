import assert from 'node:assert/strict'
import { sha256Hex } from '../kit/hmac.ts'
import { canonicalJson } from '../kit/json.ts'
import type { Tx } from './store.ts'

/** Something asked under a key that its sender may send again. */
export interface Question {
  /** Within what the key is unique: who asks, and for which kind of thing. */
  scope: string
  key: string
  /** All that makes the question what it is. A JSON value; the order of its keys does not matter. */
  question: unknown
  /** From this moment on the key is forgotten and may be used anew. */
  expiresAt: number
}

/** What became of a question: worked out now, answered before, or asked under a key that belongs to another question. */
export type Once<T> = { outcome: 'first'; answer: T } | { outcome: 'again'; answer: T } | { outcome: 'conflict' }

/**
 * Does the work at most once per scope and key, and gives the same answer every further time. A question that differs
 * from the first one under its key is a conflict, and nothing is done. If the work throws, nothing is remembered
 * either: the transaction is rolled back as a whole. The answer must be a JSON value.
 */
export async function once<T>(tx: Tx, asked: Question, work: () => Promise<T>): Promise<Once<T>> {
  const fingerprint = sha256Hex(canonicalJson(asked.question))
  const earlier = await claim(tx, asked, fingerprint)
  if (earlier === undefined) {
    const answer = await work()
    const text = JSON.stringify(answer)
    assert(text !== undefined, 'an answer that is to be remembered is a JSON value')
    await saveAnswer(tx, asked, text)
    return { outcome: 'first', answer }
  }
  if (earlier.fingerprint !== fingerprint) return { outcome: 'conflict' }
  assert(earlier.answer !== null, 'a question is not asked again while it is being answered')
  return { outcome: 'again', answer: JSON.parse(earlier.answer) }
}

/** Deletes what has expired, at most `limit` of it, and answers how much that was. */
export async function forgetExpired({ q, now }: Tx, limit: number): Promise<number> {
  const gone = await q
    .deleteFrom('store_once')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('scope', 'key'),
        'in',
        selectFrom('store_once')
          .select(['scope', 'key'])
          .where('expires_at', '<=', now)
          .orderBy('expires_at')
          .limit(limit)
          .$asTuple('scope', 'key'),
      ),
    )
    .executeTakeFirst()
  return Number(gone.numDeletedRows)
}

/** Takes the key for this question; or answers with the row of the question that has it. */
async function claim({ q, now }: Tx, asked: Question, fingerprint: string) {
  const { scope, key, expiresAt } = asked
  const row = { scope, key, fingerprint, answer: null, expires_at: expiresAt }
  // Inserted before the work is done, so that a racing twin waits here and not after having done it all as well.
  const claimed = await q
    .insertInto('store_once')
    .values(row)
    .onConflict((conflict) => conflict.columns(['scope', 'key']).doNothing())
    .returning('key')
    .executeTakeFirst()
  if (claimed) return undefined
  const earlier = await q
    .selectFrom('store_once')
    .select(['fingerprint', 'answer', 'expires_at'])
    .where('scope', '=', scope)
    .where('key', '=', key)
    .executeTakeFirstOrThrow()
  if (earlier.expires_at > now) return earlier
  await q.updateTable('store_once').set(row).where('scope', '=', scope).where('key', '=', key).execute()
  return undefined
}

async function saveAnswer({ q }: Tx, { scope, key }: Question, answer: string): Promise<void> {
  await q.updateTable('store_once').set({ answer }).where('scope', '=', scope).where('key', '=', key).execute()
}
