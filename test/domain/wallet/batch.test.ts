import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatUnits, parseAmount, playerScale, sum } from '../../../src/domain/money.ts'
import { aboveLimits, approvalLimits, approvalStanding, foldName } from '../../../src/domain/wallet/approval.ts'
import {
  type BatchContent,
  batchDigest,
  forecast,
  generatedTxnId,
  type KnownPlayer,
  type Movement,
  movedOf,
  movementsDigest,
  totalsOf,
} from '../../../src/domain/wallet/batch.ts'

const anAmount = fc.bigInt({ min: 1n, max: 10n ** 12n }).map((units) => formatUnits(units, playerScale))
const aName = fc.constantFrom('amy', 'Amy', 'bob', 'cho', 'DEE')
const aMovement: fc.Arbitrary<Movement> = fc.record({
  username: aName,
  dir: fc.constantFrom('in' as const, 'out' as const),
  amount: anAmount,
  currency: fc.constantFrom('USD', 'EUR'),
})
const movements = fc.array(aMovement, { minLength: 1, maxLength: 20 })

describe('the totals of a batch', () => {
  test('every row is in one total, and the totals by currency contain all the money', () => {
    fc.assert(
      fc.property(movements, (rows) => {
        const totals = totalsOf(rows)
        expect(totals.reduce((count, total) => count + total.rows, 0)).toBe(rows.length)
        for (const { currency, amount } of movedOf(totals)) {
          const expected = sum(rows.filter((row) => row.currency === currency).map((row) => parseAmount(row.amount)))
          expect(parseAmount(amount)).toBe(expected)
        }
      }),
    )
  })

  test('are reported by currency, deposits before withdrawals', () => {
    const rows = [
      { username: 'amy', dir: 'out', amount: '1.5', currency: 'USD' },
      { username: 'bob', dir: 'in', amount: '2', currency: 'USD' },
      { username: 'cho', dir: 'in', amount: '999999999999999.9999', currency: 'EUR' },
      { username: 'dee', dir: 'in', amount: '999999999999999.9999', currency: 'EUR' },
    ] as const
    expect(totalsOf(rows)).toEqual([
      // More than a single amount can contain: a sum is none.
      { currency: 'EUR', dir: 'in', rows: 2, amount: '1999999999999999.9998' },
      { currency: 'USD', dir: 'in', rows: 1, amount: '2' },
      { currency: 'USD', dir: 'out', rows: 1, amount: '1.5' },
    ])
    expect(movedOf(totalsOf(rows))).toContainEqual({ currency: 'USD', amount: '3.5' })
  })
})

describe('the identity of a batch', () => {
  test('ignores order and spelling; any other amount, player or direction changes it', () => {
    fc.assert(
      fc.property(movements, fc.nat(), aMovement, (rows, at, other) => {
        const mixed = rows.toReversed().map((row) => ({ ...row, username: row.username.toUpperCase() }))
        expect(movementsDigest(mixed)).toBe(movementsDigest(rows))
        expect(movementsDigest([...rows, other])).not.toBe(movementsDigest(rows))
        const i = at % rows.length
        const more = rows.map((row, j) =>
          i === j ? { ...row, amount: formatUnits(parseAmount(row.amount) + 1n, playerScale) } : row,
        )
        expect(movementsDigest(more)).not.toBe(movementsDigest(rows))
      }),
    )
  })

  test('any change gives another digest', () => {
    const row = { place: 1, line: 2, txnId: 't', username: 'amy', dir: 'in', amount: '1', currency: 'USD', note: null }
    const plan = {
      ...{ planId: 'P', companyCode: 'DEMO', environment: 'live', sourceSha256: 'f', note: null },
      ...{ madeBy: 'ann', creates: false, rows: [row, { ...row, place: 2, txnId: 'u' }] },
    } as BatchContent
    const others: BatchContent[] = [
      { ...plan, planId: 'Q' },
      { ...plan, companyCode: 'ACME' },
      { ...plan, environment: 'sandbox' },
      { ...plan, sourceSha256: 'g' },
      { ...plan, note: 'x' },
      { ...plan, madeBy: 'beth' },
      { ...plan, creates: true },
      { ...plan, rows: plan.rows.toReversed() },
      { ...plan, rows: plan.rows.slice(1) },
      ...[
        { line: 3 },
        { txnId: 'v' },
        { username: 'Amy' },
        { dir: 'out' as const },
        { amount: '1.0001' },
        { currency: 'EUR' },
        { note: 'x' },
      ].map((change) => ({ ...plan, rows: plan.rows.map((each, i) => (i === 1 ? { ...each, ...change } : each)) })),
    ]
    const digests = [plan, ...others].map(batchDigest)
    expect(new Set(digests).size).toBe(digests.length)
    expect(batchDigest(structuredClone(plan))).toBe(batchDigest(plan))
  })

  test('a generated ID has the form of a txnId, also in the largest batch', () => {
    expect(generatedTxnId('01JQ7Z6Y3V8T2M9K4H5N0B1C2D', 100_000)).toMatch(/^[A-Za-z0-9_.:-]{1,64}$/)
  })
})

