import assert from 'node:assert/strict'
import { canonicalJson } from '../kit/canonical-json.ts'
import { sha256Hex } from '../kit/hmac.ts'
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
 *
 * A key that was taken ahead by `takeKey` and has no answer yet is worked on like a new one: of two who hold it, because
 * the first was thought dead, the transaction lets one answer.
 */
export async function once<T>(tx: Tx, asked: Question, work: () => Promise<T>): Promise<Once<T>> {
  const fingerprint = fingerprintOf(asked)
  const earlier = await claim(tx, asked, fingerprint)
  if (earlier !== undefined && earlier.fingerprint !== fingerprint) return { outcome: 'conflict' }
  if (earlier !== undefined && earlier.answer !== null) return { outcome: 'again', answer: JSON.parse(earlier.answer) }
  const answer = await work()
  const text = JSON.stringify(answer)
  assert(text !== undefined, 'an answer that is to be remembered is a JSON value')
  await saveAnswer(tx, asked, text)
  return { outcome: 'first', answer }
}

/** What became of taking a key: it is ours to answer under, somebody is answering under it, or it has its answer. */
export type Taken<T> =
  | { outcome: 'taken' }
  | { outcome: 'in-flight' }
  | { outcome: 'again'; answer: T }
  | { outcome: 'conflict' }

/**
 * Takes a key in a transaction of its own, ahead of the one that answers: so whoever asks meanwhile, in this process or
 * beside it, is told so instead of being made to wait. The key of somebody who died is free again after the lease.
 */
export async function takeKey<T>(tx: Tx, asked: Question, leaseMs: number): Promise<Taken<T>> {
  const fingerprint = fingerprintOf(asked)
  const earlier = await claim(tx, { ...asked, expiresAt: tx.now + leaseMs }, fingerprint)
  if (earlier === undefined) return { outcome: 'taken' }
  if (earlier.answer === null) return { outcome: 'in-flight' }
  if (earlier.fingerprint !== fingerprint) return { outcome: 'conflict' }
  return { outcome: 'again', answer: JSON.parse(earlier.answer) }
}

/** Gives a key back that was taken and not answered under; one with an answer is left as it is. */
export async function giveKeyBack({ q }: Tx, { scope, key }: Pick<Question, 'scope' | 'key'>): Promise<void> {
  await q
    .deleteFrom('store_once')
    .where('scope', '=', scope)
    .where('key', '=', key)
    .where('answer', 'is', null)
    .execute()
}

function fingerprintOf({ question }: Question): string {
  return sha256Hex(canonicalJson(question))
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

async function saveAnswer({ q }: Tx, { scope, key, expiresAt }: Question, answer: string): Promise<void> {
  const row = { answer, expires_at: expiresAt }
  await q.updateTable('store_once').set(row).where('scope', '=', scope).where('key', '=', key).execute()
}
