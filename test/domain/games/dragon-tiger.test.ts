import { describe, expect, test } from 'vitest'
import type { Settlement } from '../../../src/domain/bets/slip.ts'
import { type Card, deck, decks } from '../../../src/domain/games/cards.ts'
import { dragonTiger } from '../../../src/domain/games/dragon-tiger.ts'
import { isNo, type Report, type TableSettings } from '../../../src/domain/games/game.ts'
import { amountsOf, expectRow, revisionsOf, rowsOf, spelled } from './worked.ts'

const settings: TableSettings = { sideBets: true }
const seating = { variant: 'standard', settings } as const
const variant = 'standard'

function settle(report: Report, bets: string): Settlement {
  const accepted = dragonTiger.accept({ variant, bets: amountsOf(bets) }, settings)
  const outcome = dragonTiger.read(report, seating)
  if (isNo(accepted) || isNo(outcome)) throw new Error(JSON.stringify([accepted, outcome]))
  const settled = dragonTiger.settle(outcome, [{ variant, bets: accepted.bets }], settings)
  if (isNo(settled) || !settled[0]) throw new Error('not settled')
  return settled[0]
}

const refusal = (report: Report) => {
  const outcome = dragonTiger.read(report, seating)
  return isNo(outcome) ? outcome.no : 'read'
}

describe('worked slips', () => {
  const rows = rowsOf(`
    | slip | cards | code | bets | returns | stake | validStake | rolling | payout | winLoss | rev, status | delta |
    | DT1 | KS7H | 1 | D 100 | D 200 | 100 | 100 | 0 | 200 | 100 | 1 settled | 200 |
    | DT2 | 7C7D | 4 | D 100, T 10 | D 50, T 90 | 110 | 60 | 50 | 140 | 30 | 1 settled | 140 |
    | DT3 | QHQH | C | TG 40, T 10, ST 5 | TG 20, T 90, ST 255 | 55 | 35 | 20 | 365 | 310 | 1 settled | 365 |
    | DT4 | 3SJD | 2 | D 100, TG 30 | D 0, TG 60 | 130 | 70 | 100 | 60 | -70 | 1 settled | 60 |
    | DT5 | 7HAC | 1 | DB 20, DS 20, DO 10, TS 15, TO 5 | DB 0, DS 0, DO 0, TS 30, TO 10 | 70 | 30 | 50 | 40 | -30 | 1 settled | 40 |
    | DT6 | 3SJD | 2 | DO 25, DS 25, TB 25, TE 25 | DO 50, DS 50, TB 50, TE 0 | 100 | 100 | 25 | 150 | 50 | 1 settled | 150 |
    | DT7 | 7C7D | 4 | D 100, TG 60 | D 50, TG 30 | 160 | 20 | 80 | 80 | -80 | 1 settled | 80 |
    | DT8 | 7C7D | 4 | D 0.0003 | D 0.0001 | 0.0003 | 0.0002 | 0.0002 | 0.0001 | -0.0002 | 1 settled | 0.0001 |
    | DT1r | 7C7D | 4 | D 100 | D 50 | 100 | 50 | 50 | 50 | -50 | 2 recalculated | -150 |
    | DT1v | 7C7D | 4 | D 100 | D 100 | 100 | 0 | 0 | 100 | 0 | 3 void | 50 |
    | DT9v | | | T 12.5 | T 12.5 | 12.5 | 0 | 0 | 12.5 | 0 | 1 void | 12.5 |
  `)
  const revisions = revisionsOf(rows, {
    bets: (row) => amountsOf(row['bets'] ?? ''),
    settle: (row) => settle({ cardInfo: row['cards'] ?? '' }, row['bets'] ?? ''),
  })

  test.each(rows)('$slip: $bets on $cards', (row) => {
    const revision = revisions.get(row['slip'] ?? '')
    expectRow(row, revision)
    expect(revision?.result.cardInfo).toBe(row['cards'])
  })
})

