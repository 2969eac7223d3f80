/** Baccarat. Source: game rules, section 2; zones also in 1-tenant-api, "Bet record". */

/** 2.1: decks in a shoe, their cards, and the number of cards below which the next round begins a new shoe. */
export const shoe = { decks: 8, cards: 416, newBelow: 52 }

/** 2.1: the order of dealing. */
export const dealingOrder = ['P1', 'B1', 'P2', 'B2', 'P3', 'B3'] as const

/** 2.1: points by rank. A hand counts the last digit of its sum. */
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
  T: 0,
  J: 0,
  Q: 0,
  K: 0,
} as const

/** 2.2, 1: two-card totals with which no hand draws. */
export const naturals = [8, 9]

/** 2.2, 2: the player's move by two-card total, without a natural. */
export const playerMoves = ['draw', 'draw', 'draw', 'draw', 'draw', 'draw', 'stand', 'stand'] as const

/** 2.2, 3: the banker's move by two-card total after the player stood. */
export const bankerMovesAfterStand = ['draw', 'draw', 'draw', 'draw', 'draw', 'draw', 'stand', 'stand'] as const

/**
 * 2.2, 4: the banker's move after the player drew. A row for each two-card total of the banker's, 0 to 7; a letter for each
 * value of the player's third card, 0 to 9. D draws, S stands.
 */
export const bankerMovesAfterThird = [
  'DDDDDDDDDD',
  'DDDDDDDDDD',
  'DDDDDDDDDD',
  'DDDDDDDDSD',
  'SSDDDDDDSS',
  'SSSSDDDDSS',
  'SSSSSSDDSS',
  'SSSSSSSSSS',
] as const

export type Event = 'banker' | 'bankerWithSix' | 'player' | 'tie' | 'bankerPair' | 'playerPair'

/**
 * 2.3: bets. A win adds the stake times `pays` (numerator, denominator). `push` names the event in which the stake is
 * returned; everything else loses.
 */
export const bets = [
  { zone: 'B', variant: 'classic', wins: ['banker', 'bankerWithSix'], pays: [95, 100], push: 'tie' },
  { zone: 'B', variant: 'nocomm', wins: ['banker'], pays: [1, 1], push: 'tie' },
  { zone: 'B', variant: 'nocomm', wins: ['bankerWithSix'], pays: [1, 2], push: 'tie' },
  { zone: 'P', variant: 'classic', wins: ['player'], pays: [1, 1], push: 'tie' },
  { zone: 'P', variant: 'nocomm', wins: ['player'], pays: [1, 1], push: 'tie' },
  { zone: 'T', variant: 'classic', wins: ['tie'], pays: [8, 1], push: null },
  { zone: 'T', variant: 'nocomm', wins: ['tie'], pays: [8, 1], push: null },
  { zone: 'BP', variant: 'classic', wins: ['bankerPair'], pays: [11, 1], push: null },
  { zone: 'BP', variant: 'nocomm', wins: ['bankerPair'], pays: [11, 1], push: null },
  { zone: 'PP', variant: 'classic', wins: ['playerPair'], pays: [11, 1], push: null },
  { zone: 'PP', variant: 'nocomm', wins: ['playerPair'], pays: [11, 1], push: null },
  { zone: 'S6', variant: 'nocomm', wins: ['bankerWithSix'], pays: [12, 1], push: null },
] as const

/** 2.3: zones that may be bet in each variant. */
export const zones = { classic: ['B', 'P', 'T', 'BP', 'PP'], nocomm: ['B', 'P', 'T', 'BP', 'PP', 'S6'] } as const

/** 2.4: the result codes, and the events of each. The cards are ours, with that result. */
export const codes = [
  { code: '0', outcome: 'tie', bankerPair: false, playerPair: false, cards: '2S3H6D5C----' },
  { code: '1', outcome: 'banker', bankerPair: false, playerPair: false, cards: '2S4H5D5C----' },
  { code: '2', outcome: 'player', bankerPair: false, playerPair: false, cards: '3S2H6D5C----' },
  { code: '3', outcome: 'bankerWithSix', bankerPair: false, playerPair: false, cards: '2S4H3D2CTS--' },
  { code: '4', outcome: 'tie', bankerPair: true, playerPair: false, cards: '2S4H6D4C----' },
  { code: '5', outcome: 'banker', bankerPair: true, playerPair: false, cards: '2S4H5D4C----' },
  { code: '6', outcome: 'player', bankerPair: true, playerPair: false, cards: '3S4H6D4C----' },
  { code: '7', outcome: 'bankerWithSix', bankerPair: true, playerPair: false, cards: '2S3H3D3CTS--' },
  { code: '8', outcome: 'tie', bankerPair: false, playerPair: true, cards: '4S3H4D5C----' },
  { code: '9', outcome: 'banker', bankerPair: false, playerPair: true, cards: '4S4H4D5C----' },
  { code: 'A', outcome: 'player', bankerPair: false, playerPair: true, cards: '4S2H4D5C----' },
  { code: 'B', outcome: 'bankerWithSix', bankerPair: false, playerPair: true, cards: '2S2H2D4CTS--' },
  { code: 'C', outcome: 'tie', bankerPair: true, playerPair: true, cards: '4S4H4D4C----' },
  { code: 'D', outcome: 'banker', bankerPair: true, playerPair: true, cards: '2S4H2D4C----' },
  { code: 'E', outcome: 'player', bankerPair: true, playerPair: true, cards: '4SKH4DKC----' },
  { code: 'F', outcome: 'bankerWithSix', bankerPair: true, playerPair: true, cards: '2S3H2D3CAS--' },
] as const

/** 2.5: the example of a card string. */
export const example = {
  cardInfo: 'KS4H7D2C----',
  code: '2',
  result: {
    cards: { P1: 'KS', B1: '4H', P2: '7D', B2: '2C' },
    player: 7,
    banker: 6,
    winner: 'P',
    playerPair: false,
    bankerPair: false,
  },
} as const

/** 2.5: the winner's word by outcome. */
export const winnerWords = { banker: 'B', bankerWithSix: 'B', player: 'P', tie: 'T' } as const

/** Section 7: headline figures of an 8-deck shoe, in the digits published. */
export const headline = {
  banker: '0.458597',
  player: '0.446247',
  tie: '0.095156',
  bankerWithSix: '0.0539',
  edgeInPercent: { B: '1.06', P: '1.24', T: '14.36', BP: '10.36', PP: '10.36', nocommB: '1.46', S6: '29.98' },
} as const
