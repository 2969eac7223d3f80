import { toRequest } from '../../../http/client/client.ts'
import type { Input } from '../../../http/contract/contract.ts'
import type { OrderName } from '../../../operator/gateway-orders/place.ts'
import { gateway as gatewayContract } from '../../../services/gateway/api/contract.ts'
import type { PlannedRequest } from '../../outcome/dry-run.ts'

/** Returns the request of a call, built by the code that sends it. */
export function plannedCall<Name extends OrderName>(
  name: Name,
  input: Input<(typeof gatewayContract.endpoints)[Name]>,
): PlannedRequest {
  const { method, path, body } = toRequest(gatewayContract, name, input)
  return { method, path, body: typeof body === 'string' ? JSON.parse(body) : null }
}
