/** Niu Niu. Source: game rules, section 6; zones and ranks also in 1-tenant-api, "Bet record" and "Round". */

/** 6.1: cards of the deck, cards in use, and rounds in a session. */
export const deal = { deck: 52, used: 21, perHand: 5, sessionRounds: 60 }

/** 6.1: the hand dealt first and those after it, by the rank of the first card. */
export const dealingOrders = [
  { first: ['A', '5', '9', 'K'], order: ['B', 'P1', 'P2', 'P3'] },
  { first: ['2', '6', 'T'], order: ['P1', 'P2', 'P3', 'B'] },
  { first: ['3', '7', 'J'], order: ['P2', 'P3', 'B', 'P1'] },
  { first: ['4', '8', 'Q'], order: ['P3', 'B', 'P1', 'P2'] },
] as const

/** 6.2: points by rank. */
export const points = {
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
  J: 10,
  Q: 10,
  K: 10,
} as const

/** 6.2 and 1-tenant-api, "Round": the ranks with their characters in a code. */
export const handRanks = [
  { rank: 0, character: '0', name: 'no bull', special: false },
  { rank: 1, character: '1', name: 'bull 1', special: false },
  { rank: 2, character: '2', name: 'bull 2', special: false },
  { rank: 3, character: '3', name: 'bull 3', special: false },
  { rank: 4, character: '4', name: 'bull 4', special: false },
  { rank: 5, character: '5', name: 'bull 5', special: false },
  { rank: 6, character: '6', name: 'bull 6', special: false },
  { rank: 7, character: '7', name: 'bull 7', special: false },
  { rank: 8, character: '8', name: 'bull 8', special: false },
  { rank: 9, character: '9', name: 'bull 9', special: false },
  { rank: 10, character: 'A', name: 'Niu Niu', special: false },
  { rank: 11, character: 'B', name: 'Five Face Bull', special: true },
  { rank: 12, character: 'C', name: 'Bomb', special: true },
  { rank: 13, character: 'D', name: 'Five Small Bull', special: true },
] as const

/** 6.2: hands with their rank on tables with special hands and on tables without. */
export const hands = [
  { cards: 'KS 7D 3C 8H 9S', on: 7, off: 7 },
  { cards: 'QD TC JS 6H 4D', on: 10, off: 10 },
  { cards: '2S 4H 6C 8D AS', on: 0, off: 0 },
  { cards: 'KD 5H 5S 2D 7C', on: 9, off: 9 },
  { cards: 'KD 5H 5S 2D 3C', on: 5, off: 5 },
  // A pair that sums to 10 is not enough: three cards are required.
  { cards: '6S 4D 7C 8H AS', on: 0, off: 0 },
  // Every card A to 4 and at most 10 points.
  { cards: 'AS AH AD AC 2S', on: 13, off: 0 },
  { cards: 'AS AH AD 3C 4S', on: 13, off: 0 },
  { cards: 'AS AH 2D 2C 3S', on: 13, off: 0 },
  { cards: 'AS AH 2D 2C 4S', on: 13, off: 0 },
  { cards: 'AS AH 2D 3C 3S', on: 13, off: 0 },
  { cards: 'AS 2H 2D 2C 3S', on: 13, off: 0 },
  // 11 points, and a five: no longer small.
  { cards: 'AS AH 2D 3C 4S', on: 0, off: 0 },
  { cards: 'AS AH AD AC 5S', on: 12, off: 0 },
  { cards: 'AS AH AD 2C 5S', on: 0, off: 0 },
  { cards: '2S 2H 2D 2C 3S', on: 12, off: 0 },
  { cards: '2S 2H 2D 2C AS', on: 13, off: 0 },
  // Four of one rank, bull or not; without special hands the ordinary rank.
  { cards: '9S 9H 9D 9C 2S', on: 12, off: 8 },
  { cards: '5S 5H 5D 5C TS', on: 12, off: 10 },
  { cards: 'KS KH KD KC QS', on: 12, off: 10 },
  { cards: 'KS KH KD KC 4S', on: 12, off: 4 },
  // Five of J, Q and K; a ten is no face.
  { cards: 'KC QD JH QH KD', on: 11, off: 10 },
  { cards: 'JS JH JD QC QS', on: 11, off: 10 },
  { cards: 'TS QD JH QH KD', on: 10, off: 10 },
] as const

/** 6.2: special ranks in the order they are tested. */
export const specialOrder = [13, 12, 11] as const

