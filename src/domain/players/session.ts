/** How long a player may stay in, and how long without a sign of life. */
export const sessionMaxMs = 12 * 3_600_000
export const sessionIdleMs = 60 * 60_000

export interface SessionTimes {
  readonly openedAt: number
  readonly seenAt: number
}

/** Why a session is over at a moment, or that it is not. */
export function endOf(session: SessionTimes, now: number): 'EXPIRED' | 'IDLE' | null {
  if (now - session.openedAt >= sessionMaxMs) return 'EXPIRED'
  return now - session.seenAt >= sessionIdleMs ? 'IDLE' : null
}

/** Whether a session that nobody ended is still good. */
export function isOnline(session: SessionTimes, now: number): boolean {
  return endOf(session, now) === null
}
