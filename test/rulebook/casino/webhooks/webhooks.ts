/** Webhooks. Source: 1-tenant-api, "Events". */

/** "Events": every event with the fields of its data. */
export const events = [
  { event: 'bet.settled', data: ['round', 'bets'], chosen: true },
  { event: 'round.corrected', data: ['round', 'bets'], chosen: true },
  { event: 'round.voided', data: ['round', 'bets'], chosen: true },
  { event: 'player.kicked', data: ['username', 'reason', 'at'], chosen: true },
  { event: 'account.grace', data: ['from', 'to', 'balanceUsd', 'graceUntil', 'actor'], chosen: true },
  { event: 'account.downgraded', data: ['from', 'to', 'balanceUsd', 'graceUntil', 'actor'], chosen: true },
  { event: 'account.restored', data: ['from', 'to', 'balanceUsd', 'graceUntil', 'actor'], chosen: true },
  { event: 'account.topup', data: ['amountUsd', 'balanceUsd', 'ref'], chosen: true },
  { event: 'account.low_balance', data: ['balanceUsd', 'avgDailyUsd', 'daysLeft'], chosen: true },
  { event: 'test', data: ['message'], chosen: false },
] as const

/** "Events", round-event data: the round's fields. */
export const roundFields = [
  'roundId',
  'tableId',
  'shoe',
  'round',
  'rev',
  'resultCode',
  'cardInfo',
  'settledAt',
] as const

/** "Events", body fields. */
export const bodyFields = ['id', 'event', 'companyCode', 'createdAt', 'data'] as const

/** "Events", request headers; `equals` names the body field a header repeats. */
export const headers = [
  { name: 'content-type', value: /^application\/json\b/, equals: null },
  { name: 'user-agent', value: /\S+\/\S+/, equals: null },
  { name: 'x-svc-event', value: /^[a-z_.]+$/, equals: 'event' },
  { name: 'x-svc-delivery', value: /\S/, equals: 'id' },
  { name: 'x-svc-signature', value: /^t=\d+,v1=[0-9a-f]{64}$/, equals: null },
] as const

/** "Events": reasons of player.kicked for calls of the API. */
export const kickReasons = { 'player/logout': 'logged_out', 'player/update to locked': 'locked' } as const

/** "Events", body fields: the end of a sandbox tenant's company code. */
export const sandboxSuffix = '-SBX'

/** "Events", rules: USD amounts of account events, with 2 decimals. */
export const cents = /^-?\d+\.\d{2}$/

/** "Setup and availability" 1: URLs that a webhook accepts; the loopback exception is our own. */
export const refusedUrls = [
  'http://casino.example/hook',
  'ftp://casino.example/hook',
  'casino.example/hook',
  '',
] as const

/**
 * Retries are not shown; ours: docs/decisions.md, "Webhooks of the platform". Jitter extends each delay by up to a
 * fifth.
 */
export const retries = {
  waitsSeconds: [5, 30, 120, 600, 1800, 7200, 21_600, 43_200, 86_400],
  attempts: 10,
  jitter: 0.2,
  keptDays: 30,
} as const

/** Statuses by their effect: any 2xx acknowledges, 410 ends at once, all others are retried. */
export const answers = [
  { status: 200, is: 'acknowledged' },
  { status: 201, is: 'acknowledged' },
  { status: 204, is: 'acknowledged' },
  { status: 299, is: 'acknowledged' },
  { status: 301, is: 'tried again' },
  { status: 302, is: 'tried again' },
  { status: 400, is: 'tried again' },
  { status: 401, is: 'tried again' },
  { status: 404, is: 'tried again' },
  { status: 409, is: 'tried again' },
  { status: 410, is: 'ended' },
  { status: 429, is: 'tried again' },
  { status: 500, is: 'tried again' },
  { status: 503, is: 'tried again' },
] as const

/**
 * "Account state" and "Events": events of an account on its way down and up again; grace lasts 7 days
 * (docs/decisions.md).
 */
export const accountStory = [
  { event: 'account.grace', from: 'PAID', to: 'GRACE', hasGraceUntil: true },
  { event: 'account.downgraded', from: 'GRACE', to: 'DOWNGRADED', hasGraceUntil: false },
  { event: 'account.restored', from: 'DOWNGRADED', to: 'PAID', hasGraceUntil: false },
] as const
export const graceDays = 7
