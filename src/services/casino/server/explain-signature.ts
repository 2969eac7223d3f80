import type { KeyRow } from '../../../db/schema/casino.ts'
import { type Diagnosis, type SignedLine, signedLines } from '../../../domain/signatures/diagnosis.ts'
import { diagnoseSent } from '../../../domain/signatures/whole-url.ts'
import { isTenantSignature, noncePattern, signatureWindowMs, timestampPattern } from '../../../domain/signing.ts'
import { allTenants, keyOf, keysOf } from '../queries/tenants.ts'
import type { Casino } from '../service.ts'

/** A recorded request of the tenant API and how it was refused. */
export interface SignedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The exact bytes, or undefined if they are not kept. */
  readonly body: Uint8Array | undefined
  readonly address: string
  /** The world's and the machine's time when it arrived. */
  readonly at: number
  readonly machineAt: number
  readonly refusal: { readonly code: string; readonly message: string } | undefined
  /** The id of an earlier request with the same key and nonce. */
  readonly earlier: string | undefined
}

export type SignatureVerdict =
  | 'accepted'
  | 'missing'
  | 'unknown-key'
  | 'other-environment'
  | 'malformed'
  | 'differs'
  | 'stale'
  | 'repeated-nonce'
  | 'blocked-address'
  | 'suspended'
  | 'rate-limited'
  | 'unknown'

/** Explanation of how authentication saw a request. */
export interface SignatureExplanation {
  readonly lines: readonly SignedLine[]
  readonly verdict: SignatureVerdict
  /** A sentence for people. */
  readonly reason: string
  /** The line that was signed with another value, and that value. */
  readonly differs: string | null
  readonly signedValue: string | null
  /** Seconds that `X-Timestamp` is ahead of the world's clock. */
  readonly skewSeconds: number | null
  readonly hints: readonly string[]
}

/** Explains the authentication of a recorded request, in the order in which the service checks. Changes nothing. */
export async function explainSignature(app: Casino, request: SignedRequest): Promise<SignatureExplanation> {
  const { method, url, headers, body = new Uint8Array() } = request
  const keyId = headers['x-api-key'] ?? ''
  const timestamp = headers['x-timestamp'] ?? ''
  const nonce = headers['x-nonce'] ?? ''
  const signature = headers['x-signature'] ?? ''
  const signed = { method, url, timestamp, nonce, body }
  const skewSeconds = timestampPattern.test(timestamp) ? Math.round(Number(timestamp) - request.at / 1000) : null
  const explained = (
    verdict: SignatureVerdict,
    reason: string,
    more: Partial<Diagnosis> = {},
  ): SignatureExplanation => ({
    lines: signedLines(signed),
    verdict,
    reason,
    differs: more.differs ?? null,
    signedValue: more.signedValue ?? null,
    skewSeconds,
    hints: more.hints ?? [],
  })
  const absent = ['x-api-key', 'x-timestamp', 'x-nonce', 'x-signature'].filter((name) => !headers[name])
  if (absent.length > 0) return explained('missing', `The request has no ${absent.join(', ')}`)
  const key = await app.store.read((reader) => keyOf(reader, keyId))
  // As it was then: the key may have been revoked after the request.
  const wasActive = [key?.revoked_at, key?.retires_at].every((end) => end == null || end > request.at)
  if (!key || !wasActive)
    return explained(
      'unknown-key',
      `The key ${shownKey(keyId)} ${key ? 'was revoked or has retired' : 'does not exist'}`,
    )
  if (!noncePattern.test(nonce)) return explained('malformed', 'X-Nonce must be 16 to 64 letters and digits')
  if (request.body === undefined)
    return explained('unknown', 'The body is no longer kept, so the signature cannot be checked again')
  const diagnosis = diagnoseSent(key.secret, signed, signature, [headers['host'] ?? '', app.config.publicUrl()])
  if (diagnosis.verdict === 'differs') {
    const owner = await otherOwner(app, key, (secret) => isTenantSignature(secret, signed, signature))
    if (owner)
      return explained(
        'other-environment',
        `The signature was made with the secret of ${owner}, not with that of ${shownKey(keyId)}`,
      )
    return explained('differs', reasonOf(diagnosis), diagnosis)
  }
  return ofAuthentic(request, skewSeconds, explained)
}

/** Explains a request whose signature is right. */
function ofAuthentic(
  { refusal, address, earlier, headers, at, machineAt }: SignedRequest,
  skewSeconds: number | null,
  explained: (verdict: SignatureVerdict, reason: string) => SignatureExplanation,
): SignatureExplanation {
  if (skewSeconds === null) return explained('malformed', 'X-Timestamp must be the Unix time in seconds')
  const stamp = Number(headers['x-timestamp']) * 1000
  if (Math.abs(stamp - at) > signatureWindowMs && Math.abs(stamp - machineAt) > signatureWindowMs)
    return explained(
      'stale',
      `X-Timestamp is ${Math.abs(skewSeconds)} s ${skewSeconds < 0 ? 'behind' : 'ahead of'} the platform's clock; ${signatureWindowMs / 1000} s are accepted`,
    )
  switch (refusal?.code) {
    case 'IP_NOT_ALLOWED':
      return explained('blocked-address', `The address ${address} is not on the tenant's allowlist`)
    case 'TENANT_SUSPENDED':
      return explained('suspended', 'The tenant is disabled, suspended or closed')
    case 'RATE_LIMITED':
      return explained('rate-limited', 'The tenant sent more requests per second than its limit')
    case 'UNAUTHORIZED':
      return explained(
        'repeated-nonce',
        `The nonce was used before${earlier === undefined ? '' : `, by the request ${earlier}`}: every attempt needs its own`,
      )
    default:
      return explained('accepted', 'The signature is right')
  }
}

const reasonOf = ({ differs, hints }: Diagnosis) =>
  hints.length > 0
    ? hints.join('. ')
    : differs === null
      ? 'The signature fits neither these lines nor any usual mistake: check the secret'
      : `The line ${differs} was signed with another value`

/** Returns the key of the operator, in either environment, whose secret gives the signature. */
async function otherOwner(
  app: Casino,
  { tenant: code, key_id }: KeyRow,
  gives: (secret: string) => boolean,
): Promise<string | undefined> {
  const keys = await app.store.read(async (reader) => {
    const tenants = await allTenants(reader)
    const liveCode = tenants.find((tenant) => tenant.code === code)?.live_code
    const own = tenants.filter(({ live_code }) => live_code === liveCode)
    const lists = []
    for (const { code: each, environment } of own)
      for (const key of await keysOf(reader, each)) lists.push({ ...key, environment })
    return lists
  })
  const owner = keys.find((key) => key.key_id !== key_id && gives(key.secret))
  return owner && `the ${owner.environment} key ${shownKey(owner.key_id)}`
}

/** The first characters of a key id, which name it without being the credential. */
export const shownKey = (keyId: string): string => `${keyId.slice(0, 9)}…`
