import { createHmac } from 'node:crypto'
import type { ChatKeyRow, ChatRoomRow, ChatTenantRow } from '../../../db/schema/chat.ts'
import { sameText } from '../../../kit/hmac.ts'

/** Keys and tokens: each is an id and a proof of it by the tenant's secret, so none of them need be kept. */

const dayMs = 86_400_000
export const tokenLifeMs = 30 * dayMs

function proof(secret: string, text: string): string {
  return createHmac('sha256', secret).update(text).digest('base64url')
}

const keyPrefix = { api: 'ck', agent: 'cat' } as const

/** The key as its holder sends it. */
export function keyText(tenant: ChatTenantRow, { id, kind }: Pick<ChatKeyRow, 'id' | 'kind'>): string {
  return `${keyPrefix[kind]}_${id}_${proof(tenant.secret, `${kind}.${id}`)}`
}

/** The id in a key, whose proof is still to be looked at. */
export function idInKey(kind: ChatKeyRow['kind'], key: string): string | undefined {
  return new RegExp(`^${keyPrefix[kind]}_([0-9A-Z]{26})_[A-Za-z0-9_-]{43}$`).exec(key)?.[1]
}

export function isKey(tenant: ChatTenantRow, row: Pick<ChatKeyRow, 'id' | 'kind'>, key: string): boolean {
  return sameText(keyText(tenant, row), key)
}

/** A token that opens the room for thirty days from a moment. */
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

/** What a room token says, when the tenant made it and it is not over; whether the room still goes by that epoch is asked later. */
export function readRoomToken(tenant: ChatTenantRow, token: string, now: number): TokenClaim | undefined {
  const [, encoded = '', given = ''] = /^rt_([A-Za-z0-9_-]{1,200})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
  const claim = Buffer.from(encoded, 'base64url').toString()
  if (!sameText(proof(tenant.secret, `room.${claim}`), given)) return undefined
  const [roomId = '', epoch = '', expiresAt = ''] = claim.split('.')
  if (Number(expiresAt) <= now) return undefined
  return { roomId, epoch: Number(epoch), expiresAt: Number(expiresAt) }
}

/** For how long a ticket for a stream is good. */
export const ticketLifeMs = 30_000

/** A ticket for one stream of a room; `nonce` is what makes it one. */
export function streamTicket(tenant: ChatTenantRow, room: ChatRoomRow, nonce: string, expiresAt: number): string {
  const claim = `${room.id}.${room.token_epoch}.${expiresAt}.${nonce}`
  return `st_${Buffer.from(claim).toString('base64url')}.${proof(tenant.secret, `stream.${claim}`)}`
}

/** What a ticket says, when the tenant made it and it is not over. */
export function readStreamTicket(
  tenant: ChatTenantRow,
  ticket: string,
  now: number,
): (TokenClaim & { readonly nonce: string }) | undefined {
  const [, encoded = '', given = ''] = /^st_([A-Za-z0-9_-]{1,240})\.([A-Za-z0-9_-]{43})$/.exec(ticket) ?? []
  const claim = Buffer.from(encoded, 'base64url').toString()
  if (!sameText(proof(tenant.secret, `stream.${claim}`), given)) return undefined
  const [roomId = '', epoch = '', expiresAt = '', nonce = ''] = claim.split('.')
  if (Number(expiresAt) <= now) return undefined
  return { roomId, epoch: Number(epoch), expiresAt: Number(expiresAt), nonce }
}

/** How far the moment in an identity may lie from now, either way. */
const identityWindowMs = 300_000

/** Whether the merchant's back end vouches for the account, and did so just now. */
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

/** How long a verified identity may open its room. A page may stay open all day before its customer writes. */
const identityTokenLifeMs = dayMs

/**
 * A token for a verified account that has no room yet. It opens the account's room for 24 hours, and ends when any room
 * token of the merchant is revoked: before there is a room, nothing else records a revocation.
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
  const [, encoded = '', given = ''] = /^it_([A-Za-z0-9_-]{1,800})\.([A-Za-z0-9_-]{43})$/.exec(token) ?? []
  const claim = Buffer.from(encoded, 'base64url').toString()
  if (!sameText(proof(tenant.secret, `identity.${claim}`), given)) return undefined
  const [, revocations = '', expiresAt = '', account] = /^([0-9]+)\.([0-9]+)\.(.+)$/s.exec(claim) ?? []
  return Number(revocations) === tenant.revocations && Number(expiresAt) > now ? account : undefined
}

/** What proves that a link to a file was made here and is not over. */
export function linkProof(tenant: ChatTenantRow, mediaId: string, expiresAt: number): string {
  return proof(tenant.secret, `media.${mediaId}.${expiresAt}`)
}
