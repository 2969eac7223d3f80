import { describe, expect, test } from 'vitest'
import type { Settlement } from '../../../src/domain/bets/slip.ts'
import { baccarat, bankerDraws, isNatural, playerDraws } from '../../../src/domain/games/baccarat.ts'
import { type Card, decks, knownCards, ranks } from '../../../src/domain/games/cards.ts'
import { isNo, type Report, type Variant } from '../../../src/domain/games/game.ts'
import { shuffled } from '../../../src/domain/games/shuffle.ts'
import { seededBytes } from '../../../src/kit/ambient.ts'
import { amountsOf, expectRow, type Row, revisionsOf, rowsOf } from './worked.ts'

const seating = { variant: 'classic', settings: {} } as const

function read(report: Report) {
  const outcome = baccarat.read(report, seating)
  if (isNo(outcome)) throw new Error(outcome.because)
  return outcome
}

function settle(report: Report, variant: Variant, bets: string): Settlement {
  const accepted = baccarat.accept({ variant, bets: amountsOf(bets) }, {})
  if (isNo(accepted)) throw new Error(accepted.because)
  const settled = baccarat.settle(read(report), [{ variant, bets: accepted.bets }], {})
  if (isNo(settled) || !settled[0]) throw new Error('not settled')
  return settled[0]
}

const refusal = (report: Report) => {
  const outcome = baccarat.read(report, seating)
  return isNo(outcome) ? outcome.no : 'read'
}

/** The orders of six cards from eight decks: below 2^53, so plain numbers count them exactly. */
const allDeals = 416 * 415 * 414 * 413 * 412 * 411

describe('worked slips', () => {
  const rows = rowsOf(`
    | slip | variant | cards | code | bets | returns | stake | validStake | rolling | payout | winLoss | rev, status | delta |
    | BA1 | classic | 5H4S3C5D---- | 1 | B 100, T 10, BP 5 | B 195, T 0, BP 0 | 115 | 115 | 15 | 195 | 80 | 1 settled | 195 |
    | BA2 | classic | 2H8C3D5S8D-- | 0 | B 100, P 40, T 20 | B 100, P 40, T 180 | 160 | 20 | 0 | 320 | 160 | 1 settled | 320 |
    | BA3 | classic | KS4H7D2C---- | 2 | B 100, P 60 | B 0, P 120 | 160 | 40 | 100 | 120 | -40 | 1 settled | 120 |
    | BA4 | classic | 5H4S3C5D---- | 1 | B 33.3333 | B 64.9999 | 33.3333 | 33.3333 | 0 | 64.9999 | 31.6666 | 1 settled | 64.9999 |
    | BA5 | nocomm | QD3D4C3SAH-- | 7 | B 100, S6 10, BP 5 | B 150, S6 130, BP 60 | 115 | 115 | 0 | 340 | 225 | 1 settled | 340 |
    | BA6 | nocomm | 5H4S3C5D---- | 1 | B 100, S6 10, PP 5 | B 200, S6 0, PP 0 | 115 | 115 | 5 | 200 | 85 | 1 settled | 200 |
    | BA7 | nocomm | 2SJC2DQH5C7S | A | P 50, S6 20, PP 10 | P 100, S6 0, PP 120 | 80 | 80 | 0 | 220 | 140 | 1 settled | 220 |
    | BA8 | classic | 3C8D3H8S---- | C | B 200, T 25, BP 10, PP 10 | B 200, T 225, BP 120, PP 120 | 245 | 45 | 0 | 665 | 420 | 1 settled | 665 |
    | BA6r | nocomm | TSASTH4H4DAC | B | B 100, S6 10, PP 5 | B 150, S6 130, PP 60 | 115 | 115 | 0 | 340 | 225 | 2 recalculated | 140 |
    | BA1r | classic | KS4H7D2C---- | 2 | B 100, T 10, BP 5 | B 0, T 0, BP 0 | 115 | 115 | 115 | 0 | -115 | 2 recalculated | -195 |
    | BA1v | classic | KS4H7D2C---- | 2 | B 100, T 10, BP 5 | B 100, T 10, BP 5 | 115 | 0 | 0 | 115 | 0 | 3 void | 115 |
    | BA9v | classic | | | P 70 | P 70 | 70 | 0 | 0 | 70 | 0 | 1 void | 70 |
  `)
  const revisions = revisionsOf(rows, {
    bets: (row) => amountsOf(row['bets'] ?? ''),
    settle: (row) => settle({ cardInfo: row['cards'] ?? '' }, row['variant'] as Variant, row['bets'] ?? ''),
  })

  test.each(rows)('$slip: $bets on $cards', (row: Row) => {
    const revision = revisions.get(row['slip'] ?? '')
    expectRow(row, revision)
    expect(revision?.result.cardInfo).toBe(row['cards'])
  })

  test('the same slips settle the same if only the code is known, without a card string', () => {
    for (const row of rows.filter((each) => each['rev, status']?.startsWith('1 settled'))) {
      const settlement = settle({ code: row['code'] ?? '' }, row['variant'] as Variant, row['bets'] ?? '')
      expectRow(row, { ...settlement, rev: 1, status: 'settled', delta: settlement.payout })
      expect(settlement.result).toEqual({ code: row['code'], cardInfo: '' })
    }
  })
})

