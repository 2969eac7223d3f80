import { describe, expect, test } from 'vitest'
import type { TableSettings } from '../../../../src/domain/games/game.ts'
import { settleHand } from '../../../../src/domain/reconcile/settlement/no-limit.ts'
import { asTheRules, type RecordedRevision } from '../../../../src/domain/reconcile/settlement/recorded.ts'
import { settleAgain } from '../../../../src/domain/reconcile/settlement/settle.ts'
import { agreedSettings, parseSetting, settingsFault } from '../../../../src/domain/reconcile/settlement/table-rules.ts'
import {
  baccaratClassic,
  baccaratNocomm,
  bonusPoker,
  type Chain,
  casinoHoldem,
  dragonTiger,
  niuNiu,
  nlheHands,
} from '../../../rulebook/casino/games/slips.ts'
import { recorded, seatsOf } from './worked-records.ts'

/** The worked slips of the rules as bet records. */

const cases = [
  ...baccaratClassic.map((chain) => ['classic', recorded('baccarat', 'classic', chain, 0), {}] as const),
  ...baccaratNocomm.map((chain) => ['nocomm', recorded('baccarat', 'nocomm', chain, 0), {}] as const),
  ...dragonTiger.map((chain) => ['dragon tiger', recorded('dragontiger', 'standard', chain, 0), {}] as const),
  ...casinoHoldem.map((chain) => ['casino', recorded('holdem', 'casino', chain, 0), {}] as const),
  ...bonusPoker.map((chain) => ['thbp', recorded('holdem', 'thbp', chain, 0), {}] as const),
  ...niuNiu.map((chain) => {
    const settings: TableSettings = {
      ...(chain.special ? { specialHands: true } : {}),
      ...(chain.commission === null ? {} : { commission: chain.commission }),
    }
    return ['Niu Niu', recorded('niuniu', 'standard', chain, chain.special ? 4 : 2), settings] as const
  }),
]

const isChecked = (revision: RecordedRevision) => !(revision.game === 'dragontiger' && revision.cardInfo === '')

describe.each(cases)('%s', (_game, revisions, settings) => {
  test.each(revisions.map((revision, i) => [revision.slipId, revision, revisions[i - 1] ?? null] as const))(
    '%s has the figures of the rules, and any other figure is found',
    (_name, revision, previous) => {
      expect(settleAgain(revision, previous, settings)).toEqual(asTheRules)
      for (const field of ['stake', 'hold', 'validStake', 'rolling', 'payout', 'winLoss', 'rake', 'delta'] as const) {
        const { differences } = settleAgain({ ...revision, [field]: revision[field] + 1n }, previous, settings)
        expect(differences.map((each) => each.field)).toContain(field)
      }
      for (const [i, leg] of revision.legs.entries()) {
        const legs = revision.legs.with(i, { ...leg, return: leg.return + 1n })
        expect(settleAgain({ ...revision, legs }, previous, settings).differences).toMatchObject([
          { field: `${leg.zone}.return`, units: 1n },
        ])
      }
      if (!isChecked(revision)) return
      const otherCode = settleAgain({ ...revision, code: `${revision.code}0` }, previous, settings)
      expect(otherCode.differences.length > 0 || otherCode.impossible !== null).toBe(true)
    },
  )
})

test('a revision whose predecessor is unknown is not checked, and one after a void is wrong', () => {
  const [first, corrected, voided] = recorded('baccarat', 'classic', baccaratClassic[0] as Chain, 0)
  if (!first || !corrected || !voided) throw new Error('the first worked slip has three revisions')
  expect(settleAgain(corrected, 'unknown', {})).toEqual({ ...asTheRules, unchecked: 'REVISION_MISSING' })
  expect(settleAgain({ ...first, rev: 4, status: 'recalculated' }, voided, {}).differences).toContainEqual({
    field: 'status',
    platform: 'recalculated',
    rules: 'none: nothing follows a void',
    units: null,
  })
})

test('impossible cards and bets are named', () => {
  const [first] = recorded('baccarat', 'classic', baccaratClassic[0] as Chain, 0)
  if (!first) throw new Error('a worked slip')
  expect(settleAgain({ ...first, cardInfo: 'KS4H7D2C2S--' }, null, {}).impossible).toMatch(/third card/)
  const legs = [{ zone: 'S6', amount: 10n, return: 0n, hold: null, mult: null }]
  expect(settleAgain({ ...first, legs }, null, {}).impossible).toMatch(/S6 cannot be bet on/)
})

