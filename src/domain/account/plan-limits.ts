/** Limits of each plan (1-tenant-api, Limits). The platform may change any of them per tenant. */

import { compareMonths, type Month, monthAfter, monthOf } from '../bets/cursor.ts'
import { parseAmount } from '../money.ts'
import type { RateLimit } from '../rate-limit.ts'
import { dayMs, startOfMonth } from '../time/calendar.ts'
import type { Environment, Plan } from './state.ts'

/** Limits of a tenant. `null` means no limit. */
export interface PlanLimits {
  readonly rate: RateLimit
  /** Maximum number of enabled tables. */
  readonly tables: number | null
  /** Maximum number of player accounts. One more is refused with PLAYER_LIMIT. */
  readonly players: number | null
  /** Maximum number of players online at once, across the tenant. */
  readonly online: number | null
  /** Days for which bets can be read. Bets are deleted in whole months. */
  readonly retentionDays: number
  /** True if the demo limits on bets per day apply to the tenant. */
  readonly isDemo: boolean
  /** True if round events are sent. A sandbox has them on every plan, at its own URL. */
  readonly hasRoundWebhooks: boolean
  /** True if player and account events are sent. A feature of the paid plan. */
  readonly hasWebhooks: boolean
  /** Maximum number of players who see a dealt table at once, over the whole tenant. */
  readonly viewers: number | null
  /** Maximum minutes a player sees dealt tables without a pause. */
  readonly viewMinutes: number | null
  /** Days without a Console login or a bet after which the tables pause. */
  readonly idleDays: number | null
}

const free: PlanLimits = {
  rate: { perSecond: 5, burst: 10 },
  tables: 2,
  players: 50,
  online: 10,
  retentionDays: 7,
  isDemo: true,
  hasRoundWebhooks: false,
  hasWebhooks: false,
  viewers: 3,
  viewMinutes: 30,
  idleDays: 14,
}

const sandbox: PlanLimits = {
  ...free,
  rate: { perSecond: 20, burst: 40 },
  players: 500,
  online: 50,
  hasRoundWebhooks: true,
}

const paid: PlanLimits = {
  rate: { perSecond: 100, burst: 200 },
  tables: null,
  players: null,
  online: null,
  retentionDays: 400,
  isDemo: false,
  hasRoundWebhooks: true,
  hasWebhooks: true,
  viewers: null,
  viewMinutes: null,
  idleDays: null,
}

const livePlans = { free, paid } as const satisfies Record<Plan, PlanLimits>

/** Returns a tenant's limits. A sandbox has its own: the plan of its live twin does not matter. */
export function limitsOf(plan: Plan, environment: Environment): PlanLimits {
  return environment === 'sandbox' ? sandbox : livePlans[plan]
}

/** Maximum total of a demo tenant's bets per UTC day, about USD 1,000, in units of each currency. */
const demoDayBets: { readonly [currency: string]: string } = {
  USD: '1000',
  TWD: '30000',
  CNY: '7000',
  HKD: '7800',
  THB: '35000',
  VND: '25000000',
  PHP: '56000',
  MYR: '4700',
  JPY: '150000',
  KRW: '1350000',
  USDT: '1000',
}

/**
 * Returns the demo plan's limit on bets per UTC day in a currency. Currencies that the document does not list get the
 * smallest figure; the platform can raise it.
 */
export function demoDayLimit(currency: string): bigint {
  return parseAmount(demoDayBets[currency.toUpperCase()] ?? '1000')
}

/** Returns the oldest month whose bets can be read at a moment. The current and the previous month are always kept. */
export function oldestReadableMonth(at: number, retentionDays: number): Month {
  const reached = monthOf(at - retentionDays * 86_400_000)
  const previous = monthAfter(monthOf(at), -1)
  return compareMonths(reached, previous) < 0 ? reached : previous
}

/** Retention of an environment: the longest of its plans. */
const retentionIn = { live: paid.retentionDays, sandbox: sandbox.retentionDays } as const satisfies Record<
  Environment,
  number
>

/**
 * Returns when a round without bets may be deleted: once bets of its month can no longer be read. A table is dealt for
 * every tenant of its environment, so the longest retention applies.
 */
export function emptyRoundExpiry(at: number, environment: Environment): number {
  const fullMonth = startOfMonth(at, 1) + retentionIn[environment] * dayMs
  return Math.max(fullMonth, startOfMonth(at, 2))
}

/** Limits that are the same on every plan. */
export const limits = {
  bodyBytes: 65_536,
  timestampWindowSeconds: 300,
  nonceSeconds: 600,
  betsPage: { default: 500, most: 1000 },
  summaryPlayers: 1000,
  /** Earlier UTC months that a search of the tenant's ledger includes, in addition to the current one. */
  ledgerMonthsBack: 3,
  /** Months for which a txnId used by another player is a conflict. */
  conflictMonths: 2,
  launchSeconds: 60,
  sessionHours: 12,
  idleMinutes: 60,
  apiKeys: 10,
  rotatedKeyHours: 24,
  allowlistEntries: 100,
  statements: 24,
} as const
