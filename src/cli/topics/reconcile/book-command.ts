import { hostname } from 'node:os'
import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import type { Me } from '../../../operator/book/lock.ts'
import { durationMs } from '../../arguments/moments.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { noBook } from './no-book.ts'

/** Base classes of commands that use the book of a profile, with and without its lock. */
export abstract class BookCommand extends CountroomCommand {
  /** Opens the existing book. It is never created here: a mistyped path would give a new, empty book. */
  protected bookThere(): Promise<{ book: Book; url: string }> {
    this.#there ??= this.#openThere()
    return this.#there
  }

  #there: Promise<{ book: Book; url: string }> | undefined
  async #openThere(): Promise<{ book: Book; url: string }> {
    const { bookUrlOf, isBookThere } = await import('../../../world/clients/book-location.ts')
    const url = bookUrlOf(this.settings, this.profile)
    if (!isBookThere(this.settings, this.profile)) throw noBook('BOOK_NOT_FOUND', url, this.settings)
    const { openBook } = await import('../../../operator/book/book.ts')
    const book = await openBook(url)
    this.closeLater(() => book.close())
    return { book, url }
  }

  /** Identifies this run to others that wait for the lock. */
  protected me(command: string): Me {
    return { pid: process.pid, host: hostname(), command: `countroom ${command}` }
  }

  /** Program name and version. */
  protected get tool(): string {
    return `countroom ${this.config.version}`
  }

  /** True if a person watches. Without a terminal, as under cron, a successful run prints nothing. */
  protected get isWatched(): boolean {
    return process.stderr.isTTY === true || process.stdout.isTTY === true
  }
}

/** Parses a duration flag to milliseconds. */
export function durationOf(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const ms = durationMs(text)
  if (ms !== undefined) return ms
  throw new Problem('INVALID_USAGE', `--${flag} must be a duration such as 90s, 10m or 1h30m; received ${text}`, {
    flag,
  })
}
