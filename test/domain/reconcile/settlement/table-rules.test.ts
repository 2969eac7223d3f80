import { describe, expect, test } from 'vitest'
import type { TableSettings } from '../../../../src/domain/games/game.ts'
import {
  isWrong,
  type RecordedLeg,
  type RecordedRevision,
} from '../../../../src/domain/reconcile/settlement/recorded.ts'
import {
  agreedSettings,
  bestFitting,
  informsOf,
  mustBeStated,
  nothingFits,
  parseSetting,
  settingsFault,
  settingsIn,
  settingsText,
} from '../../../../src/domain/reconcile/settlement/table-rules.ts'

/** The settings of tables: their text, and the evidence in the slips of a table. */

const unit = 10_000n

/** A leg that was lost. */
const aLeg = (over: Partial<RecordedLeg> = {}): RecordedLeg => ({
  ...{ zone: 'P1E', amount: 10n * unit, return: 0n, hold: null, mult: null },
  ...over,
})

/** A settled Niu Niu slip without evidence for any setting. */
const aSlip = (over: Partial<RecordedRevision> = {}): RecordedRevision => ({
  slipId: 'S1',
  rev: 1,
  status: 'settled',
  username: 'amy',
  currency: 'USD',
  tableId: 'NN-01',
  game: 'niuniu',
  variant: 'standard',
  roundId: 'R1',
  settledAt: 0,
  isOnsite: false,
  legs: [aLeg()],
  stake: 10n * unit,
  hold: 0n,
  validStake: 10n * unit,
  rolling: 10n * unit,
  payout: 0n,
  winLoss: -10n * unit,
  delta: 0n,
  rake: 0n,
  code: '05000',
  cardInfo: '',
  hands: undefined,
  winners: undefined,
  ...over,
})

describe('a stated setting', () => {
  const long = 'abcdefghij'.repeat(5)
  const cut = 'abcdefghij'.repeat(4)

  test.each([
    [
      long,
      `"${cut}" is not one of commission, specialHands, holdFactor, smallBlind, bigBlind, unit, rakeRate, rakeCapBlinds with =VALUE`,
    ],
    [`specialHands=${long}`, `specialHands must be on or off, not "${cut}"`],
    [`holdFactor=${long}`, `holdFactor must be a whole number, not "${cut}"`],
    ['rakeCapBlinds=12345', 'rakeCapBlinds must be a whole number, not "12345"'],
  ])('%j is refused, and quoted up to 40 characters', (text, fault) => {
    expect(parseSetting(text)).toEqual({ fault })
  })

  test.each<[string, TableSettings]>([
    ['specialHands=off', { specialHands: false }],
    ['holdFactor=9999', { holdFactor: 9999 }],
    ['rakeCapBlinds=3', { rakeCapBlinds: 3 }],
    ['unit=0.5', { unit: '0.5' }],
  ])('%s is parsed, and written in the same form', (text, settings) => {
    expect(parseSetting(text)).toEqual(settings)
    expect(settingsText(settings)).toBe(text)
  })

  test('of several is written in one order, and none as an empty text', () => {
    expect(settingsText({ holdFactor: 4, specialHands: true, commission: '0.05' })).toBe(
      'commission=0.05,specialHands=on,holdFactor=4',
    )
    expect(settingsText({})).toBe('')
  })

  test('of a Hold’em table may be a rake', () => {
    expect(settingsFault({ rakeRate: '0.04' })).toBeNull()
    expect(settingsFault({})).toBeNull()
  })

  test('must be stated if it is a commission above zero', () => {
    expect(
      [{ commission: '0.05' }, { commission: '0.00' }, { commission: '0' }, { holdFactor: 4 }].map(mustBeStated),
    ).toEqual([true, false, false, false])
  })
})

