import type { ExactRound } from '../../../src/services/casino/simulator/index.ts'
import type { FollowUps } from '../../support/worlds/people.ts'

/** One revision of a worked slip, as in the tables of the rules. */
export interface WorkedRevision {
  readonly name: string
  readonly cardInfo: string
  readonly code: string
  readonly returns: Readonly<Record<string, string>>
  readonly stake: string
  readonly validStake: string
  readonly rolling: string
  readonly payout: string
  readonly winLoss: string
  readonly status: 'settled' | 'recalculated' | 'void'
  readonly delta: string
}

/** A slip with its history: its placing, and the figures of every revision. */
export interface WorkedSlip {
  readonly game: 'baccarat' | 'dragontiger'
  readonly tableId: string
  readonly variant: string
  readonly bets: Readonly<Record<string, string>>
  readonly revisions: readonly WorkedRevision[]
}

function revision(line: string): WorkedRevision {
  const [name = '', cards = '', returns = '', ...rest] = line.split('|').map((cell) => cell.trim())
  const [stake = '', validStake = '', rolling = '', payout = '', winLoss = '', status = '', delta = ''] = rest
  const [cardInfo = '', code = ''] = cards.split(' ')
  if (status !== 'settled' && status !== 'recalculated' && status !== 'void') throw new Error(`no status in ${line}`)
  return {
    name,
    cardInfo,
    code,
    returns: amounts(returns),
    stake,
    validStake,
    rolling,
    payout,
    winLoss,
    status,
    delta,
  }
}

function amounts(text: string): Record<string, string> {
  return Object.fromEntries(text.split(', ').map((pair) => pair.split(' ')))
}

function baccarat(variant: 'classic' | 'nocomm', bets: string, ...lines: string[]): WorkedSlip {
  return { game: 'baccarat', tableId: 'BAC-01', variant, bets: amounts(bets), revisions: lines.map(revision) }
}

function dragonTiger(bets: string, ...lines: string[]): WorkedSlip {
  const revisions = lines.map(revision)
  return { game: 'dragontiger', tableId: 'DT-01', variant: 'standard', bets: amounts(bets), revisions }
}

/** Name, cards and code, returns, stake, valid stake, rolling, payout, win or loss, status, delta. */
export const workedSlips: readonly WorkedSlip[] = [
  baccarat(
    'classic',
    'B 100, T 10, BP 5',
    'BA1  | 5H4S3C5D---- 1 | B 195, T 0, BP 0  | 115 | 115 | 15  | 195 | 80   | settled      | 195',
    'BA1r | KS4H7D2C---- 2 | B 0, T 0, BP 0    | 115 | 115 | 115 | 0   | -115 | recalculated | -195',
    'BA1v | KS4H7D2C---- 2 | B 100, T 10, BP 5 | 115 | 0   | 0   | 115 | 0    | void         | 115',
  ),
  baccarat(
    'classic',
    'B 100, P 40, T 20',
    'BA2 | 2H8C3D5S8D-- 0 | B 100, P 40, T 180 | 160 | 20 | 0 | 320 | 160 | settled | 320',
  ),
  baccarat('classic', 'B 100, P 60', 'BA3 | KS4H7D2C---- 2 | B 0, P 120 | 160 | 40 | 100 | 120 | -40 | settled | 120'),
  baccarat(
    'classic',
    'B 33.3333',
    'BA4 | 5H4S3C5D---- 1 | B 64.9999 | 33.3333 | 33.3333 | 0 | 64.9999 | 31.6666 | settled | 64.9999',
  ),
  baccarat(
    'nocomm',
    'B 100, S6 10, BP 5',
    'BA5 | QD3D4C3SAH-- 7 | B 150, S6 130, BP 60 | 115 | 115 | 0 | 340 | 225 | settled | 340',
  ),
  baccarat(
    'nocomm',
    'B 100, S6 10, PP 5',
    'BA6  | 5H4S3C5D---- 1 | B 200, S6 0, PP 0    | 115 | 115 | 5 | 200 | 85  | settled      | 200',
    'BA6r | TSASTH4H4DAC B | B 150, S6 130, PP 60 | 115 | 115 | 0 | 340 | 225 | recalculated | 140',
  ),
  baccarat(
    'nocomm',
    'P 50, S6 20, PP 10',
    'BA7 | 2SJC2DQH5C7S A | P 100, S6 0, PP 120 | 80 | 80 | 0 | 220 | 140 | settled | 220',
  ),
  baccarat(
    'classic',
    'B 200, T 25, BP 10, PP 10',
    'BA8 | 3C8D3H8S---- C | B 200, T 225, BP 120, PP 120 | 245 | 45 | 0 | 665 | 420 | settled | 665',
  ),
  baccarat('classic', 'P 70', 'BA9v | | P 70 | 70 | 0 | 0 | 70 | 0 | void | 70'),
  dragonTiger(
    'D 100',
    'DT1  | KS7H 1 | D 200 | 100 | 100 | 0  | 200 | 100 | settled      | 200',
    'DT1r | 7C7D 4 | D 50  | 100 | 50  | 50 | 50  | -50 | recalculated | -150',
    'DT1v | 7C7D 4 | D 100 | 100 | 0   | 0  | 100 | 0   | void         | 50',
  ),
  dragonTiger('D 100, T 10', 'DT2 | 7C7D 4 | D 50, T 90 | 110 | 60 | 50 | 140 | 30 | settled | 140'),
  dragonTiger('TG 40, T 10, ST 5', 'DT3 | QHQH C | TG 20, T 90, ST 255 | 55 | 35 | 20 | 365 | 310 | settled | 365'),
  dragonTiger('D 100, TG 30', 'DT4 | 3SJD 2 | D 0, TG 60 | 130 | 70 | 100 | 60 | -70 | settled | 60'),
  dragonTiger(
    'DB 20, DS 20, DO 10, TS 15, TO 5',
    'DT5 | 7HAC 1 | DB 0, DS 0, DO 0, TS 30, TO 10 | 70 | 30 | 50 | 40 | -30 | settled | 40',
  ),
  dragonTiger(
    'DO 25, DS 25, TB 25, TE 25',
    'DT6 | 3SJD 2 | DO 50, DS 50, TB 50, TE 0 | 100 | 100 | 25 | 150 | 50 | settled | 150',
  ),
  dragonTiger('D 100, TG 60', 'DT7 | 7C7D 4 | D 50, TG 30 | 160 | 20 | 80 | 80 | -80 | settled | 80'),
  dragonTiger('D 0.0003', 'DT8 | 7C7D 4 | D 0.0001 | 0.0003 | 0.0002 | 0.0002 | 0.0001 | -0.0002 | settled | 0.0001'),
  dragonTiger('T 12.5', 'DT9v | | T 12.5 | 12.5 | 0 | 0 | 12.5 | 0 | void | 12.5'),
]

/** The round that gives a worked slip its first revision, and the changes that give it the others. */
export function playedAs(worked: WorkedSlip, username: string): [round: Omit<ExactRound, 'then'>, ...FollowUps] {
  const [first, ...others] = worked.revisions
  const result = first?.status === 'void' ? { void: true } : { cardInfo: first?.cardInfo ?? '' }
  const afterlife = others.map(({ status, cardInfo }) =>
    status === 'void' ? ({ void: true } as const) : { correct: { cardInfo } },
  )
  const { tableId, variant, bets } = worked
  return [{ tableId, variant, ...result, slips: [{ username, bets }] }, ...afterlife]
}
