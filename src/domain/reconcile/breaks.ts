/**
 * Breaks: differences found by reconciliation runs, tracked until they are cleared or closed. This file decides which
 * break a finding belongs to and how it changes; the book stores them.
 */
import { sha256Hex } from '../../kit/hmac.ts'

export const breakKinds = [
  'daily',
  'restated',
  'wallet',
  'transfers',
  'billing',
  'payments',
  'payouts',
  'settlement',
  'period',
] as const
export type BreakKind = (typeof breakKinds)[number]

/** `cleared`: a later run no longer found it. `closed`: a person closed it. */
export const breakStates = ['open', 'closed', 'cleared'] as const
export type BreakState = (typeof breakStates)[number]

/** Reasons for closing a break. */
export const breakReasons = {
  'platform-error': 'the platform was wrong',
  'book-error': 'the book or the ledger was wrong',
  'late-correction': 'a late correction or void, posted since',
  'manual-adjustment': 'a manual adjustment, posted since',
  'made-elsewhere': 'a transfer made by another system, posted since',
  timing: 'both sides agree by now',
  'written-off': 'the amount is written off',
  duplicate: 'part of another break',
  other: 'see the note',
} as const
export type BreakReason = keyof typeof breakReasons
export const breakReasonCodes = Object.keys(breakReasons) as readonly BreakReason[]

export const breakEventKinds = [
  'found',
  'found-again',
  'changed',
  'cleared',
  'assigned',
  'noted',
  'closed',
  'reopened',
  'snoozed',
  'snooze-ended',
] as const
export type BreakEventKind = (typeof breakEventKinds)[number]

/** A difference as a run found it. Amounts are decimal text. */
export interface DetectedBreak {
  readonly kind: BreakKind
  /** Normalized subject: two findings about one subject are one break. */
  readonly subject: string
  readonly date: string | null
  readonly player: string | null
  readonly currency: string | null
  readonly amount: string | null
  readonly message: string
  /** Normalized details: a change makes it a new finding. */
  readonly fingerprint: string
  readonly detail: object
}

/** Returns the id of a break: the same for one subject in every run and every book. */
export function breakId({ kind, subject }: Pick<DetectedBreak, 'kind' | 'subject'>): string {
  return `${kind}-${sha256Hex(`${kind}\n${subject}`).slice(0, 10)}`
}

/** Returns whether a text may be a break's id, or a prefix of one that includes the kind. */
export function isBreakId(text: string): boolean {
  const [, kind] = /^([a-z]+)-[0-9a-f]{1,10}$/.exec(text) ?? []
  return breakKinds.some((known) => known === kind)
}

/** Stored state of a break when a run finds it. */
export interface KnownBreak {
  readonly state: BreakState
  readonly fingerprint: string
}

/** Effect of a run on a break: the event to record, if any, and the new state. */
export interface BreakTransition {
  readonly event: BreakEventKind | null
  readonly state: BreakState
}

/**
 * Returns the effect of a finding. The same finding does not change an open or closed break, so a person's decision
 * stays. A changed finding, or one after a run had found the break cleared, opens it again.
 */
export function afterFinding(known: KnownBreak | undefined, fingerprint: string): BreakTransition {
  if (known === undefined) return { event: 'found', state: 'open' }
  const isSame = known.fingerprint === fingerprint
  if (known.state === 'cleared') return { event: 'found-again', state: 'open' }
  if (isSame) return { event: null, state: known.state }
  return { event: known.state === 'closed' ? 'found-again' : 'changed', state: 'open' }
}

/**
 * Returns the effect of a run that did not find the break. A closed break stays closed: its reason is part of the
 * record.
 */
export function afterLooking({ state }: Pick<KnownBreak, 'state'>): BreakTransition {
  return state === 'open' ? { event: 'cleared', state: 'cleared' } : { event: null, state }
}

/** Returns how long a break has been open; null when it is not. */
export function ageOf({ state, openedAt }: { state: BreakState; openedAt: number }, now: number): number | null {
  return state === 'open' ? Math.max(0, now - openedAt) : null
}

/** Formats an age with its two largest units: `3d 4h`, `25m`. */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return hours > 0 ? `${days}d ${hours}h` : `${days}d`
  return hours > 0 ? `${hours}h ${minutes % 60}m` : `${minutes}m`
}
