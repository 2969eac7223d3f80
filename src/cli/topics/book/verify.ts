import { existsSync } from 'node:fs'
import { isDatabaseFile } from '../../../db/engines/database-name.ts'
import { realSleep } from '../../../http/client/sleep.ts'
import { realDisk } from '../../../operator/bets/files/disk.ts'
import { betsLock } from '../../../operator/bets/sync/sync.ts'
import { lockBook } from '../../../operator/book/lock.ts'
import type { BookVerification } from '../../../operator/book/verify/schema.ts'
import { verifyBook as verify } from '../../../operator/book/verify/verify.ts'
import { bookUrlOf } from '../../../world/clients/book-location.ts'
import { durationOf } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { lockHolder } from '../../context/lock-holder.ts'
import { noBook } from '../../context/no-book.ts'
import { endedAfter } from '../../terminal/progress.ts'

interface VerifyFlags {
  readonly out: string | undefined
  readonly wait: string | undefined
}

/** Verifies the book, and its files with `--out`, and fails if anything is wrong or could not be checked. */
export async function verifyBook(context: CommandContext, flags: VerifyFlags): Promise<BookVerification> {
  const { settings, profile } = context
  const url = bookUrlOf(settings, profile)
  if (isDatabaseFile(url) && !existsSync(url)) throw noBook('BOOK_NOT_FOUND', url, settings)
  const waitMs = durationOf('wait', flags.wait) ?? 0
  const progress = context.progress('Verifying the book')
  const result = await endedAfter(
    progress,
    verify(
      {
        url,
        disk: realDisk,
        now: Date.now,
        signal: context.stop,
        onStep: (step, rows) => progress.update(rows, step),
        async whileStill(book, work) {
          const lock = await lockBook(book, {
            ...{ url, job: betsLock, me: lockHolder(context), waitMs, sleep: realSleep, signal: context.stop },
            onWait: () => context.note('Waiting for another run to finish'),
          })
          try {
            return await work()
          } finally {
            await lock.release()
          }
        },
      },
      flags.out,
    ),
    ({ checks }) => `${checks.length} checks`,
  )
  // Under a scheduler only what is wrong is worth a mail.
  if (!context.screen.isQuiet || result.verdict !== 'whole') printChecks(context, result)
  conclude(context, result)
  return result
}

function printChecks(context: CommandContext, { checks }: BookVerification): void {
  context.table(checks, [
    { key: 'name', title: 'check' },
    { key: 'status', tint: (status) => (status === 'pass' ? 'green' : status === 'fail' ? 'red' : 'yellow') },
    { key: 'checked', kind: 'count' },
    { key: 'faults', kind: 'count' },
    { key: 'first', title: 'first fault' },
  ])
  if (checks.every(({ name }) => name !== 'files'))
    context.footnote('The CSV files were not checked. To check them too, add --out bets')
}

function conclude(context: CommandContext, { checks, verdict }: BookVerification): void {
  const wrong = checks.find(({ status }) => status === (verdict === 'damaged' ? 'fail' : 'unknown'))
  if (!wrong) return
  const about = { check: wrong.name, first: wrong.first }
  if (verdict === 'damaged')
    context.endWith('DIFFERENCES', `The book is damaged (${wrong.name}): ${wrong.first}`, about)
  else context.endWith('CANNOT_CONCLUDE', `Not everything could be checked (${wrong.name}): ${wrong.first}`, about)
}
