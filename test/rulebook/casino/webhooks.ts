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

/** "Events": reasons of player.kicked for what the API did. */
export const kickReasons = { 'player/logout': 'logged_out', 'player/update to locked': 'locked' } as const

/** "Events", body fields: the end of a sandbox tenant's company code. */
export const sandboxSuffix = '-SBX'

/** "Events", rules: USD amounts of account events, with 2 decimals. */
export const cents = /^-?\d+\.\d{2}$/

/** "Setup and availability" 1: URLs a webhook takes; the loopback exception is our own. */
export const refusedUrls = [
  'http://casino.example/hook',
  'ftp://casino.example/hook',
  'casino.example/hook',
  '',
] as const
