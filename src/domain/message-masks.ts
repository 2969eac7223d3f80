import { withoutSecretForms } from './secret-forms.ts'

/** Masks for requests and responses that are shown or written to files. */

/** Headers that are credentials as a whole. */
const secretHeaders = new Set([
  'authorization',
  'cookie',
  'set-cookie',
  'x-api-key',
  'x-chat-apikey',
  'x-chat-agenttoken',
  'x-chat-room-token',
])

/** Fields of bodies and queries that are secrets. */
const secretFields =
  'secret|password|token|access_?token|refresh_?token|room_?token|agent_?token|api_?key|authorization|totp_?secret|ipn_?secret|webhook_?secret|verification_?code|identity|ticket|t'

const jsonField = new RegExp(`("(?:${secretFields})"\\s*:\\s*)"(?:[^"\\\\]|\\\\.)*"`, 'gi')
const formField = new RegExp(`(^|[?&])((?:${secretFields})=)[^&#\\s]*`, 'gi')

/** Returns headers for display. A key keeps its first characters, which show its kind and environment. */
export function maskedHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, secretHeaders.has(name) ? maskedCredential(value) : maskedText(value)]],
    ),
  )
}

/** Masks the secrets in a body, a path or a message; all else stays as it was sent. */
export function maskedText(text: string): string {
  return withoutSecretForms(text.replace(jsonField, '$1"***"').replace(formField, '$1$2***'))
}

function maskedCredential(value: string): string {
  const bearer = /^(Bearer|Basic) /i.exec(value)?.[0] ?? ''
  const prefix = /^(ek_[ls]_|gw_(?:[ps]_)?|ck_|cat_|rt_|wk_)/.exec(value)?.[0] ?? ''
  return `${bearer}${prefix}***`
}
