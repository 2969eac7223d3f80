import { feeFor } from '../../../domain/account/bill-check.ts'
import { closingOf, periodOf, wholeOf } from '../../../domain/account/statement-check.ts'
import { formatUsd, parseUsd } from '../../../domain/money.ts'
import { csvOf } from '../../../kit/csv-text.ts'
import type { Statement } from '../../../services/casino/api/schemas/index.ts'
import { figuresOf, type ReconciledBill } from './reconcile.ts'
import { statementFindings } from './statement-findings.ts'

/** Billing CSV files: UTF-8, RFC 4180, LF line endings. They have no data of the run: the same figures give the same bytes. */

const statementColumns = ['period', 'openingUsd', 'chargesUsd', 'paymentsUsd', 'closingUsd', 'differenceUsd'] as const

/** The statements as a file, and their errors. */
export interface StatementsCsv {
  readonly text: string
  readonly rows: number
  readonly total: (Omit<Statement, 'period'> & { readonly differenceUsd: string }) | null
  readonly findings: readonly { readonly period: string; readonly message: string }[]
}

/**
 * Writes the statements, oldest first, and a total: the opening of the first, all charges and payments, the closing of the last.
 * `differenceUsd` is the closing minus these; 0 in every row and in the total proves the whole chain.
 */
export async function statementsCsv(newestFirst: readonly Statement[]): Promise<StatementsCsv> {
  const figures = newestFirst.map(figuresOf)
  const oldestFirst = figures.toReversed()
  const differenceOf = (each: Parameters<typeof closingOf>[0] & { closing: bigint }) =>
    formatUsd(each.closing - closingOf(each))
  const rows = newestFirst.toReversed().map((statement, i) => {
    const own = oldestFirst[i]
    const { period, openingUsd, chargesUsd, paymentsUsd, closingUsd } = statement
    return [period, openingUsd, chargesUsd, paymentsUsd, closingUsd, own ? differenceOf(own) : '']
  })
  const whole = wholeOf(oldestFirst)
  const total = whole && {
    openingUsd: formatUsd(whole.opening),
    chargesUsd: formatUsd(whole.charges),
    paymentsUsd: formatUsd(whole.payments),
    closingUsd: formatUsd(whole.closing),
    differenceUsd: differenceOf(whole),
  }
  const last = total
    ? [['TOTAL', total.openingUsd, total.chargesUsd, total.paymentsUsd, total.closingUsd, total.differenceUsd]]
    : []
  return {
    text: await csvOf([[...statementColumns], ...rows, ...last]),
    rows: rows.length,
    total: total ?? null,
    findings: statementFindings(newestFirst),
  }
}

const billColumns = ['period', 'day', 'check', 'stated', 'computed', 'difference', 'match'] as const

/**
 * Writes every compared figure of a bill. A month's opening is compared with the previous closing, its closing with its
 * own sum, and its charges with its days. Each day's table fee is compared with the price. `difference` is stated minus
 * computed.
 */
export async function billCsv({ result, proof, days }: ReconciledBill): Promise<string> {
  const price = parseUsd(result.tablePriceUsd)
  const wrongDays = new Set(proof.findings.flatMap((finding) => ('day' in finding ? [finding.day] : [])))
  const row = (period: string, day: string, check: string, reported: bigint, computed: bigint, matches?: boolean) => [
    period,
    day,
    check,
    formatUsd(reported),
    formatUsd(computed),
    formatUsd(reported - computed),
    (matches ?? reported === computed) ? 'yes' : 'no',
  ]
  const months = proof.months.toReversed().flatMap(({ statement, tableFee, streamFee }, i, all) => {
    const { period, opening, charges, closing } = statement
    const before = all[i - 1]?.statement
    return [
      ...(before ? [row(period, '', 'opening', opening, before.closing)] : []),
      row(period, '', 'charges', -charges, tableFee + streamFee),
      row(period, '', 'closing', closing, closingOf(statement)),
    ]
  })
  const fees = days.map((each) => {
    const [reported, computed] = [parseUsd(each.tableFeeUsd), feeFor(each.tableDays, each.day, price)]
    // Within a cent a fee counts as pro rata, because the rounding is up to the platform.
    return row(periodOf(each.day), each.day, 'table fee', reported, computed, !wrongDays.has(each.day))
  })
  return csvOf([[...billColumns], ...months, ...fees])
}
