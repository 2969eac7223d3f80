/** Texas Hold'em. Source: game rules, section 5; zones and codes also in 1-tenant-api, "Bet record". */

/** 5.1: the lowest hand with which the dealer of Casino Hold'em qualifies, and the best with which he does not. */
export const qualifies = { lowest: 'pair of fours', below: 'pair of threes' } as const

/** 5.1: the returns of the two bets by code, the codes in the order of the tests. */
export const casinoOutcomes = [
  { code: 'fold', ante: 'lost', call: 'none' },
  { code: 'dealer_not_qualified', ante: 'ante table', call: 'push' },
  { code: 'player_wins', ante: 'ante table', call: '1:1' },
  { code: 'dealer_wins', ante: 'lost', call: 'lost' },
  { code: 'tie', ante: 'push', call: 'push' },
] as const

/** 5.1: the CALL as a multiple of the ANTE. */
export const callFactor = 2

/** 5.1: the ante by the player's final hand, to one. */
export const antePays = {
  'royal flush': 100,
  'straight flush': 20,
  'four of a kind': 10,
  'full house': 3,
  flush: 2,
  straight: 1,
  'three of a kind': 1,
  'two pair': 1,
  'one pair': 1,
  'high card': 1,
} as const

/** 5.1: AAB by the two hole cards and the flop, to one; null loses. */
export const aabPays = [
  { cards: 'AS KS|QS JS TS', hand: 'royal flush', pays: 100 },
  { cards: '9S KS|QS JS TS', hand: 'straight flush to the king', pays: 50 },
  { cards: 'AH 2H|3H 4H 5H', hand: 'straight flush to the five', pays: 50 },
  { cards: '2S 2H|2D 2C 9S', hand: 'four of a kind', pays: 40 },
  { cards: '2S 2H|2D 3C 3S', hand: 'full house', pays: 30 },
  { cards: '2S 4S|6S 8S TS', hand: 'flush', pays: 20 },
  { cards: '2S 3H|4S 5S 6S', hand: 'straight', pays: 7 },
  { cards: '2S 2H|2D 5S 6S', hand: 'three of a kind', pays: 7 },
  { cards: '2S 2H|3D 3S 6S', hand: 'two pair, the lowest', pays: 7 },
  { cards: 'AS AH|2D 3S 4S', hand: 'pair of aces', pays: 7 },
  { cards: 'AS 9H|AD 3S 4S', hand: 'pair of aces with one on the flop', pays: 7 },
  { cards: '9S 8H|AD AC 4S', hand: 'pair of aces on the flop', pays: 7 },
  { cards: 'KS KH|AD QS JS', hand: 'pair of kings with an ace kicker', pays: null },
  { cards: 'AS KH|QD JS 9S', hand: 'ace high', pays: null },
] as const

/** 5.2: the returns of the bets of Bonus Poker by code. */
export const thbpOutcomes = [
  { code: 'fold', streets: 'none', ante: 'lost' },
  { code: 'player_wins', streets: '1:1', ante: '1:1 from a straight up, else push' },
  { code: 'dealer_wins', streets: 'lost', ante: 'lost' },
  { code: 'tie', streets: 'push', ante: 'push' },
] as const

/** 5.2: the street bets as multiples of the ANTE. */
export const streetFactors = { FLOP: 2, TURN: 1, RIVER: 1 } as const

/** 5.2: true if the ante of a winning hand is paid 1:1, by its category. */
export const thbpAntePaid = {
  'high card': false,
  'one pair': false,
  'two pair': false,
  'three of a kind': false,
  straight: true,
  flush: true,
  'full house': true,
  'four of a kind': true,
  'straight flush': true,
  'royal flush': true,
} as const

/** 5.2: BONUS by the ranks of the hole cards, to one. `suited` null: either way. */
export const bonusPays = [
  { ranks: ['AA'], suited: null, pays: 30 },
  { ranks: ['AK'], suited: true, pays: 25 },
  { ranks: ['AQ', 'AJ'], suited: true, pays: 20 },
  { ranks: ['AK'], suited: false, pays: 15 },
  { ranks: ['KK', 'QQ', 'JJ'], suited: null, pays: 10 },
  { ranks: ['AQ', 'AJ'], suited: false, pays: 5 },
  { ranks: ['TT', '99', '88', '77', '66', '55', '44', '33', '22'], suited: null, pays: 3 },
] as const

/** 5.2: BONUS of aces if the dealer has the other two. */
export const bonusAcesAgainstAces = 1000

/** 5.3: the table's default settings. */
export const nlhe = {
  smallBlind: '1',
  bigBlind: '2',
  unit: '0.01',
  seats: { least: 2, most: 9 },
  rake: { rate: [5, 100], capInBigBlinds: 3 },
} as const

/**
 * 5.3, rake: 5% of each pot truncated to the unit, main pot first, until 3 big blinds are used up; nothing without a
 * flop. Blinds 1/2, unit 0.01, so the cap is 6. `puts` is the contribution of each seat, the best hand first.
 */
export const rakes = [
  { pots: ['59'], puts: ['29', '29', '1 folded'], flop: true, rake: ['2.95'] },
  { pots: ['12'], puts: ['6', '6'], flop: true, rake: ['0.6'] },
  { pots: ['5'], puts: ['6', '2 folded', '1 folded'], flop: false, rake: ['0'] },
  { pots: ['150', '140'], puts: ['50', '120', '120'], flop: true, rake: ['6', '0'] },
  { pots: ['80', '100'], puts: ['20', '60', '60', '40 folded'], flop: true, rake: ['4', '2'] },
  { pots: ['119.99'], puts: ['59.99', '59.99', '0.01 folded'], flop: true, rake: ['5.99'] },
  { pots: ['120'], puts: ['60', '60'], flop: true, rake: ['6'] },
  { pots: ['120.2'], puts: ['60.1', '60.1'], flop: true, rake: ['6'] },
  { pots: ['0.19'], puts: ['0.09', '0.09', '0.01 folded'], flop: true, rake: ['0'] },
  { pots: ['0.2'], puts: ['0.1', '0.1'], flop: true, rake: ['0.01'] },
  { pots: ['300'], puts: ['150', '150 folded'], flop: false, rake: ['0'] },
] as const

/** 1-tenant-api, "Zone values" and "Result code meanings", by variant. */
export const variants = [
  {
    variant: 'casino',
    zones: ['ANTE', 'CALL', 'AAB'],
    codes: ['player_wins', 'dealer_wins', 'tie', 'dealer_not_qualified', 'fold', 'void'],
  },
  {
    variant: 'thbp',
    zones: ['ANTE', 'FLOP', 'TURN', 'RIVER', 'BONUS'],
    codes: ['player_wins', 'dealer_wins', 'tie', 'fold', 'void'],
  },
  { variant: 'nlhe', zones: ['POT'], codes: ['win', 'split', 'lose', 'fold', 'void'] },
] as const
