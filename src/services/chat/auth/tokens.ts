import { createHmac } from 'node:crypto'
import type { ChatKeyRow, ChatRoomRow, ChatTenantRow } from '../../../db/schema/chat.ts'
import { sameText } from '../../../kit/hmac.ts'

/** Keys and tokens: an id or claims with an HMAC by the tenant's secret, so that no key or token needs to be stored. */

const dayMs = 86_400_000
export const tokenLifeMs = 30 * dayMs

function proof(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}

const keyPrefix = { api: 'ck', agent: 'cat' } as const

/** Returns the text of a key, as its holder sends it. */
export function keyText(tenant: ChatTenantRow, { id, kind }: Pick<ChatKeyRow, 'id' | 'kind'>): string {
  return `${keyPrefix[kind]}_${id}_${proof(tenant.secret, `${kind}.${id}`)}`
}

/** Returns the id in a key; its proof is not verified here. */
export function idInKey(kind: ChatKeyRow['kind'], key: string): string | undefined {
  return new RegExp(`^${keyPrefix[kind]}_([0-9A-Z]{26})_[A-Za-z0-9_-]{43}$`).exec(key)?.[1]
}

export function isKey(tenant: ChatTenantRow, row: Pick<ChatKeyRow, 'id' | 'kind'>, key: string): boolean {
  return sameText(keyText(tenant, row), key)
}

/** Returns a token for the room, valid for 30 days. */
export function roomToken(tenant: ChatTenantRow, room: ChatRoomRow, at: number): { token: string; expiresAt: number } {
  const expiresAt = at + tokenLifeMs
  const claim = `${room.id}.${room.token_epoch}.${expiresAt}`
  return {
    token: `rt_${Buffer.from(claim).toString('base64url')}.${proof(tenant.secret, `room.${claim}`)}`,
    expiresAt,
  }
}

export interface TokenClaim {
  readonly roomId: string
  readonly epoch: number
  readonly expiresAt: number
}

/** Returns the claims of a room token that the tenant issued and that has not expired. The caller checks its epoch. */
export function readRoomToken(tenant: ChatTenantRow, token: string, now: number): TokenClaim | undefined {
  const [, encoded = '', signature = ''] = /^rt_([A-Za-z0-9_-]{1,200})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
  const claim = Buffer.from(encoded, 'base64url').toString()
  if (!sameText(proof(tenant.secret, `room.${claim}`), signature)) return undefined
  const [roomId = '', epoch = '', expiresAt = ''] = claim.split('.')
  if (Number(expiresAt) <= now) return undefined
  return { roomId, epoch: Number(epoch), expiresAt: Number(expiresAt) }
}

/** Lifetime of a stream ticket. */
export const ticketLifeMs = 30_000

/** Returns a ticket for one stream of a room; `nonce` makes it unique. */
export function streamTicket(tenant: ChatTenantRow, room: ChatRoomRow, nonce: string, expiresAt: number): string {
  const claim = `${room.id}.${room.token_epoch}.${expiresAt}.${nonce}`
  return `st_${Buffer.from(claim).toString('base64url')}.${proof(tenant.secret, `stream.${claim}`)}`
}

/** Returns the claims of a ticket that the tenant issued and that has not expired. */
export function readStreamTicket(
  tenant: ChatTenantRow,
  ticket: string,
  now: number,
): (TokenClaim & { readonly nonce: string }) | undefined {
  const [, encoded = '', signature = ''] = /^st_([A-Za-z0-9_-]{1,240})\.([A-Za-z0-9_-]{43})$/.exec(ticket) ?? []
  const claim = Buffer.from(encoded, 'base64url').toString()
  if (!sameText(proof(tenant.secret, `stream.${claim}`), signature)) return undefined
  const [roomId = '', epoch = '', expiresAt = '', nonce = ''] = claim.split('.')
  if (Number(expiresAt) <= now) return undefined
  return { roomId, epoch: Number(epoch), expiresAt: Number(expiresAt), nonce }
}

/** Maximum difference between an identity's time and now, in both directions. */
const identityWindowMs = 300_000

/** Returns whether an identity is signed by the merchant's back end and recent. */
export function isIdentity(
  tenant: ChatTenantRow,
  identity: { customerAccount: string; issuedAt: number; signature: string },
  now: number,
): boolean {
  const { customerAccount, issuedAt, signature } = identity
  if (Math.abs(issuedAt * 1000 - now) > identityWindowMs) return false
  const { identity_secret: current, identity_secret_before: before, identity_before_until: until } = tenant
  const secrets = before !== null && until !== null && now < until ? [current, before] : [current]
  return secrets.some((secret) => {
    const expected = createHmac('sha256', secret).update(`${customerAccount}.${issuedAt}`).digest('hex')
    return sameText(expected, signature)
  })
}

/** Lifetime of an identity token. A page may stay open all day before its customer writes. */
const identityTokenLifeMs = dayMs

/**
 * Returns a token for a verified account that has no room yet. It can open the account's room for 24 hours. It becomes
 * invalid when any room token of the merchant is revoked: without a room, nothing else records a revocation.
 */
export function identityToken(
  tenant: ChatTenantRow,
  account: string,
  at: number,
): { token: string; expiresAt: number } {
  const expiresAt = at + identityTokenLifeMs
  const claim = `${tenant.revocations}.${expiresAt}.${account}`
  return {
    token: `it_${Buffer.from(claim).toString('base64url')}.${proof(tenant.secret, `identity.${claim}`)}`,
    expiresAt,
  }
}

/** Returns the account of an identity token that the tenant issued and that has not expired. */
export function readIdentityToken(tenant: ChatTenantRow, token: string, now: number): string | undefined {
  const [, encoded = '', signature = ''] = /^it_([A-Za-z0-9_-]{1,800})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
  const claim = Buffer.from(encoded, 'base64url').toString()
  if (!sameText(proof(tenant.secret, `identity.${claim}`), signature)) return undefined
  const [, revocations = '', expiresAt = '', account] = /^([0-9]+)\.([0-9]+)\.(.+)$/s.exec(claim) ?? []
  return Number(revocations) === tenant.revocations && Number(expiresAt) > now ? account : undefined
}

/** Returns the signature of a file link with its expiry. */
export function linkProof(tenant: ChatTenantRow, mediaId: string, expiresAt: number): string {
  return proof(tenant.secret, `media.${mediaId}.${expiresAt}`)
}
