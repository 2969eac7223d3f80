import type { CredentialExplanation, RecordedCaller } from '../../../http/server/exchanges/credentials.ts'
import { keyWithTenant } from '../queries/tenants.ts'
import type { Chat } from '../service.ts'
import { idInKey, isKey } from './tokens.ts'

const kinds = { api: 'API key', agent: "agent's token" } as const

/** Explains the key of a recorded request of the bot or agent API. Changes nothing. */
export async function explainChatKey(
  app: Chat,
  kind: 'api' | 'agent',
  { headers, refusal, at }: RecordedCaller,
): Promise<CredentialExplanation> {
  const header = kind === 'api' ? 'x-chat-apikey' : 'x-chat-agenttoken'
  const text = headers[header] ?? ''
  const id = idInKey(kind, text)
  const holder = id === undefined ? undefined : await app.store.read((reader) => keyWithTenant(reader, id))
  const owner = holder?.tenant.code
  const explained = (verdict: CredentialExplanation['verdict'], reason: string): CredentialExplanation => ({
    verdict,
    reason,
    owner,
  })
  if (text === '') return explained('missing', `The request has no ${header}`)
  const other = kind === 'api' ? 'agent' : 'api'
  if (idInKey(other, text) !== undefined)
    return explained('unknown-key', `${header} has an ${kinds[other]}: this API needs an ${kinds[kind]}`)
  if (id === undefined) return explained('unknown-key', `${header} does not have the form of an ${kinds[kind]}`)
  if (!holder) return explained('unknown-key', 'The key does not exist')
  // As of the request: the key may have been revoked or replaced after it.
  if (holder.key.revoked_at !== null && holder.key.revoked_at <= at)
    return explained('revoked-key', 'The key was revoked')
  if (refusal?.code === 'UNAUTHORIZED' && !isKey(holder.tenant, holder.key, text))
    return explained('unknown-key', 'The key was replaced, or its last part is wrong')
  if (refusal?.code === 'RATE_LIMITED') return explained('rate-limited', refusal.message)
  if (refusal?.code === 'PLAN_REQUIRED') return explained('no-permission', refusal.message)
  return explained('accepted', 'The key is right')
}
