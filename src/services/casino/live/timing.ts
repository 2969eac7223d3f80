/**
 * How long things take at a live table, and the rule for a round whose time went by unnoticed.
 *
 * The betting time is the table's own. A dealer who comes back within a minute goes on as if nothing had happened. After
 * more than that the players saw a table stand still: a round in which they could still bet or decide is voided and
 * every stake comes back; one that only had to be settled is settled, for its cards lie on the table and nobody could
 * have done anything about them. A round without bets hurts nobody and is simply opened anew.
 */

/** How late the dealer may be without it mattering. */
export const patienceMs = 60_000
/** A round due so far ahead was opened on a clock that has been set back since. */
const horizonMs = 600_000

/** Showing the cards after betting has closed, before they are paid. */
export const revealMs = { baccarat: 6_000, dragontiger: 4_000, holdem: 5_000, niuniu: 7_000 } as const
/** Looking at the result before the next round opens. */
export const resultMs = 6_000
/** What a player has to decide at Hold'em against the dealer, and on their turn at a no-limit table. */
export const decisionMs = 15_000
export const turnMs = 20_000
/** A guest of the studio takes a moment, too. */
export const guestMs = 1_200

export type Lateness = 'on time' | 'early' | 'lost'

/** How the present stands to the moment the dealer was to move on at. */
export function latenessOf(dueAt: number, now: number): Lateness {
  if (now - dueAt > patienceMs || dueAt - now > horizonMs) return 'lost'
  return now < dueAt ? 'early' : 'on time'
}
