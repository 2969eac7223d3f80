import { realSleep } from '../../../http/client/sleep.ts'
import type { Client } from '../../../http/contract/contract.ts'
import { lockBook } from '../../../operator/book/lock.ts'
import { sharedCasino } from '../../../operator/rate-share/casino-client.ts'
import type { casino as casinoContract } from '../../../services/casino/api/contract.ts'
import { bookUrlOf, openBookIfThere } from '../../../world/clients/book-location.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { attemptsOf } from '../../../world/config/http-options.ts'
import { durationOf } from '../../arguments/moments.ts'
import type { CommandContext } from '../../context/context.ts'
import { lockHolder } from '../../context/lock-holder.ts'
import { noBook } from '../../context/no-book.ts'
import type { OpenBook } from '../../context/services.ts'
import { retryText } from '../../outcome/request-log.ts'
import type { BookJobFlags } from './flags.ts'

/** A job that needs the book and many requests, while it holds its lock of the book. */
export interface BookJob extends OpenBook {
  readonly clients: Clients
  /** A retrying client that keeps to its share of the tenant's rate limit. */
  readonly platform: Client<typeof casinoContract>
  /** The platform's time. It follows the times in responses. */
  now(): number
}

/** Opens the book, takes the lock of the job, of which one run at a time can hold it, and opens the clients. */
export async function openBookJob(context: CommandContext, job: string, flags: BookJobFlags): Promise<BookJob> {
  const waitMs = durationOf('wait', flags.wait) ?? 0
  const clients = await context.services.casino()
  const { book, url } = await openBookToReconcile(context, clients)
  const lock = await lockBook(book, {
    url,
    job,
    me: lockHolder(context),
    waitMs,
    sleep: realSleep,
    signal: context.stop,
  })
  context.closeLater(() => lock.release())
  const ahead = (await clients.now()) - Date.now()
  const now = () => Date.now() + (clients.aheadMs() ?? ahead)
  const platform = await sharedCasino(clients.casinoTransport, {
    environment: clients.casinoAccess.environment,
    rateShare: flags['rate-share'],
    sleep: realSleep,
    random: Math.random,
    now: Date.now,
    observe: (retry) => context.note(retryText(retry)),
    ...attemptsOf(context.settings),
  })
  return { clients, book, url, now, platform }
}

/** Opens the tenant's book. Without one the result is inconclusive; it is not created. */
export async function openBookToReconcile(context: CommandContext, clients: Clients): Promise<OpenBook> {
  const { settings, profile } = context
  const url = bookUrlOf(settings, profile)
  const book = await openBookIfThere(settings, profile, clients.casinoAccess)
  if (!book) throw noBook('CANNOT_CONCLUDE', url, settings)
  context.closeLater(() => book.close())
  return { book, url }
}
