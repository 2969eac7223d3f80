/** Limits. Source: 1-tenant-api, "Limits", "Authentication" and "Billing". */

/** "Limits": one bucket per tenant, shared by its keys. */
export const requestRates = [
  { plan: 'paid', perSecond: 100, burst: 200 },
  { plan: 'sandbox', perSecond: 20, burst: 40 },
  { plan: 'free', perSecond: 5, burst: 10 },
] as const

/** "Limits" and "Authentication". */
export const bodyBytes = 65_536
export const timestampWindowSeconds = 300
export const nonce = { shortest: 16, longest: 64, repeatsAfterSeconds: 600 }
export const username = { shortest: 1, longest: 32 }
export const txnId = { shortest: 1, longest: 64 }
export const betsPage = { least: 1, most: 1000, default: 500 }
export const summaryPlayers = 1000
/** A transfer of March 2026 looked up without a username: the current and the previous 3 UTC months are searched. */
export const transferLookup = [
  { month: '2026-03', found: true },
  { month: '2026-04', found: true },
  { month: '2026-06', found: true },
  { month: '2026-07', found: false },
] as const
/** A txnId of 2026-03-10 used for another player: a conflict for two months. */
export const txnIdOfAnotherPlayer = [
  { day: '2026-03-11', isFree: false },
  { day: '2026-05-09', isFree: false },
  { day: '2026-05-11', isFree: true },
] as const
export const launchUrl = { seconds: 60, uses: 1, expiredStatus: 410 }
export const session = { hours: 12, idleMinutes: 60 }
export const apiKeys = { perEnvironment: 10, rotatedHours: 24 }
export const allowlist = { entries: 100 }
export const webhookSecret = /^whs_[A-Za-z0-9]{32}$/

/** "Limits": addresses and ranges that an allowlist accepts, and callers that match them or not. */
export const allowlists = [
  { entry: '203.0.113.7', inside: ['203.0.113.7'], outside: ['203.0.113.6', '203.0.113.8'] },
  { entry: '203.0.113.0/24', inside: ['203.0.113.0', '203.0.113.255'], outside: ['203.0.112.255', '203.0.114.0'] },
  { entry: '203.0.113.8/31', inside: ['203.0.113.8', '203.0.113.9'], outside: ['203.0.113.7', '203.0.113.10'] },
  { entry: '2001:db8::7', inside: ['2001:db8::7', '2001:db8:0:0:0:0:0:7'], outside: ['2001:db8::8'] },
  {
    entry: '2001:db8::/32',
    inside: ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
    outside: ['2001:db7:ffff::1', '2001:db9::'],
  },
] as const

/** "Limits", free demo plan, and the sandbox's exceptions. */
export const demo = { tables: 2, online: 10, players: 50, videoViewers: 3, videoMinutes: 30, idleDays: 14 }
export const sandbox = { tables: 2, online: 50, players: 500 }

/** "Limits", free demo plan: total bets a UTC day. */
export const dailyBets = {
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
} as const

/** "Billing" and "Limits": a table enabled on the paid plan. */
export const tableMonthUsd = 100

/** The day's fee of one table, `100 / days of the month`, in the months that differ. */
export const monthLengths = [
  { month: '2026-01', days: 31 },
  { month: '2026-02', days: 28 },
  { month: '2024-02', days: 29 },
  { month: '2026-04', days: 30 },
] as const

/** "Limits", paid plan: no quota, and the free plan's missing features. */
export const paid = { tablesQuota: null, webhooks: true }
export const free = { webhooks: false }

/**
 * "Limits", free demo plan: tables pause 14 days after the last Console login or bet. The tenant is created at hour 0;
 * half an hour later the activity itself counts, and not an earlier one.
 */
export const pauses = [
  { plan: 'free', last: 'nothing', atHour: 0, days: demo.idleDays, seconds: -1, status: 'open' },
  { plan: 'free', last: 'nothing', atHour: 0, days: demo.idleDays, seconds: 1, status: 'maintenance' },
  { plan: 'free', last: 'login', atHour: 0.5, days: demo.idleDays, seconds: -1, status: 'open' },
  { plan: 'free', last: 'login', atHour: 0.5, days: demo.idleDays, seconds: 1, status: 'maintenance' },
  { plan: 'free', last: 'bet', atHour: 0.5, days: demo.idleDays, seconds: -1, status: 'open' },
  { plan: 'free', last: 'bet', atHour: 0.5, days: demo.idleDays, seconds: 1, status: 'maintenance' },
  { plan: 'sandbox', last: 'bet', atHour: 30, days: demo.idleDays, seconds: -1, status: 'open' },
  { plan: 'sandbox', last: 'bet', atHour: 30, days: demo.idleDays, seconds: 1, status: 'maintenance' },
  { plan: 'paid', last: 'nothing', atHour: 0, days: 10 * demo.idleDays, seconds: 0, status: 'open' },
] as const

/** "Limits", free demo plan, video; a sandbox has the free plan's, and the paid plan has no demo limits. */
export const video = [
  { plan: 'free', viewers: demo.videoViewers, minutes: demo.videoMinutes },
  { plan: 'sandbox', viewers: demo.videoViewers, minutes: demo.videoMinutes },
  { plan: 'paid', viewers: null, minutes: null },
] as const

/**
 * "Limits", bets readable: about 400 days on the paid plan and 7 on the free plan, removed in whole months, the current and the previous
 * month always kept. A bet of March 10 read at later moments.
 */
export const bets = [
  { plan: 'free', at: '2026-03-31T23:59:59.000Z', isRead: true },
  { plan: 'free', at: '2026-04-30T23:59:59.000Z', isRead: true },
  { plan: 'free', at: '2026-05-01T00:00:00.000Z', isRead: false },
  { plan: 'sandbox', at: '2026-04-30T23:59:59.000Z', isRead: true },
  { plan: 'sandbox', at: '2026-05-01T00:00:00.000Z', isRead: false },
  // 400 days after the last day of March.
  { plan: 'paid', at: '2027-04-14T12:00:00.000Z', isRead: true },
  { plan: 'paid', at: '2027-05-05T00:00:00.000Z', isRead: true },
  { plan: 'paid', at: '2027-05-06T00:00:01.000Z', isRead: false },
] as const

/** "Endpoints", statements: the last 24, newest first. */
export const statements = 24

/**
 * "Table" and "Billing": the day of enabling and the day of disabling both count, each once, for a table enabled
 * between two times.
 */
export const tableDays = [
  {
    enabled: '2026-03-10T00:00:00.000Z',
    disabled: '2026-03-10T00:00:01.000Z',
    days: { '2026-03-10': 1, '2026-03-11': 0 },
  },
  {
    enabled: '2026-03-10T23:59:59.000Z',
    disabled: '2026-03-11T00:00:00.000Z',
    days: { '2026-03-10': 1, '2026-03-11': 1, '2026-03-12': 0 },
  },
  {
    enabled: '2026-03-10T12:00:00.000Z',
    disabled: '2026-03-12T23:59:59.000Z',
    days: { '2026-03-10': 1, '2026-03-11': 1, '2026-03-12': 1, '2026-03-13': 0 },
  },
] as const