describe('the result', () => {
  test('the object names both cards, their ranks, the winner and whether a tie was suited', () => {
    expect(dragonTiger.read({ cardInfo: 'KS7H' }, seating)).toMatchObject({
      code: '1',
      cardInfo: 'KS7H',
      complete: true,
      result: { cards: { D: 'KS', TG: '7H' }, dragon: 13, tiger: 7, winner: 'D', suitedTie: false },
    })
    expect(dragonTiger.read({ cardInfo: 'QHQH' }, seating)).toMatchObject({
      code: 'C',
      result: { winner: 'T', suitedTie: true },
    })
  })

  test('an ace is the lowest', () => {
    expect(dragonTiger.read({ cardInfo: 'AS2C' }, seating)).toMatchObject({ code: '2', result: { dragon: 1 } })
  })

  test('dealing takes two cards, dragon first', () => {
    const { outcome, used } = dragonTiger.deal(['3S', 'JD', '5C'], seating)
    expect([outcome.cardInfo, used]).toEqual(['3SJD', 2])
  })

  test.each([
    ['KS', 'cards-malformed'],
    ['KS7H2C', 'cards-malformed'],
    ['KS--', 'cards-malformed'],
    ['1S7H', 'cards-malformed'],
    ['', 'cards-malformed'],
    ['KS 7H', 'cards-malformed'],
  ])('the card string "%s" is refused', (cardInfo, reason) => {
    expect(refusal({ cardInfo })).toBe(reason)
  })
})

describe('a result without cards', () => {
  test('points make an object without cards, and decide the bets on one card', () => {
    const report = { code: '1', points: { dragon: 13, tiger: 7 } }
    expect(dragonTiger.read(report, seating)).toMatchObject({
      code: '1',
      cardInfo: null,
      complete: false,
      result: { cards: {}, dragon: 13, tiger: 7, winner: 'D', suitedTie: false },
    })
    expect(spelled(settle(report, 'D 10, DB 5, DO 5, TS 5'))).toMatchObject({
      returns: 'D 20, DB 10, DO 10, TS 0',
      validStake: '25',
    })
  })

  test('a code alone decides the main zones, and bets on one card are returned', () => {
    expect(dragonTiger.read({ code: '1' }, seating)).toMatchObject({ result: null, complete: false })
    expect(spelled(settle({ code: '1' }, 'D 10, TG 4, DB 5, TE 5'))).toMatchObject({
      returns: 'D 20, TG 0, DB 5, TE 5',
      stake: '24',
      validStake: '6',
      rolling: '4',
      payout: '30',
    })
  })

  test('a tie with unknown suits returns a suited-tie bet, and has code 4', () => {
    const report = { code: '4', points: { dragon: 9, tiger: 9 } }
    expect(dragonTiger.read(report, seating)).toMatchObject({ code: '4', result: { suitedTie: false } })
    expect(spelled(settle(report, 'T 10, ST 5'))).toMatchObject({
      returns: 'T 90, ST 5',
      validStake: '10',
      rolling: '0',
    })
  })

  test('a tie stated as two suits loses a suited-tie bet, one of one suit wins it', () => {
    expect(spelled(settle({ code: '4', suitedTie: false }, 'ST 5'))).toMatchObject({ returns: 'ST 0', rolling: '5' })
    expect(spelled(settle({ code: 'C' }, 'ST 5'))).toMatchObject({ returns: 'ST 255', validStake: '5' })
    expect(settle({ code: '4', suitedTie: true }, 'ST 5').result.code).toBe('C')
  })

  test('a dragon or tiger win loses a suited-tie bet without any statement about suits', () => {
    expect(spelled(settle({ code: '2' }, 'ST 5'))).toMatchObject({ returns: 'ST 0', validStake: '5', rolling: '5' })
  })

  test.each([
    [{ code: '8' }, 'code-impossible'],
    [{ code: '3' }, 'code-impossible'],
    [{ code: '0' }, 'code-impossible'],
    [{ code: 'c' }, 'code-impossible'],
    [{ code: '' }, 'code-impossible'],
    [{ code: 'C', suitedTie: false }, 'code-impossible'],
    [{ code: '1', suitedTie: true }, 'code-impossible'],
    [{ code: '1', points: { dragon: 5, tiger: 7 } }, 'code-impossible'],
    [{ code: '4', points: { dragon: 5, tiger: 7 } }, 'code-impossible'],
    [{ code: '1', points: { dragon: 14, tiger: 7 } }, 'result-unclear'],
    [{ code: '1', points: { dragon: 9, tiger: 0 } }, 'result-unclear'],
    [{ code: '1', points: { dragon: 9 } }, 'result-unclear'],
  ])('%j is refused: %s', (report, reason) => {
    expect(refusal(report)).toBe(reason)
  })
})

