import { signTenantRequest } from '../../domain/signing.ts'
import { letters } from '../../kit/ids.ts'
import type { Sign } from './sign.ts'

/** Signs as a tenant of the casino (1-tenant-api, Authentication). Each request gets a nonce and a time of its own. */
export function tenantSigner(key: {
  readonly apiKey: string
  readonly secret: string
  /** Epoch milliseconds. */
  readonly now: () => number
  readonly random: (size: number) => Uint8Array
}): Sign {
  return ({ method, path, body = '' }) => {
    const timestamp = String(Math.floor(key.now() / 1000))
    const nonce = letters(24, key.random)
    return {
      'x-api-key': key.apiKey,
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signTenantRequest(key.secret, { method, url: path, timestamp, nonce, body }),
    }
  }
}

/** Shows a key in a header of its own, as the gateway and the chat want it. */
export function keyInHeader(header: string, key: string): Sign {
  return () => ({ [header]: key })
}
