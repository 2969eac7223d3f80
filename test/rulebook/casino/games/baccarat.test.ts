import { describe, expect, test } from 'vitest'
import { baccarat, bankerDraws, isNatural, playerDraws, pointsOf } from '../../../../src/domain/games/baccarat.ts'
import { type Card, decks } from '../../../../src/domain/games/cards.ts'
import { isNo, isSpent } from '../../../../src/domain/games/game.ts'
import { cardNamed, outcomeOf, returnOf, takes, wonAt } from '../ask.ts'
import * as book from './baccarat.ts'
import { ranks, suits } from './cards.ts'

const values = [...Array(10).keys()]
const draws = (move: string | undefined) => move === 'draw' || move === 'D'

describe('2.1: shoe and dealing', () => {
  test('eight decks, and a new shoe below 52 cards', () => {
    const { decks: count, cards, newBelow } = book.shoe
    expect(baccarat.shoe.decks).toBe(count)
    expect(decks(baccarat.shoe.decks)).toHaveLength(cards)
    expect([newBelow - 1, newBelow, newBelow + 1].map((left) => isSpent(baccarat.shoe, left))).toEqual([
      true,
      false,
      false,
    ])
  })

  test.each(Object.entries(book.points))('%s counts %i', (rank, points) => {
    for (const suit of suits) expect(pointsOf(cardNamed(`${rank}${suit}`))).toBe(points)
  })

  test('the cards are dealt to P1, B1, P2, B2, P3 and B3', () => {
    // Player 2 + 3 = 5 draws a 6, banker A + 4 = 5 draws: all six slots are filled.
    const row = ['2S', 'AH', '3D', '4C', '6S', '7H', '9D'].map(cardNamed)
    const { outcome, used } = baccarat.deal(row, { variant: 'classic', settings: {} })
    expect(outcome.result?.cards).toEqual(Object.fromEntries(book.dealingOrder.map((slot, i) => [slot, row[i]])))
    expect(used).toBe(6)
  })
})

describe('2.2: drawing', () => {
  test('a natural is 8 or 9', () => {
    expect(values.filter(isNatural)).toEqual(book.naturals)
  })

  test.each(book.playerMoves.map((move, total) => ({ move, total })))(
    'the player with $total: $move',
    ({ move, total }) => {
      expect(playerDraws(total)).toBe(draws(move))
    },
  )

  test.each(book.bankerMovesAfterStand.map((move, total) => ({ move, total })))(
    'the banker with $total, after the player stood: $move',
    ({ move, total }) => {
      expect(bankerDraws(total, null)).toBe(draws(move))
    },
  )

  test.each(book.bankerMovesAfterThird.map((row, total) => ({ row, total })))(
    'the banker with $total against a third card of 0 to 9: $row',
    ({ row, total }) => {
      expect(values.map((third) => (bankerDraws(total, third) ? 'D' : 'S')).join('')).toBe(row)
    },
  )
})

/** Result of six cards by value in the tables; the player's and the banker's totals, and the third cards drawn. */
function byTheBook(p1: number, b1: number, p2: number, b2: number, fifth: number, sixth: number) {
  const player = (p1 + p2) % 10
  const banker = (b1 + b2) % 10
  if (book.naturals.includes(player) || book.naturals.includes(banker)) return { player, banker, used: 4 }
  if (draws(book.playerMoves[player])) {
    const again = draws(book.bankerMovesAfterThird[banker]?.[fifth])
    return { player: (player + fifth) % 10, banker: again ? (banker + sixth) % 10 : banker, used: again ? 6 : 5 }
  }
  const draw = draws(book.bankerMovesAfterStand[banker])
  return { player, banker: draw ? (banker + fifth) % 10 : banker, used: draw ? 5 : 4 }
}

test('2.2 and 2.4: the first four cards of every value, with 40 pairs of further cards, have the results of the tables', () => {
  const cardOf = (value: number): Card => cardNamed(value === 0 ? 'TS' : value === 1 ? 'AS' : `${value}S`)
  const cards = values.map(cardOf)
  const wrong: string[] = []
  for (const p1 of values)
    for (const b1 of values)
      for (const p2 of values)
        for (const b2 of values)
          for (const fifth of values)
            for (const sixth of [0, 1, 5, 9]) {
              const row = [p1, b1, p2, b2, fifth, sixth]
              const want = byTheBook(p1, b1, p2, b2, fifth, sixth)
              const { outcome, used } = baccarat.deal(
                row.map((value) => cards[value] ?? cardOf(0)),
                { variant: 'classic', settings: {} },
              )
              const { result } = outcome
              const got = result && 'player' in result ? { player: result.player, banker: result.banker, used } : null
              const { player, banker } = want
              const out = player === banker ? 0 : player > banker ? 2 : banker === 6 ? 3 : 1
              const code = (out + (b1 === b2 ? 4 : 0) + (p1 === p2 ? 8 : 0)).toString(16).toUpperCase()
              if (JSON.stringify(got) !== JSON.stringify(want) || outcome.code !== code) wrong.push(row.join(' '))
            }
  expect(wrong).toEqual([])
})

