/**
 * Durations at a live table, and the rule for a round whose time passed unnoticed. The betting time is the table's own.
 * A dealer that is back within a minute continues. After more than that the players saw a frozen table: a round in
 * which they could still bet or decide is voided and every stake returned. One that only had to be settled is settled,
 * because its cards were fixed. A round without bets affects no player and is opened again.
 */

/** Maximum delay of the dealer without consequences. */
export const reconnectMs = 60_000
/** A round due this far ahead was opened on a clock that has been set back since. */
const horizonMs = 600_000

/** Time between the end of betting and the payout, for showing the cards. */
export const revealMs = { baccarat: 6_000, dragontiger: 4_000, holdem: 5_000, niuniu: 7_000 } as const
/** Time the result is shown before the next round. */
export const resultMs = 6_000
/** Time of a player's decision, in Hold'em against the dealer and on their turn at a no-limit table. */
export const decisionMs = 15_000
export const turnMs = 20_000
/** Time of a studio guest's action. */
export const guestMs = 1_200

export type Lateness = 'on time' | 'early' | 'lost'

/** Returns how late a step due at a moment is. */
export function latenessOf(dueAt: number, now: number): Lateness {
  if (now - dueAt > reconnectMs || dueAt - now > horizonMs) return 'lost'
  return now < dueAt ? 'early' : 'on time'
}
