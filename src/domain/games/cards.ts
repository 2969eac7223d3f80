/** Playing cards: a code is two characters, rank then suit, the same in every game and every field. */

/** The rank codes. Ten is `T`, so that every code has two characters. This is a list of codes, not a ranking. */
export const ranks = ['A', '2', '3', '4', '5', '6', '7', '8', '9', 'T', 'J', 'Q', 'K'] as const
export type Rank = (typeof ranks)[number]

/** The suit codes: spade, heart, diamond, club. This is a list of codes, not a ranking. */
export const suits = ['S', 'H', 'D', 'C'] as const
export type Suit = (typeof suits)[number]

export type Card = `${Rank}${Suit}`

/** Placeholder in a card string for a card that was not dealt. */
export const notDealt = '--'

/** One deck in a fixed order: spades from the ace up, then hearts, diamonds, clubs. */
export const deck: readonly Card[] = suits.flatMap((suit) => ranks.map((rank): Card => `${rank}${suit}`))

const known: ReadonlySet<string> = new Set(deck)
const ranksByCode = new Map<string, Rank>(ranks.map((rank) => [rank, rank]))
const suitsByCode = new Map<string, Suit>(suits.map((suit) => [suit, suit]))
/** Numbers of the ranks, ace low. Written out, so that reordering the codes never changes a result. */
const rankNumbers: Readonly<Record<Rank, number>> = {
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
}
const positions = new Map<string, number>(Object.entries(rankNumbers))

/** Returns `count` decks, one after the other. */
export function decks(count: number): Card[] {
  return Array.from({ length: count }, () => deck).flat()
}

export function isCard(code: string): code is Card {
  return known.has(code)
}

export function rankOf(card: Card): Rank {
  return ranksByCode.get(card.charAt(0)) ?? 'A'
}

export function suitOf(card: Card): Suit {
  return suitsByCode.get(card.charAt(1)) ?? 'S'
}

/** Returns 1 for the ace to 13 for the king. */
export function rankNumber(card: Card): number {
  return positions.get(card.charAt(0)) ?? 0
}

/** Parses card codes without separators, as a shoe is stored; `null` when one is not a card. */
export function cardsOf(text: string): Card[] | null {
  if (text.length % 2 !== 0) return null
  return knownCards(Array.from({ length: text.length / 2 }, (_, i) => text.slice(2 * i, 2 * i + 2)))
}

/** Parses card codes separated by single spaces; an empty text is no cards; `null` when one is not a card. */
export function spacedCards(text: string): Card[] | null {
  return text === '' ? [] : knownCards(text.split(' '))
}

/** Returns the codes as cards, or `null` when one is not a card. */
export function knownCards(codes: readonly string[]): Card[] | null {
  return codes.every(isCard) ? [...codes] : null
}

/** Returns a card that occurs more often than `deckCount` decks allow, or null. */
export function surplusCard(cards: readonly Card[], deckCount: number): Card | null {
  const seen = new Map<Card, number>()
  for (const card of cards) {
    const count = (seen.get(card) ?? 0) + 1
    if (count > deckCount) return card
    seen.set(card, count)
  }
  return null
}
