import { describe, expect, test } from 'vitest'
import { deck } from '../../../../src/domain/games/cards.ts'
import { isNo, type Variant } from '../../../../src/domain/games/game.ts'
import { holdem } from '../../../../src/domain/games/holdem/holdem.ts'
import { formatAmount, parseAmount } from '../../../../src/domain/money.ts'
import { type Bets, cardsIn, outcomeOf, settled, takes, wonAt } from '../ask.ts'
import * as book from './holdem.ts'

/** A hand against the dealer, with the cards as in a bet record. */
function against(variant: Variant, cards: string, bets: Bets) {
  const [board = '', hole = '', dealer = ''] = cards.split('|')
  const hand = { hole: cardsIn(hole), folded: false, seat: 1 }
  const { legs, result } = settled(holdem, { cardInfo: `${board}||${dealer}` }, { variant, bets, hand })
  return { code: result.code, returns: Object.fromEntries(legs.map((leg) => [leg.zone, formatAmount(leg.return)])) }
}

describe.each(book.variants)('$variant', ({ variant, zones }) => {
  test('has its zones and no others', () => {
    const all = new Set(book.variants.flatMap((each) => each.zones))
    expect([...all].filter((zone) => takes(holdem, zone, variant))).toEqual(zones)
  })
})

describe('5.1: Casino Hold’em', () => {
  const bets = { ANTE: '100', CALL: '200' }
  /** Boards that give the player the category and the dealer a pair of fours. */
  const hands: Record<keyof typeof book.antePays, string> = {
    'royal flush': 'QS JS TS 2D 4H|AS KS|4C 9D',
    'straight flush': 'QS JS TS 2D 4H|9S KS|4C 7D',
    'four of a kind': '8S 8D TS 2D 4H|8C 8H|4C 7D',
    'full house': '8S 8D TS 2D 4H|8C TH|4C 7D',
    flush: '8S 3S TS 2D 4H|2S KS|4C 7D',
    straight: '8S 9D TS 2D 4H|JC QH|4C KD',
    'three of a kind': '8S 9D TS 2D 4H|8C 8H|4C KD',
    'two pair': '8S 9D TS 2D 4H|8C 9H|4C KD',
    'one pair': '8S 9D TS 2D 4H|8C KH|4C QD',
    'high card': '8S 9D 3S 2D 4H|AC QH|KC 6D',
  }

  test.each(Object.entries(book.antePays))('a winning %s pays the ante %i:1', (category, pays) => {
    const played = against('casino', hands[category as keyof typeof hands], bets)
    const isHigh = category === 'high card'
    expect(played).toEqual({
      code: isHigh ? 'dealer_not_qualified' : 'player_wins',
      returns: { ANTE: wonAt(pays), CALL: isHigh ? '200' : '400' },
    })
  })

  test.each([
    { dealer: book.qualifies.lowest, cards: '8S 9D TS 2D 4H|AC KH|4C 6D', code: 'dealer_wins' },
    { dealer: `${book.qualifies.lowest} on the board`, cards: '8S 4D TS 2D 4H|AC KH|3C 6D', code: 'player_wins' },
    { dealer: book.qualifies.below, cards: '8S 9D TS 2D 3H|AC KH|3C 6D', code: 'dealer_not_qualified' },
    { dealer: 'ace high', cards: '8S 9D TS 2D 3H|KC QH|AC 6D', code: 'dealer_not_qualified' },
    { dealer: 'pair of fives', cards: '8S 9D TS 2D 5H|AC KH|5C 6D', code: 'dealer_wins' },
    { dealer: 'two pair below fours', cards: '2S 3D TS KD 7H|AC KH|2C 3C', code: 'dealer_wins' },
  ])('the dealer with $dealer: $code', ({ cards, code }) => {
    expect(against('casino', cards, bets).code).toBe(code)
  })

  const outcomes: Record<string, { cards: string; bets: Bets }> = {
    fold: { cards: '8S 9D TS 2D 4H|8C KH|4C QD', bets: { ANTE: '100' } },
    dealer_not_qualified: { cards: '8S 9D TS 2D 3H|7C 5H|AC 6D', bets },
    player_wins: { cards: '8S 9D TS 2D 4H|8C KH|4C QD', bets },
    dealer_wins: { cards: '8S 9D TS 2D 4H|4C QD|8C KH', bets },
    tie: { cards: 'TS JD QC KH AS|2C 2D|5H 6H', bets },
  }
  test.each(book.casinoOutcomes)('$code: ante $ante, call $call', ({ code, ante, call }) => {
    const played = outcomes[code]
    const words = { lost: '0', push: '100', 'ante table': wonAt(1) }
    const calls = { none: undefined, push: '200', '1:1': '400', lost: '0' }
    expect(played && against('casino', played.cards, played.bets)).toEqual({
      code,
      returns: { ANTE: words[ante], ...(call === 'none' ? {} : { CALL: calls[call] }) },
    })
  })

  test.each(book.aabPays)('AAB: $hand', ({ cards, pays }) => {
    const [hole = '', flop = ''] = cards.split('|')
    const taken = cardsIn(`${hole} ${flop}`)
    const [turn, river, first, second] = deck.filter((card) => !taken.includes(card)).toReversed()
    const all = `${flop} ${turn} ${river}|${hole}|${first} ${second}`
    const returned = pays === null ? '0' : wonAt(pays)
    for (const legs of [bets, { ANTE: '100' }])
      expect(against('casino', all, { ...legs, AAB: '100' }).returns).toMatchObject({ AAB: returned })
  })

  test.each([1, 1.9999, 2, 2.0001, 3])('a CALL of %d times the ante', (times) => {
    const call = { zone: 'CALL', amount: parseAmount(String(times)) }
    const answer = holdem.accept({ variant: 'casino', bets: [{ zone: 'ANTE', amount: parseAmount('1') }, call] }, {})
    expect(isNo(answer)).toBe(times !== book.callFactor)
  })

  test('AAB needs an ante', () => {
    expect(isNo(holdem.accept({ variant: 'casino', bets: [{ zone: 'AAB', amount: 10n }] }, {}))).toBe(true)
  })
})

