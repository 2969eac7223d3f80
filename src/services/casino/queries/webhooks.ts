import type { TenantRow } from '../../../db/schema/casino.ts'
import type { WebhookRow } from '../../../db/schema/casino-webhooks.ts'
import type { Reader, Tx } from '../../../db/store.ts'

export function webhookOf({ q }: Reader, tenant: string): Promise<WebhookRow | undefined> {
  return q.selectFrom('casino_webhooks').selectAll().where('tenant', '=', tenant).executeTakeFirst()
}

/**
 * Returns those of the tenants with an enabled webhook, with its URL. Tenants that may not call the API get no webhooks
 * either.
 */
export async function enabledWebhooks(
  { q }: Reader,
  tenants: readonly string[],
): Promise<(TenantRow & { hook: EnabledWebhook })[]> {
  const rows = await q
    .selectFrom('casino_webhooks as hooks')
    .innerJoin('casino_tenants as tenants', 'tenants.code', 'hooks.tenant')
    .selectAll('tenants')
    .select(['hooks.url as hook_url', 'hooks.events as hook_events'])
    .where('hooks.tenant', 'in', tenants)
    .where('hooks.enabled', '=', 1)
    .where('tenants.disabled', '=', 0)
    .where('tenants.state', 'not in', ['SUSPENDED', 'CLOSED'])
    .orderBy('hooks.tenant')
    .execute()
  return rows.flatMap(({ hook_url, hook_events, ...tenant }) =>
    hook_url === null ? [] : [{ ...tenant, hook: { url: hook_url, events: hook_events } }],
  )
}

export interface EnabledWebhook {
  readonly url: string
  /** JSON list. */
  readonly events: string
}

/** Writes a tenant's webhook settings as a whole. */
export async function putWebhook({ q }: Tx, row: WebhookRow): Promise<void> {
  const { tenant: _tenant, ...change } = row
  await q
    .insertInto('casino_webhooks')
    .values(row)
    .onConflict((conflict) => conflict.column('tenant').doUpdateSet(change))
    .execute()
}

export async function saveWebhook({ q }: Tx, tenant: string, change: Partial<WebhookRow>): Promise<void> {
  await q.updateTable('casino_webhooks').set(change).where('tenant', '=', tenant).execute()
}

/** Lists tenants with a low-balance alert that were charged since their balance was last checked. */
export function balancesToCheck({ q }: Reader, limit: number): Promise<(TenantRow & Alert)[]> {
  return q
    .selectFrom('casino_webhooks as hooks')
    .innerJoin('casino_tenants as tenants', 'tenants.code', 'hooks.tenant')
    .selectAll('tenants')
    .select(['hooks.alert_days', 'hooks.alerted_on'])
    .where('hooks.enabled', '=', 1)
    .where('hooks.billing_contact', 'is not', null)
    .where('tenants.charged_through', 'is not', null)
    .where((eb) =>
      eb.or([eb('hooks.alert_checked', 'is', null), eb('hooks.alert_checked', '<', eb.ref('tenants.charged_through'))]),
    )
    .orderBy('tenants.code')
    .limit(limit)
    .execute()
}

export type Alert = Pick<WebhookRow, 'alert_days' | 'alerted_on'>
