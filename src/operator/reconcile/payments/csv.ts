import type { Finding } from '../../../domain/reconcile/payments.ts'
import { withoutFormula } from '../../../domain/spreadsheet-formula.ts'
import { csvOf } from '../../../kit/csv-text.ts'

const columns = ['kind', 'payment_id', 'order_id', 'message', 'expected', 'found'] as const

/** Writes the findings as CSV: UTF-8, RFC 4180, fixed column order, one row each. The same findings give the same bytes. */
export async function findingsCsv(findings: readonly Finding[]): Promise<string> {
  const rows = findings.map(({ kind, paymentId, orderId, message, expected, found }) => [
    kind,
    paymentId ?? '',
    withoutFormula(orderId ?? ''),
    message,
    expected ?? '',
    found ?? '',
  ])
  return csvOf([[...columns], ...rows])
}