describe('drawing', () => {
  // The rule book's table, row by row: banker's points against the player's third card 0 to 9.
  const drawn: Record<number, string> = {
    0: 'dddddddddd',
    1: 'dddddddddd',
    2: 'dddddddddd',
    3: 'ddddddddsd',
    4: 'ssddddddss',
    5: 'ssssddddss',
    6: 'ssssssddss',
    7: 'ssssssssss',
  }

  test.each(Object.entries(drawn))('a banker on %s draws and stands by the table', (banker, row) => {
    for (let third = 0; third <= 9; third++) {
      expect([third, bankerDraws(Number(banker), third)]).toEqual([third, row[third] === 'd'])
    }
  })

  test('a banker whose player stood draws up to five, so a six stands that would draw to a six', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map((points) => bankerDraws(points, null))).toEqual([
      ...Array(6).fill(true),
      false,
      false,
    ])
    expect(bankerDraws(6, 6)).toBe(true)
  })

  test('the player draws up to five', () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7].map(playerDraws)).toEqual([...Array(6).fill(true), false, false])
  })

  test('a dealt round can be read back, and has four to six cards', () => {
    const bytes = seededBytes('baccarat')
    const lengths = new Set<number>()
    for (let i = 0; i < 2000; i++) {
      const { outcome, used, holes } = baccarat.deal(shuffled(decks(8), bytes).slice(0, 6), seating)
      expect(baccarat.read({ cardInfo: outcome.cardInfo ?? '' }, seating)).toEqual(outcome)
      expect(used).toBe((outcome.cardInfo?.replaceAll('-', '').length ?? 0) / 2)
      expect(holes).toEqual([])
      lengths.add(used)
    }
    expect([...lengths].sort()).toEqual([4, 5, 6])
  })
})

describe('too few cards', () => {
  // KS+7D against 4H+2C: both stand on seven and six, so no fifth card is needed. The shoe must still contain six.
  test.each([0, 3, 4, 5])('%i cards deal no round', (count) => {
    const cards = knownCards(['KS', '4H', '7D', '2C', '3D', '9S']) ?? []
    expect(() => baccarat.deal(cards.slice(0, count), seating)).toThrow('six cards')
    expect(baccarat.deal(cards, seating)).toMatchObject({ used: 4, outcome: { code: '2' } })
  })
})

