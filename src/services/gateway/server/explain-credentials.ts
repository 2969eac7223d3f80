import type { GatewayKeyRow, MerchantRow } from '../../../db/schema/gateway.ts'
import type { Reader } from '../../../db/store.ts'
import { type GatewayEnvironment, gatewayEnvironments } from '../../../domain/chains/networks.ts'
import type { CredentialExplanation, RecordedCaller } from '../../../http/server/exchanges/credentials.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { addressesOf, environmentOf, keyOf, merchantOf, userOf } from '../queries/merchants.ts'
import type { Gateway } from '../service.ts'
import { readToken, tokenSeconds } from './jwt.ts'

/** Explains key and token of a recorded request, in the order in which the service checks them. Changes nothing. */
export function explainGatewayCredentials(
  app: Gateway,
  environment: GatewayEnvironment,
  caller: RecordedCaller,
): Promise<CredentialExplanation> {
  return app.store.read(async (reader) => {
    const text = (caller.headers['x-api-key'] ?? '').trim()
    const hash = sha256Hex(text)
    const key = text === '' ? undefined : await keyOf(reader, hash)
    const merchant = key && (await merchantOf(reader, key.merchant))
    const owner = merchant && (await ownerOf(reader, merchant, environment))
    const explained = (verdict: CredentialExplanation['verdict'], reason: string): CredentialExplanation => ({
      verdict,
      reason,
      owner,
    })
    const keyFault = explainKey(caller, environment, { text, key })
    if (keyFault) return explained(...keyFault)
    if (caller.refusal?.code === 'IP_NOT_ALLOWED') {
      const allowed = (await addressesOf(reader, hash)).join(', ')
      return explained('blocked-address', `The address ${caller.address} is not among those of the key: ${allowed}`)
    }
    const tokenFault = await explainToken(reader, environment, caller, key)
    return tokenFault ? explained(...tokenFault) : explained('accepted', 'The credentials are right')
  })
}

const places = { production: 'production', sandbox: 'the sandbox' } as const

type Fault = [CredentialExplanation['verdict'], string]

function explainKey(
  { headers, refusal, at }: RecordedCaller,
  environment: GatewayEnvironment,
  { text, key }: { text: string; key: GatewayKeyRow | undefined },
): Fault | undefined {
  if (text === '')
    return refusal === undefined || headers['authorization'] !== undefined
      ? undefined
      : ['missing', 'The request has no x-api-key']
  if (key === undefined) return ['unknown-key', `The key does not exist${kindOfKey(text)}`]
  if (key.environment !== environment)
    return [
      'other-environment',
      `The key is for ${places[key.environment]}, and the request was sent to ${places[environment]}: paths of the sandbox begin with /sandbox`,
    ]
  // As it was then: the key may have been revoked after the request.
  if (key.revoked_at !== null && key.revoked_at <= at) return ['revoked-key', 'The key was revoked']
  return undefined
}

function kindOfKey(text: string): string {
  if (/^ek_[ls]_/.test(text)) return ': it is a key of the casino'
  return /^(ck|cat)_/.test(text) ? ': it is a key of the chat' : ''
}

async function explainToken(
  reader: Reader,
  environment: GatewayEnvironment,
  { headers, refusal }: RecordedCaller,
  key: GatewayKeyRow | undefined,
): Promise<Fault | undefined> {
  switch (refusal?.code) {
    case 'RATE_LIMITED':
      return ['rate-limited', refusal.message]
    case 'FORBIDDEN':
      return ['no-permission', refusal.message]
    case 'INVALID_TOKEN':
      break
    case 'AUTH_REQUIRED':
      return ['missing', refusal.message]
    default:
      return undefined
  }
  const token = /^Bearer +(\S+)$/i.exec((headers['authorization'] ?? '').trim())?.[1]
  if (token === undefined || token === 'undefined' || token === 'null')
    return ['missing-token', 'The request has no token: send "authorization: Bearer TOKEN" with one of POST /auth']
  const issuer = await issuerOf(reader, token)
  if (issuer === undefined) return ['unknown-token', 'The token is not one of this gateway']
  if (issuer.environment !== environment)
    return ['other-environment', `The token is for ${places[issuer.environment]}, not for ${places[environment]}`]
  if (issuer.expiredAt !== undefined && issuer.expiredAt <= reader.now)
    return [
      'expired-token',
      `The token expired ${Math.round((reader.now - issuer.expiredAt) / 1000)} s ago by the clock of the world: one is valid for ${tokenSeconds} s`,
    ]
  const user = await userOf(reader, environment, issuer.email)
  if (user?.merchant !== issuer.merchant) return ['unknown-token', 'The user of the token does not exist any more']
  return key !== undefined && user.merchant !== key.merchant
    ? ['other-account', 'The token is of another account than the key']
    : undefined
}

/** Returns the user and environment of a token, even if it has expired. */
async function issuerOf(reader: Reader, token: string) {
  const expiredAt = expiryIn(token)
  // Verified as of one second before its expiry.
  const at = expiredAt === undefined ? reader.now : expiredAt - 1_000
  for (const environment of gatewayEnvironments) {
    const secret = (await environmentOf(reader, environment))?.token_secret ?? ''
    const subject = await readToken(secret, token, at)
    if (subject) return { ...subject, environment, expiredAt }
  }
  return undefined
}

function expiryIn(token: string): number | undefined {
  try {
    const { exp }: { exp?: unknown } = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
    return typeof exp === 'number' ? exp * 1000 : undefined
  } catch {
    return undefined
  }
}

/** Returns a merchant's id or, for a demo merchant, the demo tenant's code in the request's environment. */
async function ownerOf(
  reader: Reader,
  { id, environment: own }: MerchantRow,
  environment: GatewayEnvironment,
): Promise<string> {
  const { demo } = (await environmentOf(reader, own)) ?? {}
  const isDemo = typeof demo === 'string' && demo.includes(JSON.stringify(id))
  if (!isDemo) return id
  return environment === 'sandbox' ? 'DEMO-SBX' : 'DEMO'
}