test('a dragon tiger slip without cards is checked as far as its code allows', () => {
  const [first] = recorded('dragontiger', 'standard', dragonTiger[0] as Chain, 0)
  if (!first) throw new Error('a worked slip')
  const blind = { ...first, cardInfo: '' }
  expect(settleAgain(blind, null, {})).toEqual(asTheRules)
  const unit = 10_000n
  const big = (returned: bigint): RecordedRevision => ({
    ...blind,
    legs: [{ zone: 'DB', amount: 10n * unit, return: returned * unit, hold: null, mult: null }],
    stake: 10n * unit,
    validStake: returned === 10n ? 0n : 10n * unit,
    rolling: returned === 0n ? 10n * unit : 0n,
    payout: returned * unit,
    winLoss: (returned - 10n) * unit,
    delta: returned * unit,
  })
  // The source may have known the dragon's rank, so refund, win and loss are possible, and nothing else.
  for (const returned of [10n, 20n, 0n])
    expect(settleAgain(big(returned), null, {})).toEqual({ ...asTheRules, unchecked: 'CARDS_UNKNOWN' })
  expect(settleAgain(big(15n), null, {}).differences.length).toBeGreaterThan(0)
})

describe('no-limit hands of the rules', () => {
  const whole = nlheHands.flatMap((hand) => {
    const seats = seatsOf(hand)
    const known = seats.filter((seat) => seat !== undefined)
    return known.length === seats.length ? [[hand.hand, known] as const] : []
  })

  test('some are given with all seats', () => expect(whole.length).toBeGreaterThanOrEqual(3))

  test.each(whole)('%s has the figures of the rules, for every recipient of the odd chip', (_hand, seats) => {
    expect(settleHand(seats, {})).toEqual({ kind: 'whole', seats: seats.map(() => asTheRules) })
    expect(
      settleHand(seats.toReversed(), {}).seats.every((seat) => seat === asTheRules || seat.differences.length === 0),
    ).toBe(true)
  })

  test.each(whole)(
    '%s with a seat missing is not checked, and a seat that was paid against a better hand is wrong',
    (_hand, seats) => {
      const open = settleHand(seats.slice(1), {})
      expect(open.kind).toBe('open')
      expect(
        open.seats.every(({ differences, unchecked }) => differences.length === 0 && unchecked === 'SEATS_UNKNOWN'),
      ).toBe(true)
      const loser = seats.findIndex(({ revision }) => revision.code === 'lose')
      if (loser < 0) return
      const paid = seats.map((seat, i) => {
        const { revision } = seat
        if (i !== loser) return seat
        const won = { code: 'win', payout: revision.payout + 10_000n, winLoss: revision.winLoss + 10_000n }
        return { ...seat, revision: { ...revision, ...won, delta: revision.delta + 10_000n } }
      })
      expect(settleHand(paid, {}).seats[loser]?.differences.map(({ field }) => field)).toEqual([
        'result.code',
        'payout',
      ])
    },
  )
})

describe('settings of tables', () => {
  test('are parsed, and impossible ones refused', () => {
    expect(parseSetting('commission=0.05')).toEqual({ commission: '0.05' })
    expect(parseSetting('specialHands=on')).toEqual({ specialHands: true })
    expect(parseSetting('specialHands=yes')).toHaveProperty('fault')
    expect(parseSetting('comission=0.05')).toHaveProperty('fault')
    expect(parseSetting('holdFactor=x')).toHaveProperty('fault')
    expect(settingsFault({ commission: '1.5' })).toMatch(/rate from 0/)
    expect(settingsFault({ holdFactor: 1 })).toMatch(/at least 2/)
    expect(settingsFault({ commission: '0.05', rakeRate: '0.05' })).toMatch(/one game/)
    expect(settingsFault({ rakeRate: '1' })).toMatch(/rake rate/)
    expect(settingsFault({ commission: '0.05', holdFactor: 4 })).toBeNull()
  })

  test('are read from slips only if enough agree and very few contradict', () => {
    const settings = { commission: '0.05' }
    const fitting = { commission: 0, holdFactor: 9, specialHands: 0 }
    expect(agreedSettings([{ settings, fits: 2, named: 0 }], fitting)).toBeUndefined()
    expect(agreedSettings([{ settings, fits: 3, named: 0 }], fitting)).toEqual(settings)
    expect(agreedSettings([{ settings, fits: 3, named: 0 }], { ...fitting, commission: 1 })).toBeUndefined()
    expect(agreedSettings([{ settings, fits: 4, named: 0 }], { ...fitting, commission: 1 })).toEqual(settings)
    const special = { settings: { specialHands: true }, fits: 1, named: 1 }
    expect(agreedSettings([special], { ...fitting, holdFactor: 0 })).toEqual({ specialHands: true })
    expect(agreedSettings([special], fitting)).toBeUndefined()
  })
})
