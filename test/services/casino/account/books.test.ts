import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatUsd } from '../../../../src/domain/money.ts'
import { topUp } from '../../../../src/services/casino/admin/index.ts'
import { aTenant } from '../../../support/worlds/people.ts'
import { aClock, inFile, onPostgres, testWorld } from '../../../support/worlds/world.ts'
import { anAccount, checkBooks } from './accounts.ts'

/** Accounts over months and years, day by day: too slow to be repeated for every change of a mutation run. */

describe('statements', () => {
  test('of a year add up, month by month and day by day', async () => {
    const { world, tenant, enable, disable, statements, goTo } = await anAccount({
      at: '2025-06-17T05:00:00Z',
      credit: '5000',
    })
    const moves = ['BAC-01', 'DT-01', 'BAC-01', 'NN-01', 'DT-01', 'DT-02', 'BAC-01']
    for (let month = 7; month <= 18; month++) {
      const at = new Date(Date.UTC(2025, month - 1, 3 + month, month % 24)).toISOString()
      await goTo(at)
      const table = moves[month % moves.length] ?? 'HE-01'
      await (month % 3 ? enable(table) : disable(table))
      if (month % 4 === 0) await topUp(world.casino, tenant.code, `${month}.000001`, `r-${month}`)
      await checkBooks(world, tenant, '2025-06-17')
    }
    await goTo('2026-07-01T00:00:00Z')
    expect((await statements({})).statements).toHaveLength(13)
    await checkBooks(world, tenant, '2025-06-17')
  })

  test('are 24 at most, the newest first, and the oldest of them opens with the balance before it', async () => {
    const { world, tenant, statements, goTo } = await anAccount({
      at: '2023-01-01T00:00:00Z',
      credit: '10000',
      tables: ['BAC-01'],
    })
    await goTo('2025-07-01T00:00:00Z')
    const list = (await statements({})).statements
    expect(list).toHaveLength(24)
    expect(list.map((statement) => statement.period)).toEqual(
      list
        .map(({ period }) => period)
        .toSorted()
        .reverse(),
    )
    expect(list.at(-1)).toEqual({
      period: '2023-07',
      openingUsd: '9400',
      chargesUsd: '-100',
      paymentsUsd: '0',
      closingUsd: '9300',
    })
    await checkBooks(world, tenant, '2023-01-01')
  })

  test('add up with any events in any order', async () => {
    const account = fc.nat({ max: 1 })
    const event = fc.oneof(
      fc.record({ kind: fc.constant('wait' as const), hours: fc.integer({ min: 1, max: 900 }) }),
      {
        arbitrary: fc.record({
          kind: fc.constantFrom('enable' as const, 'disable' as const),
          account,
          table: fc.constantFrom('BAC-01', 'DT-01', 'NN-01'),
        }),
        weight: 2,
      },
      {
        arbitrary: fc.record({
          kind: fc.constant('topup' as const),
          account,
          usd: fc.integer({ min: 1, max: 200_000_000 }),
        }),
        weight: 2,
      },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 24 }), async (events) => {
        const world = await testWorld({ time: aClock('2026-01-20T10:00:00Z') })
        try {
          // Two accounts to which different things happen in the same time.
          const tenants = [await aTenant(world), await aTenant(world)] as const
          for (const [i, each] of events.entries()) {
            if (each.kind === 'wait') {
              await world.clock.advance((await world.clock.now()) + each.hours * 3_600_000)
              continue
            }
            const { client, code } = tenants[each.account] ?? tenants[0]
            if (each.kind === 'topup') await topUp(world.casino, code, formatUsd(BigInt(each.usd)), `r-${i}`)
            else if (each.kind === 'enable') await client.enableTable({ body: { tableId: each.table } }).catch(() => {})
            else await client.disableTable({ body: { tableId: each.table } })
          }
          for (const tenant of tenants) await checkBooks(world, tenant, '2026-01-20')
        } finally {
          await world.close()
        }
      }),
      { numRuns: 13 },
    )
  })
})

describe('time', () => {
  test.each([inFile, onPostgres])(
    'is advanced by two processes at once on $name, and each day charged once',
    async (on) => {
      const world = await testWorld({ on })
      const tenant = await aTenant(world, { tables: ['BAC-01'] })
      await topUp(world.casino, tenant.code, '1000', 'r')
      world.clock.add('20d')
      await Promise.all(Array.from({ length: 4 }, () => world.settle()))
      await checkBooks(world, tenant, '2026-03-10')
      const rows = await world.store.read(({ q }) =>
        q.selectFrom('casino_usage_days').selectAll().where('tenant', '=', tenant.code).execute(),
      )
      expect(rows).toHaveLength(20)
    },
  )
})
