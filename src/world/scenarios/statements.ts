import { parseUsd } from '../../domain/money.ts'
import { reconcileBilling } from '../../operator/reconcile/billing/reconcile.ts'
import { demoCode } from '../demo-data.ts'
import type { CasinoClient } from '../library/connect.ts'

/** Price of a table per month in the platform's documents. */
const tablePrice = parseUsd('100')

/** Returns the months that have a statement, newest first. */
export async function statementPeriods(casino: CasinoClient): Promise<string[]> {
  return (await casino.statements({})).statements.map(({ period }) => period)
}

/** Compares the newest statement with the usage of its days. Returns the verdict, with the findings if it differs. */
export async function newestStatement(casino: CasinoClient, now: () => Promise<number>): Promise<string> {
  const [period] = await statementPeriods(casino)
  if (period === undefined) return 'none'
  const input = {
    tenant: { companyCode: demoCode, environment: 'live' as const },
    from: period,
    to: period,
    tablePrice,
  }
  const { result } = await reconcileBilling({ platform: casino, now }, input)
  const { verdict, findings, reasons } = result
  return verdict === 'balanced'
    ? verdict
    : [verdict, ...[...findings, ...reasons].map((each) => each.message)].join(': ')
}
