import { canonicalJson } from '../kit/canonical-json.ts'
import { hmacHex, sameText, sha256Hex } from '../kit/hmac.ts'

/** The exact text that each party signs. Which key belongs to whom is decided elsewhere. */

/**
 * Maximum difference between a signed time and the server's, in both directions (1-tenant-api, Authentication and
 * Events).
 */
export const signatureWindowMs = 300_000

/** Time a nonce is remembered: twice the window, so that no request can be replayed while its timestamp is valid. */
export const nonceMemoryMs = 600_000

/** Unix seconds as `X-Timestamp` carries them. */
export const timestampPattern = /^[0-9]{9,11}$/

/** Pattern of `X-Nonce`. */
export const noncePattern = /^[A-Za-z0-9]{16,64}$/

/** Parts of a request that a tenant's signature covers. */
export interface TenantRequest {
  readonly method: string
  /** Path and query as sent, starting with the API's prefix. */
  readonly url: string
  /** The `X-Timestamp` value as sent. */
  readonly timestamp: string
  readonly nonce: string
  /** The exact bytes sent; a text means its UTF-8. */
  readonly body: string | Uint8Array
}

/** Returns the text a tenant signs: five lines, no line feed after the last (1-tenant-api, Authentication). */
export function tenantText({ method, url, timestamp, nonce, body }: TenantRequest): string {
  return [method.toUpperCase(), url, timestamp, nonce, sha256Hex(body)].join('\n')
}

/** Returns the `X-Signature` of a request. */
export function signTenantRequest(secret: string, request: TenantRequest): string {
  return hmacHex('sha256', secret, tenantText(request))
}

/**
 * Returns whether a signature matches this secret and request. Compared in constant time; upper-case hex does not
 * match.
 */
export function isTenantSignature(secret: string, request: TenantRequest, signature: string): boolean {
  return sameText(signTenantRequest(secret, request), signature)
}

/** Returns whether a timestamp is valid and close enough to now. */
export function isTimely(timestamp: string, now: number): boolean {
  return timestampPattern.test(timestamp) && Math.abs(Number(timestamp) * 1000 - now) <= signatureWindowMs
}

/** Returns the text of a webhook signature: the second of sending, a dot, the raw body (1-tenant-api, Events). */
function webhookText(seconds: number, body: string | Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from(`${seconds}.`), typeof body === 'string' ? Buffer.from(body) : body])
}

/** Returns the `X-Svc-Signature` of a webhook sent at this moment. The secret is used whole, with its `whs_`. */
export function signWebhook(secret: string, body: string | Uint8Array, now: number): string {
  const seconds = Math.floor(now / 1000)
  return `t=${seconds},v1=${hmacHex('sha256', secret, webhookText(seconds, body))}`
}

/** Result of a webhook signature check. */
export type WebhookVerdict = 'genuine' | 'malformed' | 'forged' | 'stale'

/**
 * Checks an `X-Svc-Signature` by the four steps of 1-tenant-api. `forged` wins over `stale`, so that only the holder of
 * the key learns about clocks.
 */
export function verifyWebhook(secret: string, header: string, body: string | Uint8Array, now: number): WebhookVerdict {
  const parts = /^t=([0-9]{1,12}),v1=([0-9a-f]{64})$/.exec(header.trim())
  if (!parts?.[1] || !parts[2]) return 'malformed'
  const seconds = Number(parts[1])
  if (!sameText(hmacHex('sha256', secret, webhookText(seconds, body)), parts[2])) return 'forged'
  return Math.abs(seconds * 1000 - now) <= signatureWindowMs ? 'genuine' : 'stale'
}

/**
 * Returns the body of an IPN: keys sorted at every depth, no spaces. Exactly this text is sent and signed
 * (2-payment-gateway-api, Events).
 */
export function ipnText(object: unknown): string {
  return canonicalJson(object)
}

/** Returns the `x-gw-sig` of an IPN: HMAC-SHA512 over the body as sent. */
export function signIpn(secret: string, body: string | Uint8Array): string {
  return hmacHex('sha512', secret, body)
}

/** Returns whether a signature matches this secret and these bytes. */
export function isIpnSignature(secret: string, body: string | Uint8Array, signature: string): boolean {
  return sameText(signIpn(secret, body), signature)
}