describe('evidence of a slip for settings', () => {
  test.each<[string, Partial<RecordedRevision>, Partial<ReturnType<typeof informsOf>>]>([
    ['a lost leg', {}, {}],
    ['a returned leg', { legs: [aLeg({ return: 10n * unit })] }, {}],
    ['a won leg next to a lost one', { legs: [aLeg(), aLeg({ return: 10n * unit + 1n })] }, { commission: true }],
    [
      'a double leg that gets back stake and hold',
      { legs: [aLeg({ zone: 'P1D', hold: 20n * unit, return: 30n * unit })] },
      { holdFactor: true },
    ],
    [
      'a double leg that wins',
      { legs: [aLeg({ zone: 'P1D', hold: 20n * unit, return: 30n * unit + 1n })] },
      { commission: true, holdFactor: true },
    ],
    ['a double leg next to a single one', { legs: [aLeg(), aLeg({ hold: 20n * unit })] }, { holdFactor: true }],
    [
      'a void',
      { status: 'void', code: '0B000', legs: [aLeg({ hold: 20n * unit, return: 40n * unit })], hands: { B: 11 } },
      { holdFactor: true },
    ],
    [
      'another game',
      { game: 'baccarat', variant: 'classic', code: '0B', legs: [aLeg({ return: 20n * unit, hold: 5n })] },
      {},
    ],
    ['an ordinary hand of 10', { code: '0A000', hands: { B: 10, P1: 3 } }, {}],
    ['a special hand by its code', { code: '0B000', hands: { B: 1 } }, { specialHands: true }],
    ['a letter that is no hand', { code: 'B0000' }, {}],
    ['a special hand by its rank', { hands: { B: 3, P1: 11 } }, { specialHands: true }],
  ])('%s', (_name, over, informs) => {
    expect(informsOf(aSlip(over))).toEqual({ commission: false, holdFactor: false, specialHands: false, ...informs })
  })

  const read = (...legs: Partial<RecordedLeg>[]) => [
    ...new Set(settingsIn(aSlip({ legs: legs.map(aLeg) })).map(settingsText)),
  ]
  const special = 'specialHands=on'

  test('a slip without hold and win fits the special hands only', () => {
    expect(settingsIn(aSlip())).toEqual([{ specialHands: true }])
  })

  test.each<[string, Partial<RecordedLeg>, readonly string[]]>([
    ['twice the bet is the default', { hold: 20n * unit }, [special, `${special},holdFactor=2`]],
    ['three times', { hold: 30n * unit }, ['holdFactor=3', special, `${special},holdFactor=3`]],
    ['four times is the default with special hands', { hold: 40n * unit }, ['holdFactor=4', special]],
    ['once the bet is impossible', { hold: 10n * unit }, [special]],
    ['no whole number of times', { hold: 25n * unit }, [special]],
    ['no bet', { amount: 0n, hold: 0n }, [special]],
    ['three times the smallest bet', { amount: 1n, hold: 3n }, ['holdFactor=3', special, `${special},holdFactor=3`]],
  ])('hold: %s', (_name, leg, settings) => {
    // With special hands a bet may lose three times more than its hold of twice the bet: that factor is refused.
    const isPossible = (text: string) => settingsFault(parsedAll(text)) === null
    expect(read(leg)).toEqual(settings.filter(isPossible))
  })

  const withRate = (rate: string) => [`commission=${rate}`, special, `commission=${rate},${special}`].sort()

  test.each<[string, Partial<RecordedLeg>, string]>([
    ['95 for 100', { return: 195_000n }, '0.05'],
    ['three times the bet, with its hold', { hold: 20n * unit, mult: 3, return: 300_000n + 285_000n }, '0.05'],
    ['a truncated win', { amount: 33_333n, return: 33_333n + 31_666n }, '0.05'],
    ['the smallest commission', { return: 100_000n + 99_990n }, '0.0001'],
    ['the largest commission', { amount: unit, return: unit + 1n }, '0.9999'],
  ])('commission: %s', (_name, leg, rate) => {
    const found = read(leg).filter((text) => !text.includes('holdFactor'))
    expect(found.sort()).toEqual(withRate(rate))
  })

  test.each<[string, Partial<RecordedLeg>]>([
    ['a full win', { return: 200_000n }],
    ['more than a full win', { return: 200_001n }],
    ['a returned bet', { return: 100_000n }],
    ['a win that matches no rate of four decimals', { amount: 1_000_000n, return: 1_949_999n }],
    ['a win that is one unit short', { return: 199_999n }],
    ['a bet paid without multiplier', { mult: 0, return: 195_000n }],
  ])('no commission: %s', (_name, leg) => {
    expect(read(leg)).toEqual([special])
  })
})

/** The settings in a text of settings. */
function parsedAll(text: string): TableSettings {
  return Object.assign({}, ...text.split(',').map(parseSetting))
}

describe('slips that agree on settings', () => {
  const none = nothingFits()

  test('begin with none', () => expect(none).toEqual({ commission: 0, holdFactor: 0, specialHands: 0 }))

  test.each<[string, TableSettings, number, number, boolean]>([
    ['one slip with a special hand by name is sufficient', { specialHands: true }, 1, 1, true],
    ['one slip without is not', { specialHands: true }, 1, 0, false],
    ['a named hand is no evidence of another hold', { holdFactor: 3 }, 1, 1, false],
    ['nor of a commission', { specialHands: true, commission: '0.05' }, 1, 1, false],
    ['one slip without a name is not enough for a hold', { holdFactor: 3 }, 1, 0, false],
    ['three slips are', { holdFactor: 3 }, 3, 0, true],
  ])('%s', (_name, settings, fits, named, isAgreed) => {
    expect(agreedSettings([{ settings, fits, named }], none)).toEqual(isAgreed ? settings : undefined)
  })

  test('a slip that fits the defaults contradicts a special hand and each setting that it is evidence for', () => {
    const special = { settings: { specialHands: true }, fits: 3, named: 1 }
    expect(agreedSettings([special], { ...none, specialHands: 1 })).toBeUndefined()
    expect(agreedSettings([{ ...special, fits: 4 }], { ...none, specialHands: 1 })).toEqual({ specialHands: true })
    expect(agreedSettings([special], { ...none, commission: 9 })).toEqual({ specialHands: true })
  })

  test('the settings that fit most slips are best; of equally good ones those with the fewest', () => {
    const few = { settings: { holdFactor: 3 }, fits: 3, named: 0 }
    const more = { settings: { holdFactor: 3, commission: '0.05' }, fits: 3, named: 0 }
    expect(bestFitting([more, few])).toEqual(few.settings)
    expect(bestFitting([few, more])).toEqual(few.settings)
    expect(bestFitting([few, { ...more, fits: 4 }])).toEqual(more.settings)
    expect(bestFitting([{ ...few, fits: 0 }])).toBeUndefined()
    expect(bestFitting([{ ...few, fits: 1 }])).toEqual(few.settings)
    expect(bestFitting([])).toBeUndefined()
  })
})

test('a settled slip is wrong with one difference, or if it is impossible', () => {
  const settled = { differences: [], impossible: null, unchecked: null }
  const difference = { field: 'payout', platform: '1', rules: '2', units: -1n }
  expect(isWrong(settled)).toBe(false)
  expect(isWrong({ ...settled, unchecked: 'CARDS_UNKNOWN' })).toBe(false)
  expect(isWrong({ ...settled, differences: [difference] })).toBe(true)
  expect(isWrong({ ...settled, impossible: 'no such cards' })).toBe(true)
})
