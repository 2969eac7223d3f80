import { Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import { type Forwarder, openForwarder } from '../../../operator/callbacks/forward.ts'
import { type CallbackForm, ipnForm, webhookForm } from '../../../operator/callbacks/signatures.ts'
import { openBookHere, openBookOf } from '../../../world/clients/book-location.ts'
import { proxyOf } from '../../../world/config/http-options.ts'
import type { CommandContext } from '../../context/context.ts'
import { hide } from '../../outcome/secrets-mask.ts'
import { readInput } from '../../terminal/read-input.ts'
import type { CallbackTopic } from './topics.ts'

/** Differences between the callbacks of the two services: how they are signed, and where their secret and their book are. */
interface CallbackSource {
  readonly form: CallbackForm
  /** Format of the secret, and its description. */
  readonly secretPattern: RegExp
  readonly secretForm: string
  secretOf(context: CommandContext): Promise<string | undefined>
  /** Opens the book for receiving callbacks, and creates it if necessary. */
  openBook(context: CommandContext): Promise<Book>
}

const sources: Readonly<Record<CallbackTopic['words'], CallbackSource>> = {
  webhooks: {
    form: webhookForm,
    secretPattern: /^whs_[A-Za-z0-9]{32}$/,
    secretForm: 'whs_ and 32 letters and digits',
    async secretOf(context) {
      return (await webhookAccess(context)).secret
    },
    async openBook(context) {
      const { identity } = await webhookAccess(context)
      return openBookOf(context.settings, context.profile, identity)
    },
  },
  ipn: {
    form: ipnForm,
    secretPattern: /^\S{8,256}$/,
    secretForm: 'one line without spaces, of at least 8 characters',
    async secretOf({ profile, settings }) {
      const { ipnSecretOf } = await import('../../../world/clients/ipn-secret.ts')
      return ipnSecretOf(profile, settings)
    },
    openBook: ({ profile, settings }) => openBookHere(settings, profile),
  },
}

async function webhookAccess({ profile, settings }: CommandContext) {
  const { webhookAccessOf } = await import('../../../world/clients/webhook-secret.ts')
  return webhookAccessOf(profile, settings)
}

/** Returns how callbacks of a kind are signed and identified. */
export const formOf = ({ words }: CallbackTopic): CallbackForm => sources[words].form

/** Returns the secret from the named file, else from the profile, or throws BAD_CONFIGURATION. */
export async function signingSecret(
  context: CommandContext,
  topic: CallbackTopic,
  file: string | undefined,
): Promise<string> {
  context.services.nameTarget()
  const secret = file === undefined ? await sources[topic.words].secretOf(context) : await readSecret(topic, file)
  if (secret !== undefined) {
    hide([secret])
    return secret
  }
  const { name, profile } = context.profile
  // A local world creates its secret when webhooks are enabled.
  const next =
    profile.kind === 'local' && topic.words === 'webhooks'
      ? 'To create one: countroom help console webhooks set, then: countroom help console webhooks enable'
      : 'Pass --secret-file FILE, or add it to the profile'
  throw new Problem('BAD_CONFIGURATION', `The profile "${name}" has no secret for its ${topic.noun}s. ${next}`, {
    profile: name,
  })
}

/** Opens the profile's book for receiving callbacks, and creates it if necessary. */
export async function receivingBook(context: CommandContext, { words }: CallbackTopic): Promise<Book> {
  context.services.nameTarget()
  const book = await sources[words].openBook(context)
  context.closeLater(() => book.close())
  return book
}

async function readSecret({ words, noun }: CallbackTopic, file: string): Promise<string> {
  const { secretPattern, secretForm } = sources[words]
  const secret = (await readInput(file)).trim()
  if (secretPattern.test(secret)) return secret
  const name = file === '-' ? 'stdin' : file
  throw new Problem('INVALID_FILE', `${name} has no valid secret for ${noun}s; expected ${secretForm}`, { file: name })
}

/** Returns a target URL: https, or http on this machine. */
export function forwardUrl(text: string, flag: string): string {
  const url = URL.parse(text)
  const isLocal = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
  if (url && url.username === '' && (url.protocol === 'https:' || (url.protocol === 'http:' && isLocal)))
    return url.href
  throw new Problem('INVALID_USAGE', `${flag} must be an https URL, or an http URL on this machine`)
}

/** Opens the connection to a back end, through the proxy of the environment; closed with the run. */
export function forwarderTo(context: CommandContext, to: string): Forwarder {
  const forwarder = openForwarder(to, proxyOf(context.settings.env))
  context.closeLater(() => forwarder.close())
  return forwarder
}
