/** Dragon tiger. Source: game rules, section 3; zones also in 1-tenant-api, "Bet record". */

/** 3.1: an 8-deck shoe that ends as in baccarat; one card to the dragon, then one to the tiger. */
export const shoe = { decks: 8, cards: 416, newBelow: 52 }

/** 3.1: the order of the ranks, the lowest first. Suits decide nothing. */
export const rankValues = {
  A: 1,
  '2': 2,
  '3': 3,
  '4': 4,
  '5': 5,
  '6': 6,
  '7': 7,
  '8': 8,
  '9': 9,
  T: 10,
  J: 11,
  Q: 12,
  K: 13,
} as const

/** 3.2: bets on both cards. `onTie` is the return of the stake when the ranks are equal. */
export const pairBets = [
  { zone: 'D', wins: 'dragon higher', pays: 1, onTie: 'half' },
  { zone: 'TG', wins: 'tiger higher', pays: 1, onTie: 'half' },
  { zone: 'T', wins: 'same rank', pays: 8, onTie: 'win' },
  { zone: 'ST', wins: 'same rank and suit', pays: 50, onTie: 'win when suited' },
] as const

/** 3.2: bets on one card, all 1:1: the ranks they win with. A 7 wins none, and a tie changes nothing. */
export const cardBets = [
  { zones: ['DB', 'TB'], pays: 1, ranks: ['8', '9', 'T', 'J', 'Q', 'K'] },
  { zones: ['DS', 'TS'], pays: 1, ranks: ['A', '2', '3', '4', '5', '6'] },
  { zones: ['DO', 'TO'], pays: 1, ranks: ['A', '3', '5', '9', 'J', 'K'] },
  { zones: ['DE', 'TE'], pays: 1, ranks: ['2', '4', '6', '8', 'T', 'Q'] },
] as const

/** 3.2: zones of every table, and those that a tenant enables. */
export const zones = {
  always: ['D', 'TG', 'T', 'ST'],
  whenTurnedOn: ['DB', 'DS', 'DO', 'DE', 'TB', 'TS', 'TO', 'TE'],
} as const

/** 3.2: the name of the only variant. */
export const variant = 'standard'

/** 3.3: the four result codes. */
export const codes = [
  { code: '1', winner: 'D', suitedTie: false, cards: 'KS7H' },
  { code: '2', winner: 'TG', suitedTie: false, cards: '3SJD' },
  { code: '4', winner: 'T', suitedTie: false, cards: '7C7D' },
  { code: 'C', winner: 'T', suitedTie: true, cards: 'QHQH' },
] as const

/** Section 7: headline figures of an 8-deck shoe, in the digits published. */
export const headline = {
  tie: '0.0747',
  suitedTie: '0.0169',
  edgeInPercent: { D: '3.73', TG: '3.73', T: '32.77', ST: '13.98', DB: '7.69', DS: '7.69', TB: '7.69', TS: '7.69' },
} as const
