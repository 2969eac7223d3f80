/** Pay tables for players. Each figure is the result of settling an example, so it cannot differ from the rules. */

import assert from 'node:assert/strict'
import { formatAmount, parseAmount } from '../money.ts'
import { bankerDraws } from './baccarat.ts'
import type { Card } from './cards.ts'
import { type Game, isNo, offeredZones, type Report, type TableSettings, type Variant } from './game.ts'

/** A win of a zone: its condition, if the zone has several, and the net win of a bet of one. */
export interface PayRow {
  readonly zone: string
  readonly when: string | null
  readonly pays: string
}

interface Example {
  readonly zone: string
  readonly when?: string
  readonly report: Report
  readonly hole?: string
  /** Other zones that the slip must have. */
  readonly with?: readonly string[]
}

const baccaratExamples: readonly Example[] = [
  { zone: 'B', report: { code: '1' } },
  { zone: 'B', when: 'six', report: { code: '3' } },
  { zone: 'P', report: { code: '2' } },
  { zone: 'T', report: { code: '0' } },
  { zone: 'BP', report: { code: '4' } },
  { zone: 'PP', report: { code: '8' } },
  { zone: 'S6', report: { code: '3' } },
]

const ranked = (zone: string, dragon: number, tiger: number): Example => ({
  zone,
  report: { code: dragon > tiger ? '1' : '2', points: { dragon, tiger } },
})

const dragonTigerExamples: readonly Example[] = [
  ranked('D', 13, 1),
  { zone: 'D', when: 'tie', report: { code: '4' } },
  ranked('TG', 1, 13),
  { zone: 'TG', when: 'tie', report: { code: '4' } },
  { zone: 'T', report: { code: '4' } },
  { zone: 'ST', report: { code: 'C' } },
  ranked('DB', 8, 1),
  ranked('DS', 6, 1),
  ranked('DO', 9, 1),
  ranked('DE', 8, 1),
  ranked('TB', 1, 8),
  ranked('TS', 1, 6),
  ranked('TO', 1, 9),
  ranked('TE', 1, 8),
]

/** Ranks in the notation of a code. */
const niuniuRanks = [...'0123456789A']
const specialRanks = [...'BCD']

function niuniuExamples({ specialHands }: TableSettings): Example[] {
  const doubles = [...niuniuRanks, ...(specialHands ? specialRanks : [])].map(
    (rank): Example => ({
      zone: 'P1D',
      when: `rank${Number.parseInt(rank, 16)}`,
      report: { code: `10${rank}00`, winners: { P1: 'P', P2: 'B', P3: 'B' } },
    }),
  )
  return [{ zone: 'P1E', report: { code: '10100', winners: { P1: 'P', P2: 'B', P3: 'B' } } }, ...doubles]
}

/** Hands of each category with the first three cards of the board; the dealer has a pair of fours. */
const casinoHands: readonly (readonly [when: string, hole: string, board: string])[] = [
  ['royal', 'AS KS', 'QS JS TS 2H 3D'],
  ['straightFlush', '9S 8S', '7S 6S 5S 2H KD'],
  ['quads', '9S 9H', '9D 9C 2S 3H KD'],
  ['fullHouse', '9S 9H', '9D 2S 2H 5D KC'],
  ['flush', 'AS 9S', '7S 5S 2S 3H JD'],
  ['straight', '9S 8H', '7D 6C 5S 2H KD'],
]

function casinoExamples(): Example[] {
  const against = (zone: string, when: string, hole: string, board: string): Example => ({
    zone,
    when,
    hole,
    report: { cardInfo: `${board}||4H 4C` },
    with: ['ANTE', 'CALL'],
  })
  const lower = casinoHands.at(-1) ?? ['', '', '']
  const antes = casinoHands.slice(0, -1).map(([when, hole, board]) => against('ANTE', when, hole, board))
  const bonuses = casinoHands.slice(0, -1).map(([when, hole, board]) => against('AAB', when, hole, board))
  const { when: _, ...call } = against('CALL', '', lower[1], lower[2])
  return [
    ...antes,
    against('ANTE', 'lower', lower[1], lower[2]),
    call,
    ...bonuses,
    against('AAB', 'aces', 'AS AH', '2D 5C 9S 7H JD'),
  ]
}

