import { describe, expect, test } from 'vitest'
import { type Card, deck } from '../../../../src/domain/games/cards.ts'
import { isNo } from '../../../../src/domain/games/game.ts'
import { beats, bullRank, multiplierOf, niuniu } from '../../../../src/domain/games/niuniu.ts'
import { formatAmount, parseAmount } from '../../../../src/domain/money.ts'
import { cardNamed, cardsIn, outcomeOf, settled, takes } from '../ask.ts'
import * as book from './niuniu.ts'

const variant = 'standard'
const special = { specialHands: true }
const hands = ['B', 'P1', 'P2', 'P3'] as const

test('6.1: one deck a round, 60 rounds a session', () => {
  expect(niuniu.shoe).toMatchObject({ decks: 1, roundsPerShoe: book.deal.sessionRounds })
})

describe('6.1: dealing', () => {
  const rows = book.dealingOrders.flatMap(({ first, order }) => first.map((rank) => ({ rank, order })))
  test('every rank of the first card has its order', () => {
    expect(rows.map(({ rank }) => rank).toSorted()).toEqual([...book.ranksDownward].toSorted())
  })

  test.each(rows)('first card $rank: $order', ({ rank, order }) => {
    for (const suit of book.suitsDownward) {
      const first = cardNamed(`${rank}${suit}`)
      const row = [first, ...deck.filter((card) => card !== first)]
      const { outcome, used } = niuniu.deal(row, { variant, settings: {} })
      const slots = order.flatMap((hand, i) =>
        [1, 2, 3, 4, 5].map((slot) => [`${hand}-${slot}`, row[1 + book.deal.perHand * i + slot - 1]]),
      )
      expect(outcome.result?.cards).toEqual({ F: first, ...Object.fromEntries(slots) })
      expect(used).toBe(book.deal.used)
    }
  })
})

/** The rank of a hand by the tables. */
function rankByTheBook(cards: readonly Card[], specialHands: boolean): number {
  const points = cards.map((card) => book.points[card[0] as keyof typeof book.points])
  const total = points.reduce((sum, each) => sum + each, 0)
  if (specialHands) {
    const times = Math.max(...cards.map((card) => cards.filter((other) => other[0] === card[0]).length))
    const rules = {
      13: cards.every((card) => 'A234'.includes(card[0] ?? '')) && total <= 10,
      12: times === 4,
      11: cards.every((card) => 'JQK'.includes(card[0] ?? '')),
    }
    const specialRank = book.specialOrder.find((rank) => rules[rank])
    if (specialRank !== undefined) return specialRank
  }
  for (let a = 0; a < 5; a++)
    for (let b = a + 1; b < 5; b++) {
      const pair = (points[a] ?? 0) + (points[b] ?? 0)
      if ((total - pair) % 10 === 0) return pair % 10 || 10
    }
  return 0
}

describe('6.2: ranks', () => {
  test.each(book.hands)('$cards: $on with special hands, $off without', ({ cards, on, off }) => {
    expect([bullRank(cardsIn(cards), true), bullRank(cardsIn(cards), false)]).toEqual([on, off])
  })

  test('all 6,175 sets of five ranks have the rank of the tables, with and without special hands', () => {
    const wrong: string[] = []
    let count = 0
    const visit = (from: number, cards: Card[]) => {
      if (cards.length === 5) {
        count++
        for (const on of [true, false])
          if (bullRank(cards, on) !== rankByTheBook(cards, on)) wrong.push(`${cards.join(' ')} ${on}`)
        return
      }
      for (let i = from; i < 52; i++) {
        // The suits of a rank are in order, so that each set of ranks occurs once.
        const card = deck[(i % 4) * 13 + Math.floor(i / 4)]
        const before = i % 4 === 0 ? undefined : deck[((i - 1) % 4) * 13 + Math.floor(i / 4)]
        if (card && (before === undefined || cards.includes(before))) visit(i + 1, [...cards, card])
      }
    }
    visit(0, [])
    expect(count).toBe(6175)
    expect(wrong).toEqual([])
  })

  test('each rank has its character in the code, and its place in the result', () => {
    for (const { rank, character, special: isSpecial } of book.handRanks) {
      const report = { code: `1${character}${character}00`, winners: { P1: 'P', P2: 'B', P3: 'B' } } as const
      const read = niuniu.read(
        { ...report, code: `1${character}${character}${character}${character}` },
        { variant, settings: special },
      )
      expect(isNo(read) ? read.because : read.result).toMatchObject({
        hands: { B: rank, P1: rank, P2: rank, P3: rank },
      })
      const off = niuniu.read({ code: `1${character}${character}${character}${character}` }, { variant, settings: {} })
      expect(isNo(off), `${character} without special hands`).toBe(isSpecial)
    }
    for (const character of ['E', 'F', 'a', ' '])
      expect(isNo(niuniu.read({ code: `10${character}00` }, { variant, settings: special }))).toBe(true)
  })
})

