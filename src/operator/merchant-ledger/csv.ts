import { formatFixed, sum } from '../../domain/money.ts'
import { scaleOf } from '../../domain/payments/amounts.ts'
import type { LedgerTally } from '../../domain/payments/ledger-tally.ts'
import { withoutFormula } from '../../domain/spreadsheet-formula.ts'
import { csvOf } from '../../kit/csv-text.ts'
import { momentText } from '../../kit/moment.ts'
import type { StatedEntry } from '../../services/gateway/admin/ledger-statement.ts'

/**
 * Columns of the bookkeeper's CSV. The rows in order: one `opening` row per account, the `entry` rows by time, one
 * `closing` row per account, and one `sum` row per currency. The amount and balance of a `sum` row are 0 if the ledger
 * is correct.
 */
export const ledgerColumns = [
  'row',
  'time',
  'posting',
  'line',
  'account',
  'owner',
  'currency',
  'amount',
  'balance',
  'reference',
  'orderId',
] as const

/** Formats units with all decimals of their currency. */
export function ledgerAmount(units: bigint, currency: string): string {
  const scale = scaleOf(currency)
  return formatFixed(units, scale, scale)
}

/** Formats entries of postings. */
export function entryLines(entries: readonly StatedEntry[]): Promise<string> {
  return csvOf(
    entries.map(({ at, posting, position, account, units, balance, ref, orderId }) => [
      'entry',
      momentText(at),
      posting,
      position + 1,
      account.kind,
      withoutFormula(account.owner),
      account.currency,
      ledgerAmount(units, account.currency),
      ledgerAmount(balance, account.currency),
      withoutFormula(ref),
      withoutFormula(orderId ?? ''),
    ]),
  )
}

/** Formats the opening or closing balances of the accounts. */
export function balanceLines(tally: LedgerTally, row: 'opening' | 'closing', time: string): Promise<string> {
  return csvOf(
    tally.sorted().map((each) => {
      const { kind, owner, currency } = each.account
      const balance = ledgerAmount(each[row], currency)
      return [row, time, '', '', kind, withoutFormula(owner), currency, '', balance, '', '']
    }),
  )
}

/** Formats the sum of the entries and of the closing balances of each currency. */
export function sumLines(tally: LedgerTally, time: string): Promise<string> {
  const byCurrency = Map.groupBy(tally.sorted(), ({ account }) => account.currency)
  return csvOf(
    [...byCurrency].map(([currency, parts]) => {
      const amount = sum(parts.map(({ added, taken }) => added + taken))
      const balance = sum(parts.map(({ closing }) => closing))
      const sums = [amount, balance].map((units) => ledgerAmount(units, currency))
      return ['sum', time, '', '', '', '', currency, ...sums, '', '']
    }),
  )
}
