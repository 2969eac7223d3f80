import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import type { CallbackForm } from '../../../operator/callbacks/signatures.ts'
import type { Config } from '../../../world/config/config.ts'
import type { NamedProfile } from '../../../world/config/profile-schema.ts'
import { CountroomCommand } from '../../framework/command.ts'
import { Flags } from '../../framework/flags.ts'
import { hide } from '../../outcome/secrets-mask.ts'
import { readInput } from '../../terminal/read-input.ts'

/** A secret is never a flag value, because it would appear in the process list and the shell history. */
export const secretFlag = {
  'secret-file': Flags.string({
    summary: 'File with the signing secret, or - for stdin (default: the secret of the profile)',
    helpValue: 'FILE|-',
  }),
}

export const bookFlag = {
  book: Flags.string({ summary: "The operator's own database (COUNTROOM_BOOK)", helpValue: 'PATH|URL' }),
}

/** Differences between the callbacks of the two services. */
export interface Mail {
  readonly form: CallbackForm
  /** Topic of the commands. */
  readonly topic: 'webhooks' | 'ipn'
  /** Noun for one callback, short and full. */
  readonly noun: 'webhook' | 'callback'
  /** Format of the secret, and its description. */
  readonly secretPattern: RegExp
  readonly secretForm: string
  secretOf(profile: NamedProfile, config: Config): Promise<string | undefined>
  /** Opens the book for receiving callbacks. */
  openBook(profile: NamedProfile, config: Config): Promise<Book>
}

/** Base class of commands that receive callbacks or read received ones. */
export abstract class CallbackCommand extends CountroomCommand {
  protected abstract readonly mail: Mail

  /** Returns the secret from the named file, else from the profile. Undefined if neither has one. */
  protected async secretIfAny(file: string | undefined): Promise<string | undefined> {
    const secret = file === undefined ? await this.mail.secretOf(this.profile, this.settings) : await this.#read(file)
    if (secret !== undefined) hide([secret])
    return secret
  }

  /** Returns the secret, or throws BAD_CONFIGURATION. */
  protected async secret(file: string | undefined): Promise<string> {
    const secret = await this.secretIfAny(file)
    if (secret !== undefined) return secret
    const { name, profile } = this.profile
    // A local world creates its secret when webhooks are enabled.
    const next =
      profile.kind === 'local' && this.mail.topic === 'webhooks'
        ? 'To create one: "countroom console webhooks set CODE --url URL", then "countroom console webhooks enable CODE"'
        : 'pass --secret-file FILE, or add it to the profile'
    throw new Problem('BAD_CONFIGURATION', `The profile "${name}" has no secret for its ${this.mail.noun}s: ${next}`, {
      profile: name,
    })
  }

  /** Opens the profile's book for receiving callbacks, and creates it if necessary. */
  protected async book(): Promise<Book> {
    const book = await this.mail.openBook(this.profile, this.settings)
    this.closeLater(() => book.close())
    return book
  }

  /** Opens the profile's book for reading, or returns undefined if there is none. */
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
      `${name} has no valid secret for ${this.mail.noun}s; expected ${this.mail.secretForm}`,
      {
        file: name,
      },
    )
  }
}

/** Returns a target URL: https, or http on this machine. */
export function forwardUrl(text: string, flag: string): string {
  const url = URL.parse(text)
  const isLocal = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url && url.username === '' && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    return url.href
  throw new Problem('INVALID_USAGE', `${flag} must be an https URL, or an http URL on this machine`)
}
