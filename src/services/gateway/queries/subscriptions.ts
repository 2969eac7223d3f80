import type { MailRow, PlanRow, SubscriptionRow } from '../../../db/schema/gateway.ts'
import type { Reader, Tx } from '../../../db/store.ts'
import type { GatewayEnvironment } from '../../../domain/chains/networks.ts'
import { countOf, type Pagination, pageOf } from './pagination.ts'

export function planOf({ q }: Reader, id: string): Promise<PlanRow | undefined> {
  return q.selectFrom('gateway_plans').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns a page of a merchant's plans, oldest first, and their total number. */
export async function plansOf({ q }: Reader, merchant: string, pagination: Pagination) {
  const query = q.selectFrom('gateway_plans').where('merchant', '=', merchant)
  return { rows: await pageOf(query, ['id'], pagination), count: await countOf(query) }
}

export async function insertPlan({ q }: Tx, row: PlanRow): Promise<void> {
  await q.insertInto('gateway_plans').values(row).execute()
}

export async function savePlan({ q }: Tx, id: string, change: Partial<PlanRow>): Promise<void> {
  await q.updateTable('gateway_plans').set(change).where('id', '=', id).execute()
}

export function subscriptionOf({ q }: Reader, id: string): Promise<SubscriptionRow | undefined> {
  return q.selectFrom('gateway_subscriptions').selectAll().where('id', '=', id).executeTakeFirst()
}

export interface SubscriptionFilter {
  readonly merchant: string
  readonly plan?: string | undefined
  readonly statuses?: readonly SubscriptionRow['status'][] | undefined
  readonly isActive?: boolean | undefined
}

/** Returns a page of matching subscriptions, oldest first, and their total number. */
export async function subscriptionsOf({ q }: Reader, filter: SubscriptionFilter, pagination: Pagination) {
  let query = q.selectFrom('gateway_subscriptions').where('merchant', '=', filter.merchant)
  if (filter.plan !== undefined) query = query.where('plan', '=', filter.plan)
  if (filter.statuses !== undefined) query = query.where('status', 'in', filter.statuses)
  if (filter.isActive !== undefined) query = query.where('status', filter.isActive ? '=' : '!=', 'active')
  return { rows: await pageOf(query, ['id'], pagination), count: await countOf(query) }
}

export async function insertSubscription({ q }: Tx, row: SubscriptionRow): Promise<void> {
  await q.insertInto('gateway_subscriptions').values(row).execute()
}

export async function saveSubscription({ q }: Tx, id: string, change: Partial<SubscriptionRow>): Promise<void> {
  await q.updateTable('gateway_subscriptions').set(change).where('id', '=', id).execute()
}

export function dueSubscriptions({ q, now }: Reader, limit: number): Promise<SubscriptionRow[]> {
  return q
    .selectFrom('gateway_subscriptions')
    .selectAll()
    .where('due_at', 'is not', null)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function nextDueSubscription({ q }: Reader): Promise<number | undefined> {
  const row = await q
    .selectFrom('gateway_subscriptions')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at ?? undefined
}

/** Returns the subscription whose open bill is this invoice. */
export function subscriptionBilledBy({ q }: Reader, invoice: string): Promise<SubscriptionRow | undefined> {
  return q.selectFrom('gateway_subscriptions').selectAll().where('invoice', '=', invoice).executeTakeFirst()
}

export async function insertMail({ q }: Tx, row: MailRow): Promise<void> {
  await q.insertInto('gateway_mails').values(row).execute()
}

/** Lists the mails to an address, or all mails, newest first. */
export function mailsTo(
  { q }: Reader,
  environment: GatewayEnvironment,
  recipient: string | undefined,
  limit: number,
): Promise<MailRow[]> {
  const mails = q.selectFrom('gateway_mails').selectAll().where('environment', '=', environment)
  return (recipient === undefined ? mails : mails.where('recipient', '=', recipient))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
