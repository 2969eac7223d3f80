import type { Client } from '../../../http/contract/contract.ts'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import type { casino as casinoContract } from '../../../services/casino/api/contract.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { Flags } from '../../framework/flags.ts'
import { shareFlags } from '../../framework/rate-share-flags.ts'
import { retryText } from '../../outcome/request-log.ts'
import { BookCommand, durationOf } from './book-command.ts'

/** On the jobs that ask the platform about every transfer or player, one run at a time. */
export const shareFlag = {
  'rate-share': shareFlags['rate-share'],
  wait: Flags.string({ summary: 'Wait so long for another run to end', helpValue: 'DURATION' }),
}

/** What the reconciling commands stand on that need a book and ask much of the platform. */
export abstract class ReconcileCommand extends BookCommand {
  /** The tenant's book, which must be there: where there is none, nothing can be concluded, and none is made. */
  protected async bookToReconcile(clients: Clients): Promise<{ book: Book; url: string }> {
    const [{ bookUrlOf, openBookIfThere }, { withoutPassword }] = await Promise.all([
      import('../../../world/clients/book-location.ts'),
      import('../../../db/engines/database-name.ts'),
    ])
    const url = bookUrlOf(this.settings, this.profile)
    const book = await openBookIfThere(this.settings, this.profile, clients.casinoAccess)
    if (!book) {
      const shown = withoutPassword(url)
      throw new Problem('CANNOT_CONCLUDE', `There is no book at ${shown}: "countroom bets sync" makes one`, {
        book: shown,
      })
    }
    this.closeLater(() => book.close())
    return { book, url }
  }

  /** One run of a job at a time on a book. */
  protected async lockJob(book: Book, url: string, job: string, wait: string | undefined): Promise<void> {
    const waitMs = durationOf('wait', wait) ?? 0
    const [{ lockBook }, { realSleep }] = await Promise.all([
      import('../../../operator/book/lock.ts'),
      import('../../../http/client/sleep.ts'),
    ])
    const lock = await lockBook(book, {
      url,
      job,
      me: this.me(job.replace('-', ' ')),
      waitMs,
      sleep: realSleep,
      signal: this.stop,
    })
    this.closeLater(() => lock.release())
  }

  /** Returns the platform's time as a function that waits for nothing: it follows what the responses tell. */
  protected async platformNow(clients: Clients): Promise<() => number> {
    const ahead = (await clients.now()) - Date.now()
    return () => Date.now() + (clients.aheadMs() ?? ahead)
  }

  /** A patient client that keeps to a share of the tenant's rate. */
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
