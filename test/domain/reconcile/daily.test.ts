import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  contradictionsOf,
  countedAt,
  latestOf,
  type SlipHistory,
  type SlipVersion,
  sequenceBreaks,
  withVersion,
} from '../../../src/domain/bets/slip-history.ts'
import { causesOf, isOfDay, mayBeOf, type PlayerDifference } from '../../../src/domain/reconcile/break-causes.ts'
import {
  type BookedPlayer,
  byField,
  compare,
  type DayField,
  type DayFigures,
  dayFields,
  fieldText,
  figuresOf,
  isCertain,
  noFigures,
  plus,
  type Reason,
  type ReportedPlayer,
  repeatedNames,
  same,
  totalsOf,
  verdictOf,
  worstVerdict,
} from '../../../src/domain/reconcile/daily.ts'
import { aSlip, aVersion, from, noon, to, voided } from '../reconciliation-makers.ts'

const sumOf = (slips: readonly SlipHistory[]): DayFigures =>
  slips.reduce((sum, slip) => plus(sum, figuresOf(latestOf(slip))), noFigures)

const reportedPlayer = (username: string, figures: DayFigures): ReportedPlayer => ({
  username,
  figures,
  texts: byField((field) => fieldText(field, figures[field])),
})

const booked = (username: string, figures: DayFigures, currency = 'USD'): BookedPlayer => ({
  player: username.toLowerCase(),
  username,
  currency,
  figures,
})

describe('the amounts that a slip adds to its day', () => {
  test('a lost bet, a voided one and an on-site place', () => {
    const lost = aVersion()
    expect(figuresOf(lost)).toMatchObject({ slips: 1n, stake: 100_000n, payout: 0n, winLoss: -100_000n })
    expect(figuresOf(voided(lost, 2))).toEqual({ ...noFigures, slips: 1n })
    expect(figuresOf(aVersion({ isOnsite: true }))).toEqual(noFigures)
  })

  test('at Niu Niu the payout excludes the returned hold', () => {
    const won = aVersion({ stake: 10n, hold: 20n, payout: 60n })
    expect(figuresOf(won)).toMatchObject({ payout: 40n, winLoss: 30n })
  })

  test('its day is that of its first settlement, with any later correction', () => {
    const corrected = aSlip(aVersion(), aVersion({ rev: 2, status: 'recalculated', settledAt: to + 5 }))
    expect([countedAt(corrected), isOfDay(corrected, from, to)]).toEqual([noon, true])
  })

  test('the first instant of the day is in it and that of the next day is not', () => {
    const at = (settledAt: number) => isOfDay(aSlip(aVersion({ settledAt })), from, to)
    expect([at(from - 1), at(from), at(to - 1), at(to)]).toEqual([false, true, true, false])
  })

  test('without its first revision a slip is counted when it was placed', () => {
    const torn = aSlip(aVersion({ rev: 2, status: 'recalculated', settledAt: to + 3_600_000 }))
    expect(isOfDay(torn, from, to)).toBe(true)
    expect(mayBeOf(torn, from, to)).toBe(true)
  })

  test('a correction without yesterday’s first revision is not of today', () => {
    const old = aSlip(aVersion({ rev: 2, placedAt: from - 7_200_000, settledAt: noon }))
    expect([isOfDay(old, from, to), mayBeOf(old, from, to)]).toEqual([false, false])
    const close = aSlip(aVersion({ rev: 2, placedAt: from - 60_000, settledAt: noon }))
    expect([isOfDay(close, from, to), mayBeOf(close, from, to)]).toEqual([false, true])
  })
})

