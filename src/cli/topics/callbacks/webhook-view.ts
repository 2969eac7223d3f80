import type { TenantRow } from '../../../db/schema/casino.ts'
import type { WebhookRow } from '../../../db/schema/casino-webhooks.ts'
import { selectableEvents } from '../../../domain/webhooks/events.ts'
import { hasEvent } from '../../../services/casino/webhooks/events.ts'
import type { Shapes } from '../../outcome/result-schema.ts'

/** Maps a tenant's webhook to its view. The secret is masked unless requested. */
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

export function webhookViewSchema({ Type }: Shapes) {
  const text = Type.Union([Type.String(), Type.Null()])
  return Type.Object({
    companyCode: Type.String(),
    url: text,
    enabled: Type.Boolean(),
    events: Type.Array(Type.String(), { description: 'Selected events.' }),
    planHas: Type.Array(Type.String(), { description: "Events of the tenant's plan." }),
    secret: Type.Union([Type.String(), Type.Null()], {
      description: 'Masked as whs_*** without --reveal. Null before webhooks were first enabled.',
    }),
    billingContact: text,
    alertDays: Type.Integer({ description: 'Days of credit below which the balance counts as low.' }),
  })
}

/** Columns for people. */
export const webhookColumns = ['companyCode', 'url', 'enabled', 'events', 'secret', 'billingContact', 'alertDays']
