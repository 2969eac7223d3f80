import { realSleep } from '../../../http/client/sleep.ts'
import type { Book } from '../../../operator/book/book.ts'
import { lockBook } from '../../../operator/book/lock.ts'
import { durationOf } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { lockHolder } from '../../context/lock-holder.ts'

/** Takes the lock: one run at a time applies or cancels batches. The signal is aborted if the lock is lost. */
export async function lockTransfers(
  context: CommandContext,
  book: Book,
  url: string,
  wait: string | undefined,
): Promise<AbortSignal> {
  const waitMs = durationOf('wait', wait) ?? 0
  const held = await lockBook(book, {
    url,
    job: 'wallet',
    me: lockHolder(context),
    waitMs,
    sleep: realSleep,
    signal: context.stop,
    onWait: (holder) =>
      context.note(`Waiting for ${holder ? `process ${holder.pid} on ${holder.host}` : 'another run'} to finish`),
  })
  context.closeLater(() => held.release())
  return held.lost
}