describe('comparing', () => {
  const ten = figuresOf(aVersion())

  test('usernames that differ in case are one player, shown as the platform spells it', () => {
    const [line, ...others] = compare([reportedPlayer('Amy', ten)], [booked('aMY', ten)])
    expect([line?.username, line?.matches, others]).toEqual(['Amy', true, []])
  })

  test('each field is reported with both figures and their difference', () => {
    const [line] = compare([reportedPlayer('amy', { ...ten, stake: 110_000n })], [booked('amy', ten)])
    expect(line?.fields.filter(({ matches }) => !matches)).toEqual([
      { field: 'stake', platform: 110_000n, platformText: '11', book: 100_000n, difference: 10_000n, matches: false },
    ])
  })

  test('a player on one side only is compared with zeros', () => {
    const lines = compare([reportedPlayer('amy', ten)], [booked('bob', ten)])
    expect(lines.map(({ player, isReported, isBooked, matches }) => [player, isReported, isBooked, matches])).toEqual([
      ['amy', true, false, false],
      ['bob', false, true, false],
    ])
    expect(compare([reportedPlayer('amy', noFigures)], [])[0]?.matches).toBe(true)
  })

  test('a figure that is no number never matches, and is shown unchanged', () => {
    const odd: ReportedPlayer = {
      username: 'amy',
      figures: { ...ten, rake: null },
      texts: { ...reportedPlayer('amy', ten).texts, rake: '=1+1' },
    }
    const [line] = compare([odd], [booked('amy', ten)])
    const rake = line?.fields.find(({ field }) => field === 'rake')
    expect(rake).toMatchObject({ platform: null, platformText: '=1+1', difference: null, matches: false })
  })

  test('a player listed twice is compared with both lines together, and named', () => {
    const twice = [reportedPlayer('amy', ten), reportedPlayer('AMY', ten)]
    expect(repeatedNames(twice)).toEqual(['amy'])
    expect(compare(twice, [booked('amy', plus(ten, ten))])[0]?.matches).toBe(true)
  })

  test('totals never mix currencies, and players of unknown currency come last', () => {
    const lines = compare(
      [reportedPlayer('amy', ten), reportedPlayer('bob', ten), reportedPlayer('cho', ten)],
      [booked('amy', ten, 'USD'), booked('bob', ten, 'EUR')],
    )
    const stakes = totalsOf(lines).filter(({ field }) => field === 'stake')
    expect(stakes.map(({ currency, platform, book, players }) => [currency, platform, book, players])).toEqual([
      ['EUR', 100_000n, 100_000n, 1],
      ['USD', 100_000n, 100_000n, 1],
      [null, 100_000n, 0n, 1],
    ])
  })
})

describe('the verdict', () => {
  const amy = { player: 'amy', isReported: true }
  const unlisted = { player: 'bob', isReported: false }
  const full: Reason = { code: 'SUMMARY_FULL', doubts: 'unlisted' }
  const behind: Reason = { code: 'BOOK_BEHIND', doubts: 'all' }
  const torn: Reason = { code: 'FIRST_REVISION_MISSING', doubts: ['amy'] }

  test.each([
    ['nothing differs and nothing is in doubt', [], [], false, 'balanced'],
    ['nothing differs, with a doubt', [], [full], false, 'cannot-conclude'],
    ['a difference', [amy], [], false, 'differences'],
    ['a difference that the doubt may account for', [amy], [behind], false, 'cannot-conclude'],
    ['a difference of a listed player with a full summary', [amy], [full], false, 'differences'],
    ['a player whom a full summary does not list', [unlisted], [full], false, 'cannot-conclude'],
    ['a difference of the player whose slip is torn', [amy], [torn], false, 'cannot-conclude'],
    ['a difference of another one', [unlisted], [torn], false, 'differences'],
    ['a record proven wrong, whatever is in doubt', [], [behind, full], true, 'differences'],
  ] as const)('%s', (_, differing, reasons, hasProof, verdict) => {
    expect(verdictOf({ differing, reasons, hasProof })).toBe(verdict)
  })

  test('of several days the worst counts', () => {
    expect(worstVerdict([])).toBe('cannot-conclude')
    expect(worstVerdict(['balanced', 'balanced'])).toBe('balanced')
    expect(worstVerdict(['balanced', 'cannot-conclude', 'balanced'])).toBe('cannot-conclude')
    expect(worstVerdict(['differences', 'cannot-conclude'])).toBe('differences')
  })
})

