import type { TenantRow } from '../../../db/schema/casino.ts'
import type { WebhookRow } from '../../../db/schema/casino-webhooks.ts'
import { selectableEvents } from '../../../domain/webhooks/events.ts'
import { hasEvent } from '../../../services/casino/webhooks/events.ts'

/** A tenant's webhook as the Console shows it. The secret is stars unless it was asked for. */
export function webhookView(tenant: TenantRow, hook: WebhookRow, { isRevealed = false } = {}) {
  return {
    companyCode: tenant.code,
    url: hook.url,
    enabled: hook.enabled === 1,
    events: JSON.parse(hook.events) as string[],
    planHas: selectableEvents.filter((event) => hasEvent(tenant, event)) as string[],
    secret: hook.secret === null ? null : isRevealed ? hook.secret : 'whs_***',
    billingContact: hook.billing_contact,
    alertDays: hook.alert_days,
  }
}

export async function webhookViewSchema() {
  const { Type } = await import('typebox')
  const text = Type.Union([Type.String(), Type.Null()])
  return Type.Object({
    companyCode: Type.String(),
    url: text,
    enabled: Type.Boolean(),
    events: Type.Array(Type.String(), { description: 'Those selected' }),
    planHas: Type.Array(Type.String(), { description: "Those that the tenant's plan has" }),
    secret: Type.Union([Type.String(), Type.Null()], {
      description: 'whs_*** unless revealed; null before the first enabling',
    }),
    billingContact: text,
    alertDays: Type.Integer({ description: 'A balance that lasts for fewer days is low' }),
  })
}

/** The columns that people see. */
export const webhookColumns = ['companyCode', 'url', 'enabled', 'events', 'secret', 'billingContact', 'alertDays']