describe('placing', () => {
  test('big, small, odd and even can be bet only if they are enabled', () => {
    for (const zone of ['DB', 'DS', 'DO', 'DE', 'TB', 'TS', 'TO', 'TE']) {
      const order = { variant, bets: [{ zone, amount: 1n }] } as const
      expect(dragonTiger.accept(order, {})).toMatchObject({ no: 'zone-not-offered' })
      expect(dragonTiger.accept(order, { sideBets: false })).toMatchObject({ no: 'zone-not-offered' })
      expect(dragonTiger.accept(order, settings)).toMatchObject({ stake: 1n, hold: 0n })
    }
  })

  test('the main zones can always be bet', () => {
    expect(dragonTiger.accept({ variant, bets: amountsOf('D 1, TG 1, T 1, ST 1') }, {})).toMatchObject({
      stake: 40_000n,
    })
  })

  test('a variant of another game is refused', () => {
    expect(dragonTiger.accept({ variant: 'classic', bets: amountsOf('D 1') }, {})).toMatchObject({
      no: 'variant-unknown',
    })
  })
})

describe('every card against every card', () => {
  const pairs = deck.flatMap((dragon) => deck.map((tiger) => ({ dragon, tiger })))
  const bets = 'D 1, TG 1, T 1, ST 1, DB 1, DS 1, DO 1, DE 1, TB 1, TS 1, TO 1, TE 1'
  const won = (cardInfo: string) =>
    new Map(settle({ cardInfo }, bets).legs.map((leg) => [leg.zone, leg.return - leg.amount]))

  test('a seven wins none of its four zones, every other card exactly two', () => {
    for (const { dragon, tiger } of pairs) {
      const wins = won(`${dragon}${tiger}`)
      const count = (zones: string[]) => zones.filter((zone) => (wins.get(zone) ?? 0n) > 0n).length
      expect(count(['DB', 'DS'])).toBe(dragon.startsWith('7') ? 0 : 1)
      expect(count(['DO', 'DE'])).toBe(dragon.startsWith('7') ? 0 : 1)
      expect(count(['TB', 'TS'])).toBe(tiger.startsWith('7') ? 0 : 1)
      expect(count(['TO', 'TE'])).toBe(tiger.startsWith('7') ? 0 : 1)
    }
  })

  test('the house edges over a full shoe of eight decks are the published ones', () => {
    const ways = (dragon: Card, tiger: Card) => 8 * (dragon === tiger ? 7 : 8)
    const all = decks(8).length * (decks(8).length - 1)
    const net: Record<string, number> = {}
    let [ties, suited] = [0, 0]
    for (const { dragon, tiger } of pairs) {
      const weight = ways(dragon, tiger)
      for (const [zone, units] of won(`${dragon}${tiger}`)) {
        net[zone] = (net[zone] ?? 0) + (Number(units) / 10_000) * weight
      }
      if (dragon[0] === tiger[0]) ties += weight
      if (dragon === tiger) suited += weight
    }
    const edge = (zone: string) => Number((-(net[zone] ?? 0) / all).toFixed(4))
    expect([ties / all, suited / all].map((share) => Number(share.toFixed(4)))).toEqual([0.0747, 0.0169])
    expect([edge('D'), edge('TG'), edge('T'), edge('ST')]).toEqual([0.0373, 0.0373, 0.3277, 0.1398])
    for (const zone of ['DB', 'DS', 'DO', 'DE', 'TB', 'TS', 'TO', 'TE']) expect(edge(zone)).toBe(0.0769)
  })
})