describe('contradictions within a slip', () => {
  const rules = (slip: SlipHistory) =>
    contradictionsOf(slip).map(({ rule, field, actual: found, expected }) => [rule, field, found, expected])

  test('a consistent one has none: settled, corrected, voided', () => {
    const first = aVersion({ payout: 200_000n })
    const second = aVersion({ rev: 2, status: 'recalculated', payout: 50_000n, delta: -150_000n })
    const third = voided(second, 3)
    expect(rules(aSlip(first, second, third))).toEqual([])
    expect(rules(aSlip(voided(first, 1)))).toEqual([])
  })

  test.each([
    ['winLoss', { winLoss: -90_000n }, [['win-loss', 'winLoss', '-9', '-10']]],
    ['stake', { stake: 120_000n, winLoss: -120_000n }, [['stake', 'stake', '12', '10']]],
    ['hold', { hold: 5n, winLoss: -100_005n }, [['hold', 'hold', '0.0005', '0']]],
    [
      'payout',
      { payout: 10_000n, winLoss: -90_000n },
      [
        ['payout', 'payout', '1', '0'],
        ['deltas', 'delta', '0', '1'],
      ],
    ],
    ['delta', { delta: 1n }, [['deltas', 'delta', '0.0001', '0']]],
  ] as const)('a changed %s', (_, change, expected) => {
    const sound = aVersion()
    expect(rules(aSlip({ ...sound, ...change }))).toEqual(expected)
  })

  test('a missing revision in between, and no fault in deltas that cannot be known', () => {
    const third = aVersion({ rev: 3, status: 'recalculated', delta: 7n })
    expect(rules(aSlip(aVersion(), third))).toEqual([['revisions', 'rev', '3', '2']])
  })

  test('a void with an amount that counts', () => {
    expect(rules(aSlip({ ...voided(aVersion(), 1), rolling: 1n }))).toEqual([['void', 'rolling', '0.0001', '0']])
  })

  test('another player or currency in a later revision', () => {
    const other = aVersion({ rev: 2, username: 'bob', currency: 'EUR' })
    expect(rules(aSlip(aVersion(), other))).toEqual([
      ['player', 'player', 'bob', 'amy'],
      ['player', 'currency', 'EUR', 'USD'],
    ])
  })

  test('no-limit Hold’em pays from the pot, and an on-site place moves no balance', () => {
    const version = { ...aVersion({ variant: 'nlhe', payout: 300_000n }), legs: aVersion().legs }
    expect(rules(aSlip(version))).toEqual([])
    expect(rules(aSlip(aVersion({ isOnsite: true, delta: 5n })))).toEqual([])
  })

  test('a copy that differs from its record, and an unreadable one', () => {
    const copied = aVersion({ differing: [{ field: 'rake', copy: '1', record: '0' }] })
    expect(rules(aSlip(copied))).toEqual([['copy', 'rake', '1', '0']])
    const odd = aVersion({ unreadable: [{ field: 'stake', value: 'ten' }] })
    expect(rules(aSlip(odd))).toEqual([['unreadable', 'stake', 'ten', null]])
  })
})

test('breaks in the order of arrival: gaps, duplicates and steps back within a month, and missing rows', () => {
  const at = (place: number, recSeq: number, month = '202603') => ({ place, recSeq, month, slipId: `S${place}` })
  const breaks = sequenceBreaks([at(1, 1), at(2, 2), at(3, 6), at(4, 6), at(5, 5), at(7, 9), at(8, 1, '202604')])
  expect(breaks.map(({ kind, from, to, before, after }) => [kind, from, to, before, after])).toEqual([
    ['hole', 3, 5, 'S2', 'S3'],
    ['repeat', 6, 6, 'S3', 'S4'],
    ['step-back', 5, 5, 'S4', 'S5'],
    ['deleted', 6, 6, 'S5', 'S7'],
  ])
})