describe('the forecast', () => {
  const players = new Map<string, KnownPlayer>([
    ['amy', { username: 'amy', status: 'active', currency: 'USD', balance: '100' }],
    ['bob', { username: 'bob', status: 'locked', currency: 'EUR', balance: '0' }],
  ])

  test('equals the rejections that sending the rows one after another would get', () => {
    fc.assert(
      fc.property(movements, fc.boolean(), (rows, creates) => {
        // A platform in four lines: a refusal moves nothing.
        const accounts = new Map(
          [...players].map(([key, { currency, balance }]) => [key, { currency, units: parseAmount(balance) }]),
        )
        const refused = rows.flatMap(({ username, dir, amount, currency }, i) => {
          const key = username.toLowerCase()
          if (!accounts.has(key) && dir === 'in' && creates) accounts.set(key, { currency, units: 0n })
          const account = accounts.get(key)
          const after = (account?.units ?? 0n) + (dir === 'in' ? parseAmount(amount) : -parseAmount(amount))
          if (account?.currency !== currency || after < 0n) return [i]
          account.units = after
          return []
        })
        const foreseen = forecast(
          rows.map((row, line) => ({ ...row, line })),
          players,
          { creates },
        )
        expect(foreseen.map(({ line }) => line)).toEqual(refused)
      }),
    )
  })

  test('begins at zero for a player whom the batch creates', () => {
    const row = { username: 'new', currency: 'USD' }
    const rows = [
      { ...row, line: 2, dir: 'in' as const, amount: '5' },
      { ...row, line: 3, dir: 'out' as const, amount: '5.0001' },
      { ...row, line: 4, dir: 'out' as const, amount: '5' },
    ]
    expect(forecast(rows, players, { creates: true }).map(({ line, code }) => [line, code])).toEqual([
      [3, 'INSUFFICIENT_BALANCE'],
    ])
  })

  test('has the reason, and the balance at that point', () => {
    const row = (line: number, username: string, dir: 'in' | 'out', amount: string, currency = 'USD') => ({
      ...{ line, username, dir, amount, currency },
    })
    const rows = [
      row(2, 'amy', 'out', '60'),
      row(3, 'AMY', 'out', '60'),
      row(4, 'amy', 'in', '20'),
      row(5, 'amy', 'out', '60'),
      row(6, 'bob', 'in', '1'),
      row(7, 'zoe', 'in', '1'),
    ]
    expect(forecast(rows, players, { creates: false }).map(({ line, code, message }) => [line, code, message])).toEqual(
      [
        [3, 'INSUFFICIENT_BALANCE', 'AMY would have 40 USD at that point, not 60'],
        [6, 'CURRENCY_MISMATCH', 'bob has an account in EUR, not in USD'],
        [7, 'PLAYER_NOT_FOUND', 'player zoe does not exist'],
      ],
    )
    expect(forecast(rows.slice(5), players, { creates: true })).toEqual([])
  })
})

describe('a second person', () => {
  const moved = [
    { currency: 'USD', amount: '1000' },
    { currency: 'EUR', amount: '0.0001' },
  ]
  const needed = (text: string) => aboveLimits(moved, approvalLimits(text) ?? undefined).map(({ currency }) => currency)

  test('is required above the limit of a currency, and always if others have a limit and it has none', () => {
    expect(aboveLimits(moved, undefined)).toEqual([])
    expect(needed('1000:USD,1:EUR')).toEqual([])
    expect(needed('999.9999:usd, 1:eur')).toEqual(['USD'])
    expect(needed('1000:USD')).toEqual(['EUR'])
    for (const text of ['', 'USD', '1000', '-1:USD', '1:USD,', '1:USD,2:usd', '1e3:USD', '1.00001:USD'])
      expect(approvalLimits(text), text).toBeNull()
  })

  test('is another person, who approved exactly this batch', () => {
    const plan = { digest: 'd', madeBy: 'Ann ' }
    const by = (name: string, digest = 'd') => ({ nameKey: foldName(name), digest })
    expect(approvalStanding(plan, [], false)).toBe('none')
    expect(approvalStanding(plan, [by('beth', 'other')], false)).toBe('none')
    expect(approvalStanding(plan, [by('ANN')], false)).toBe('approved')
    for (const name of ['ANN', 'a\u200bnn', 'ａｎｎ'])
      expect(approvalStanding(plan, [by(name)], true), JSON.stringify(name)).toBe('own-only')
    expect(approvalStanding(plan, [by('ann'), by('beth', 'other')], true)).toBe('own-only')
    expect(approvalStanding(plan, [by('ann'), by('beth')], true)).toBe('approved')
  })
})