describe('the result', () => {
  // One deal for each code, banker pair and player pair made by hand.
  const deals: Record<string, string> = {
    '0': '2H8C3D5S8D--',
    '1': '5H4S3C5D----',
    '2': 'KS4H7D2C----',
    '3': 'KS4H4D2CKD--',
    '4': '3C9D5H9S----',
    '5': '3C4D4H4S----',
    '6': '3C9D6H9S----',
    '7': 'QD3D4C3SAH--',
    '8': '4C7D4HAS----',
    '9': '2C7D2H2S----',
    A: '2SJC2DQH5C7S',
    B: 'TSASTH4H4DAC',
    C: '3C8D3H8S----',
    D: '3C4D3H4S----',
    E: '4C3D4H3S----',
    F: 'TC3DTH3S5D--',
  }

  test.each(Object.entries(deals))('code %s results from a deal and agrees with its cards', (code, cardInfo) => {
    const outcome = baccarat.read({ cardInfo }, seating)
    if (isNo(outcome)) throw new Error(`${code}: ${outcome.because}`)
    expect(outcome.code).toBe(code)
    const { winner, bankerWonWithSix, playerPair, bankerPair } = read({ code })
    expect(outcome).toMatchObject({ winner, bankerWonWithSix, playerPair, bankerPair, complete: true })
  })

  test('there are deals for all sixteen codes', () => {
    expect(Object.keys(deals).join('')).toBe('0123456789ABCDEF')
  })

  test('the object has the dealt cards, the points and the pairs', () => {
    expect(read({ cardInfo: 'QD3D4C3SAH--' }).result).toEqual({
      cards: { P1: 'QD', B1: '3D', P2: '4C', B2: '3S', P3: 'AH' },
      player: 5,
      banker: 6,
      winner: 'B',
      playerPair: false,
      bankerPair: true,
    })
  })

  test('points without cards make an object without cards', () => {
    expect(read({ code: 'B', points: { player: 4, banker: 6 } })).toMatchObject({
      code: 'B',
      cardInfo: null,
      complete: false,
      result: { cards: {}, player: 4, banker: 6, winner: 'B', playerPair: true, bankerPair: false },
    })
  })

  test('a code alone settles every slip but makes no object, as the points are unknown', () => {
    expect(read({ code: '3' })).toMatchObject({ code: '3', cardInfo: null, result: null, complete: false })
  })

  test.each([
    ['points of another winner', { code: '1', points: { player: 9, banker: 4 } }],
    ['a six that contradicts the code', { code: '1', points: { player: 4, banker: 6 } }],
    ['no six although the code requires it', { code: '3', points: { player: 4, banker: 7 } }],
    ['a lower-case code', { code: 'b' }],
    ['a code of two characters', { code: '10' }],
    ['no code', { code: '' }],
  ])('%s is refused', (_, report) => {
    expect(refusal(report)).toBe('code-impossible')
  })

  test.each([
    ['0', 0, 0, 'T'],
    ['1', 0, 9, 'B'],
    ['2', 9, 0, 'P'],
    ['3', 0, 6, 'B'],
  ])('code %s with the points %i and %i is read, also with one of them alone', (code, player, banker, winner) => {
    expect(read({ code, points: { player, banker } }).result).toMatchObject({ player, banker, winner })
  })

  test('impossible points are rejected', () => {
    expect(refusal({ code: '2', points: { player: 4, banker: -1 } })).toBe('result-unclear')
    expect(refusal({ code: '1', points: { player: 4 } })).toBe('result-unclear')
    expect(refusal({ code: '1', points: { player: 4, banker: 10 } })).toBe('result-unclear')
    expect(refusal({ code: '1', points: { player: 4.5, banker: 9 } })).toBe('result-unclear')
  })
})

