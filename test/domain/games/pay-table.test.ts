import { describe, expect, test } from 'vitest'
import { games } from '../../../src/domain/games/index.ts'
import { bankerDrawTable, payTable } from '../../../src/domain/games/pay-table.ts'
import { formatAmount, parseAmount } from '../../../src/domain/money.ts'
import * as baccarat from '../../rulebook/casino/games/baccarat.ts'
import * as dragonTiger from '../../rulebook/casino/games/dragon-tiger.ts'
import * as holdem from '../../rulebook/casino/games/holdem.ts'
import * as niuniu from '../../rulebook/casino/games/niuniu.ts'

/** Expected figures are those of the rulebook, in its order. */
const lines = (name: 'baccarat' | 'dragontiger' | 'holdem' | 'niuniu', variant: string, settings = {}) =>
  payTable(games[name], variant as 'classic', settings).map(line)

const line = ({ zone, when, pays }: { zone: string; when?: string | null; pays: string | number }) =>
  `${zone}${when ? ` ${when}` : ''} ${pays}`

describe('the pay table of', () => {
  test.each(['classic', 'nocomm'] as const)('baccarat, %s', (variant) => {
    const expected = baccarat.bets
      .filter((bet) => bet.variant === variant)
      .map(({ zone, wins: [first, ...others], pays: [times, of] }) => ({
        zone,
        // Only the bet on the banker has a win of its own for a six.
        when: zone === 'B' && first === 'bankerWithSix' && others.length === 0 ? 'six' : null,
        pays: String(times / of),
      }))
    expect(lines('baccarat', variant)).toEqual(expected.map(line))
  })

  test('dragon tiger: a tie returns half', () => {
    const main = dragonTiger.pairBets.flatMap(({ zone, pays, onTie }) => [
      { zone, pays },
      ...(onTie === 'half' ? [{ zone, when: 'tie', pays: '-0.5' }] : []),
    ])
    expect(lines('dragontiger', dragonTiger.variant)).toEqual(main.map(line))
    const sides = dragonTiger.zones.whenTurnedOn.map((zone) => ({
      zone,
      pays: dragonTiger.cardBets.find((bet) => bet.zones.some((each) => each === zone))?.pays ?? '',
    }))
    expect(lines('dragontiger', dragonTiger.variant, { sideBets: true })).toEqual([...main, ...sides].map(line))
  })

  test('Niu Niu: every rank of a double bet, also with a commission and special hands', () => {
    const [equal, double] = ['P1E', 'P1D']
    const rows = (of: readonly { zone: string; when: string | null; pays: string }[]) => ({
      equal: of.filter(({ zone }) => zone === equal).map(({ pays }) => pays),
      double: of
        .filter(({ zone }) => zone === double)
        .flatMap(({ when, pays }) => {
          const [first = 0, last = first] = when?.replace('rank', '').split('-').map(Number) ?? []
          return Array.from({ length: last - first + 1 }, (_, i) => [first + i, pays])
        }),
    })
    const net = (multiplier: number, rate: string) =>
      formatAmount((parseAmount('1') - parseAmount(rate)) * BigInt(multiplier))
    const { none, example, equalWin } = niuniu.commission
    for (const specialHands of [false, true])
      for (const [commission, win] of [
        [none, '1'],
        [example, equalWin],
      ] as const) {
        const expected = niuniu.handRanks
          .filter(({ special }) => specialHands || !special)
          .map(({ rank }) => [rank, net(niuniu.multipliers[rank] ?? 0, commission)])
        expect(rows(payTable(games.niuniu, 'standard', { commission, specialHands }))).toEqual({
          equal: [win],
          double: expected,
        })
      }
    expect(lines('niuniu', 'standard')).toEqual(['P1E 1', 'P1D rank0-6 1', 'P1D rank7-9 2', 'P1D rank10 3'])
  })

  test('Casino Hold’em', () => {
    const names = {
      'royal flush': 'royal',
      'straight flush': 'straightFlush',
      'four of a kind': 'quads',
      'full house': 'fullHouse',
      flush: 'flush',
    }
    const antes = Object.entries(names).map(([hand, when]) => ({
      zone: 'ANTE',
      when,
      pays: holdem.antePays[hand as 'flush'],
    }))
    const [lower, ...rest] = new Set(
      Object.entries(holdem.antePays).flatMap(([hand, pays]) => (hand in names ? [] : [pays])),
    )
    expect(rest).toEqual([])
    const bonuses = Object.entries(names).map(([hand, when]) => ({
      zone: 'AAB',
      when,
      pays: holdem.aabPays.find((row) => row.hand.startsWith(hand))?.pays ?? '',
    }))
    const aces = holdem.aabPays.find((row) => row.hand === 'pair of aces')?.pays ?? ''
    expect(lines('holdem', 'casino')).toEqual(
      [
        ...antes,
        { zone: 'ANTE', when: 'lower', pays: lower ?? '' },
        { zone: 'CALL', pays: holdem.casinoOutcomes.find(({ call }) => call === '1:1')?.call.split(':')[0] ?? '' },
        ...bonuses,
        { zone: 'AAB', when: 'aces', pays: aces },
      ].map(line),
    )
  })

  test('Bonus Poker', () => {
    const bonuses = holdem.bonusPays.map(({ ranks, suited, pays }) => {
      const names = ranks.map((pair) => [...pair].join('-'))
      const when = names.length > 3 ? `${names[0]} – ${names.at(-1)}` : names.join(', ')
      return { zone: 'BONUS', when: suited ? `${when} ♠♠` : when, pays }
    })
    expect(lines('holdem', 'thbp')).toEqual(
      [
        { zone: 'ANTE', when: Object.entries(holdem.thbpAntePaid).find(([, isPaid]) => isPaid)?.[0] ?? '', pays: 1 },
        ...Object.keys(holdem.streetFactors).map((zone) => ({ zone, pays: 1 })),
        { zone: 'BONUS', when: 'A-A + A-A', pays: holdem.bonusAcesAgainstAces },
        ...bonuses,
      ].map(line),
    )
  })

  test('no-limit Hold’em is empty: players share the pot', () => {
    expect(lines('holdem', 'nlhe')).toEqual([])
  })
})

test('the banker draws by the table of the rulebook', () => {
  const expected = baccarat.bankerMovesAfterThird.map((moves, points) => ({
    points,
    on: [...moves].flatMap((move, third) => (move === 'D' ? [third] : [])),
  }))
  expect(bankerDrawTable()).toEqual(expected)
})
