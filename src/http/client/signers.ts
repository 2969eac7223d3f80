import { signTenantRequest } from '../../domain/signing.ts'
import { letters } from '../../kit/ids.ts'
import type { Sign } from './sign.ts'

/** Signs as a tenant of the casino (1-tenant-api, Authentication). Each request gets its own nonce and time. */
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

/** Sends a key in a header, as the gateway and the chat require. */
export function keyInHeader(header: string, key: string): Sign {
  return () => ({ [header]: key })
}
