import { describe, expect, test } from 'vitest'
import type { Settlement } from '../../../../src/domain/bets/slip.ts'
import { type Card, deck, decks, rankOf, spacedCards } from '../../../../src/domain/games/cards.ts'
import { isNo, type Report, type Variant } from '../../../../src/domain/games/game.ts'
import { categoryOf, rankBit, strengthOfMasks } from '../../../../src/domain/games/holdem/hands.ts'
import { holdem } from '../../../../src/domain/games/holdem/holdem.ts'
import { amountsOf, expectRow, type Row, revisionsOf, rowsOf } from '../worked.ts'

/** Settles one player's slip on a player's card string: board, own cards, dealer. */
function settle(variant: Variant, cardInfo: string, bets: string): Settlement {
  const [board, hole = '', dealer] = cardInfo.split('|')
  const accepted = holdem.accept({ variant, bets: amountsOf(bets) }, {})
  const outcome = holdem.read({ cardInfo: `${board}||${dealer}` }, { variant, settings: {} })
  if (isNo(accepted) || isNo(outcome)) throw new Error(JSON.stringify([accepted, outcome]))
  const hand = { hole: spacedCards(hole) ?? [], folded: false, seat: 1 }
  const settled = holdem.settle(outcome, [{ variant, bets: accepted.bets, hand }], {})
  if (isNo(settled) || !settled[0]) throw new Error(JSON.stringify(settled))
  return settled[0]
}

const accept = (variant: Variant, bets: string, folded?: boolean) => {
  const order = { variant, bets: amountsOf(bets) }
  const accepted = holdem.accept(folded === undefined ? order : { ...order, folded }, {})
  return isNo(accepted) ? accepted.no : 'accepted'
}

function workedSlips(variant: Variant, rows: readonly Row[], cards: Readonly<Record<string, string>>) {
  const revisions = revisionsOf(rows, {
    bets: (row) => amountsOf(row['bets'] ?? ''),
    settle: (row) => settle(variant, cards[row['slip'] ?? ''] ?? '', row['bets'] ?? ''),
    isHoldem: true,
  })
  test.each(rows)('$slip: $bets, $code', (row) => {
    const revision = revisions.get(row['slip'] ?? '')
    expectRow(row, revision)
    expect(revision?.result.cardInfo).toBe(cards[row['slip'] ?? ''])
    expect([revision?.rake, revision?.hold]).toEqual([0n, 0n])
  })
}

