import { isOver } from '../../../domain/account/state.ts'
import { isTenantSignature, isTimely, noncePattern } from '../../../domain/signing.ts'
import type { AuthenticateRequest } from '../../../http/contract/contract.ts'
import { isAllowed } from '../../../http/server/ip-allowlist.ts'
import { refuse } from '../api/contract.ts'
import type { Casino } from '../service.ts'
import type { SignedRequest } from './admission.ts'
import type { FindKeyholder } from './keyholders.ts'

/**
 * Authenticates the tenant that signed a request, or refuses it. Order of checks: the key, the nonce's form and the
 * signature; then, for an authentic request, its timestamp, its address, the tenant's state. Admission control follows:
 * the nonce's use, the rate. So an unsigned request uses up no nonce or token and learns only "invalid credentials", and
 * a replayed request takes no token from its tenant.
 */
export async function authenticateTenant(
  app: Casino,
  findKeyholder: FindKeyholder,
  request: AuthenticateRequest,
): Promise<SignedRequest> {
  const { tenant, allowlist, use } = await verified(app, findKeyholder, request)
  if (allowlist.length > 0 && !isAllowed(request.address, allowlist))
    throw refuse('IP_NOT_ALLOWED', `The address ${request.address} is not on the allowlist`)
  if (tenant.disabled === 1 || isOver(tenant.state))
    throw refuse('TENANT_SUSPENDED', 'The tenant is disabled, suspended or closed')
  return { tenant, use }
}

async function verified(app: Casino, findKeyholder: FindKeyholder, request: AuthenticateRequest) {
  const keyId = request.headers['x-api-key'] ?? ''
  const timestamp = request.headers['x-timestamp'] ?? ''
  const nonce = request.headers['x-nonce'] ?? ''
  const signature = request.headers['x-signature'] ?? ''
  const holder = keyPattern.test(keyId) ? await findKeyholder(keyId) : undefined
  if (!holder) throw refuse('UNAUTHORIZED', 'invalid credentials')
  const { method, url, body } = request
  const isSigned =
    noncePattern.test(nonce) && isTenantSignature(holder.secret, { method, url, timestamp, nonce, body }, signature)
  if (!isSigned) throw refuse('UNAUTHORIZED', 'invalid credentials')
  // The machine's own clock is accepted too: after the world's clock was moved, clients that do not know it still get
  // in.
  if (!isTimely(timestamp, holder.now) && !isTimely(timestamp, app.machineNow()))
    throw refuse('UNAUTHORIZED', 'timestamp outside the window')
  const { tenant, allowlist } = holder
  return { tenant, allowlist, use: { key_id: keyId, nonce, stamp: Number(timestamp) * 1000 } }
}

const keyPattern = /^ek_[ls]_[A-Za-z0-9]{1,64}$/
