/** How long a player has watched dealt tables without a pause. The figures of the limit itself belong to the plan. */

/** Time without a table in view that counts as a pause: our own decision. */
export const viewingPauseMs = 60_000

/** Time after which a viewer that nobody has confirmed counts as gone, for example because the process that served it died. */
export const viewerLeaseMs = 45_000

export interface Viewing {
  /** Start of the viewing that has had no pause since. */
  readonly since: number
  /** Last moment a table was in view. */
  readonly seenAt: number
  /** Whether a table was still in view then. */
  readonly isOpen: boolean
}

/** Returns when the viewing of a moment began: now, unless the last one ended less than a pause ago. */
export function viewingSince(viewing: Viewing | undefined, now: number): number {
  return viewing && isWithin(viewing, now, viewingPauseMs) ? viewing.since : now
}

/** Returns whether a viewer takes one of the tenant's places. */
export function isViewer(viewing: Viewing | undefined, now: number): boolean {
  return viewing?.isOpen === true && isWithin(viewing, now, viewerLeaseMs)
}

/** A clock that was set back leaves moments in the future. They count as long ago, so that nobody is kept out by them. */
function isWithin({ seenAt }: Viewing, now: number, ms: number): boolean {
  return Math.abs(now - seenAt) < ms
}