describe('possible reasons for a difference', () => {
  const one = aSlip(aVersion({ slipId: 'S1' }))
  const two = aSlip(aVersion({ slipId: 'S2', stake: 30_000n, payout: 60_000n }))
  const slips = [one, two]
  const about = (change: Partial<PlayerDifference>): PlayerDifference => ({
    player: 'amy',
    isReported: true,
    reported: sumOf(slips),
    slips,
    neighbors: [],
    from,
    to,
    ...change,
  })
  const causeRows = (change: Partial<PlayerDifference>) =>
    causesOf(about(change)).map(({ code, slips, balances }) => [code, slips, balances])

  test('none without a difference', () => {
    expect(causesOf(about({}))).toEqual([])
  })

  test('a slip that the platform does not count', () => {
    expect(causeRows({ reported: sumOf([one]) })).toEqual([['SLIP_NOT_COUNTED', ['S2'], true]])
  })

  test('equal slips are named together, because it may be either', () => {
    const twin = aSlip(aVersion({ slipId: 'S3' }))
    expect(causeRows({ slips: [one, twin], reported: sumOf([one]) })).toEqual([
      ['SLIP_NOT_COUNTED', ['S1', 'S3'], true],
    ])
  })

  test('a slip that the book does not have is described by its figures', () => {
    const third = aSlip(aVersion({ slipId: 'S3', stake: 70_000n }))
    expect(causesOf(about({ reported: sumOf([...slips, third]) }))).toEqual([
      { code: 'SLIPS_NOT_IN_BOOK', player: 'amy', balances: false, slips: [], rest: sumOf([third]) },
    ])
  })

  test('a figure that contradicts the rest of its slip, and would match if corrected', () => {
    const wrong = aSlip(aVersion({ slipId: 'S1', winLoss: -90_000n }))
    const causes = causesOf(about({ slips: [wrong, two] }))
    expect(causes).toEqual([
      { code: 'SLIP_CONTRADICTS_ITSELF', player: 'amy', balances: true, slips: ['S1'], field: 'winLoss' },
    ])
  })

  test('a changed copy in the book, and the record next to it that would match', () => {
    const wrong = aVersion({ slipId: 'S1', rake: 5n, differing: [{ field: 'rake', copy: '0.0005', record: '0' }] })
    expect(causesOf(about({ slips: [aSlip(wrong), two] }))[0]).toMatchObject({
      code: 'SLIP_CONTRADICTS_ITSELF',
      slips: ['S1'],
      field: 'rake',
    })
  })

  test('a platform that still counts an earlier revision', () => {
    const corrected = withVersion(two, aVersion({ slipId: 'S2', rev: 2, stake: 30_000n, payout: 0n, delta: -60_000n }))
    expect(causeRows({ slips: [one, corrected] })).toEqual([['EARLIER_REVISION', ['S2'], true]])
  })

  test('days counted by the placing of a bet, on either edge', () => {
    const early = aSlip(aVersion({ slipId: 'E', placedAt: from - 5, settledAt: from + 5 }))
    const late = aSlip(aVersion({ slipId: 'L', stake: 1n, placedAt: to - 5, settledAt: to + 5 }))
    const day = { slips: [...slips, early], neighbors: [late], reported: sumOf([...slips, late]) }
    expect(causeRows(day)).toEqual([['COUNTED_BY_PLACING', ['E', 'L'], true]])
  })

  test('days counted by the latest revision', () => {
    const corrected = withVersion(
      two,
      aVersion({ slipId: 'S2', rev: 2, stake: 30_000n, payout: 0n, settledAt: to + 5 }),
    )
    expect(causeRows({ slips: [one, corrected], reported: sumOf([one]) })).toEqual([
      ['COUNTED_BY_LAST_SETTLING', ['S2'], true],
      ['SLIP_NOT_COUNTED', ['S2'], true],
    ])
  })

  test('another day’s slip', () => {
    const other = aSlip(aVersion({ slipId: 'O', stake: 5n, placedAt: from - 99, settledAt: from - 9 }))
    expect(causeRows({ neighbors: [other], reported: sumOf([...slips, other]) })).toEqual([
      ['OTHER_DAYS_SLIP_COUNTED', ['O'], true],
    ])
  })

  test('other rules: the hold in the payout, voided slips omitted or with their stake, on-site places', () => {
    const held = aSlip(aVersion({ slipId: 'N', stake: 10n, hold: 20n, payout: 60n }))
    const withHold = sumOf([one, held])
    expect(causeRows({ slips: [one, held], reported: { ...withHold, payout: withHold.payout + 20n } })[0]).toEqual([
      'HOLD_IN_PAYOUT',
      ['N'],
      true,
    ])
    const over = aSlip(aVersion({ slipId: 'V' }), voided(aVersion({ slipId: 'V' }), 2))
    const withVoid = sumOf([one, over])
    expect(causeRows({ slips: [one, over], reported: { ...withVoid, slips: 1n } })[0]).toEqual([
      'VOIDED_LEFT_OUT',
      ['V'],
      true,
    ])
    expect(
      causeRows({ slips: [one, over], reported: { ...withVoid, stake: withVoid.stake + 100_000n } }),
    ).toContainEqual(['VOIDED_STAKE_COUNTED', ['V'], true])
    const seat = aSlip(aVersion({ slipId: 'H', isOnsite: true }))
    const both = plus(sumOf([one]), figuresOf(aVersion()))
    expect(causeRows({ slips: [one, seat], reported: both })).toEqual([['ONSITE_COUNTED', ['H'], true]])
  })

  test('a summary that contradicts itself is reported', () => {
    expect(causeRows({ reported: { ...sumOf(slips), stake: 1n } })).toEqual([
      ['SUMMARY_CONTRADICTS_ITSELF', [], false],
      ['FIGURES_DIFFER', ['S1', 'S2'], false],
    ])
  })

  test('players on one side only', () => {
    expect(causeRows({ isReported: false, reported: noFigures })[0]).toEqual(['PLAYER_NOT_STATED', ['S1', 'S2'], true])
    expect(causeRows({ slips: [] })[0]).toEqual(['PLAYER_NOT_IN_BOOK', [], false])
  })
})

