import type { TenantRow } from '../../../db/schema/casino.ts'
import type { WebhookRow } from '../../../db/schema/casino-webhooks.ts'
import type { Reader } from '../../../db/store.ts'
import { textLimits } from '../../../domain/text-limits.ts'
import { type SelectableEvent, selectableEvents } from '../../../domain/webhooks/events.ts'
import { letters } from '../../../kit/ids.ts'
import { Problem } from '../../../kit/problem.ts'
import { callbackUrl } from '../../../outbox/callback-url.ts'
import { enqueue } from '../../../outbox/enqueue.ts'
import { readdressDeliveries } from '../../../outbox/queries.ts'
import { refuse } from '../api/contract.ts'
import { putWebhook, webhookOf } from '../queries/webhooks.ts'
import type { Casino } from '../service.ts'
import { hasEvent } from '../webhooks/events.ts'
import { theTenant } from './index.ts'
import { checkedText } from './texts.ts'

/** Webhook settings of a tenant in the Console. */

/** Default of the low-balance alert, in days that the balance lasts. */
const defaultAlertDays = 7

export interface WebhookChange {
  readonly url?: string | undefined
  readonly events?: readonly SelectableEvent[] | undefined
  /** Recipient of billing messages; empty removes it. */
  readonly billingContact?: string | undefined
  readonly alertDays?: number | undefined
}

/** Parses a list of events separated by commas, or `all`; throws INVALID_PARAMETER for an unknown one. */
export function eventsFrom(text: string): readonly SelectableEvent[] {
  if (text === 'all') return selectableEvents
  const names = text.split(',').map((name) => name.trim())
  const unknown = names.find((name) => !selectableEvents.some((event) => event === name))
  if (unknown !== undefined)
    throw refuse('INVALID_PARAMETER', `Unknown event "${unknown}"; use ${selectableEvents.join(', ')}`)
  return selectableEvents.filter((event) => names.includes(event))
}

/** Changes the given settings of a tenant's webhook. Pending deliveries go to a new URL from now on. */
export function setWebhook(app: Casino, code: string, change: WebhookChange) {
  return app.store.write(async (tx) => {
    const { tenant, hook } = await theWebhook(tx, code)
    const url = change.url === undefined ? hook.url : callbackUrl(change.url, app.config.loopbackCallbacks())
    const contact = change.billingContact === undefined ? hook.billing_contact : contactFrom(change.billingContact)
    const row: WebhookRow = {
      ...hook,
      url,
      events: change.events === undefined ? hook.events : JSON.stringify(change.events),
      billing_contact: contact,
      alert_days: change.alertDays ?? hook.alert_days,
      changed_at: tx.now,
    }
    await putWebhook(tx, row)
    if (url !== null && url !== hook.url) await readdressDeliveries(tx, tenant.code, 'tenant-webhook', url)
    return { tenant, hook: row }
  })
}

function contactFrom(text: string): string | null {
  if (text === '') return null
  if (!/^[^\s@]+@[^\s@]+$/.test(text) || text.length > 254)
    throw refuse('INVALID_PARAMETER', 'billingContact must be an email address')
  return text
}

/** Enables the webhook. The first time, its secret is created. */
export function enableWebhook(app: Casino, code: string) {
  return app.store.write(async (tx) => {
    const { tenant, hook } = await theWebhook(tx, code)
    if (hook.url === null)
      throw new Problem(
        'CONFLICT',
        `${tenant.code} has no webhook URL. To set one: countroom help console webhooks set`,
      )
    refuseWithoutPlan(tenant)
    const row = { ...hook, enabled: 1, secret: hook.secret ?? `whs_${letters(32, app.random)}`, changed_at: tx.now }
    await putWebhook(tx, row)
    return { tenant, hook: row, isFirst: hook.secret === null }
  })
}

/** Disables the webhook. Pending deliveries fail when they are due, and can be redelivered later. */
export function disableWebhook(app: Casino, code: string) {
  return app.store.write(async (tx) => {
    const { tenant, hook } = await theWebhook(tx, code)
    const row = { ...hook, enabled: 0, changed_at: tx.now }
    await putWebhook(tx, row)
    return { tenant, hook: row }
  })
}

/** Enqueues a `test` event, which needs no subscription. Returns its id. */
export async function sendTest(app: Casino, code: string, message: string): Promise<string> {
  checkedText('message', message, textLimits.message)
  return app.store.write(async (tx) => {
    const { tenant, hook } = await theWebhook(tx, code)
    refuseWithoutPlan(tenant)
    if (hook.enabled !== 1 || hook.url === null)
      throw new Problem(
        'CONFLICT',
        `The webhook of ${tenant.code} is not enabled. To enable it: countroom console webhooks enable ${tenant.code}`,
      )
    const id = app.id()
    const body = JSON.stringify({ message })
    const { code: owner } = tenant
    await enqueue(tx, { id, channel: 'tenant-webhook', owner, event: 'test', subject: owner, url: hook.url, body })
    return id
  })
}

export function readWebhook(app: Casino, code: string) {
  return app.store.read((reader) => theWebhook(reader, code))
}

async function theWebhook(reader: Reader, code: string): Promise<{ tenant: TenantRow; hook: WebhookRow }> {
  const tenant = await theTenant(reader, code)
  const hook = (await webhookOf(reader, tenant.code)) ?? unset(tenant.code)
  return { tenant, hook }
}

function unset(tenant: string): WebhookRow {
  return {
    tenant,
    url: null,
    events: '[]',
    enabled: 0,
    secret: null,
    billing_contact: null,
    alert_days: defaultAlertDays,
    alert_checked: null,
    alerted_on: null,
    changed_at: 0,
  }
}

function refuseWithoutPlan(tenant: TenantRow): void {
  if (hasEvent(tenant, 'test')) return
  throw new Problem(
    'CONFLICT',
    `Webhooks require the paid plan, and ${tenant.code} is on the free plan. To change it: countroom help console tenants plan`,
  )
}
