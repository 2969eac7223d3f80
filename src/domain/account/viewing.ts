/** Time a player has watched dealt tables without a pause. The limits themselves belong to the plan. */

/** Time without a table in view that counts as a pause. Our own decision. */
export const viewingPauseMs = 60_000

/** Time after which an unconfirmed viewer counts as gone, for example because the process that served it died. */
export const viewerLeaseMs = 45_000

export interface Viewing {
  /** Start of the current viewing: there was no pause since. */
  readonly since: number
  /** Last moment a table was in view. */
  readonly seenAt: number
  /** True if a table was in view at that moment. */
  readonly isOpen: boolean
}

/** Returns when the current viewing began: now, unless the last one ended less than a pause ago. */
export function viewingSince(viewing: Viewing | undefined, now: number): number {
  return viewing && isWithin(viewing, now, viewingPauseMs) ? viewing.since : now
}

/** Returns whether a viewer uses one of the tenant's viewer slots. */
export function isViewer(viewing: Viewing | undefined, now: number): boolean {
  return viewing?.isOpen === true && isWithin(viewing, now, viewerLeaseMs)
}

/** A clock that was set back leaves times in the future. They count as long ago, so that they lock out no user. */
function isWithin({ seenAt }: Viewing, now: number, ms: number): boolean {
  return Math.abs(now - seenAt) < ms
}