// ── Laws ──

const player = fc.constantFrom('amy', 'Bob', 'CHO', 'd.e-e@f')
const units = fc.bigInt({ min: 0n, max: 10n ** 9n })
const moment = fc.oneof(
  fc.integer({ min: from - 3_600_000, max: to + 3_600_000 }),
  fc.constantFrom(from - 1, from, from + 1, to - 30_000, to - 1, to, to + 1),
)

interface Draft {
  readonly username: string
  readonly stake: bigint
  readonly payouts: readonly bigint[]
  readonly isVoided: boolean
  readonly isOnsite: boolean
  readonly at: number
}

const draft: fc.Arbitrary<Draft> = fc.record({
  username: player,
  stake: fc.bigInt({ min: 1n, max: 10n ** 9n }),
  payouts: fc.array(units, { minLength: 1, maxLength: 3 }),
  isVoided: fc.boolean(),
  isOnsite: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  at: moment,
})

function slipOf(each: Draft, i: number): SlipHistory {
  const versions: SlipVersion[] = each.payouts.map((payout, n) =>
    aVersion({
      slipId: `S${i}`,
      rev: n + 1,
      status: n === 0 ? 'settled' : 'recalculated',
      username: each.username,
      isOnsite: each.isOnsite,
      stake: each.stake,
      payout,
      delta: payout - (each.payouts[n - 1] ?? 0n),
      placedAt: each.at - 30_000,
      settledAt: each.at + n * 60_000,
    }),
  )
  const last = versions.at(-1)
  if (each.isVoided && last) versions.push(voided(last, last.rev + 1))
  return { slipId: `S${i}`, versions }
}

/** The platform's figures, added up in another way than the rules do: directly from the drafts, field by field. */
function summaryOf(drafts: readonly Draft[]): ReportedPlayer[] {
  const sums = new Map<string, Record<DayField, bigint>>()
  for (const each of drafts) {
    if (each.isOnsite || each.at < from || each.at >= to) continue
    const sum = sums.get(each.username) ?? { ...noFigures }
    const payout = each.payouts.at(-1) ?? 0n
    sum.slips += 1n
    if (!each.isVoided) {
      sum.stake += each.stake
      sum.validStake += each.stake
      sum.rolling += payout < each.stake ? each.stake - payout : 0n
      sum.payout += payout
      sum.winLoss += payout - each.stake
    }
    sums.set(each.username, sum)
  }
  return [...sums].map(([username, figures]) => reportedPlayer(username, figures))
}

function bookOf(slips: readonly SlipHistory[]): BookedPlayer[] {
  const counted = slips.filter((slip) => isOfDay(slip, from, to) && !latestOf(slip).isOnsite)
  const byPlayer = Map.groupBy(counted, (slip) => latestOf(slip).player)
  return [...byPlayer].map(([, own]) =>
    booked(latestOf(own[0] ?? counted[0] ?? aSlip(aVersion())).username, sumOf(own)),
  )
}

const differing = (summary: readonly ReportedPlayer[], book: readonly BookedPlayer[]) =>
  compare(summary, book).filter((line) => !line.matches)

