/** What each plan allows: the "Limits" section of the tenant API document as data. The platform may change any of it per tenant. */

import { compareMonths, type Month, monthAfter, monthOf } from '../bets/cursor.ts'
import { parseAmount } from '../money.ts'
import type { RateLimit } from '../rate-limit.ts'
import { dayMs, startOfMonth } from '../time/calendar.ts'
import type { Environment, Plan } from './state.ts'

/** The limits a tenant has. `null` is no limit. */
export interface PlanLimits {
  readonly rate: RateLimit
  /** How many tables may be enabled. */
  readonly tables: number | null
  /** How many player accounts there may be; one more is PLAYER_LIMIT. */
  readonly players: number | null
  /** How many players may be online at once, over the whole tenant. */
  readonly online: number | null
  /** How many days back bets can be read. They are removed in whole months. */
  readonly retentionDays: number
  /** Whether the day's bets of the whole tenant stop at the demo figures. */
  readonly isDemo: boolean
  /** Whether round events are sent: a sandbox has them on any plan, at an address of its own. */
  readonly hasRoundWebhooks: boolean
  /** Whether player and account events are sent: a feature of the paid plan. */
  readonly hasWebhooks: boolean
  /** Maximum number of players who see a dealt table at once, over the whole tenant. */
  readonly viewers: number | null
  /** Maximum minutes a player sees dealt tables without a pause. */
  readonly viewMinutes: number | null
  /** After so many days without a Console login or a bet the tables pause. */
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

/** The limits of a tenant: a sandbox has its own, whatever plan its live twin is on. */
export function limitsOf(plan: Plan, environment: Environment): PlanLimits {
  return environment === 'sandbox' ? sandbox : livePlans[plan]
}

/** The most a demo tenant's players may bet together in a UTC day, about USD 1,000, in units of each currency. */
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

/** The demo plan's bets per UTC day in a currency. One that the document does not list gets the smallest figure, which the platform can relax. */
export function demoDayLimit(currency: string): bigint {
  return parseAmount(demoDayBets[currency.toUpperCase()] ?? '1000')
}

/** The oldest month whose bets can be read at a moment. The current and the previous month are always kept. */
export function oldestReadableMonth(at: number, retentionDays: number): Month {
  const reached = monthOf(at - retentionDays * 86_400_000)
  const previous = monthAfter(monthOf(at), -1)
  return compareMonths(reached, previous) < 0 ? reached : previous
}

/** The days a plan keeps what it can read: the longest of the plans that an environment can be on. */
const retentionIn = { live: paid.retentionDays, sandbox: sandbox.retentionDays } as const satisfies Record<
  Environment,
  number
>

/**
 * Returns when a round that nobody bet in may be removed: once bets of its month would no longer be readable. A table is
 * dealt for every tenant of its environment, so the longest retention counts.
 */
export function emptyRoundKeptUntil(at: number, environment: Environment): number {
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
  /** The tenant's ledger is searched over the current and so many earlier UTC months. */
  ledgerMonthsBack: 3,
  /** Within so many months a txnId of another player is a conflict. */
  conflictMonths: 2,
  launchSeconds: 60,
  sessionHours: 12,
  idleMinutes: 60,
  apiKeys: 10,
  rotatedKeyHours: 24,
  allowlistEntries: 100,
  statements: 24,
} as const