describe('2.3: bets', () => {
  test.each(Object.entries(book.zones))('%s offers its zones and no others', (variant, zones) => {
    const all = [...new Set(Object.values(book.zones).flat())]
    expect(all.filter((zone) => takes(baccarat, zone, variant as 'classic'))).toEqual(zones)
  })

  const happened = ({ outcome, bankerPair, playerPair }: (typeof book.codes)[number]): book.Event[] => [
    outcome,
    ...(bankerPair ? (['bankerPair'] as const) : []),
    ...(playerPair ? (['playerPair'] as const) : []),
  ]

  const rows = book.codes.flatMap((round) =>
    Object.entries(book.zones).flatMap(([variant, zones]) =>
      zones.map((zone) => {
        const events = happened(round)
        const lines = book.bets.filter((bet) => bet.zone === zone && bet.variant === variant)
        const won = lines.find((bet) => bet.wins.some((event) => events.includes(event)))
        const isPush = lines.some((bet) => bet.push !== null && events.includes(bet.push))
        const returned = won ? wonAt(won.pays[0], won.pays[1]) : isPush ? '100' : '0'
        return { code: round.code, cards: round.cards, variant: variant as 'classic', zone, returned }
      }),
    ),
  )

  test.each(rows)('code $code, $variant: 100 on $zone returns $returned', ({ cards, variant, zone, returned }) => {
    expect(returnOf(baccarat, { cardInfo: cards }, zone, { variant })).toBe(returned)
  })
})

describe('2.4 and 2.5: result', () => {
  test.each(book.codes)('$cards is code $code', ({ code, cards, outcome, bankerPair, playerPair }) => {
    const read = outcomeOf(baccarat, { cardInfo: cards }, 'classic')
    expect(read).toMatchObject({ code, cardInfo: cards, complete: true })
    expect(read.result).toMatchObject({ winner: book.winnerWords[outcome], bankerPair, playerPair })
  })

  test('a code alone gives an incomplete result with the same flags', () => {
    for (const { code, outcome, bankerPair, playerPair } of book.codes) {
      const points = { player: outcome === 'player' ? 7 : 6, banker: outcome === 'banker' ? 7 : 6 }
      if (outcome === 'bankerWithSix') points.player = 5
      const read = outcomeOf(baccarat, { code, points }, 'classic')
      expect(read).toMatchObject({ code, cardInfo: null, complete: false })
      expect(read.result).toEqual({ cards: {}, ...points, winner: book.winnerWords[outcome], bankerPair, playerPair })
    }
  })

  test('a pair needs the same rank: all 169 pairs of ranks', () => {
    for (const first of ranks)
      for (const second of ranks) {
        const [a, b] = [cardNamed(`${first}S`), cardNamed(`${second}H`)]
        const { outcome } = baccarat.deal([a, a, b, b, '9D', '9C'], { variant: 'classic', settings: {} })
        expect(outcome.result).toMatchObject({ playerPair: first === second, bankerPair: first === second })
      }
  })

  test('the example', () => {
    const { cardInfo, code, result } = book.example
    expect(outcomeOf(baccarat, { cardInfo }, 'classic')).toMatchObject({ code, result, complete: true })
  })

  test('cards that contradict the drawing table are refused', () => {
    for (const cardInfo of [
      'KS4H7D2CAS--',
      '2S4H3D2C----',
      'KS4H7D2C--AS',
      '5H4S3C5DAS--',
      'KS4H7D2C',
      'KS4H7D2C------',
    ])
      expect(isNo(baccarat.read({ cardInfo }, { variant: 'classic', settings: {} })), cardInfo).toBe(true)
  })
})

describe('section 7: headline figures, counted over all values of six cards from 416', () => {
  const cardsOfValue = [4 * 4 * 8, ...Array<number>(9).fill(4 * 8)]
  const chance = { banker: 0, player: 0, tie: 0, bankerWithSix: 0 }
  for (let deal = 0; deal < 1_000_000; deal++) {
    const left = [...cardsOfValue]
    let weight = 1
    const row: number[] = []
    for (let place = 0, rest = deal; place < 6; place++, rest = Math.floor(rest / 10)) {
      const value = rest % 10
      weight *= (left[value] ?? 0) / (416 - place)
      left[value] = (left[value] ?? 0) - 1
      row.push(value)
    }
    const [p1 = 0, b1 = 0, p2 = 0, b2 = 0, fifth = 0, sixth = 0] = row
    const playerTotal = (p1 + p2) % 10
    const bankerTotal = (b1 + b2) % 10
    const over = isNatural(playerTotal) || isNatural(bankerTotal)
    const third = !over && playerDraws(playerTotal)
    const again = !over && bankerDraws(bankerTotal, third ? fifth : null)
    const player = third ? (playerTotal + fifth) % 10 : playerTotal
    const banker = again ? (bankerTotal + (third ? sixth : fifth)) % 10 : bankerTotal
    if (player === banker) chance.tie += weight
    else if (player > banker) chance.player += weight
    else chance.banker += weight
    if (banker > player && banker === 6) chance.bankerWithSix += weight
  }
  const pair = 31 / 415

  test.each(['banker', 'player', 'tie'] as const)('%s', (outcome) => {
    expect(chance[outcome].toFixed(6)).toBe(book.headline[outcome])
  })

  test('the banker wins with 6', () => {
    expect(chance.bankerWithSix.toFixed(4)).toBe(book.headline.bankerWithSix)
  })

  const edges = {
    B: chance.player - 0.95 * chance.banker,
    P: chance.banker - chance.player,
    T: 1 - 9 * chance.tie,
    BP: 1 - 12 * pair,
    PP: 1 - 12 * pair,
    nocommB: chance.player - chance.banker + 0.5 * chance.bankerWithSix,
    S6: 1 - 13 * chance.bankerWithSix,
  }
  test.each(Object.entries(book.headline.edgeInPercent))('the edge of %s is %s%%', (zone, percent) => {
    expect((100 * edges[zone as keyof typeof edges]).toFixed(2)).toBe(percent)
  })
})