describe('Casino Hold’em, worked slips', () => {
  workedSlips(
    'casino',
    rowsOf(`
    | slip | code | bets | returns | stake | validStake | rolling | payout | winLoss | rev, status | delta |
    | CH1 | player_wins | ANTE 10, CALL 20, AAB 5 | ANTE 20, CALL 40, AAB 40 | 35 | 35 | 0 | 100 | 65 | 1 settled | 100 |
    | CH2 | dealer_not_qualified | ANTE 10, CALL 20, AAB 5 | ANTE 30, CALL 20, AAB 105 | 35 | 15 | 0 | 155 | 120 | 1 settled | 155 |
    | CH3 | dealer_not_qualified | ANTE 10, CALL 20 | ANTE 20, CALL 20 | 30 | 10 | 0 | 40 | 10 | 1 settled | 40 |
    | CH4 | tie | ANTE 10, CALL 20, AAB 5 | ANTE 10, CALL 20, AAB 0 | 35 | 5 | 5 | 30 | -5 | 1 settled | 30 |
    | CH5 | fold | ANTE 10, AAB 5 | ANTE 0, AAB 0 | 15 | 15 | 15 | 0 | -15 | 1 settled | 0 |
    | CH6 | fold | ANTE 10, AAB 5 | ANTE 0, AAB 40 | 15 | 15 | 10 | 40 | 25 | 1 settled | 40 |
    | CH7 | dealer_wins | ANTE 25, CALL 50 | ANTE 0, CALL 0 | 75 | 75 | 75 | 0 | -75 | 1 settled | 0 |
    | CH8 | player_wins | ANTE 10, CALL 20, AAB 5 | ANTE 1010, CALL 40, AAB 505 | 35 | 35 | 0 | 1555 | 1520 | 1 settled | 1555 |
    | CH7r | player_wins | ANTE 25, CALL 50 | ANTE 100, CALL 100 | 75 | 75 | 0 | 200 | 125 | 2 recalculated | 200 |
    | CH7v | void | ANTE 25, CALL 50 | ANTE 25, CALL 50 | 75 | 0 | 0 | 75 | 0 | 3 void | -125 |
  `),
    {
      CH1: 'AH 7C 2D 9S 4H|AS KD|QH 4D',
      CH2: '2H 7H QH 3C 8D|KH 9H|JS TC',
      CH3: 'KC JD 9H 7S 2D|5S 4C|AH 3C',
      CH4: 'TS JD QC KH AS|2C 2D|5H 6H',
      CH5: 'KS QH 5D 6C 9S|8D 3C|TD 2H',
      CH6: 'AS AD 7C QS TC|3H 2D|KC 9D',
      CH7: '4S 8D KC KD 2S|JH JC|KS 6C',
      CH8: 'QD JD TD 2C 2H|AD KD|9S 9C',
      CH7r: '4S 8D KC KD JS|JH JC|KS 6C',
      CH7v: '4S 8D KC KD JS|JH JC|KS 6C',
    },
  )

  test('a dealer with threes does not play, one with fours on the board does', () => {
    expect(settle('casino', '3H 7C 2D 9S JH|AS KD|QH 3D', 'ANTE 1, CALL 2').result.code).toBe('dealer_not_qualified')
    expect(settle('casino', '4H 4C 2D 9S JH|AS KD|QH TD', 'ANTE 1, CALL 2').result.code).toBe('player_wins')
  })

  test('a fold precedes everything else, also a dealer who does not qualify', () => {
    expect(settle('casino', '3H 7C 2D 9S JH|AS KD|QH 3D', 'ANTE 1').result.code).toBe('fold')
  })

  test.each([
    ['QD JD TD 2C 2H|AD KD|9S 9C', 100],
    ['9D TD JD 2C 2H|QD KD|9S 9C', 20],
    ['9D 9S 9H 2C 2H|9C KD|AS AC', 10],
    ['9D 9S 3H 2C 7H|3C 9H|4S 4C', 3],
    ['9D 3D 5D 2C 2H|8D KD|4S 4C', 2],
    ['9D TD JC 2C 2H|QS KS|4S 4C', 1],
  ])('the ante on %s pays %i to 1', (cardInfo, pays) => {
    expect(settle('casino', cardInfo, 'ANTE 1, CALL 2').legs[0]?.return).toBe(10_000n * BigInt(pays + 1))
  })

  test.each([
    ['QD JD TD 2C 2H|AD KD|9S 9C', 100],
    ['9D TD JD 2C 2H|QD KD|9S 9C', 50],
    ['9D 9S 9H 2C 2H|9C KD|AS AC', 40],
    ['9D 9S 9H 2C 2H|8C 8D|4S 4C', 30],
    ['9D 3D 5D 2C 2H|8D KD|4S 4C', 20],
    ['9D TD JC 2C 2H|QS KS|4S 4C', 7],
    ['9D 9S JC 2C 2H|9C KS|4S 4C', 7],
    ['9D JD JC 2C 2H|9S KS|4S 4C', 7],
    ['AD JD TC 2C 2H|AS KS|4S 4C', 7],
    ['KD AD TC 2C 2H|5S KS|4S 4C', -1],
    ['9D TD JC AC AH|AS 2S|4S 4C', -1],
  ])('the AA bet on the first five of %s pays %i to 1', (cardInfo, pays) => {
    expect(settle('casino', cardInfo, 'ANTE 1, AAB 1').legs[1]?.return).toBe(10_000n * BigInt(pays + 1))
  })

  test('the AA bet has the published edge over all hands of five', () => {
    const counts = new Map<string, number>()
    const cards = deck.map((card, i) => ({ suit: Math.floor(i / 13), bit: 1 << rankBit(card) }))
    const masks = [0, 0, 0, 0]
    const choose = (from: number, left: number) => {
      if (left === 0) {
        const strength = strengthOfMasks(masks[0] ?? 0, masks[1] ?? 0, masks[2] ?? 0, masks[3] ?? 0)
        const category = categoryOf(strength)
        const name = category === 'one pair' && ((strength >> 16) & 15) === 12 ? 'pair of aces' : category
        counts.set(name, (counts.get(name) ?? 0) + 1)
        return
      }
      for (let i = from; i <= cards.length - left; i++) {
        const { suit, bit } = cards[i] ?? { suit: 0, bit: 0 }
        masks[suit] = (masks[suit] ?? 0) | bit
        choose(i + 1, left - 1)
        masks[suit] = (masks[suit] ?? 0) & ~bit
      }
    }
    choose(0, 5)
    const examples: Record<string, string> = {
      'royal flush': 'QD JD TD|AD KD',
      'straight flush': '9D TD JD|QD KD',
      'four of a kind': '9D 9S 9H|9C KD',
      'full house': '9D 9S 9H|8C 8D',
      flush: '9D 3D 5D|8D KD',
      straight: '9D TD JC|QS KS',
      'three of a kind': '9D 9S JC|9C KS',
      'two pair': '9D JD JC|9S KS',
      'pair of aces': 'AD JD TC|AS KS',
      'one pair': 'KD AD TC|5S KS',
      'high card': '9D TD JC|AS 2S',
    }
    let net = 0
    for (const [name, count] of counts) {
      const [flop, hole] = (examples[name] ?? '').split('|')
      net += Number(settle('casino', `${flop} 2C 2H|${hole}|4S 4C`, 'ANTE 1, AAB 1').legs[1]?.return ?? 0n) * count
    }
    expect(1 - net / 10_000 / 2_598_960).toBeCloseTo(0.0626, 4)
  })
})