describe('for any book', () => {
  const drafts = fc.array(draft, { minLength: 1, maxLength: 30 })

  test('a summary of the same slips, added up independently, balances', () => {
    fc.assert(
      fc.property(drafts, (all) => {
        expect(differing(summaryOf(all), bookOf(all.map(slipOf)))).toEqual([])
        expect(all.map(slipOf).flatMap(contradictionsOf)).toEqual([])
      }),
      { numRuns: 300 },
    )
  })

  /** A book with a slip of the day that is then changed. */
  const aTarget = drafts.chain((all) => {
    const counted = all.flatMap((each, i) => (each.at >= from && each.at < to && !each.isOnsite ? [i] : []))
    return counted.length === 0
      ? fc.constant(undefined)
      : fc.record({ all: fc.constant(all), at: fc.constantFrom(...counted) })
  })

  const causesFor = (all: readonly Draft[], slips: readonly SlipHistory[], name: string) => {
    const key = name.toLowerCase()
    const own = slips.filter((slip) => latestOf(slip).player === key)
    const line = summaryOf(all).find(({ username }) => username.toLowerCase() === key)
    return causesOf({
      player: key,
      isReported: line !== undefined,
      reported: byField((field) => line?.figures[field] ?? 0n),
      slips: own.filter((slip) => isOfDay(slip, from, to)),
      neighbors: own.filter((slip) => !isOfDay(slip, from, to)),
      from,
      to,
    })
  }

  test('any one slip that the platform omits is found, and is among the named slips', () => {
    fc.assert(
      fc.property(aTarget, (target) => {
        fc.pre(target !== undefined)
        const { all, at } = target
        const slips = all.map(slipOf)
        const rest = all.filter((_, i) => i !== at)
        const name = all[at]?.username ?? ''
        expect(differing(summaryOf(rest), bookOf(slips)).map((line) => line.player)).toEqual([name.toLowerCase()])
        const named = causesFor(rest, slips, name).filter(({ balances }) => balances)
        expect(named.flatMap((cause) => cause.slips)).toContain(`S${at}`)
      }),
      { numRuns: 300 },
    )
  })

  test('any one slip missing from the book is found, and reported with its figures', () => {
    fc.assert(
      fc.property(aTarget, (target) => {
        fc.pre(target !== undefined)
        const { all, at } = target
        const slips = all.map(slipOf)
        const lost = slips[at] ?? aSlip(aVersion())
        const held = slips.filter((slip) => slip !== lost)
        const name = all[at]?.username ?? ''
        expect(differing(summaryOf(all), bookOf(held)).map((line) => line.player)).toEqual([name.toLowerCase()])
        const causes = causesFor(all, held, name)
        // Either a slip of the book explains the difference, or the figures of the missing one are reported.
        const isReported = causes.some(({ rest }) => rest && same(rest, sumOf([lost])))
        expect(isReported || causes.some(({ balances }) => balances)).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('any one figure of the day changed in the book is found, with both figures and no other player’s', () => {
    const field = fc.constantFrom('stake', 'validStake', 'rolling', 'winLoss', 'rake')
    const off = fc.bigInt({ min: -(10n ** 6n), max: 10n ** 6n }).filter((by) => by !== 0n)
    fc.assert(
      fc.property(aTarget, field, off, (target, name, by) => {
        fc.pre(target !== undefined && !target.all[target.at]?.isVoided)
        const { all, at } = target ?? { all: [], at: 0 }
        const slips = all.map(slipOf).map((slip, i) => {
          const latest = latestOf(slip)
          return i === at ? withVersion(slip, { ...latest, [name]: latest[name as 'stake'] + by }) : slip
        })
        const [line, ...others] = differing(summaryOf(all), bookOf(slips))
        expect([line?.player, others]).toEqual([all[at]?.username.toLowerCase(), []])
        expect(line?.fields.find((each) => each.field === name)?.difference).toBe(-by)
        const causes = causesFor(all, slips, all[at]?.username ?? '')
        expect(causes.flatMap((cause) => cause.slips)).toContain(`S${at}`)
        // An arithmetic contradiction names only its slip.
        if (name === 'winLoss' || name === 'stake')
          expect(slips.filter((slip) => contradictionsOf(slip).length > 0).map(({ slipId }) => slipId)).toEqual([
            `S${at}`,
          ])
      }),
      { numRuns: 300 },
    )
  })

  test('no reason makes a difference certain that another one makes doubtful', () => {
    const reason = fc.record({
      code: fc.constantFrom('BOOK_BEHIND' as const, 'SUMMARY_FULL' as const),
      doubts: fc.oneof(fc.constant('all' as const), fc.constant('unlisted' as const), fc.subarray(['amy', 'bob'])),
    })
    fc.assert(
      fc.property(fc.array(reason), reason, fc.boolean(), (reasons, more, isReported) => {
        const line = { player: 'amy', isReported }
        if (!isCertain(line, reasons)) expect(isCertain(line, [...reasons, more])).toBe(false)
      }),
    )
  })
})

test('the fields are those of the summary, in its order', () => {
  expect(dayFields).toEqual(['slips', 'stake', 'validStake', 'rolling', 'payout', 'winLoss', 'rake'])
})
