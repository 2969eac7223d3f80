/** Cards and money. Source: game rules, sections 1.1 to 1.3. */

/** 1.1: the ranks in printed order; ten is one letter, so that a code has two characters. */
export const ranks = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'] as const

/** 1.1: the suits in printed order: spade, heart, diamond, club. */
export const suits = ['S', 'H', 'D', 'C'] as const

/** 1.1: a position without a card. */
export const emptySlot = '--'

/** Texts that are no card code. */
export const notCards = ['', 'A', 'AS ', ' AS', 'as', 'As', 'aS', '1S', '0S', '10S', 'XS', 'AX', 'SA', 'AA', 'SS', '--']

/** 1.3: a net win `amount x odds`, cut toward zero at 4 decimals. */
export const cuts: readonly { amount: string; numerator: bigint; denominator: bigint; won: string }[] = [
  { amount: '33.3333', numerator: 95n, denominator: 100n, won: '31.6666' },
  { amount: '0.0001', numerator: 95n, denominator: 100n, won: '0' },
  { amount: '0.0002', numerator: 95n, denominator: 100n, won: '0.0001' },
  { amount: '0.0003', numerator: 1n, denominator: 2n, won: '0.0001' },
  { amount: '0.0001', numerator: 1n, denominator: 2n, won: '0' },
  { amount: '100', numerator: 95n, denominator: 100n, won: '95' },
  { amount: '1', numerator: 1n, denominator: 2n, won: '0.5' },
]

/** 1.3: output without trailing zeros. */
export const printed = [
  { written: '95.0000', shown: '95' },
  { written: '0.5000', shown: '0.5' },
  { written: '-40.00', shown: '-40' },
  { written: '0.0000', shown: '0' },
  { written: '100', shown: '100' },
  { written: '0.0001', shown: '0.0001' },
] as const
