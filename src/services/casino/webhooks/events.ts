import type { PlayerRow, RoundRow, TenantRow } from '../../../db/schema/casino.ts'
import type { Tx } from '../../../db/store.ts'
import { formatUsdCents, parseUsd } from '../../../domain/money.ts'
import {
  isRoundEvent,
  roundEventOf,
  type SelectableEvent,
  standingEventOf,
  type WebhookEvent,
} from '../../../domain/webhooks/events.ts'
import { sha256Hex } from '../../../kit/hmac.ts'
import { ulid, ulidBytes } from '../../../kit/ids.ts'
import { momentText } from '../../../kit/moment.ts'
import { enqueue } from '../../../outbox/enqueue.ts'
import { limitsFor } from '../api/limits.ts'
import { enabledWebhooks } from '../queries/webhooks.ts'
import type { Casino } from '../service.ts'

/**
 * Webhook events, each enqueued in the transaction of its change (1-tenant-api, Events). A tenant gets the events it
 * selected and its plan has: all on the paid plan, round events in a sandbox.
 */

/** An event for one tenant, before its selection is checked. */
interface TenantEvent {
  readonly id: string
  readonly event: WebhookEvent
  readonly subject: string
  readonly data: unknown
}

/**
 * Enqueues a round's newest revision for every tenant whose players had bets in it: all of their slips in one event,
 * once.
 */
export async function enqueueRoundEvent(
  tx: Tx,
  round: RoundRow,
  slips: readonly { readonly tenant: string }[],
  records: readonly string[],
): Promise<void> {
  if (slips.length === 0) return
  const event = roundEventOf(round)
  const tenants = [...new Set(slips.map((slip) => slip.tenant))]
  for (const tenant of await enabledWebhooks(tx, tenants)) {
    if (!isSubscribed(tenant.hook.events, event) || !hasEvent(tenant, event)) continue
    const bets = records.filter((_, i) => slips[i]?.tenant === tenant.code)
    await enqueue(tx, {
      id: idOf(tx.now, 'round', tenant.code, round.id, String(round.rev)),
      channel: 'tenant-webhook',
      owner: tenant.code,
      event,
      subject: round.id,
      url: tenant.hook.url,
      body: `{"round":${JSON.stringify(toRoundEvent(round, tx.now))},"bets":[${bets.join(',')}]}`,
    })
  }
}

/** Returns a round for its events. A round voided before any result was settled at that moment. */
function toRoundEvent(round: RoundRow, now: number) {
  return {
    roundId: round.id,
    tableId: round.table_id,
    shoe: round.shoe,
    round: round.round,
    rev: round.rev,
    resultCode: round.code,
    cardInfo: round.card_info,
    settledAt: momentText(round.settled_at ?? now),
  }
}

/** Returns an event id derived from its content: the same fact has the same id and is written only once. */
function idOf(at: number, ...facts: readonly string[]): string {
  return ulid(at, Buffer.from(sha256Hex(facts.join('/')), 'hex').subarray(0, ulidBytes))
}

/** Reasons for ending a player's sessions. */
export type KickReason = 'logged_out' | 'locked' | 'kicked'

/** Enqueues that a player was logged out. A session replaced by a new launch has no event. */
export function enqueueKickEvent(app: Casino, tx: Tx, player: PlayerRow, reason: KickReason): Promise<void> {
  const data = { username: player.username, reason, at: momentText(tx.now) }
  return enqueueEvent(tx, player.tenant, { id: app.id(), event: 'player.kicked', subject: player.username, data })
}

/** Enqueues a change of the account's state, if it has an event. */
export async function enqueueStandingEvent(app: Casino, tx: Tx, before: TenantRow, after: TenantRow): Promise<void> {
  const event = standingEventOf(before.state, after.state)
  if (!event) return
  const data = {
    from: before.state,
    to: after.state,
    balanceUsd: formatUsdCents(parseUsd(after.credit_usd)),
    graceUntil: event === 'account.grace' && after.grace_until !== null ? momentText(after.grace_until) : null,
    // These moves are the bill's own; no person makes them.
    actor: 'system',
  }
  await enqueueEvent(tx, after.code, { id: app.id(), event, subject: after.code, data }, before)
}

/** Enqueues a credited payment, and the state it restored. */
export async function enqueueTopupEvent(
  app: Casino,
  tx: Tx,
  before: TenantRow,
  after: TenantRow,
  payment: { readonly amountUsd: string; readonly ref: string },
): Promise<void> {
  const data = {
    amountUsd: formatUsdCents(parseUsd(payment.amountUsd)),
    balanceUsd: formatUsdCents(parseUsd(after.credit_usd)),
    ref: payment.ref,
  }
  await enqueueEvent(tx, after.code, { id: app.id(), event: 'account.topup', subject: payment.ref, data })
  await enqueueStandingEvent(app, tx, before, after)
}

/** Enqueues a low-balance warning. */
export function enqueueLowBalanceEvent(
  app: Casino,
  tx: Tx,
  tenant: TenantRow,
  costs: { readonly averageUsd: bigint; readonly daysLeft: number },
): Promise<void> {
  const data = {
    balanceUsd: formatUsdCents(parseUsd(tenant.credit_usd)),
    avgDailyUsd: formatUsdCents(costs.averageUsd),
    daysLeft: costs.daysLeft,
  }
  return enqueueEvent(tx, tenant.code, { id: app.id(), event: 'account.low_balance', subject: tenant.code, data })
}

/**
 * Enqueues an event that the tenant selected and its plan has. An account that just lost the plan still gets that
 * event.
 */
async function enqueueEvent(tx: Tx, code: string, event: TenantEvent, before?: TenantRow): Promise<void> {
  const [tenant] = await enabledWebhooks(tx, [code])
  if (!tenant || !isSubscribed(tenant.hook.events, event.event)) return
  if (!hasEvent(tenant, event.event) && !(before && hasEvent(before, event.event))) return
  await enqueue(tx, {
    id: event.id,
    channel: 'tenant-webhook',
    owner: code,
    event: event.event,
    subject: event.subject,
    url: tenant.hook.url,
    body: JSON.stringify(event.data),
  })
}

function isSubscribed(events: string, event: WebhookEvent): boolean {
  return (JSON.parse(events) as SelectableEvent[]).some((each) => each === event)
}

/** Returns whether a tenant's plan has an event. */
export function hasEvent(tenant: TenantRow, event: WebhookEvent): boolean {
  const { hasWebhooks, hasRoundWebhooks } = limitsFor(tenant)
  return hasWebhooks || (hasRoundWebhooks && (isRoundEvent(event) || event === 'test'))
}
