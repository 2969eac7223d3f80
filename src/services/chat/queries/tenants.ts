import type { ChatAgentRow, ChatKeyRow, ChatTenantRow } from '../../../db/schema/chat.ts'
import type { Reader, Tx } from '../../../db/store.ts'

export function chatTenantOf({ q }: Reader, code: string): Promise<ChatTenantRow | undefined> {
  return q.selectFrom('chat_tenants').selectAll().where('code', '=', code).executeTakeFirst()
}

export function tenantOfKey({ q }: Reader, tenantKey: string): Promise<ChatTenantRow | undefined> {
  return q.selectFrom('chat_tenants').selectAll().where('tenant_key', '=', tenantKey).executeTakeFirst()
}

export function allChatTenants({ q }: Reader): Promise<ChatTenantRow[]> {
  return q.selectFrom('chat_tenants').selectAll().orderBy('code').execute()
}

export async function insertChatTenant({ q }: Tx, row: ChatTenantRow): Promise<void> {
  await q.insertInto('chat_tenants').values(row).execute()
}

export async function saveChatTenant({ q }: Tx, code: string, change: Partial<ChatTenantRow>): Promise<void> {
  await q.updateTable('chat_tenants').set(change).where('code', '=', code).execute()
}

export function chatKeyOf({ q }: Reader, id: string): Promise<ChatKeyRow | undefined> {
  return q.selectFrom('chat_keys').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns a key with its tenant in one query: every API request begins with it. */
export async function keyWithTenant(
  { q }: Reader,
  keyId: string,
): Promise<{ key: ChatKeyRow; tenant: ChatTenantRow } | undefined> {
  const row = await q
    .selectFrom('chat_keys')
    .innerJoin('chat_tenants', 'chat_tenants.code', 'chat_keys.tenant')
    .selectAll('chat_tenants')
    .select([
      'chat_keys.id',
      'chat_keys.kind',
      'chat_keys.agent_id',
      'chat_keys.revoked_at',
      'chat_keys.created_at as key_created_at',
    ])
    .where('chat_keys.id', '=', keyId)
    .executeTakeFirst()
  if (!row) return undefined
  const { id, kind, agent_id, revoked_at, key_created_at, ...tenant } = row
  return { key: { id, tenant: tenant.code, kind, agent_id, revoked_at, created_at: key_created_at }, tenant }
}

export function chatKeysOf({ q }: Reader, tenant: string): Promise<ChatKeyRow[]> {
  return q.selectFrom('chat_keys').selectAll().where('tenant', '=', tenant).orderBy('id').execute()
}

/** Lists the ids of a merchant's active keys and tokens. */
export async function workingKeyIds({ q }: Reader, tenant: string): Promise<string[]> {
  const rows = await q
    .selectFrom('chat_keys')
    .select('id')
    .where('tenant', '=', tenant)
    .where('revoked_at', 'is', null)
    .execute()
  return rows.map(({ id }) => id)
}

export async function insertChatKey({ q }: Tx, row: ChatKeyRow): Promise<void> {
  await q.insertInto('chat_keys').values(row).execute()
}

export async function revokeChatKey({ q, now }: Tx, id: string): Promise<void> {
  await q.updateTable('chat_keys').set({ revoked_at: now }).where('id', '=', id).execute()
}

/** Marks a stream ticket as used. Returns false if it was used before. */
export async function spendTicket({ q }: Tx, nonce: string, expiresAt: number): Promise<boolean> {
  const spent = await q
    .insertInto('chat_spent_tickets')
    .values({ nonce, expires_at: expiresAt })
    .onConflict((conflict) => conflict.column('nonce').doNothing())
    .returning('nonce')
    .executeTakeFirst()
  return spent !== undefined
}

/** Deletes used tickets that have expired by the machine's clock. */
export async function forgetTickets({ q }: Tx, machineNow: number, limit: number): Promise<number> {
  const result = await q
    .deleteFrom('chat_spent_tickets')
    .where('nonce', 'in', ({ selectFrom }) =>
      selectFrom('chat_spent_tickets')
        .select('nonce')
        .where('expires_at', '<=', machineNow)
        .orderBy('expires_at')
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

export function agentOf({ q }: Reader, tenant: string, id: string): Promise<ChatAgentRow | undefined> {
  return q.selectFrom('chat_agents').selectAll().where('tenant', '=', tenant).where('id', '=', id).executeTakeFirst()
}

/** Maximum number of listed agents: more than any merchant has. */
const maxAgents = 1_000

/** Lists a merchant's agents with an active token, by name. */
export function workingAgents({ q }: Reader, tenant: string): Promise<ChatAgentRow[]> {
  return q
    .selectFrom('chat_agents')
    .selectAll()
    .where('tenant', '=', tenant)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('chat_keys')
          .select('chat_keys.id')
          .where('chat_keys.tenant', '=', tenant)
          .whereRef('chat_keys.agent_id', '=', 'chat_agents.id')
          .where('chat_keys.revoked_at', 'is', null),
      ),
    )
    .orderBy('display_name')
    .orderBy('id')
    .limit(maxAgents)
    .execute()
}

export async function insertAgent({ q }: Tx, row: ChatAgentRow): Promise<void> {
  await q.insertInto('chat_agents').values(row).execute()
}

/** Returns the display names of agents by id. Runs no query for an empty list. */
export async function agentNames({ q }: Reader, ids: readonly (string | null)[]): Promise<ReadonlyMap<string, string>> {
  const uniqueIds = [...new Set(ids.filter((id) => id !== null))]
  if (uniqueIds.length === 0) return new Map()
  const rows = await q.selectFrom('chat_agents').select(['id', 'display_name']).where('id', 'in', uniqueIds).execute()
  return new Map(rows.map((row) => [row.id, row.display_name]))
}
