import { type HeldLock, tryLock } from '../../db/engines/lock.ts'
import type { BookHolderRow } from '../../db/schema/book.ts'
import type { Sleep } from '../../http/client/sleep.ts'
import { secondText } from '../../kit/moment.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from './book.ts'

/** Lock of a job on a book: one run at a time. */

/** Identifies a run to others that wait for the lock. */
export interface Me {
  readonly pid: number
  readonly host: string
  readonly command: string
}

export interface LockOptions {
  /** Address of the book; the lock file is next to it. */
  readonly url: string
  readonly job: string
  /** Name, for jobs with several locks. */
  readonly of?: string
  readonly me: Me
  /** Maximum time to wait for the holder. */
  readonly waitMs: number
  readonly sleep: Sleep
  readonly signal?: AbortSignal
  /** Called once, before waiting. */
  readonly onWait?: (holder: BookHolderRow | undefined) => void
}

/** Minimum time for attempts, also without --wait: another process may hold the lock briefly to read its holder. */
const minTryMs = 150
const tryEveryMs = 50

/** Takes the lock, or throws LOCKED_BY_ANOTHER with the holder. The caller releases it. */
export async function lockBook(book: Book, options: LockOptions): Promise<HeldLock> {
  const { url, job, of, me, waitMs, sleep, signal, onWait } = options
  const name = of === undefined ? job : `${job} ${of}`
  let hasReported = false
  for (let waited = 0; ; waited += tryEveryMs) {
    const held = await tryLock(url, name)
    if (held) return announced(book, held, name, me)
    if (waited >= Math.max(minTryMs, waitMs)) throw lockedBy(await holderOf(book, name), options)
    if (waited >= minTryMs && !hasReported) {
      hasReported = true
      onWait?.(await holderOf(book, name))
    }
    await sleep(tryEveryMs, signal)
  }
}

async function announced(book: Book, held: HeldLock, job: string, me: Me): Promise<HeldLock> {
  try {
    await book.store.write(async ({ q, now }) => {
      const row = { ...me, started_at: now }
      await q
        .insertInto('book_holders')
        .values({ job, ...row })
        .onConflict((conflict) => conflict.column('job').doUpdateSet(row))
        .execute()
    })
    return held
  } catch (error) {
    await held.release()
    throw error
  }
}

function holderOf(book: Book, job: string): Promise<BookHolderRow | undefined> {
  return book.store.read(({ q }) => q.selectFrom('book_holders').selectAll().where('job', '=', job).executeTakeFirst())
}

function lockedBy(holder: BookHolderRow | undefined, { job, waitMs }: LockOptions): Problem {
  const holderText = holder
    ? `process ${holder.pid} on ${holder.host} (${holder.command}), since ${secondText(holder.started_at)}`
    : 'another process'
  const hint = waitMs > 0 ? '' : '. To wait for it, pass --wait 5m'
  return new Problem('LOCKED_BY_ANOTHER', `The lock of the book for ${job} is held by ${holderText}${hint}`, {
    ...(holder
      ? {
          pid: holder.pid,
          host: holder.host,
          command: holder.command,
          startedAt: new Date(holder.started_at).toISOString(),
        }
      : {}),
  })
}

/** Returns the current holder of the lock. */
export async function lockHolder(book: Book, url: string, job: string): Promise<BookHolderRow | 'nobody' | 'unknown'> {
  const held = await tryLock(url, job)
  if (!held) return (await holderOf(book, job)) ?? 'unknown'
  await held.release()
  return 'nobody'
}
