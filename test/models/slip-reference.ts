/**
 * Result of a slip in units of 0.0001, written only from the rulebook. Baccarat has no hold, Niu Niu has one, and at
 * Hold'em each player has a separate result. The hands of Bonus Poker and no-limit are dealt in hands/.
 */

export const unit = 10_000

/** Formats an amount as the API does, without trailing zeros. */
export function money(units: number): string {
  const sign = units < 0 ? '-' : ''
  const whole = Math.floor(Math.abs(units) / unit)
  const rest = String(Math.abs(units) % unit)
    .padStart(4, '0')
    .replace(/0+$/, '')
  return `${sign}${whole}${rest === '' ? '' : `.${rest}`}`
}

export interface Outcome {
  /** Null at Hold'em, where each player has a separate one. */
  readonly code: string | null
  /** Null if the source did not name the cards. */
  readonly cardInfo: string | null
  /** Baccarat: the winner, and the hands that were pairs. */
  readonly winner?: 'B' | 'P' | 'T'
  readonly pairs?: readonly string[]
  /** Niu Niu: by player hand, the winner and the multiplier of the winning hand; null if its rank is unknown. */
  readonly hands?: Readonly<Record<string, readonly ['P' | 'B', number | null]>>
  /** Hold'em against the dealer: by player. */
  readonly holdings?: Readonly<Record<string, Holding>>
  /** No-limit: by name of the seat. */
  readonly seats?: Readonly<Record<string, SeatResult>>
  /** No-limit: the seat with the button. */
  readonly button?: number
}

/** Rulebook 5.3: the result of a seat, in units. */
export interface SeatResult {
  readonly code: 'win' | 'split' | 'lose' | 'fold'
  /** The part of the bet that no player called. */
  readonly uncalled: number
  readonly validStake: number
  readonly rolling: number
  readonly payout: number
  readonly rake: number
}

/** Result of a Hold'em hand: its code if it was not folded, and the net odds of each bet; -1 if it is lost. */
export interface Holding {
  readonly code: string
  readonly odds: Readonly<Record<string, number>>
}

export interface Game {
  readonly tableId: string
  readonly variant: string
  /** Hold'em: the cards of each player. */
  readonly holes?: Readonly<Record<string, string>>
  readonly zones: readonly string[]
  readonly outcomes: readonly Outcome[]
}

/** Rulebook 2.6. */
export const baccarat: Game = {
  tableId: 'BAC-01',
  variant: 'classic',
  zones: ['B', 'P', 'T', 'BP', 'PP'],
  outcomes: [
    { code: '1', cardInfo: '5H4S3C5D----', winner: 'B' },
    { code: '2', cardInfo: 'KS4H7D2C----', winner: 'P' },
    { code: '0', cardInfo: '2H8C3D5S8D--', winner: 'T' },
    { code: 'C', cardInfo: '3C8D3H8S----', winner: 'T', pairs: ['BP', 'PP'] },
    { code: 'B', cardInfo: 'TSASTH4H4DAC', winner: 'B', pairs: ['PP'] },
    // 2.5: a source that reports only the outcome.
    { code: 'A', cardInfo: null, winner: 'P', pairs: ['PP'] },
    { code: '0', cardInfo: null, winner: 'T' },
  ],
}

/** Rulebook 6.5 and 6.6. */
export const niuniu: Game = {
  tableId: 'NN-01',
  variant: 'standard',
  zones: ['P1E', 'P2E', 'P3E', 'P1D', 'P2D', 'P3D'],
  outcomes: [
    {
      code: '57A09',
      cardInfo: '5C|KS 7D 3C 8H 9S|QD TC JS 6H 4D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
      hands: { P1: ['P', 3], P2: ['B', 2], P3: ['P', 2] },
    },
    {
      code: '57909',
      cardInfo: '5C|KS 7D 3C 8H 9S|QD TC JS 6H 3D|2S 4H 6C 8D AS|KD 5H 5S 2D 7C',
      hands: { P1: ['P', 2], P2: ['B', 2], P3: ['P', 2] },
    },
    {
      code: '18886',
      cardInfo: '6D|KH 6S 4C 5D 3H|KS TD JC 9H 9C|QS 7H 3D AC 7S|2C 2H 4S 8C KC',
      hands: { P1: ['P', 2], P2: ['B', 2], P3: ['B', 2] },
    },
    {
      code: '630A8',
      cardInfo: 'JH|JD 8S 2H AH 2S|QC 9D 6H 3S 2C|KH KC 4S 5H AD|7S 7D 6S TC 8H',
      hands: { P1: ['B', 1], P2: ['P', 3], P3: ['P', 2] },
    },
    // NN9: the winner is known, and of the ranks only the first hand's.
    { code: '1-8--', cardInfo: null, hands: { P1: ['P', 2], P2: ['B', null], P3: ['B', null] } },
    // The banker's bull 7 decides the two hands that lost; P2 won with an unknown rank.
    { code: '27---', cardInfo: null, hands: { P1: ['B', 2], P2: ['P', null], P3: ['B', 2] } },
  ],
}

const won = (ante: number, side: number): Holding => ({ code: 'player_wins', odds: { ANTE: ante, CALL: 1, AAB: side } })
const beaten = (side: number): Holding => ({ code: 'dealer_wins', odds: { ANTE: -1, CALL: -1, AAB: side } })
const unqualified = (ante: number, side: number): Holding => ({
  code: 'dealer_not_qualified',
  odds: { ANTE: ante, CALL: 0, AAB: side },
})
const tied = (side: number): Holding => ({ code: 'tie', odds: { ANTE: 0, CALL: 0, AAB: side } })

