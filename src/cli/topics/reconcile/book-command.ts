import { hostname } from 'node:os'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import type { Me } from '../../../operator/book/lock.ts'
import { durationMs } from '../../arguments/moments.ts'
import { CountroomCommand } from '../../framework/command.ts'

/** What the commands stand on that work on the book of a profile, and what those of them share that take its lock. */
export abstract class BookCommand extends CountroomCommand {
  /** The book as it is, for whoever asks no service. Where there is none, none is made: a typo would be a new, empty book. */
  protected bookThere(): Promise<{ book: Book; url: string }> {
    this.#there ??= this.#openThere()
    return this.#there
  }

  #there: Promise<{ book: Book; url: string }> | undefined
  async #openThere(): Promise<{ book: Book; url: string }> {
    const { bookUrlOf, isBookThere } = await import('../../../world/clients/book-location.ts')
    const url = bookUrlOf(this.settings, this.profile)
    if (!isBookThere(this.settings, this.profile))
      throw new Problem(
        'BOOK_NOT_FOUND',
        `There is no book at ${url} yet: "countroom bets sync" and whatever moves money makes one for its profile. Is another --profile or --book meant?`,
        {
          book: url,
        },
      )
    const { openBook } = await import('../../../operator/book/book.ts')
    const book = await openBook(url)
    this.closeLater(() => book.close())
    return { book, url }
  }

  /** Who this run is, for those who find the lock taken. */
  protected me(command: string): Me {
    return { pid: process.pid, host: hostname(), command: `countroom ${command}` }
  }

  /** The program and its version. */
  protected get tool(): string {
    return `countroom ${this.config.version}`
  }

  /** Whether a person watches. Off a terminal, as under cron, a run that ends well has nothing to say. */
  protected get isWatched(): boolean {
    return process.stderr.isTTY === true || process.stdout.isTTY === true
  }
}

/** A flag's duration in milliseconds, or the refusal. */
export function durationOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = durationMs(text)
  if (ms !== undefined) return ms
  throw new Problem('INVALID_USAGE', `--${flag} takes a duration such as 90s, 10m or 1h30m, not ${text}`, { flag })
}
