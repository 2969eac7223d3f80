import { expect } from 'vitest'
import { formatUsd, parseUsd, sum } from '../../../../src/domain/money.ts'
import { topUp } from '../../../../src/services/casino/admin/index.ts'
import { aTenant, type TestTenant } from '../../../support/worlds/people.ts'
import { aClock, type TestWorld, testWorld } from '../../../support/worlds/world.ts'

/** A tenant in a world whose clock shows a given time, with its account's calls. */
export async function anAccount(options: Parameters<typeof aTenant>[1] & { at?: string; credit?: string } = {}) {
  const { at = '2026-03-10T12:00:00.000Z', credit, ...rest } = options
  const world = await testWorld({ time: aClock(at) })
  const tenant = await aTenant(world, rest)
  if (credit) await topUp(world.casino, tenant.code, credit, 'first')
  const { account, usage, statements, enableTable, disableTable } = tenant.client
  const enable = (tableId: string) => enableTable({ body: { tableId } })
  const disable = (tableId: string) => disableTable({ body: { tableId } })
  const goTo = (moment: string) => world.clock.advance(Date.parse(moment))
  const days = async (from: string, to: string) => (await usage({ query: { from, to } })).days
  return { world, tenant, account, days, usage, statements, enable, disable, goTo }
}

/**
 * Checks the account's figures: days against charges, charges and payments against statements, statements against the
 * credit.
 */
export async function checkBooks(world: TestWorld, { client, code }: TestTenant, from: string): Promise<void> {
  const { statements } = await client.statements({})
  const { balanceUsd } = await client.account({})
  const today = new Date(await world.clock.now()).toISOString().slice(0, 10)
  const { days } = await client.usage({ query: { from, to: today } })
  const feeOf = (day: (typeof days)[number]) => parseUsd(day.tableFeeUsd) + parseUsd(day.streamFeeUsd)
  for (const [i, statement] of statements.entries()) {
    expect(statement.openingUsd).toBe(statements[i + 1]?.closingUsd ?? statement.openingUsd)
    expect(parseUsd(statement.closingUsd)).toBe(
      parseUsd(statement.openingUsd) + parseUsd(statement.chargesUsd) + parseUsd(statement.paymentsUsd),
    )
    const own = days.filter((day) => day.day.startsWith(statement.period))
    expect(sum(own.map(feeOf))).toBe(-parseUsd(statement.chargesUsd))
  }
  const entries = await world.store.read(({ q }) =>
    q.selectFrom('casino_credit_entries').selectAll().where('tenant', '=', code).orderBy('id').execute(),
  )
  expect(formatUsd(sum(entries.map((entry) => parseUsd(entry.amount_usd))))).toBe(balanceUsd)
  const thisMonth = days.filter((day) => day.day.startsWith(today.slice(0, 7)) && day.day < today)
  const paid = entries.filter((entry) => entry.kind === 'topup' && entry.day.startsWith(today.slice(0, 7)))
  expect(
    parseUsd(statements[0]?.closingUsd ?? '0') +
      sum(paid.map((entry) => parseUsd(entry.amount_usd))) -
      sum(thisMonth.map(feeOf)),
  ).toBe(parseUsd(balanceUsd))
}
