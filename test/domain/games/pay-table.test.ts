import { describe, expect, test } from 'vitest'
import { games } from '../../../src/domain/games/index.ts'
import { bankerDrawTable, payTable } from '../../../src/domain/games/pay-table.ts'

/** Figures of the rules of document 1, in its order. */
const lines = (name: 'baccarat' | 'dragontiger' | 'holdem' | 'niuniu', variant: string, settings = {}) =>
  payTable(games[name], variant as 'classic', settings).map(
    ({ zone, when, pays }) => `${zone}${when === null ? '' : ` ${when}`} ${pays}`,
  )

describe('the pay table of', () => {
  test('baccarat, with and without commission', () => {
    expect(lines('baccarat', 'classic')).toEqual(['B 0.95', 'P 1', 'T 8', 'BP 11', 'PP 11'])
    expect(lines('baccarat', 'nocomm')).toEqual(['B 1', 'B six 0.5', 'P 1', 'T 8', 'BP 11', 'PP 11', 'S6 12'])
  })

  test('dragon tiger: a tie returns half', () => {
    const main = ['D 1', 'D tie -0.5', 'TG 1', 'TG tie -0.5', 'T 8', 'ST 50']
    expect(lines('dragontiger', 'standard')).toEqual(main)
    const sides = ['DB', 'DS', 'DO', 'DE', 'TB', 'TS', 'TO', 'TE'].map((zone) => `${zone} 1`)
    expect(lines('dragontiger', 'standard', { sideBets: true })).toEqual([...main, ...sides])
  })

  test('Niu Niu, also with a commission and special hands', () => {
    expect(lines('niuniu', 'standard')).toEqual(['P1E 1', 'P1D rank1 1', 'P1D rank7 2', 'P1D rank10 3'])
    expect(lines('niuniu', 'standard', { commission: '0.05', specialHands: true })).toEqual([
      'P1E 0.95',
      'P1D rank1 0.95',
      'P1D rank7 1.9',
      'P1D rank10 2.85',
      'P1D rank11 4.75',
      'P1D rank12 4.75',
      'P1D rank13 4.75',
    ])
  })

  test('Casino Hold’em', () => {
    expect(lines('holdem', 'casino')).toEqual([
      'ANTE royal 100',
      'ANTE straightFlush 20',
      'ANTE quads 10',
      'ANTE fullHouse 3',
      'ANTE flush 2',
      'ANTE lower 1',
      'CALL 1',
      'AAB royal 100',
      'AAB straightFlush 50',
      'AAB quads 40',
      'AAB fullHouse 30',
      'AAB flush 20',
      'AAB aces 7',
    ])
  })

  test('Bonus Poker', () => {
    expect(lines('holdem', 'thbp')).toEqual([
      'ANTE straight 1',
      'FLOP 1',
      'TURN 1',
      'RIVER 1',
      'BONUS A-A + A-A 1000',
      'BONUS A-A 30',
      'BONUS A-K ♠♠ 25',
      'BONUS A-Q, A-J ♠♠ 20',
      'BONUS A-K 15',
      'BONUS K-K, Q-Q, J-J 10',
      'BONUS A-Q, A-J 5',
      'BONUS T-T – 2-2 3',
    ])
  })

  test('no-limit Hold’em is empty: players share the pot', () => {
    expect(lines('holdem', 'nlhe')).toEqual([])
  })
})

test('the banker draws by the table of the rulebook', () => {
  expect(bankerDrawTable().map(({ points, on }) => `${points}:${on.join('')}`)).toEqual([
    '0:0123456789',
    '1:0123456789',
    '2:0123456789',
    '3:012345679',
    '4:234567',
    '5:4567',
    '6:67',
    '7:',
  ])
})
