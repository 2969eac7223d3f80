import type { Reader } from '../../../db/store.ts'
import { roomOf } from '../queries/rooms.ts'
import type { ChatTenant } from '../service.ts'
import { readIdentityToken, readRoomToken } from './tokens.ts'

/** Returns the account whose room a token opens. It is a room token, or the token of a verified identity. */
export async function accountOfToken(reader: Reader, tenant: ChatTenant, token: string): Promise<string | undefined> {
  return readIdentityToken(tenant, token, reader.now) ?? (await roomOfToken(reader, tenant, token))?.customer_account
}

/** Returns the room of a token, if it is valid now. */
export async function roomOfToken(reader: Reader, tenant: ChatTenant, token: string) {
  const claim = readRoomToken(tenant, token, reader.now)
  const room = claim && (await roomOf(reader, tenant.code, claim.roomId))
  return room && room.token_epoch === claim?.epoch ? room : undefined
}
