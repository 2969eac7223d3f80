import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import type { CallbackForm } from '../../../operator/callbacks/signatures.ts'
import type { Config } from '../../../world/config/config.ts'
import type { NamedProfile } from '../../../world/config/profile-schema.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { Flags } from '../../framework/flags.ts'
import { hide } from '../../outcome/secrets-mask.ts'
import { readInput } from '../../terminal/read-input.ts'

/** A secret is never the value of a flag: it would stand in the list of processes and in the shell's history. */
export const secretFlag = {
  'secret-file': Flags.string({
    summary: "The secret they are signed with, from a file or stdin; else the profile's",
    helpValue: 'FILE|-',
  }),
}

export const bookFlag = {
  book: Flags.string({ summary: "The operator's own record (COUNTROOM_BOOK)", helpValue: 'PATH|URL' }),
}

/** Which of the two services' callbacks a command is about, and where what it needs of them is found. */
export interface Mail {
  readonly form: CallbackForm
  /** The topic of its commands. */
  readonly topic: 'webhooks' | 'ipn'
  /** One of them, and the thing's whole name in a sentence about its secret. */
  readonly noun: 'webhook' | 'callback'
  /** The form of the secret, and how it is told to people. */
  readonly secretPattern: RegExp
  readonly secretForm: string
  secretOf(profile: NamedProfile, config: Config): Promise<string | undefined>
  /** Opens the book for taking them in. */
  openBook(profile: NamedProfile, config: Config): Promise<Book>
}

/** What the commands stand on that take callbacks in, and those that look at what came. */
export abstract class CallbackCommand extends CountroomCommand {
  protected abstract readonly mail: Mail

  /** The secret from the file that was named, else the profile's; nothing where neither has one. */
  protected async secretIfAny(file: string | undefined): Promise<string | undefined> {
    const secret = file === undefined ? await this.mail.secretOf(this.profile, this.settings) : await this.#read(file)
    if (secret !== undefined) hide([secret])
    return secret
  }

  /** The same where there must be one. */
  protected async secret(file: string | undefined): Promise<string> {
    const secret = await this.secretIfAny(file)
    if (secret !== undefined) return secret
    const { name, profile } = this.profile
    // A local world makes it when it begins to send; only what was said in a profile can be missing from one.
    const next =
      profile.kind === 'local' && this.mail.topic === 'webhooks'
        ? '"countroom console webhooks set CODE --url URL" and then "countroom console webhooks enable CODE" make one'
        : 'name a file with --secret-file, or keep it in the profile'
    throw new Problem('BAD_CONFIGURATION', `The profile "${name}" has no secret for its ${this.mail.noun}s: ${next}`, {
      profile: name,
    })
  }

  /** The profile's book for taking callbacks in: made where there is none. */
  protected async book(): Promise<Book> {
    const book = await this.mail.openBook(this.profile, this.settings)
    this.closeLater(() => book.close())
    return book
  }

  /** The same for looking at what came; nothing where there is no book yet. */
  protected async bookIfThere(): Promise<Book | undefined> {
    const [{ bookUrlOf, isBookThere }, { openBook }] = await Promise.all([
      import('../../../world/clients/book-location.ts'),
      import('../../../operator/book/book.ts'),
    ])
    if (!isBookThere(this.settings, this.profile)) return undefined
    const book = await openBook(bookUrlOf(this.settings, this.profile))
    this.closeLater(() => book.close())
    return book
  }

  async #read(file: string): Promise<string> {
    const secret = (await readInput(file)).trim()
    if (this.mail.secretPattern.test(secret)) return secret
    const name = file === '-' ? 'stdin' : file
    throw new Problem(
      'INVALID_FILE',
      `${name} does not hold a secret for ${this.mail.noun}s: ${this.mail.secretForm}`,
      {
        file: name,
      },
    )
  }
}

/** A URL to hand callbacks on to: https, or this machine. */
export function forwardUrl(text: string, flag: string): string {
  const url = URL.parse(text)
  const isLocal = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url && url.username === '' && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    return url.href
  throw new Problem('INVALID_USAGE', `${flag} must be an https URL, or http on this machine`)
}