describe('impossible card strings', () => {
  test.each([
    ['too short', '5H4S3C5D--', 'cards-malformed'],
    ['too long', '5H4S3C5D------', 'cards-malformed'],
    ['an unknown rank', '1H4S3C5D----', 'cards-malformed'],
    ['an unknown suit', '5X4S3C5D----', 'cards-malformed'],
    ['lower case', '5h4s3c5d----', 'cards-malformed'],
    ['a first card that was not dealt', '--4S3C5D----', 'cards-malformed'],
    ['an unknown third card', '2H8C3D5SXX--', 'cards-malformed'],
    ['a third card after a natural', '5H4S3C5D2C--', 'cards-impossible'],
    ['no third card for a player on five', '2H8C3D5S----', 'cards-impossible'],
    ['a third card for a player on seven', 'KS4H7D2C3D--', 'cards-impossible'],
    ['a third card for a banker on three against an eight', '2H8C3D5S8D2C', 'cards-impossible'],
    ['no third card for a banker on three against a nine', '2H8C3D5S9D--', 'cards-impossible'],
    ['a third card for a banker on six whose player stood', 'KS4H7D2C--5D', 'cards-impossible'],
    ['no third card for a banker on five whose player stood', 'KS4H7DAC----', 'cards-impossible'],
  ])('%s: %s', (_, cardInfo, reason) => {
    expect(refusal({ cardInfo })).toBe(reason)
  })

  test('a banker whose player stood draws into the last slot', () => {
    expect(read({ cardInfo: 'KS4H7DAC--3D' }).code).toBe('1')
  })

  test('the same card six times in a round is possible with eight decks', () => {
    expect(read({ cardInfo: '2C2C2C2C2C2C' }).code).toBe('C')
  })
})

describe('placing', () => {
  const answer = (variant: Variant, bets: string) => {
    const accepted = baccarat.accept({ variant, bets: bets === '' ? [] : amountsOf(bets) }, {})
    return isNo(accepted) ? accepted.no : accepted
  }

  test('Super Six is a zone of the variant without commission only', () => {
    expect(answer('classic', 'S6 10')).toBe('zone-not-offered')
    expect(answer('nocomm', 'S6 10')).toEqual({ bets: [{ zone: 'S6', amount: 100_000n }], stake: 100_000n, hold: 0n })
  })

  test.each([
    ['', 'bets-missing'],
    ['B 0', 'amount-not-positive'],
    ['B -5', 'amount-not-positive'],
    ['B 5, B 5', 'zone-twice'],
    ['D 5', 'zone-not-offered'],
    ['b 5', 'zone-not-offered'],
    ['B 999999999999999, P 1', 'amount-too-large'],
  ])('"%s" is refused: %s', (bets, reason) => {
    expect(answer('classic', bets)).toBe(reason)
  })

  test('a variant of another game is rejected', () => {
    expect(answer('nlhe', 'B 5')).toBe('variant-unknown')
  })

  test('side zones can be bet alone', () => {
    expect(answer('classic', 'PP 5')).toMatchObject({ stake: 50_000n })
  })
})

