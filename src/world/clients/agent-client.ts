import { createClient } from '../../http/client/client.ts'
import type { Transport } from '../../http/client/transport.ts'
import type { Client } from '../../http/contract/contract.ts'
import { agent } from '../../services/chat/api/contract.ts'

/** The typed client of the chat's agent API. */
export type AgentClient = Client<typeof agent>

/** Returns the client over a transport that signs with an agent's token. */
export function openAgentClient(transport: Transport): AgentClient {
  return createClient(agent, transport)
}
