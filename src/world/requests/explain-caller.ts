import type { CredentialExplanation } from '../../http/server/exchanges/credentials.ts'
import type { Exchange } from '../../http/server/exchanges/exchange-log.ts'
import { keyOf } from '../../services/casino/queries/tenants.ts'
import type { Casino } from '../../services/casino/service.ts'
import { agent, chat as chatApi } from '../../services/chat/api/contract.ts'
import { explainChatKey } from '../../services/chat/auth/explain-credentials.ts'
import type { Chat } from '../../services/chat/service.ts'
import { explainGatewayCredentials } from '../../services/gateway/server/explain-credentials.ts'
import type { Gateway } from '../../services/gateway/service.ts'
import { tenantProfile } from '../config/tenant-profile.ts'
import { demoCode } from '../demo-data.ts'
import { serviceNameOf } from './record.ts'

/** Services whose requests are recorded. */
export interface RecordedServices {
  readonly casino: Casino
  readonly gateway: Gateway
  readonly chat: Chat
}

/** Explains the key of a request to the gateway or the chat; undefined for other requests. The casino's are signed. */
export async function explainCaller(
  { gateway, chat }: RecordedServices,
  exchange: Exchange,
): Promise<CredentialExplanation | undefined> {
  const { contract, kind, prefix, endpoint } = exchange
  if (kind !== 'request' || contract === undefined) return undefined
  if (contract === chatApi) return explainChatKey(chat, 'api', exchange)
  if (contract === agent) return explainChatKey(chat, 'agent', exchange)
  if (serviceNameOf(exchange) !== 'gateway' || endpoint?.access === 'anyone') return undefined
  return explainGatewayCredentials(gateway, prefix.startsWith('/sandbox') ? 'sandbox' : 'production', exchange)
}

/**
 * Returns the profile that acts for the sender of a request: that of its tenant in the local world; the demo needs none. A
 * merchant of the gateway needs one of its own, named by its ID, because only the demo's keys are kept.
 */
export async function profileOf(
  { casino }: RecordedServices,
  exchange: Exchange,
  caller: CredentialExplanation | undefined,
): Promise<string | undefined> {
  const keyId = serviceNameOf(exchange) === 'casino' ? exchange.headers['x-api-key'] : undefined
  const signer = keyId === undefined ? undefined : await casino.store.read((reader) => keyOf(reader, keyId))
  const owner =
    signer?.tenant ?? caller?.owner ?? (exchange.prefix.startsWith('/sandbox') ? `${demoCode}-SBX` : demoCode)
  if (owner === demoCode) return undefined
  return signer === undefined && /^\d+$/.test(owner) ? owner : tenantProfile(owner)
}