describe('Bonus Poker, worked slips', () => {
  workedSlips(
    'thbp',
    rowsOf(`
    | slip | code | bets | returns | stake | validStake | rolling | payout | winLoss | rev, status | delta |
    | TB1 | player_wins | ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 5 | ANTE 10, FLOP 40, TURN 20, RIVER 20, BONUS 80 | 55 | 45 | 0 | 170 | 115 | 1 settled | 170 |
    | TB2 | player_wins | ANTE 10, FLOP 20, TURN 10, BONUS 5 | ANTE 20, FLOP 40, TURN 20, BONUS 0 | 45 | 45 | 5 | 80 | 35 | 1 settled | 80 |
    | TB3 | dealer_wins | ANTE 10, FLOP 20, BONUS 5 | ANTE 0, FLOP 0, BONUS 55 | 35 | 35 | 30 | 55 | 20 | 1 settled | 55 |
    | TB4 | tie | ANTE 10, FLOP 20, TURN 10 | ANTE 10, FLOP 20, TURN 10 | 40 | 0 | 0 | 40 | 0 | 1 settled | 40 |
    | TB5 | fold | ANTE 10, BONUS 5 | ANTE 0, BONUS 0 | 15 | 15 | 15 | 0 | -15 | 1 settled | 0 |
    | TB6 | tie | ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 1 | ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 1001 | 51 | 1 | 0 | 1051 | 1000 | 1 settled | 1051 |
    | TB1r | dealer_wins | ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 5 | ANTE 0, FLOP 0, TURN 0, RIVER 0, BONUS 80 | 55 | 55 | 50 | 80 | 25 | 2 recalculated | -90 |
    | TB1v | void | ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 5 | ANTE 10, FLOP 20, TURN 10, RIVER 10, BONUS 5 | 55 | 0 | 0 | 55 | 0 | 3 void | -25 |
  `),
    {
      TB1: 'AH KC 7D 2S 9C|AS KD|QH QS',
      TB2: '7H 6C TD 2S KD|9H 8H|AS KC',
      TB3: 'QS 5H 3C 8D 2H|JD JC|QD 4C',
      TB4: 'KS KD QC QH AS|AH 4D|AC 7S',
      TB5: '9D JS 4H 3C KD|7C 2D|TS 8C',
      TB6: 'KC 9H 6D 4S 2C|AS AH|AD AC',
      TB1r: 'AH KC 7D 2S QC|AS KD|QH QS',
      TB1v: 'AH KC 7D 2S QC|AS KD|QH QS',
    },
  )

  test.each([
    ['AS AH', 30],
    ['AS KS', 25],
    ['KS AS', 25],
    ['AS QS', 20],
    ['AS JS', 20],
    ['AS KH', 15],
    ['KS KH', 10],
    ['QS QH', 10],
    ['JS JH', 10],
    ['AS QH', 5],
    ['JH AS', 5],
    ['TS TH', 3],
    ['2S 2H', 3],
    ['AS TS', -1],
    ['KS QS', -1],
    ['7S 2H', -1],
  ])('the bonus on %s pays %i to 1, also on a fold', (hole, pays) => {
    const settled = settle('thbp', `3C 4C 8D 9D 9C|${hole}|2D 7C`, 'ANTE 1, BONUS 1')
    expect(settled.legs[1]?.return).toBe(10_000n * BigInt(pays + 1))
  })

  test('the bonus has the published edge over all two cards and every dealer', () => {
    const holes = deck.flatMap((high, i) => deck.slice(i + 1).map((low) => [high, low] as const))
    // With aces the dealer has the other two once in 1,225 times.
    const dealers = (hole: readonly Card[]) => {
      const left = deck.filter((card) => !hole.includes(card))
      const aces = left.filter((card) => rankOf(card) === 'A')
      const others = left.filter((card) => rankOf(card) !== 'A')
      return { aces: aces.slice(0, 2), plain: others.slice(0, 2), board: others.slice(2, 7) }
    }
    const bonus = (hole: readonly Card[], dealer: readonly Card[], board: readonly Card[]) =>
      Number(
        settle('thbp', `${board.join(' ')}|${hole.join(' ')}|${dealer.join(' ')}`, 'ANTE 1, BONUS 1').legs[1]?.return,
      )
    const returned = holes.reduce((total, hole) => {
      const { aces, plain, board } = dealers(hole)
      const isAces = hole.every((card) => rankOf(card) === 'A')
      const usual = bonus(hole, plain, board)
      return total + (isAces ? (usual * 1224 + bonus(hole, aces, board)) / 1225 : usual)
    }, 0)
    expect(holes).toHaveLength(1326)
    expect(1 - returned / 10_000 / holes.length).toBeCloseTo(0.0854, 4)
  })
})