/** Random integers below a bound, the same in every run (mulberry32). */
function chance(seed: number) {
  let state = seed
  return (below: number) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}

/** Returns whether a hand beats another by the tables. */
function beatsByTheBook(hand: readonly Card[], other: readonly Card[], specialHands: boolean): boolean {
  const [rank, against] = [rankByTheBook(hand, specialHands), rankByTheBook(other, specialHands)]
  if (rank !== against) return rank > against
  const place = (cards: readonly Card[]) => {
    const four = cards.find((card) => cards.filter((each) => each[0] === card[0]).length === 4)
    if (rank === 12 && four) return book.ranksDownward.findIndex((each) => four.startsWith(each))
    return Math.min(
      ...cards.map((card) => {
        const inRank = book.suitsDownward.findIndex((suit) => card.endsWith(suit))
        return 4 * book.ranksDownward.findIndex((each) => card.startsWith(each)) + inRank
      }),
    )
  }
  return place(hand) < place(other)
}

/** All 52 cards, the highest first. */
const downward = book.ranksDownward.flatMap((rank) => book.suitsDownward.map((suit) => cardNamed(`${rank}${suit}`)))

describe('6.3: the winner', () => {
  test.each(book.equalRanks)('$rule', ({ higher, lower }) => {
    for (const [hand, other, wins] of [
      [higher, lower, true],
      [lower, higher, false],
    ] as const)
      expect(beats(cardsIn(hand), cardsIn(other), true)).toBe(wins)
  })

  /** Four cards below a card, not among the used ones, that make a hand of the required rank with it. */
  function handUnder(top: Card, rank: number, taken: readonly Card[]): Card[] | undefined {
    const low = downward
      .slice(downward.indexOf(top) + 1)
      .filter((card) => !taken.includes(card))
      .slice(-24)
    for (let a = 0; a < low.length; a++)
      for (let b = a + 1; b < low.length; b++)
        for (let c = b + 1; c < low.length; c++)
          for (let d = c + 1; d < low.length; d++) {
            const hand = [top, low[a], low[b], low[c], low[d]].filter((card) => card !== undefined)
            if (rankByTheBook(hand, false) === rank) return hand
          }
    return undefined
  }

  test('every pair of the 52 cards that can decide between two hands of equal rank decides in the printed order', () => {
    const wrong: string[] = []
    const undecidable: string[] = []
    for (const [i, high] of downward.entries())
      for (const low of downward.slice(i + 1)) {
        let pair: readonly [Card[], Card[]] | undefined
        for (const rank of [0, 10, 8, 5, 1, 2, 3, 4, 6, 7, 9]) {
          const under = handUnder(low, rank, [high])
          const over = under && handUnder(high, rank, under)
          if (under && over) pair = [over, under]
          if (pair) break
        }
        if (!pair) undecidable.push(`${high} ${low}`)
        else if (!beats(pair[0], pair[1], false) || beats(pair[1], pair[0], false)) wrong.push(`${high} over ${low}`)
      }
    expect(wrong).toEqual([])
    // No five cards lie at or below a low card, or not two such hands of one rank: those pairs decide nothing in any
    // round.
    expect(undecidable.every((pair) => /[A23]. ?/.test(pair.slice(3)))).toBe(true)
    expect(undecidable.length).toBeLessThan(1326 / 4)
  })

  test('20,000 shuffled pairs of hands are won by the tables', () => {
    const wrong: string[] = []
    const next = chance(12_345)
    for (let round = 0; round < 20_000; round++) {
      const cards = [...deck]
      for (let i = 0; i < 10; i++) {
        const j = i + next(52 - i)
        const [one, two] = [cards[i], cards[j]]
        if (one && two) [cards[i], cards[j]] = [two, one]
      }
      const [hand, other] = [cards.slice(0, 5), cards.slice(5, 10)]
      for (const on of [true, false])
        if (beats(hand, other, on) !== beatsByTheBook(hand, other, on))
          wrong.push(`${hand.join(' ')} | ${other.join(' ')}`)
    }
    expect(wrong).toEqual([])
  })
})

