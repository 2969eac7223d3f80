/** Maximum length of a session, and of inactivity. */
export const sessionMaxMs = 12 * 3_600_000
export const sessionIdleMs = 60 * 60_000

export interface SessionTimes {
  readonly openedAt: number
  readonly seenAt: number
}

/** Returns why a session has ended at a moment, or null while it has not. */
export function endOf(session: SessionTimes, now: number): 'EXPIRED' | 'IDLE' | null {
  if (now - session.openedAt >= sessionMaxMs) return 'EXPIRED'
  return now - session.seenAt >= sessionIdleMs ? 'IDLE' : null
}

/** Returns whether a session that was not ended is still valid. */
export function isOnline(session: SessionTimes, now: number): boolean {
  return endOf(session, now) === null
}