describe('5.2: Bonus Poker', () => {
  const bets = { ANTE: '100', FLOP: '200', TURN: '100', RIVER: '100' }
  const streets = { '1:1': ['400', '200', '200'], lost: ['0', '0', '0'], push: ['200', '100', '100'] }
  const outcomes: Record<string, string> = {
    player_wins: '8S 9D TS 2D 4H|8C KH|4C QD',
    dealer_wins: '8S 9D TS 2D 4H|4C QD|8C KH',
    tie: 'TS JD QC KH AS|2C 2D|5H 6H',
  }

  test.each(book.thbpOutcomes)('$code: streets $streets, ante $ante', ({ code, streets: word, ante }) => {
    if (word === 'none') {
      expect(against('thbp', outcomes['player_wins'] ?? '', { ANTE: '100' })).toEqual({ code, returns: { ANTE: '0' } })
      return
    }
    const [FLOP, TURN, RIVER] = streets[word]
    // The winning hand is a pair, below a straight: its ante is a push.
    const ANTE = ante === 'lost' ? '0' : '100'
    expect(against('thbp', outcomes[code] ?? '', bets)).toEqual({ code, returns: { ANTE, FLOP, TURN, RIVER } })
  })

  const winning: Record<keyof typeof book.thbpAntePaid, string> = {
    'high card': '8S 9D 3S 2D 4H|AC QH|KC 7D',
    'one pair': '8S 9D TS 2D 4H|8C KH|4C QD',
    'two pair': '8S 9D TS 2D 4H|8C 9H|4C KD',
    'three of a kind': '8S 9D TS 2D 4H|8C 8H|4C KD',
    straight: '8S 9D TS 2D 4H|JC QH|4C KD',
    flush: '8S 3S TS 2D 4H|2S KS|4C 7D',
    'full house': '8S 8D TS 2D 4H|8C TH|4C 7D',
    'four of a kind': '8S 8D TS 2D 4H|8C 8H|4C 7D',
    'straight flush': 'QS JS TS 2D 4H|9S KS|4C 7D',
    'royal flush': 'QS JS TS 2D 4H|AS KS|4C 9D',
  }
  test.each(Object.entries(book.thbpAntePaid))('the ante of a winning %s is paid: %s', (category, isPaid) => {
    const { code, returns } = against('thbp', winning[category as keyof typeof winning], bets)
    expect({ code, ante: returns['ANTE'] }).toEqual({ code: 'player_wins', ante: isPaid ? '200' : '100' })
  })

  test('all 1,326 pairs of hole cards are paid by the table, folded or not', () => {
    const wrong: string[] = []
    for (const [i, one] of deck.entries())
      for (const two of deck.slice(i + 1)) {
        const ranks = [`${one[0]}${two[0]}`, `${two[0]}${one[0]}`]
        const isSuited = one[1] === two[1]
        const line = book.bonusPays.find(
          (each) =>
            each.ranks.some((pair) => ranks.includes(pair)) && (each.suited === null || each.suited === isSuited),
        )
        const returned = line ? wonAt(line.pays) : '0'
        const rest = deck.filter((card) => card !== one && card !== two && card[0] !== 'A').slice(0, 7)
        const cards = `${rest.slice(0, 5).join(' ')}|${one} ${two}|${rest.slice(5).join(' ')}`
        for (const legs of [{ ANTE: '100' }, bets])
          if (against('thbp', cards, { ...legs, BONUS: '100' }).returns['BONUS'] !== returned)
            wrong.push(`${one} ${two}`)
      }
    expect(wrong).toEqual([])
  })

  test('aces against the dealer’s aces pay 1000:1, all six pairs', () => {
    const aces = ['AS', 'AH', 'AD', 'AC']
    for (const [i, one] of aces.entries())
      for (const two of aces.slice(i + 1)) {
        const dealer = aces.filter((ace) => ace !== one && ace !== two).join(' ')
        const { returns } = against('thbp', `KC 9H 6D 4S 2C|${one} ${two}|${dealer}`, { ANTE: '100', BONUS: '100' })
        expect(returns['BONUS']).toBe(wonAt(book.bonusAcesAgainstAces))
      }
  })

  test.each(Object.entries(book.streetFactors))('the %s bet is exactly %i times the ante', (zone, factor) => {
    const legs = { ANTE: 10_000n, FLOP: 20_000n, TURN: 10_000n, RIVER: 10_000n }
    for (const off of [-1n, 0n, 1n]) {
      const changed = { ...legs, [zone]: 10_000n * BigInt(factor) + off }
      const answer = holdem.accept(
        { variant: 'thbp', bets: Object.entries(changed).map(([each, amount]) => ({ zone: each, amount })) },
        {},
      )
      expect(isNo(answer), `${zone} ${off}`).toBe(off !== 0n)
    }
  })
})

