import { describe, expect, test } from 'vitest'
import { deck, decks } from '../../../../src/domain/games/cards.ts'
import { dragonTiger } from '../../../../src/domain/games/dragon-tiger.ts'
import { isSpent } from '../../../../src/domain/games/game.ts'
import { cardNamed, outcomeOf, returnOf, takes, wonAt } from '../ask.ts'
import { ranks } from './cards.ts'
import * as book from './dragon-tiger.ts'

const { variant } = book
const sideBets = { sideBets: true }
const rankValue = (card: string) => book.rankValues[card[0] as keyof typeof book.rankValues]

test('3.1: eight decks, and a new shoe below 52 cards', () => {
  const { decks: count, cards, newBelow } = book.shoe
  expect(dragonTiger.shoe.decks).toBe(count)
  expect(decks(dragonTiger.shoe.decks)).toHaveLength(cards)
  expect([newBelow - 1, newBelow].map((left) => isSpent(dragonTiger.shoe, left))).toEqual([true, false])
})

test('3.1: one card to the dragon, then one to the tiger', () => {
  const { outcome, used } = dragonTiger.deal([cardNamed('KS'), cardNamed('7H'), cardNamed('AC')], {
    variant,
    settings: {},
  })
  expect(outcome).toMatchObject({ cardInfo: 'KS7H', result: { cards: { D: 'KS', TG: '7H' } } })
  expect(used).toBe(2)
})

test('3.3: every pair of the 52 cards has its code, points and winner', () => {
  for (const dragon of deck)
    for (const tiger of deck) {
      const [d, tg] = [rankValue(dragon), rankValue(tiger)]
      const winner = d > tg ? 'D' : d < tg ? 'TG' : 'T'
      const suitedTie = dragon === tiger
      const code = book.codes.find((each) => each.winner === winner && each.suitedTie === suitedTie)?.code
      const outcome = outcomeOf(dragonTiger, { cardInfo: `${dragon}${tiger}` }, variant)
      const result = { cards: { D: dragon, TG: tiger }, dragon: d, tiger: tg, winner, suitedTie }
      expect(outcome, `${dragon}${tiger}`).toMatchObject({ code, result, complete: true })
    }
})

describe('3.2: bets', () => {
  test.each(book.zones.always)('%s is always offered', (zone) => {
    expect(takes(dragonTiger, zone, variant)).toBe(true)
  })

  test.each(book.zones.whenTurnedOn)('%s is offered only if it is enabled', (zone) => {
    expect([takes(dragonTiger, zone, variant), takes(dragonTiger, zone, variant, sideBets)]).toEqual([false, true])
  })

  const round = (code: string) => book.codes.find((each) => each.code === code)?.cards ?? ''
  const wins: Record<(typeof book.pairBets)[number]['wins'], readonly string[]> = {
    'dragon higher': ['1'],
    'tiger higher': ['2'],
    'same rank': ['4', 'C'],
    'same rank and suit': ['C'],
  }
  const rows = book.pairBets.flatMap(({ zone, wins: when, pays, onTie }) =>
    book.codes.map(({ code, winner }) => ({
      zone,
      code,
      returned: wins[when].includes(code) ? wonAt(pays) : winner === 'T' && onTie === 'half' ? '50' : '0',
    })),
  )
  test.each(rows)('code $code: 100 on $zone returns $returned', ({ zone, code, returned }) => {
    expect(returnOf(dragonTiger, { cardInfo: round(code) }, zone, { variant })).toBe(returned)
  })

  const singles = book.cardBets.flatMap(({ zones, ranks: winning, pays }) =>
    zones.flatMap((zone) =>
      ranks.map((rank) => ({ zone, rank, returned: winning.some((each) => each === rank) ? wonAt(pays) : '0' })),
    ),
  )
  test.each(singles)('$rank: 100 on $zone returns $returned, with any other card', ({ zone, rank, returned }) => {
    for (const other of ['AH', '7H', 'KH', `${rank}H`, `${rank}S`]) {
      const cardInfo = zone.startsWith('D') ? `${rank}S${other}` : `${other}${rank}S`
      expect(returnOf(dragonTiger, { cardInfo }, zone, { variant, settings: sideBets }), cardInfo).toBe(returned)
    }
  })
})

describe('3.3: results without cards', () => {
  test.each(book.codes)('code $code', ({ code, winner, suitedTie, cards }) => {
    const points = { dragon: rankValue(cards.slice(0, 2)), tiger: rankValue(cards.slice(2)) }
    const outcome = outcomeOf(dragonTiger, { code, points, ...(winner === 'T' ? { suitedTie } : {}) }, variant)
    const result = { cards: {}, ...points, winner, suitedTie }
    expect(outcome).toMatchObject({ code, cardInfo: null, result, complete: false })
  })

  test('a tie with unknown suits refunds ST and is code 4', () => {
    const report = { code: '4', points: { dragon: 7, tiger: 7 } }
    expect(outcomeOf(dragonTiger, report, variant)).toMatchObject({ code: '4', result: { suitedTie: false } })
    expect(returnOf(dragonTiger, report, 'ST', { variant })).toBe('100')
    expect(returnOf(dragonTiger, { ...report, suitedTie: false }, 'ST', { variant })).toBe('0')
  })
})

describe('section 7: headline figures, counted over all pairs of cards from 416', () => {
  const cards = decks(8)
  const expected = (zone: string) => {
    let returned = 0
    for (const dragon of deck)
      for (const tiger of deck) {
        const ways = 8 * (dragon === tiger ? 7 : 8)
        returned +=
          ways * Number(returnOf(dragonTiger, { cardInfo: `${dragon}${tiger}` }, zone, { variant, settings: sideBets }))
      }
    return 100 - returned / (cards.length * (cards.length - 1))
  }

  test.each(Object.entries(book.headline.edgeInPercent))('the edge of %s is %s%%', (zone, percent) => {
    expect(expected(zone).toFixed(2)).toBe(percent)
  })

  test('ties', () => {
    expect((31 / 415).toFixed(4)).toBe(book.headline.tie)
    expect((7 / 415).toFixed(4)).toBe(book.headline.suitedTie)
  })
})