const bonusHands: readonly (readonly [when: string, hole: string, dealer: string])[] = [
  ['A-A + A-A', 'AS AH', 'AD AC'],
  ['A-A', 'AS AH', '4H 4C'],
  ['A-K ♠♠', 'AS KS', '4H 4C'],
  ['A-Q, A-J ♠♠', 'AS JS', '4H 4C'],
  ['A-K', 'AS KH', '4H 4C'],
  ['K-K, Q-Q, J-J', 'JS JH', '4H 4C'],
  ['A-Q, A-J', 'AS JH', '4H 4C'],
  ['T-T – 2-2', '2S 2H', '4H 4C'],
]

function bonusExamples(): Example[] {
  const need = ['ANTE', 'FLOP', 'TURN', 'RIVER']
  const straight = { hole: '9S 8H', report: { cardInfo: '7D 6C 5S 2H KD||4H 4C' }, with: need }
  return [
    { zone: 'ANTE', when: 'straight', ...straight },
    ...['FLOP', 'TURN', 'RIVER'].map((zone) => ({ zone, ...straight })),
    ...bonusHands.map(([when, hole, dealer]) => ({
      zone: 'BONUS',
      when,
      hole,
      report: { cardInfo: `7D 6C 5S 3D KD||${dealer}` },
      with: need,
    })),
  ]
}

function examplesOf(game: Game, variant: Variant, settings: TableSettings): readonly Example[] {
  if (game.name === 'baccarat') return baccaratExamples
  if (game.name === 'dragontiger') return dragonTigerExamples
  if (game.name === 'niuniu') return niuniuExamples(settings)
  return variant === 'casino' ? casinoExamples() : variant === 'thbp' ? bonusExamples() : []
}

const one = parseAmount('1')

/** Returns the wins of every zone that a table offers; none for a pot that players share. */
export function payTable(game: Game, variant: Variant, settings: TableSettings): PayRow[] {
  const offered: readonly string[] = offeredZones(game, variant, settings)
  const rows = examplesOf(game, variant, settings)
    .filter(({ zone }) => offered.includes(zone))
    .map((example) => ({
      zone: example.zone,
      when: example.when ?? null,
      pays: netOf(game, variant, settings, example),
    }))
  // A condition that pays the same as the zone itself is not a row of its own.
  const own = rows.filter(
    ({ zone, when, pays }) =>
      when === null || !rows.some((other) => other.zone === zone && other.when === null && other.pays === pays),
  )
  return game.name === 'niuniu' ? withRanges(own) : own
}

/** Joins successive ranks of Niu Niu that pay the same: `rank0-6`. */
function withRanges(rows: readonly PayRow[]): PayRow[] {
  const joined: PayRow[] = []
  for (const { zone, when, pays } of rows) {
    const last = joined.at(-1)
    if (last?.zone !== zone || last.pays !== pays) joined.push({ zone, when, pays })
    else joined.splice(-1, 1, { zone, when: [last.when?.split('-')[0], when?.replace('rank', '')].join('-'), pays })
  }
  return joined
}

function netOf(game: Game, variant: Variant, settings: TableSettings, example: Example): string {
  const zones = [...new Set([...(example.with ?? []), example.zone])]
  const hole = (example.hole?.split(' ') ?? []) as Card[]
  const outcome = game.read(example.report, { variant, settings })
  const bets = zones.map((zone) => ({
    zone,
    amount: one,
    ...(zone.endsWith('D') && game.name === 'niuniu' ? { hold: one * 4n } : {}),
  }))
  const hand = hole.length === 0 ? {} : { hand: { hole, folded: false, seat: 1 } }
  const settled = isNo(outcome) ? outcome : game.settle(outcome, [{ variant, bets, ...hand }], settings)
  const leg = isNo(settled) ? undefined : settled[0]?.legs.find(({ zone }) => zone === example.zone)
  assert(leg, `the example of ${example.zone} cannot be settled`)
  return formatAmount(leg.return - leg.amount - (leg.hold ?? 0n))
}

/** Baccarat: the third cards of the player on which the banker draws, by the banker's points. */
export function bankerDrawTable(): { readonly points: number; readonly on: readonly number[] }[] {
  const cards = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
  return [0, 1, 2, 3, 4, 5, 6, 7].map((points) => ({ points, on: cards.filter((third) => bankerDraws(points, third)) }))
}
