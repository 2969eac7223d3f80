/** States and transitions. Source: 1-tenant-api, "States and transitions". */

/** "Player status": any status to any, by player/update. */
export const playerTransitions = [
  { to: 'active', kicked: null, launch: 'allowed', bets: true },
  { to: 'locked', kicked: 'LOCKED', launch: 'PLAYER_LOCKED', bets: false },
  { to: 'no_bet', kicked: null, launch: 'allowed', bets: false },
] as const

/** "Player status": that of a player created by a launch or a first deposit. */
export const newPlayer = 'active'

/** "Launch URL": seconds until it is opened, and the number of earlier openings. */
export const launchUrl = [
  { afterSeconds: 0, opensBefore: 0, opens: true },
  { afterSeconds: 59, opensBefore: 0, opens: true },
  { afterSeconds: 60, opensBefore: 0, opens: 'border' },
  { afterSeconds: 61, opensBefore: 0, opens: false },
  { afterSeconds: 0, opensBefore: 1, opens: false },
  { afterSeconds: 59, opensBefore: 1, opens: false },
] as const

/** "Launch URL" and "Player sessions": the reasons with which open sessions end. */
export const kickReasons = {
  'a link is opened': 'SESSION_REPLACED',
  'a launch is called': 'SESSION_REPLACED',
  'player/logout': 'LOGGED_OUT',
  'player/update to locked': 'LOCKED',
} as const

/**
 * "Bet slip status": the effects of a correction and a void on a slip, and the event of each.
 * Game rules, 1.5: no revision follows a void.
 */
export const slipTransitions = [
  { from: null, by: 'settle', to: 'settled', event: 'bet.settled' },
  { from: 'settled', by: 'correct', to: 'recalculated', event: 'round.corrected' },
  { from: 'recalculated', by: 'correct', to: 'recalculated', event: 'round.corrected' },
  { from: 'settled', by: 'void', to: 'void', event: 'round.voided' },
  { from: 'recalculated', by: 'void', to: 'void', event: 'round.voided' },
  { from: null, by: 'void', to: 'void', event: 'round.voided' },
  { from: 'void', by: 'correct', to: 'refused', event: null },
  { from: 'void', by: 'void', to: 'refused', event: null },
] as const

/** "Round status", with game rules 1.5: the round's own status and revision after each sequence. */
export const roundHistories = [
  { by: ['settle'], status: 'settled', rev: 1 },
  { by: ['settle', 'correct'], status: 'settled', rev: 2 },
  { by: ['settle', 'correct', 'correct'], status: 'settled', rev: 3 },
  { by: ['settle', 'void'], status: 'void', rev: 2 },
  { by: ['settle', 'correct', 'void'], status: 'void', rev: 3 },
  { by: ['void'], status: 'void', rev: 1 },
  { by: ['settle', 'dispute'], status: 'disputed', rev: 1 },
] as const

/** "Table". */
export const tableTransitions = [
  { from: false, by: 'enable', to: true },
  { from: true, by: 'enable', to: true },
  { from: true, by: 'disable', to: false },
  { from: false, by: 'disable', to: false },
] as const

/** "Account state". */
export const accountTransitions = [
  { from: 'PAID', by: 'credit runs out', to: 'GRACE', event: 'account.grace' },
  { from: 'GRACE', by: 'grace ends', to: 'DOWNGRADED', event: 'account.downgraded' },
  { from: 'GRACE', by: 'top-up', to: 'PAID', event: 'account.restored' },
  { from: 'DOWNGRADED', by: 'top-up', to: 'PAID', event: 'account.restored' },
] as const

/**
 * "Round status": a change outside the guardrails leaves the result and the amounts unchanged and marks a settled round
 * as disputed. The guardrails are not shown; ours (docs/decisions.md): within 24 hours of the first settlement, no
 * change after a void or a dispute, and no player's balance below zero.
 */
export const guardrails = [
  { after: 'hours', hours: 23.999, by: 'correct', status: 'settled', rev: 2 },
  { after: 'hours', hours: 24.001, by: 'correct', status: 'disputed', rev: 1 },
  { after: 'hours', hours: 23.999, by: 'void', status: 'void', rev: 2 },
  { after: 'hours', hours: 24.001, by: 'void', status: 'disputed', rev: 1 },
  { after: 'a correction', hours: 24.001, by: 'correct', status: 'disputed', rev: 2 },
  { after: 'a dispute', hours: 1, by: 'correct', status: 'disputed', rev: 1 },
  { after: 'a dispute', hours: 1, by: 'void', status: 'disputed', rev: 1 },
  { after: 'a void', hours: 1, by: 'correct', status: 'void', rev: 2 },
  { after: 'a void', hours: 1, by: 'void', status: 'void', rev: 2 },
  { after: 'a withdrawal', hours: 1, by: 'correct', status: 'disputed', rev: 1 },
] as const
