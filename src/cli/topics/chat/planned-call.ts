import { toRequest } from '../../../http/client/client.ts'
import type { Contract, Input } from '../../../http/contract/contract.ts'
import { chat as chatContract } from '../../../services/chat/api/contract.ts'
import type { PlannedRequest } from '../../outcome/dry-run.ts'

/** Returns the request that a call of the chat would send. */
export function plannedCall<const C extends Contract, Name extends keyof C['endpoints'] & string>(
  contract: C,
  name: Name,
  input: Input<C['endpoints'][Name]>,
): PlannedRequest {
  const { method, path, body } = toRequest(contract, name, input)
  return { method, path, body: typeof body === 'string' ? JSON.parse(body) : null }
}

/** Returns the request that a call of the bot or ticket API would send. */
export function plannedTicketCall<Name extends keyof (typeof chatContract)['endpoints'] & string>(
  name: Name,
  input: Input<(typeof chatContract)['endpoints'][Name]>,
): PlannedRequest {
  return plannedCall(chatContract, name, input)
}
