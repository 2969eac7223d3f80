import type { Exchange } from '../../http/server/exchanges/exchange-log.ts'
import { casino } from '../../services/casino/api/contract.ts'
import { agent, chat } from '../../services/chat/api/contract.ts'
import { gateway } from '../../services/gateway/api/contract.ts'
import { codeOf, receiverOf } from './code-copy.ts'
import { curlOf } from './curl-copy.ts'
import { type EqualCommand, equalCommand } from './equal-command.ts'
import { maskedBody, valuesOf } from './request-values.ts'

/** A recorded request in forms that can be run again. No copy contains a key: keys come from the environment. */
export interface RequestCopies {
  /** A shell script that signs the request again and sends it. */
  readonly curl: string
  /** The countroom command that does the same; null where there is none. */
  readonly command: string | null
  /** A program with the typed client, or of a callback its receiver; null where the package has none for this API. */
  readonly code: string | null
  /** Limits of each copy, or the reason why there is none. */
  readonly notes: { readonly curl: string | null; readonly command: string | null; readonly code: string | null }
}

export interface CopyContext {
  readonly service: string | null
  /** Profile that a command needs to act for the sender of the request; undefined for the profile in use. */
  readonly profile: string | undefined
  /** Quotes a word for a shell. */
  readonly quoted: (word: string) => string
}

const apis = new Map<unknown, string>([
  [casino, 'casino'],
  [gateway, 'gateway'],
  [chat, 'chat'],
  [agent, 'agent'],
])

const notKept = 'The body is longer than what is kept'
const masked = 'Secrets are not kept: put yours in the place of ***'

/** Returns a request as curl, as a command and as code. */
export function copiesOf(exchange: Exchange, context: CopyContext): RequestCopies {
  const { service, quoted } = context
  const body = maskedBody(exchange)
  const curl = curlOf(exchange, service, body ?? '', quoted)
  const curlNote = body === undefined ? `${notKept}: it is not sent` : curl.includes('***') ? masked : null
  if (exchange.kind === 'callback') return callbackCopies(exchange, { curl, note: curlNote, quoted })
  const api = apis.get(exchange.contract) ?? null
  const { command, reason = null } = commandOf(exchange, api, body, context)
  const code = body === undefined ? undefined : codeOf(exchange, api, body)
  return {
    curl,
    command,
    code: code ?? null,
    notes: { curl: curlNote, command: reason, code: codeNote(exchange, api, body, code) },
  }
}

function commandOf(
  exchange: Exchange,
  api: string | null,
  body: string | undefined,
  { profile, quoted }: CopyContext,
): EqualCommand {
  const { endpoint, endpointName } = exchange
  if (body === undefined) return { command: null, reason: notKept }
  const values = endpoint === undefined ? {} : valuesOf(exchange, endpoint, body)
  return equalCommand({ api, endpoint: endpointName, values, profile }, quoted)
}

function codeNote(
  { endpoint }: Exchange,
  api: string | null,
  body: string | undefined,
  code: string | undefined,
): string | null {
  if (body === undefined) return notKept
  if (code !== undefined) return code.includes('***') ? masked : null
  return api === null || api === 'agent' || endpoint !== undefined
    ? 'The package exports no client of this API'
    : 'The API has no endpoint at this path'
}

/** Returns a callback as curl, as the command that sends it again, and as the receiver that verifies it. */
function callbackCopies(
  exchange: Exchange,
  { curl, note, quoted }: { curl: string; note: string | null; quoted: (word: string) => string },
): RequestCopies {
  const { delivery, service } = exchange
  const target = service === 'casino' ? 'the current URL of its tenant' : 'the same URL'
  return {
    curl,
    command: delivery === undefined ? null : `countroom console deliveries replay ${quoted(delivery.id)}`,
    code: receiverOf(exchange),
    notes: {
      curl: note,
      command: `Sends the delivery again to ${target}, with its ID and a new signature`,
      code: 'A receiver that verifies the signature of this callback',
    },
  }
}