describe('section 4: dealing against the dealer', () => {
  test('one card at a time, the dealer last, twice, then the board', () => {
    const row = deck.slice(0, 11)
    const { outcome, holes, used } = holdem.deal(row, { variant: 'casino', settings: {}, hands: 2 })
    expect(holes).toEqual([
      [row[0], row[3]],
      [row[1], row[4]],
    ])
    expect(outcome.cardInfo).toBe(`${row.slice(6, 11).join(' ')}||${row[2]} ${row[5]}`)
    expect(used).toBe(11)
  })
})

describe('5.3: rake', () => {
  const holes = ['JS JD', 'AS AD', 'KS KD', 'QS QD']
  const raked = (puts: readonly string[], flop: boolean) => {
    const seats = puts.map((text, i) => {
      const [amount = '', folded] = text.split(' ')
      const hand = { hole: cardsIn(holes[i] ?? ''), folded: folded !== undefined, seat: i + 1 }
      return { variant: 'nlhe' as const, bets: [{ zone: 'POT', amount: parseAmount(amount) }], hand }
    })
    const report = { cardInfo: flop ? '2C 7D JH 4S 9C' : '', button: 1 }
    const answer = holdem.settle(outcomeOf(holdem, report, 'nlhe'), seats, {})
    if (isNo(answer)) throw new Error(answer.because)
    return answer.map((each) => formatAmount(each.rake)).filter((rake) => rake !== '0')
  }

  test.each(book.rakes)('pots of $pots, a flop: $flop: rake $rake', ({ puts, flop, rake }) => {
    expect(raked(puts, flop)).toEqual(rake.filter((each) => each !== '0'))
  })
})
