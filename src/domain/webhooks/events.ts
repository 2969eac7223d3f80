/** Events that a platform sends to a tenant (1-tenant-api, Events). */

/** Round events: a sandbox has these on every plan. */
export const roundEvents = ['bet.settled', 'round.corrected', 'round.voided'] as const

/** Events that a tenant can select; `test` is sent without being selected. */
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

/** Returns the event of a round's latest revision. */
export function roundEventOf(round: { readonly status: string; readonly rev: number }): RoundEvent {
  if (round.status === 'void') return 'round.voided'
  return round.rev === 1 ? 'bet.settled' : 'round.corrected'
}

type StandingEvent = 'account.grace' | 'account.downgraded' | 'account.restored'

/** Returns the event of a change of account state, if it has one. */
export function standingEventOf(from: string, to: string): StandingEvent | undefined {
  if (from === to) return undefined
  if (to === 'GRACE') return 'account.grace'
  if (from === 'GRACE' && to === 'DOWNGRADED') return 'account.downgraded'
  return to === 'PAID' && (from === 'GRACE' || from === 'DOWNGRADED') ? 'account.restored' : undefined
}
