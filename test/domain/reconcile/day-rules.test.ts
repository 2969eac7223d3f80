import { describe, expect, test } from 'vitest'
import { noFigures } from '../../../src/domain/reconcile/daily.ts'
import {
  contributionOf,
  dayBases,
  documentedRule,
  isNothing,
  isSameRule,
  isUnknownChange,
  leastDeviation,
  parseDayRule,
  rulesToTry,
  ruleText,
} from '../../../src/domain/reconcile/day-rules.ts'
import { aSlip, aVersion } from '../reconciliation-makers.ts'

const hour = 3_600_000
const [from, to] = [Date.UTC(2026, 2, 1), Date.UTC(2026, 2, 2)]

test('a rule is parsed from its text, in the tenant’s time zone unless it names one', () => {
  expect(parseDayRule('each-revision@UTC', 'Asia/Taipei')).toEqual({ basis: 'each-revision', zone: 'UTC' })
  expect(parseDayRule('latest-revision', 'Asia/Taipei')).toEqual({ basis: 'latest-revision', zone: 'Asia/Taipei' })
  for (const text of ['', 'each', 'each-revision@Nowhere', 'each-revision@UTC@UTC'])
    expect(parseDayRule(text, 'UTC'), text).toBeNull()
})

test('a rule is described by its basis and its zone', () => {
  expect(ruleText({ basis: 'each-revision', zone: 'UTC' })).toBe('by each revision, in UTC')
  expect(ruleText(documentedRule('Asia/Taipei'))).toBe('by first settlement, in Asia/Taipei')
})

test('the documented basis is named first, and the one that counts corrections by themselves last', () => {
  expect(dayBases).toEqual(['first-settlement', 'latest-revision', 'each-revision'])
})

test('every basis is tried in every zone, once', () => {
  const rules = rulesToTry(['Asia/Taipei', 'UTC', 'UTC'])
  expect(rules).toHaveLength(6)
  for (const [i, rule] of rules.entries()) expect(rules.filter((other) => isSameRule(rule, other))).toEqual([rules[i]])
})

describe('a slip settled late on the day and corrected after it', () => {
  const first = aVersion({ settledAt: to - 1, stake: 100_000n, payout: 0n })
  const corrected = aVersion({ settledAt: to, rev: 2, stake: 100_000n, payout: 200_000n })
  const slip = aSlip(first, corrected)
  const winLoss = (basis: Parameters<typeof contributionOf>[1], days: number) =>
    contributionOf(slip, basis, from + days * 24 * hour, to + days * 24 * hour)?.winLoss

  test('counts on its first day with its latest figures by first settlement', () => {
    expect([winLoss('first-settlement', 0), winLoss('first-settlement', 1)]).toEqual([100_000n, undefined])
  })

  test('counts on its latest day by latest revision', () => {
    expect([winLoss('latest-revision', 0), winLoss('latest-revision', 1)]).toEqual([undefined, 100_000n])
  })

  test('counts on both days with the changes by each revision', () => {
    expect([winLoss('each-revision', 0), winLoss('each-revision', 1)]).toEqual([-100_000n, 200_000n])
    expect(winLoss('each-revision', 2)).toBeUndefined()
  })
})

test('a revision with an unknown predecessor has an unknown change on its own day only', () => {
  const slip = aSlip(aVersion({ rev: 2, settledAt: from }))
  expect([isUnknownChange(slip, from, to), isUnknownChange(slip, to, to + 24 * hour)]).toEqual([true, false])
  expect(isUnknownChange(slip, from - 24 * hour, from)).toBe(false)
  expect(isUnknownChange(aSlip(aVersion({ settledAt: from })), from, to)).toBe(false)
})

test('the rule that differs least from the documented one is selected, and none if two differ alike', () => {
  const zone = 'Asia/Taipei'
  const inUtc = { basis: 'first-settlement', zone: 'UTC' } as const
  const latest = { basis: 'latest-revision', zone } as const
  const each = { basis: 'each-revision', zone } as const
  expect(leastDeviation([latest, inUtc, documentedRule(zone)], zone)).toEqual(documentedRule(zone))
  expect(leastDeviation([latest, inUtc], zone)).toEqual(inUtc)
  expect(leastDeviation([latest, { ...each, zone: 'UTC' }], zone)).toEqual(latest)
  expect(leastDeviation([latest, each], zone)).toBeNull()
  expect(leastDeviation([], zone)).toBeNull()
})

test('only figures that are all zero are empty', () => {
  expect(isNothing(noFigures)).toBe(true)
  expect(isNothing({ ...noFigures, rake: 1n })).toBe(false)
})
