import { type HeldLock, tryLock } from '../../db/engines/lock.ts'
import type { BookHolderRow } from '../../db/schema/book.ts'
import type { Sleep } from '../../http/client/sleep.ts'
import { Problem } from '../../kit/problem.ts'
import type { Book } from './book.ts'

/** One run at a time of a job on a book. */

/** Who a run is, for those who find the lock taken. */
export interface Me {
  readonly pid: number
  readonly host: string
  readonly command: string
}

export interface LockOptions {
  /** The book's own address: the lock is kept beside it. */
  readonly url: string
  readonly job: string
  /** Of what, where a job has a lock for each of several things. */
  readonly of?: string
  readonly me: Me
  /** How long to wait for whoever has it. */
  readonly waitMs: number
  readonly sleep: Sleep
  readonly signal?: AbortSignal
  /** Told once, when it is going to wait. */
  readonly onWait?: (holder: BookHolderRow | undefined) => void
}

/** A look at the lock takes it for a moment; whoever wants it in earnest does not give up over that. */
const glanceMs = 150
const tryEveryMs = 50

/** Takes the lock, or refuses with LOCKED_BY_ANOTHER, which names the holder. Whoever takes it releases it. */
export async function lockBook(book: Book, options: LockOptions): Promise<HeldLock> {
  const { url, job, of, me, waitMs, sleep, signal, onWait } = options
  const name = of === undefined ? job : `${job} ${of}`
  let hasTold = false
  for (let waited = 0; ; waited += tryEveryMs) {
    const held = await tryLock(url, name)
    if (held) return announced(book, held, name, me)
    if (waited >= Math.max(glanceMs, waitMs)) throw lockedBy(await holderOf(book, name), options)
    if (waited >= glanceMs && !hasTold) {
      hasTold = true
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
  const who = holder
    ? `process ${holder.pid} on ${holder.host} (${holder.command}), since ${new Date(holder.started_at).toISOString()}`
    : 'another process'
  const hint = waitMs > 0 ? '' : '; --wait lets this run wait for it'
  return new Problem('LOCKED_BY_ANOTHER', `The book's lock for ${job} is held by ${who}${hint}`, {
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

/** Who holds the lock now, if anybody does. */
export async function lockHolder(book: Book, url: string, job: string): Promise<BookHolderRow | 'nobody' | 'unknown'> {
  const held = await tryLock(url, job)
  if (!held) return (await holderOf(book, job)) ?? 'unknown'
  await held.release()
  return 'nobody'
}
