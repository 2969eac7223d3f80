import { toRequest } from '../../../http/client/client.ts'
import type { Contract, Input } from '../../../http/contract/contract.ts'
import { Problem } from '../../../kit/problem.ts'
import { chat as chatContract } from '../../../services/chat/api/contract.ts'
import { nearest } from '../../../world/config/did-you-mean.ts'
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

/** Returns the status code if the workflow has it, else throws with the nearest one and all valid codes. */
export function checkedStatus(status: string, codes: readonly string[]): string {
  if (codes.includes(status)) return status
  const near = nearest(status, codes, 1)
  const hint = near.length > 0 ? `did you mean "${near[0]}"? ` : ''
  throw new Problem('INVALID_STATUS', `Unknown status "${status}"; ${hint}valid codes: ${codes.join(', ')}`, {
    status,
    nearest: near,
    validCodes: codes,
    remoteCode: null,
  })
}

/** Parses a priority by name or number. */
export function priorityFrom(said: string): number {
  const names = ['low', 'normal', 'high', 'urgent']
  const index = names.indexOf(said.toLowerCase())
  if (index >= 0) return index + 1
  if (/^[1-4]$/.test(said)) return Number(said)
  throw new Problem('INVALID_USAGE', `The priority must be low, normal, high or urgent (1 to 4); received ${said}`)
}