describe('placing', () => {
  test.each([
    ['casino', 'ANTE 10', 'accepted'],
    ['casino', 'ANTE 10, AAB 5', 'accepted'],
    ['casino', 'ANTE 10, CALL 20', 'accepted'],
    ['casino', 'ANTE 10, CALL 10', 'multiple-wrong'],
    ['casino', 'ANTE 10, CALL 20.0001', 'multiple-wrong'],
    ['casino', 'AAB 5', 'leg-missing'],
    ['casino', 'CALL 20', 'leg-missing'],
    ['casino', 'ANTE 10, FLOP 20', 'zone-not-offered'],
    ['casino', 'ANTE 10, BONUS 5', 'zone-not-offered'],
    ['casino', 'ANTE 10, ANTE 10', 'zone-twice'],
    ['thbp', 'ANTE 10, BONUS 5', 'accepted'],
    ['thbp', 'ANTE 10, FLOP 20, RIVER 10', 'accepted'],
    ['thbp', 'ANTE 10, FLOP 10', 'multiple-wrong'],
    ['thbp', 'ANTE 10, FLOP 20, TURN 20', 'multiple-wrong'],
    ['thbp', 'ANTE 10, FLOP 20, RIVER 5', 'multiple-wrong'],
    ['thbp', 'ANTE 10, TURN 10', 'leg-after-fold'],
    ['thbp', 'ANTE 10, RIVER 10', 'leg-after-fold'],
    ['thbp', 'BONUS 5', 'leg-missing'],
    ['thbp', 'ANTE 10, CALL 20', 'zone-not-offered'],
    ['thbp', 'ANTE 10, POT 20', 'zone-not-offered'],
    ['classic', 'ANTE 10', 'variant-unknown'],
  ] as const)('%s: %s is %s', (variant, bets, answer) => {
    expect(accept(variant, bets)).toBe(answer)
  })

  test('a slip that states a fold can have no call, and needs none', () => {
    expect(accept('casino', 'ANTE 10, CALL 20', true)).toBe('leg-after-fold')
    expect(accept('thbp', 'ANTE 10, FLOP 20', true)).toBe('leg-after-fold')
    expect(accept('casino', 'ANTE 10, AAB 5', true)).toBe('accepted')
  })

  test('the stages define the possible bets and their amounts', () => {
    expect(holdem.stages('thbp', {}).map(({ moment, zones, timesAnte }) => [moment, zones.join(), timesAnte])).toEqual([
      ['opening', 'ANTE,BONUS', undefined],
      ['hole', 'FLOP', 2],
      ['flop', 'TURN', 1],
      ['turn', 'RIVER', 1],
    ])
  })
})

