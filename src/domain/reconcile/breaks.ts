/**
 * Breaks: differences that runs of reconciliation found, from the first time until they are cleared or closed. Which break
 * a finding is, and what finding it again does, is decided here; keeping them is the book's.
 */
import { sha256Hex } from '../../kit/hmac.ts'

export const breakKinds = ['daily', 'restated', 'wallet', 'transfers', 'billing', 'payments'] as const
export type BreakKind = (typeof breakKinds)[number]

/** `cleared`: a run looked again and it was gone. `closed`: a person said so. */
export const breakStates = ['open', 'closed', 'cleared'] as const
export type BreakState = (typeof breakStates)[number]

/** Why somebody closed a break. */
export const breakReasons = {
  'platform-error': 'the platform was wrong',
  'book-error': 'the book or the ledger was wrong',
  'late-correction': 'a correction or void that came late, and is booked',
  'manual-adjustment': 'an adjustment made by hand, and is booked',
  'made-elsewhere': 'a transfer made by another system, and is booked',
  timing: 'both sides have it by now',
  'written-off': 'the amount is written off',
  duplicate: 'it is part of another break',
  other: 'as the note says',
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
] as const
export type BreakEventKind = (typeof breakEventKinds)[number]

/** A difference as a run found it. Amounts are decimal text. */
export interface FoundBreak {
  readonly kind: BreakKind
  /** What it is about, in one spelling: two findings about one thing are one break. */
  readonly subject: string
  readonly date: string | null
  readonly player: string | null
  readonly currency: string | null
  readonly amount: string | null
  readonly message: string
  /** What of it makes it another matter when it changes, in one spelling. */
  readonly fingerprint: string
  readonly detail: object
}

/** The id of whatever is found about a subject: the same in every run and in every book. */
export function breakId({ kind, subject }: Pick<FoundBreak, 'kind' | 'subject'>): string {
  return `${kind}-${sha256Hex(`${kind}\n${subject}`).slice(0, 10)}`
}

/** Whether a text may be a break's id, or the beginning of one that tells the kind. */
export function isBreakId(text: string): boolean {
  const [, kind] = /^([a-z]+)-[0-9a-f]{1,10}$/.exec(text) ?? []
  return breakKinds.some((known) => known === kind)
}

/** What is known of a break when a run finds it. */
export interface KnownBreak {
  readonly state: BreakState
  readonly fingerprint: string
}

/** What finding it does: the event to be noted, if any, and the state it has then. */
export interface BreakMove {
  readonly event: BreakEventKind | null
  readonly state: BreakState
}

/**
 * What a run's finding does to a break. Found again just as it was, nothing happens to one that is open or closed: what a
 * person has settled stays settled. Found again otherwise, or after a run had seen it gone, it is open.
 */
export function afterFinding(known: KnownBreak | undefined, fingerprint: string): BreakMove {
  if (known === undefined) return { event: 'found', state: 'open' }
  const isSame = known.fingerprint === fingerprint
  if (known.state === 'cleared') return { event: 'found-again', state: 'open' }
  if (isSame) return { event: null, state: known.state }
  return { event: known.state === 'closed' ? 'found-again' : 'changed', state: 'open' }
}

/** What a run that looked and did not find it does. A closed one stays closed: its reason is part of the record. */
export function afterLooking({ state }: Pick<KnownBreak, 'state'>): BreakMove {
  return state === 'open' ? { event: 'cleared', state: 'cleared' } : { event: null, state }
}

/** How long a break has been open; null once it is not. */
export function ageOf({ state, openedAt }: { state: BreakState; openedAt: number }, now: number): number | null {
  return state === 'open' ? Math.max(0, now - openedAt) : null
}

/** `3d 4h`, `25m`: for people, the two largest parts. */
export function ageText(ms: number): string {
  const minutes = Math.floor(ms / 60_000)
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return hours > 0 ? `${days}d ${hours}h` : `${days}d`
  return hours > 0 ? `${hours}h ${minutes % 60}m` : `${minutes}m`
}
