/** What a platform tells a tenant of (1-tenant-api, Events). */

/** Events about a round: a sandbox has these on every plan. */
export const roundEvents = ['bet.settled', 'round.corrected', 'round.voided'] as const

/** All that a tenant can select; `test` is sent without being selected. */
export const selectableEvents = [
  ...roundEvents,
  'player.kicked',
  'account.grace',
  'account.downgraded',
  'account.restored',
  'account.topup',
  'account.low_balance',
] as const

export const webhookEvents = [...selectableEvents, 'test'] as const

export type RoundEvent = (typeof roundEvents)[number]
export type SelectableEvent = (typeof selectableEvents)[number]
export type WebhookEvent = (typeof webhookEvents)[number]

export function isRoundEvent(event: WebhookEvent): event is RoundEvent {
  return roundEvents.some((each) => each === event)
}

/** What a round's latest revision is to those who bet in it. */
export function roundEventOf(round: { readonly status: string; readonly rev: number }): RoundEvent {
  if (round.status === 'void') return 'round.voided'
  return round.rev === 1 ? 'bet.settled' : 'round.corrected'
}

type StandingEvent = 'account.grace' | 'account.downgraded' | 'account.restored'

/** What a move of an account's state is called, where it has a name. */
export function standingEventOf(from: string, to: string): StandingEvent | undefined {
  if (from === to) return undefined
  if (to === 'GRACE') return 'account.grace'
  if (from === 'GRACE' && to === 'DOWNGRADED') return 'account.downgraded'
  return to === 'PAID' && (from === 'GRACE' || from === 'DOWNGRADED') ? 'account.restored' : undefined
}