describe('the table’s cards', () => {
  const seating = { variant: 'casino', settings: {} } as const
  const refusal = (report: Report, variant: Variant = 'casino') => {
    const outcome = holdem.read(report, { variant, settings: {} })
    return isNo(outcome) ? outcome.no : 'read'
  }

  test('a round has no code and no object, only the public cards with an empty hole group', () => {
    expect(holdem.read({ cardInfo: 'AH 7C 2D 9S 4H||QH 4D' }, seating)).toMatchObject({
      code: null,
      cardInfo: 'AH 7C 2D 9S 4H||QH 4D',
      result: null,
      complete: true,
    })
  })

  test.each([
    ['', 'cards-malformed'],
    ['AH 7C 2D 9S 4H', 'cards-malformed'],
    ['AH 7C 2D 9S 4H|QH 4D', 'cards-malformed'],
    ['AH 7C 2D 9S 4H|AS KD|QH 4D', 'cards-malformed'],
    ['AH 7C 2D 9S 4H||QH 4D|', 'cards-malformed'],
    ['AH,7C,2D,9S,4H||QH 4D', 'cards-malformed'],
    ['AH 7C 2D 9S --||QH 4D', 'cards-malformed'],
    ['AH 7C 2D 9S 1H||QH 4D', 'cards-malformed'],
    ['AH 7C 2D 9S||QH 4D', 'cards-impossible'],
    ['AH 7C 2D 9S 4H||QH', 'cards-impossible'],
    ['AH 7C 2D 9S 4H||QH AH', 'cards-impossible'],
  ])('"%s" is refused', (cardInfo, reason) => {
    expect(refusal({ cardInfo })).toBe(reason)
  })

  test('a code cannot replace cards', () => {
    expect(refusal({ code: 'player_wins' })).toBe('result-unclear')
  })

  test('a card in two places, or a slip without its cards, cannot be settled', () => {
    const outcome = holdem.read({ cardInfo: 'AH 7C 2D 9S 4H||QH 4D' }, seating)
    if (isNo(outcome)) throw new Error(outcome.because)
    const bets = [{ zone: 'ANTE', amount: 1n }]
    const wager = (hole: Card[], seat: number) =>
      ({ variant: 'casino', bets, hand: { hole, folded: true, seat } }) as const
    expect(holdem.settle(outcome, [wager(['AH', 'KD'], 1)], {})).toMatchObject({ no: 'cards-impossible' })
    expect(holdem.settle(outcome, [wager(['AS', 'KD'], 1), wager(['KD', '2C'], 2)], {})).toMatchObject({
      no: 'cards-impossible',
    })
    expect(holdem.settle(outcome, [wager(['AS'], 1)], {})).toMatchObject({ no: 'hand-missing' })
    expect(holdem.settle(outcome, [{ variant: 'casino', bets }], {})).toMatchObject({ no: 'hand-missing' })
  })

  test('cards go one at a time to each hand, the dealer last, twice, then to the board', () => {
    const cards = decks(1)
    const { outcome, holes, used } = holdem.deal(cards, { ...seating, hands: 2 })
    // The row is spades from the ace up: AS 2S 3S, 4S 5S 6S, then the board.
    expect(holes).toEqual([
      ['AS', '4S'],
      ['2S', '5S'],
    ])
    expect([outcome.cardInfo, used]).toEqual(['7S 8S 9S TS JS||3S 6S', 11])
  })

  test('several players settle individually against the dealer, in the given order', () => {
    const outcome = holdem.read({ cardInfo: 'AH 7C 2D 9S 4H||QH 4D' }, seating)
    if (isNo(outcome)) throw new Error(outcome.because)
    const bets = [
      { zone: 'ANTE', amount: 10n },
      { zone: 'CALL', amount: 20n },
    ]
    const settled = holdem.settle(
      outcome,
      [
        { variant: 'casino', bets, hand: { hole: ['KS', 'QC'], folded: false, seat: 3 } },
        { variant: 'casino', bets, hand: { hole: ['AS', 'KD'], folded: false, seat: 1 } },
      ],
      {},
    )
    if (isNo(settled)) throw new Error(settled.because)
    expect(settled.map(({ result, payout }) => [result.code, result.cardInfo, payout])).toEqual([
      ['dealer_wins', 'AH 7C 2D 9S 4H|KS QC|QH 4D', 0n],
      ['player_wins', 'AH 7C 2D 9S 4H|AS KD|QH 4D', 60n],
    ])
  })
})
