import type { Book } from '../book/book.ts'
import { Problem } from '../kit/problem.ts'
import { CountroomCommand } from './command.ts'
import { Flags } from './flags.ts'
import { readInput } from './input.ts'
import { hide } from './mask.ts'

/** A secret is never the value of a flag: it would stand in the list of processes and in the shell's history. */
export const secretFlag = {
  'secret-file': Flags.string({
    summary: "The webhook secret, from a file or stdin; else the profile's",
    helpValue: 'FILE|-',
  }),
}

export const bookFlag = {
  book: Flags.string({ summary: "The operator's own record (COUNTROOM_BOOK)", helpValue: 'PATH|URL' }),
}

/** What the commands stand on that take webhooks in, and those that look at what came. */
export abstract class WebhookCommand extends CountroomCommand {
  /** The secret from the file that was named, else the profile's; nothing where neither has one. */
  protected async secretIfAny(file: string | undefined): Promise<string | undefined> {
    const { webhookAccessOf } = await import('../world/webhook-access.ts')
    const secret = file === undefined ? (await webhookAccessOf(this.profile, this.settings)).secret : await read(file)
    if (secret !== undefined) hide([secret])
    return secret
  }

  /** The same where there must be one. */
  protected async secret(file: string | undefined): Promise<string> {
    const secret = await this.secretIfAny(file)
    if (secret !== undefined) return secret
    throw new Problem(
      'BAD_CONFIGURATION',
      `The profile "${this.profile.name}" has no webhook secret: name a file with --secret-file, or enable the webhook first`,
      { profile: this.profile.name },
    )
  }

  /** The profile's book for taking webhooks in: made where there is none, and of this tenant. */
  protected async book(): Promise<Book> {
    const [{ openBookOf }, { webhookAccessOf }] = await Promise.all([
      import('../world/book-place.ts'),
      import('../world/webhook-access.ts'),
    ])
    const { identity } = await webhookAccessOf(this.profile, this.settings)
    const book = await openBookOf(this.settings, this.profile, identity)
    this.closeLater(() => book.close())
    return book
  }

  /** The same for looking at what came; nothing where there is no book yet. */
  protected async bookIfThere(): Promise<Book | undefined> {
    const [{ bookUrlOf, isBookThere }, { openBook }] = await Promise.all([
      import('../world/book-place.ts'),
      import('../book/book.ts'),
    ])
    if (!isBookThere(this.settings, this.profile)) return undefined
    const book = await openBook(bookUrlOf(this.settings, this.profile))
    this.closeLater(() => book.close())
    return book
  }
}

async function read(file: string): Promise<string> {
  const secret = (await readInput(file)).trim()
  if (/^whs_[A-Za-z0-9]{32}$/.test(secret)) return secret
  const name = file === '-' ? 'stdin' : file
  throw new Problem('INVALID_FILE', `${name} does not hold a webhook secret: whs_ and 32 letters and digits`, {
    file: name,
  })
}

/** A URL to hand webhooks on to: https, or this machine. */
export function forwardUrl(text: string, flag: string): string {
  const url = URL.parse(text)
  const isLocal = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url && url.username === '' && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    return url.href
  throw new Problem('INVALID_USAGE', `${flag} must be an https URL, or http on this machine`)
}