describe('6.4: bets', () => {
  test('the zones, and no others', () => {
    const names = book.zones.map(({ zone }) => zone)
    expect(
      niuniu
        .stages(variant, {})
        .flatMap((stage) => stage.zones)
        .toSorted(),
    ).toEqual(names.toSorted())
    for (const zone of names) expect(takes(niuniu, zone, variant)).toBe(true)
  })

  test('the multiplier of every rank', () => {
    expect(book.multipliers.map((_, rank) => multiplierOf(rank))).toEqual(book.multipliers)
  })

  test.each([
    { settings: {}, factor: book.holdFactor.specialHandsOff },
    { settings: special, factor: book.holdFactor.specialHandsOn },
  ])('a double bet holds $factor times its amount', ({ settings, factor }) => {
    for (const { zone, kind } of book.zones) {
      const answer = niuniu.accept({ variant, bets: [{ zone, amount: 10n }] }, settings)
      expect(isNo(answer) ? null : answer.hold).toBe(kind === 'double' ? 10n * BigInt(factor) : 0n)
    }
  })

  test('a hold factor is at least the largest multiplier less one', () => {
    const refused = (settings: object) => niuniu.refuseSettings(settings) !== null
    expect([1, 2, 3].map((holdFactor) => refused({ holdFactor }))).toEqual([true, false, false])
    expect([3, 4, 5].map((holdFactor) => refused({ ...special, holdFactor }))).toEqual([true, false, false])
  })

  // Every rank of the deciding hand, won and lost, on both kinds of bet and with both kinds of table.
  const rows = book.handRanks.flatMap(({ rank, character }) =>
    [true, false].flatMap((wins) =>
      book.zones.map(({ zone, hand, kind }) => ({ rank, character, wins, zone, hand, kind })),
    ),
  )
  test.each(rows)('rank $rank, the player wins: $wins, 100 on $zone', ({ rank, character, wins, zone, hand, kind }) => {
    const settings = rank > 10 ? special : {}
    const factor = rank > 10 ? book.holdFactor.specialHandsOn : book.holdFactor.specialHandsOff
    const mult = book.multipliers[rank] ?? 0
    const mask = wins ? book.winnerBits[hand] : 0
    const code = `${mask}${hands.map(() => character).join('')}`
    const { legs } = settled(niuniu, { code }, { variant, bets: { [zone]: '100' }, settings })
    const change = (kind === 'double' ? mult : 1) * (wins ? 1 : -1)
    const hold = kind === 'double' ? factor : 0
    expect(legs[0]?.return).toBe(parseAmount(String(100 * (1 + hold + change))))
    expect(legs[0]?.mult).toBe(kind === 'double' ? mult : undefined)
  })

  test.each([
    { code: '1-----'.slice(0, 5), zone: 'P1D', why: 'won, its rank unknown', returned: '300', mult: 0 },
    { code: '1----', zone: 'P1E', why: 'won, its rank unknown', returned: '200', mult: undefined },
    { code: '0-8--', zone: 'P1D', why: 'lost, the banker’s rank unknown', returned: '300', mult: 0 },
    { code: '0-8--', zone: 'P1E', why: 'lost, the banker’s rank unknown', returned: '0', mult: undefined },
    { code: '08---', zone: 'P2D', why: 'lost to bull 8', returned: '100', mult: 2 },
  ])('unknown ranks: $zone $why', ({ code, zone, returned, mult }) => {
    const { legs, validStake } = settled(niuniu, { code }, { variant, bets: { [zone]: '100' } })
    expect({ returned: formatAmount(legs[0]?.return ?? -1n), mult: legs[0]?.mult }).toEqual({ returned, mult })
    if (mult === 0) expect(validStake).toBe(0n)
  })

  test('a hand without a known winner refunds both its bets', () => {
    const report = { code: '1-----'.slice(0, 5), winners: { P1: 'P' } } as const
    const { legs } = settled(niuniu, report, { variant, bets: { P2E: '100', P2D: '100' } })
    expect(legs.map((leg) => [formatAmount(leg.return), leg.mult])).toEqual([
      ['100', undefined],
      ['300', 0],
    ])
  })

  test('a commission is deducted from wins only, and truncated', () => {
    const settings = { commission: book.commission.example }
    const net = (code: string, zone: string, stake = '1') => {
      const { legs } = settled(niuniu, { code }, { variant, bets: { [zone]: stake }, settings })
      return formatAmount((legs[0]?.return ?? 0n) - parseAmount(stake) * (zone.endsWith('D') ? 3n : 1n))
    }
    expect(net('10000', 'P1E')).toBe(book.commission.equalWin)
    expect(['0', '7', 'A'].map((rank) => net(`10${rank}00`, 'P1D'))).toEqual(book.commission.doubleWins)
    expect(net('0A000', 'P1E')).toBe('-1')
    expect(net('10000', 'P1E', '0.0001')).toBe('0')
  })
})

describe('6.5: results', () => {
  test.each(book.deals)('$cardInfo is $code', ({ code, special: on, cardInfo }) => {
    expect(outcomeOf(niuniu, { cardInfo }, variant, on ? special : {})).toMatchObject({
      code,
      cardInfo,
      complete: true,
    })
  })

  test('the example', () => {
    const { cardInfo } = book.deals[0]
    expect(outcomeOf(niuniu, { cardInfo }, variant).result).toMatchObject(book.example)
  })

  test('all eight masks name their winners', () => {
    for (let mask = 0; mask < 8; mask++) {
      const winners = Object.fromEntries(
        Object.entries(book.winnerBits).map(([hand, bit]) => [hand, mask & bit ? 'P' : 'B']),
      )
      expect(outcomeOf(niuniu, { code: `${mask}8888` }, variant).result).toMatchObject({ winners })
    }
    for (const mask of ['8', '9', 'A', '-'])
      expect(isNo(niuniu.read({ code: `${mask}8888` }, { variant, settings: {} }))).toBe(true)
  })
})
