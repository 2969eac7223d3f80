import type { Client } from '../../../http/contract/contract.ts'
import type { Book } from '../../../operator/book/book.ts'
import type { casino as casinoContract } from '../../../services/casino/api/contract.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { durationOf } from '../../arguments/moments.ts'
import { lockHolder } from '../../context/lock-holder.ts'
import { noBook } from '../../context/no-book.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { Flags } from '../../framework/flags.ts'
import { shareFlags } from '../../framework/rate-share-flags.ts'
import { retryText } from '../../outcome/request-log.ts'

/** Flags of jobs with a request per transfer or player, of which one runs at a time. */
export const shareFlag = {
  'rate-share': shareFlags['rate-share'],
  wait: Flags.string({ summary: 'Wait up to this long for a concurrent run to finish', helpValue: 'DURATION' }),
}

/** Base class of reconciliation commands that need a book and send many requests. */
export abstract class ReconcileCommand extends CountroomCommand {
  /** Opens the tenant's book. Without one the result is inconclusive; it is not created. */
  protected async bookToReconcile(clients: Clients): Promise<{ book: Book; url: string }> {
    const { bookUrlOf, openBookIfThere } = await import('../../../world/clients/book-location.ts')
    const url = bookUrlOf(this.settings, this.profile)
    const book = await openBookIfThere(this.settings, this.profile, clients.casinoAccess)
    if (!book) throw noBook('CANNOT_CONCLUDE', url, this.settings)
    this.closeLater(() => book.close())
    return { book, url }
  }

  /** Runs a job under the lock of the book: one run at a time. */
  protected async lockJob(book: Book, url: string, job: string, wait: string | undefined): Promise<void> {
    const waitMs = durationOf('wait', wait) ?? 0
    const [{ lockBook }, { realSleep }] = await Promise.all([
      import('../../../operator/book/lock.ts'),
      import('../../../http/client/sleep.ts'),
    ])
    const lock = await lockBook(book, {
      url,
      job,
      me: lockHolder(this),
      waitMs,
      sleep: realSleep,
      signal: this.stop,
    })
    this.closeLater(() => lock.release())
  }

  /** Returns the platform's time as a synchronous function; it follows the times in responses. */
  protected async platformNow(clients: Clients): Promise<() => number> {
    const ahead = (await clients.now()) - Date.now()
    return () => Date.now() + (clients.aheadMs() ?? ahead)
  }

  /** Opens a retrying client that keeps to its share of the tenant's rate limit. */
  protected async sharedCasino(clients: Clients, rateShare: number): Promise<Client<typeof casinoContract>> {
    const [{ sharedCasino }, { realSleep }, { attemptsOf }] = await Promise.all([
      import('../../../operator/rate-share/casino-client.ts'),
      import('../../../http/client/sleep.ts'),
      import('../../../world/config/timeouts.ts'),
    ])
    const options = {
      environment: clients.casinoAccess.environment,
      rateShare,
      sleep: realSleep,
      random: Math.random,
      now: Date.now,
      observe: (retry: Parameters<typeof retryText>[0]) => this.note(retryText(retry)),
      ...attemptsOf(this.settings),
    }
    return sharedCasino(clients.casinoTransport, options)
  }
}