/** Rulebook 5.1, its CH7 among others; the side bet counts the first five cards. */
export const holdem: Game = {
  tableId: 'HE-01',
  variant: 'casino',
  zones: ['ANTE', 'CALL', 'AAB'],
  holes: { amy: 'JH JC', bob: '2C 2D' },
  outcomes: [
    // Jacks full of kings beat three kings; kings and deuces do not.
    { code: null, cardInfo: '4S 8D KC KD JS||KS 6C', holdings: { amy: won(3, -1), bob: beaten(-1) } },
    // Kings and jacks lose to three kings; deuces full of kings do not.
    { code: null, cardInfo: '4S 8D KC KD 2S||KS 6C', holdings: { amy: beaten(-1), bob: won(3, -1) } },
    // The dealer has no pair.
    { code: null, cardInfo: '4S 8D KC 9H 2H||QS 7C', holdings: { amy: unqualified(1, -1), bob: unqualified(1, -1) } },
    // A royal flush on the board; three jacks on the flop.
    { code: null, cardInfo: 'TS JS QS KS AS||6C 7C', holdings: { amy: tied(7), bob: tied(-1) } },
    // Two pairs on the flop, which beat the dealer's aces.
    { code: null, cardInfo: 'AS AD 7C QS TC||KC 9D', holdings: { amy: won(1, 7), bob: won(1, 7) } },
  ],
}

/** Amounts by zone, in units. */
export type Bets = Readonly<Record<string, number>>

export interface Sums {
  readonly returns: Readonly<Record<string, number>>
  readonly stake: number
  readonly hold: number
  readonly validStake: number
  readonly rolling: number
  readonly payout: number
  readonly rake: number
}

const isDouble = (zone: string) => /^P[123]D$/.test(zone)

/** Rulebook 6.4: a double bet holds 2 x its amount. */
export const holdOf = (bets: Bets) =>
  Object.entries(bets).reduce((all, [zone, amount]) => all + (isDouble(zone) ? 2 * amount : 0), 0)
export const stakeOf = (bets: Bets) => Object.values(bets).reduce((all, amount) => all + amount, 0)

/** Rulebook 2.3 and 6.4, legs in order; 1.4 for the sums. */
export function settle(bets: Bets, outcome: Outcome, username: string): Sums {
  const seat = outcome.seats?.[username]
  if (seat) return { returns: { POT: seat.uncalled }, stake: stakeOf(bets), hold: 0, ...seat }
  const holding = outcome.holdings?.[username]
  const legs = Object.entries(bets).map(([zone, amount]) => ({
    zone,
    ...(holding ? heldLeg(zone, amount, holding, hasFolded(bets)) : leg(zone, amount, outcome)),
  }))
  const sum = (of: (each: (typeof legs)[number]) => number) => legs.reduce((all, each) => all + of(each), 0)
  // B and P hedge each other: only the difference counts, and nothing in a push.
  const { B: banker = 0, P: player = 0 } = bets
  const hedged = outcome.winner === 'T' ? 0 : Math.abs(banker - player)
  return {
    returns: Object.fromEntries(legs.map(({ zone, back }) => [zone, back])),
    stake: stakeOf(bets),
    hold: holdOf(bets),
    validStake: hedged + sum(({ zone, valid }) => (zone === 'B' || zone === 'P' ? 0 : valid)),
    rolling: sum(({ lost }) => lost),
    payout: sum(({ back }) => back),
    rake: 0,
  }
}

/** Rulebook 5.1 and 5.2: a player who does not call, or does not bet to see the flop, has folded. */
export const hasFolded = (bets: Bets) => !('CALL' in bets || 'FLOP' in bets)

/** Rulebook 5.1 and 5.2: a fold loses the ante and does not affect the side bet; a pushed bet does not count. */
function heldLeg(zone: string, amount: number, { odds }: Holding, isFolded: boolean) {
  const net = isFolded && zone === 'ANTE' ? -1 : (odds[zone] ?? -1)
  const back = amount + amount * net
  return { back, valid: net === 0 ? 0 : amount, lost: Math.max(0, amount - back) }
}

function leg(zone: string, amount: number, { winner, pairs = [], hands }: Outcome) {
  if (hands) {
    const [by, mult] = hands[zone.slice(0, 2)] ?? ['B', 0]
    const held = isDouble(zone) ? 3 * amount : amount
    // 6.4: a double leg with an unknown deciding rank is returned.
    if (isDouble(zone) && mult === null) return { back: held, valid: 0, lost: 0 }
    const counted = isDouble(zone) ? amount * (mult ?? 0) : amount
    return by === 'P'
      ? { back: held + counted, valid: counted, lost: 0 }
      : { back: held - counted, valid: counted, lost: counted }
  }
  if (winner === 'T' && (zone === 'B' || zone === 'P')) return { back: amount, valid: 0, lost: 0 }
  const isWon = zone === winner || pairs.includes(zone)
  // Net odds in hundredths.
  const odds: Readonly<Record<string, number>> = { B: 95, P: 100, T: 800, BP: 1100, PP: 1100 }
  return isWon
    ? { back: amount + (amount * (odds[zone] ?? 0)) / 100, valid: amount, lost: 0 }
    : { back: 0, valid: amount, lost: amount }
}

/** Rulebook 1.5: every stake is returned with its hold, and nothing counts. */
export function voided(bets: Bets): Sums {
  const back = (zone: string, amount: number) => (isDouble(zone) ? 3 * amount : amount)
  return {
    returns: Object.fromEntries(Object.entries(bets).map(([zone, amount]) => [zone, back(zone, amount)])),
    stake: stakeOf(bets),
    hold: holdOf(bets),
    validStake: 0,
    rolling: 0,
    payout: stakeOf(bets) + holdOf(bets),
    rake: 0,
  }
}
