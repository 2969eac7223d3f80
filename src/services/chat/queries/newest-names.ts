import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/schema/index.ts'

/** Tenants, and the newest tickets, rooms and active forms of one, for completion of command lines. */

export async function tenantCodes(q: Kysely<Tables>): Promise<string[]> {
  return (await q.selectFrom('chat_tenants').select('code').orderBy('code').execute()).map(({ code }) => code)
}

export function newestTickets(q: Kysely<Tables>, tenant: string, limit: number) {
  return q
    .selectFrom('chat_tickets')
    .select(['number', 'title', 'status'])
    .where('tenant', '=', tenant)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}

export function newestRooms(q: Kysely<Tables>, tenant: string, limit: number) {
  return q
    .selectFrom('chat_rooms')
    .select(['id', 'customer_account', 'status'])
    .where('tenant', '=', tenant)
    .orderBy('updated_at', 'desc')
    .limit(limit)
    .execute()
}

export function formsInUse(q: Kysely<Tables>, tenant: string, limit: number) {
  return q
    .selectFrom('chat_forms')
    .select('definition')
    .where('tenant', '=', tenant)
    .where('is_active', '=', 1)
    .limit(limit)
    .execute()
}