/** 6.3, 1: the order of single cards by rank, the highest first. */
export const ranksDownward = ['K', 'Q', 'J', 'T', '9', '8', '7', '6', '5', '4', '3', '2', 'A'] as const

/** 6.3, 2: the order of suits, the highest first: spade, heart, club, diamond. It is not the order they are printed in. */
export const suitsDownward = ['S', 'H', 'C', 'D'] as const

/** 6.3: hands of equal rank, special hands on; `higher` beats `lower`. */
export const equalRanks = [
  { rule: 'bull 8: the king of spades over the king of hearts', higher: 'KS TD JC 9H 9C', lower: 'KH 6S 4C 5D 3H' },
  { rule: 'bull 8: the king of hearts over the queen of spades', higher: 'KH 6S 4C 5D 3H', lower: 'QS 7H 3D AC 7S' },
  { rule: 'bull 8: hearts over clubs', higher: 'KH 6S 4C 5D 3H', lower: 'KC 6H 4S 5H 3D' },
  { rule: 'Niu Niu: clubs over diamonds', higher: 'KC 5H 5S 6D 4C', lower: 'KD 2H 8S 7D 3C' },
  { rule: 'no bull: the highest card', higher: 'KD 2S 3H 4D AC', lower: '2H 4S 6H 8D AS' },
  { rule: 'Bomb: the rank of the four, not the single card', higher: '9S 9H 9D 9C 2S', lower: '8S 8H 8D 8C KS' },
  { rule: 'Bomb: kings over queens with an ace', higher: 'KS KH KD KC 2S', lower: 'QS QH QD QC AS' },
  { rule: 'Five Face Bull: the king of spades', higher: 'KS JH JD QH JC', lower: 'KH KC KD QC QS' },
  { rule: 'Five Small Bull: the highest card', higher: '4D AS AH AD 2S', lower: '3S 2H 2D AC 2C' },
] as const

/** 6.4: the multiplier by rank; ranks 11 to 13 exist only on tables with special hands. */
export const multipliers = [1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 3, 5, 5, 5] as const

/** 6.4: the hold of a double bet as a multiple of its amount. */
export const holdFactor = { specialHandsOff: 2, specialHandsOn: 4 }

/** 6.4: zones, with the hand each bets on. */
export const zones = [
  { zone: 'P1E', hand: 'P1', kind: 'equal' },
  { zone: 'P2E', hand: 'P2', kind: 'equal' },
  { zone: 'P3E', hand: 'P3', kind: 'equal' },
  { zone: 'P1D', hand: 'P1', kind: 'double' },
  { zone: 'P2D', hand: 'P2', kind: 'double' },
  { zone: 'P3D', hand: 'P3', kind: 'double' },
] as const

/** 6.5: the bit of each player hand in the first character of a code. */
export const winnerBits = { P1: 1, P2: 2, P3: 4 } as const

/** 6.5: deals with their codes. */
export const deals = [
  { code: '57A09', special: false, cardInfo: '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C' },
  { code: '18886', special: false, cardInfo: '6D|KH 6S 4C 5D 3H|KS TD JC 9H 9C|QS 7H 3D AC 7S|2C 2H 4S 8C KC' },
  { code: '630A8', special: false, cardInfo: 'JH|JD 8S 2H AH 2S|QC 9D 6H 3S 2C|KH KC 4S 5H AD|7S 7D 6S TC 8H' },
  { code: '3BCDA', special: true, cardInfo: '4D|KC QD JH QH KD|9S 9H 9D 9C 2S|AS AD 2H 3C 2D|TS 4C 6H 5D 5S' },
  { code: '0A80A', special: false, cardInfo: '4D|KC QD JH QH KD|9S 9H 9D 9C 2S|AS AD 2H 3C 2D|TS 4C 6H 5D 5S' },
  { code: '57909', special: false, cardInfo: '5C|KS 7D 3C 8H 9S|QD TC JS 6H 3D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C' },
] as const

/** 6.5: the first deal in full. */
export const example = {
  hands: { B: 7, P1: 10, P2: 0, P3: 9 },
  winners: { P1: 'P', P2: 'B', P3: 'P' },
} as const

/** 6.4: a table with a commission pays `cut(amount x mult x (1 - c))` on a win. The default is none. */
export const commission = { none: '0', example: '0.05', equalWin: '0.95', doubleWins: ['0.95', '1.9', '2.85'] } as const