describe('published figures, by counting every deal of an eight-deck shoe', () => {
  const odds = everyDeal()

  // The published counts of six cards in order, exactly.
  test('banker, player and tie occur exactly as often as published', () => {
    expect(odds.counts).toMatchObject({
      banker: 2_292_252_566_437_888,
      player: 2_230_518_282_592_256,
      tie: 475_627_426_473_216,
    })
    expect(odds.counts.banker + odds.counts.player + odds.counts.tie).toBe(allDeals)
    expect([odds.share('banker'), odds.share('player'), odds.share('tie')].map((share) => share.toFixed(6))).toEqual([
      '0.458597',
      '0.446247',
      '0.095156',
    ])
  })

  test('the house edges equal the published ones', () => {
    const edge = (zone: string, variant: Variant) => -odds.expected(zone, variant)
    expect(edge('B', 'classic')).toBeCloseTo(0.0106, 4)
    expect(edge('P', 'classic')).toBeCloseTo(0.0124, 4)
    expect(edge('T', 'classic')).toBeCloseTo(0.1436, 4)
    expect(edge('B', 'nocomm')).toBeCloseTo(0.0146, 4)
    expect(edge('S6', 'nocomm')).toBeCloseTo(0.2998, 4)
    expect(odds.share('six')).toBeCloseTo(0.0539, 4)
  })

  test('a pair at 11 to 1 has the published edge: 31 of the other 415 cards have the first one’s rank', () => {
    expect(-((31 / 415) * net('BP', '4', 'classic') + (384 / 415) * net('BP', '0', 'classic'))).toBeCloseTo(0.1036, 4)
  })

  /** Win or loss of a stake of 1 under a code, computed by the game itself. */
  function net(zone: string, code: string, variant: Variant): number {
    return Number(settle({ code }, variant, `${zone} 1`).winLoss) / 10_000
  }

  /**
   * Every order of six cards by points, counted in whole numbers: deals of fewer cards count once for each
   * continuation.
   */
  function everyDeal() {
    const left = [128, 32, 32, 32, 32, 32, 32, 32, 32, 32]
    const counts = { banker: 0, player: 0, tie: 0, six: 0 }
    const count = (player: number, banker: number, ways: number) => {
      if (player === banker) counts.tie += ways
      else if (player > banker) counts.player += ways
      else counts.banker += ways
      if (banker > player && banker === 6) counts.six += ways
    }
    const each = (ways: number, use: (points: number, ways: number) => void) => {
      for (let points = 0; points <= 9; points++) {
        const there = left[points] ?? 0
        left[points] = there - 1
        use(points, ways * there)
        left[points] = there
      }
    }
    each(1, (p1, a) =>
      each(a, (b1, b) =>
        each(b, (p2, c) =>
          each(c, (b2, ways) => {
            const player = (p1 + p2) % 10
            const banker = (b1 + b2) % 10
            if (isNatural(player) || isNatural(banker)) count(player, banker, ways * 412 * 411)
            else if (playerDraws(player)) {
              each(ways, (p3, d) => {
                const drawn = (player + p3) % 10
                if (bankerDraws(banker, p3)) each(d, (b3, e) => count(drawn, (banker + b3) % 10, e))
                else count(drawn, banker, d * 411)
              })
            } else if (bankerDraws(banker, null)) each(ways, (b3, d) => count(player, (banker + b3) % 10, d * 411))
            else count(player, banker, ways * 412 * 411)
          }),
        ),
      ),
    )
    const share = (which: keyof typeof counts) => counts[which] / allDeals
    const byCode = { 0: share('tie'), 1: share('banker') - share('six'), 2: share('player'), 3: share('six') }
    const expected = (zone: string, variant: Variant) =>
      Object.entries(byCode).reduce((total, [code, chance]) => total + chance * net(zone, code, variant), 0)
    return { counts, share, expected }
  }
})

test('the cards agree with their points, counted by the drawing rules alone', () => {
  const cardOf = (points: number): Card => `${ranks[(points + 9) % 10] ?? 'A'}S`
  const bytes = seededBytes('points')
  for (let i = 0; i < 3000; i++) {
    const points = [...bytes(6)].map((byte) => byte % 10)
    const { outcome } = baccarat.deal(points.map(cardOf), seating)
    expect([points, [outcome.winner, outcome.bankerWonWithSix]]).toEqual([points, byRules(points)])
  }

  function byRules([p1 = 0, b1 = 0, p2 = 0, b2 = 0, next = 0, last = 0]: readonly number[]) {
    let [player, banker] = [(p1 + p2) % 10, (b1 + b2) % 10]
    if (!isNatural(player) && !isNatural(banker)) {
      const drawn = playerDraws(player)
      if (bankerDraws(banker, drawn ? next : null)) banker += drawn ? last : next
      if (drawn) player += next
    }
    const [p, b] = [player % 10, banker % 10]
    return [p === b ? 'T' : p > b ? 'P' : 'B', b > p && b === 6]
  }
})
