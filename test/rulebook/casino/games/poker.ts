/** Poker hands. Source: game rules, sections 4 and 7. */

/** Section 4: hand categories from the lowest up; section 7: the number of 5-card and 7-card hands of each. */
export const categories = [
  { name: 'high card', five: 1_302_540, seven: 23_294_460 },
  { name: 'one pair', five: 1_098_240, seven: 58_627_800 },
  { name: 'two pair', five: 123_552, seven: 31_433_400 },
  { name: 'three of a kind', five: 54_912, seven: 6_461_620 },
  { name: 'straight', five: 10_200, seven: 6_180_020 },
  { name: 'flush', five: 5_108, seven: 4_047_644 },
  { name: 'full house', five: 3_744, seven: 3_473_184 },
  { name: 'four of a kind', five: 624, seven: 224_848 },
  { name: 'straight flush', five: 36, seven: 37_260 },
  { name: 'royal flush', five: 4, seven: 4_324 },
] as const

/** Section 7: the totals. */
export const totals = { five: 2_598_960, seven: 133_784_560 }

/** Section 4: the order of the ranks within a category, the lowest first. */
export const ranksUpward = ['2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K', 'A'] as const

/** Section 4: all straights, the lowest first; the ace is low in the first alone, and none wraps around. */
export const straights = [
  'A2345',
  '23456',
  '34567',
  '45678',
  '56789',
  '6789T',
  '789TJ',
  '89TJQ',
  '9TJQK',
  'TJQKA',
] as const

/** Section 4: ranks that look like a straight around the ace and are none. */
export const noStraights = ['QKA23', 'KA234', 'JQKA2'] as const

/**
 * Section 4: comparisons within a category: group ranks first, then kickers downward, five cards in all. `better` beats
 * `worse`; suits never decide.
 */
export const comparisons = [
  { rule: 'high card: the highest kicker', better: 'AS 9D 5H 4C 2S', worse: 'KS QD JH 9C 8S' },
  { rule: 'high card: the fifth kicker', better: 'AS KD QH 9C 3S', worse: 'AH KC QS 9D 2S' },
  { rule: 'pair: its rank before the kicker', better: '3S 3D 5H 4C 2S', worse: '2H 2C AS KD QS' },
  { rule: 'pair: the first kicker', better: '3S 3D AH 4C 2S', worse: '3H 3C KS QD JS' },
  { rule: 'pair: the third kicker', better: '3S 3D AH KC 5S', worse: '3H 3C AS KD 4S' },
  { rule: 'two pair: the higher pair first', better: 'AS AD 2H 2C 3S', worse: 'KS KD QH QC JS' },
  { rule: 'two pair: then the lower pair', better: 'AS AD 3H 3C 2S', worse: 'AH AC 2H 2C KS' },
  { rule: 'two pair: then the kicker', better: 'AS AD 3H 3C 5S', worse: 'AH AC 3S 3D 4S' },
  { rule: 'three of a kind: its rank', better: '3S 3D 3H 4C 2S', worse: '2S 2D 2H AC KS' },
  { rule: 'three of a kind: the kickers', better: '3S 3D 3H AC 4S', worse: '3S 3D 3H AC 2S' },
  { rule: 'straight: its top card', better: '2S 3D 4H 5C 6S', worse: 'AS 2D 3H 4C 5S' },
  { rule: 'flush: the fifth card', better: 'AS KS QS 9S 3S', worse: 'AH KH QH 9H 2H' },
  { rule: 'full house: the three first', better: '3S 3D 3H 2C 2S', worse: '2D 2H 2C AC AS' },
  { rule: 'full house: then the pair', better: '3S 3D 3H AC AS', worse: '3S 3D 3H KC KS' },
  { rule: 'four of a kind: its rank', better: '3S 3D 3H 3C 2S', worse: '2S 2D 2H 2C AS' },
  { rule: 'four of a kind: the kicker', better: '3S 3D 3H 3C AS', worse: '3S 3D 3H 3C KS' },
  { rule: 'straight flush: its top card', better: '2S 3S 4S 5S 6S', worse: 'AH 2H 3H 4H 5H' },
  { rule: 'royal flush over the straight flush to the king', better: 'TS JS QS KS AS', worse: '9H TH JH QH KH' },
] as const

/** Section 4: equal hands, because suits never break a tie. */
export const equals = [
  ['AS KD QH 9C 3S', 'AH KC QS 9D 3H'],
  ['TS JS QS KS AS', 'TH JH QH KH AH'],
  ['2S 3S 4S 5S 7S', '2C 3C 4C 5C 7C'],
  ['AS AD KH KC QS', 'AH AC KS KD QH'],
] as const

/** Section 4: the best five of seven. */
export const sevens = [
  { rule: 'the third pair can only be a kicker', cards: 'AS AD KH KC QS QD 2S', best: 'AS AD KH KC QS' },
  { rule: 'a kicker above the third pair counts', cards: 'QS QD JH JC TS TD AS', best: 'QS QD JH JC AS' },
  { rule: 'of two threes the higher is the three', cards: '2S 2D 2H 3C 3S 3D AS', best: '3C 3S 3D 2S 2D' },
  { rule: 'a flush over a straight', cards: 'AS 3S 5S 7S 9S 6D 8H', best: 'AS 3S 5S 7S 9S' },
  { rule: 'the longest straight counts from its top', cards: '3S 4D 5H 6C 7S 8D 9H', best: '5H 6C 7S 8D 9H' },
  { rule: 'the ace below when it is no better above', cards: 'AS 2D 3H 4C 5S KD QH', best: 'AS 2D 3H 4C 5S' },
  { rule: 'four with the highest kicker', cards: '9S 9D 9H 9C KS KD QS', best: '9S 9D 9H 9C KS' },
] as const
