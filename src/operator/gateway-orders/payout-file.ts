import { Decimal } from 'decimal.js'
import { coinAmountFault, tickerFault } from '../../domain/payments/order-faults.ts'
import { definedFields } from '../../kit/defined-fields.ts'
import { Problem } from '../../kit/problem.ts'
import type { PayoutItemInput } from '../../services/gateway/api/schemas.ts'
import { csvTable } from '../csv/read.ts'
import { refuseFaults } from '../csv/row-errors.ts'

const columns = ['address', 'currency', 'amount', 'description', 'external_id', 'execute_at'] as const

/** A payout of a file, with its line number. */
export interface PayoutOfFile {
  readonly line: number
  readonly item: PayoutItemInput
}

/** Reads payouts from a CSV file with `address,currency,amount` and optionally `description,external_id,execute_at`. INVALID_FILE has every error with its line. */
export async function payoutsFromCsv(file: string | Uint8Array): Promise<PayoutOfFile[]> {
  const { head, rows } = await csvTable(file, 'The file')
  if (rows.length === 0) throw new Problem('INVALID_FILE', 'The file has no payouts')
  const unknown = head.find((name) => !columns.some((known) => known === name))
  if (unknown !== undefined)
    throw new Problem(
      'INVALID_FILE',
      `The file has an unknown column "${unknown}"; valid columns: ${columns.join(', ')}`,
    )
  const twice = head.find((name, i) => head.indexOf(name) !== i)
  if (twice !== undefined) throw new Problem('INVALID_FILE', `The file has the column "${twice}" twice`)
  const seen = new Set<string>()
  const read = rows.map(({ line, cells }) => {
    const row = Object.fromEntries(head.map((name, i) => [name, cells[i] ?? '']))
    const { address = '', currency = '', amount = '' } = row
    const external = row['external_id'] || undefined
    const faults = [
      cells.length > head.length && 'more cells than columns; does an amount contain a comma?',
      address === '' && 'the address is missing',
      coinAmountFault(amount)?.message,
      tickerFault(currency)?.message,
      // The same reference twice in one file is usually a copied row.
      external !== undefined && seen.has(external) && `external_id ${external} appears twice in the file`,
    ].flatMap((message) => message || [])
    if (external !== undefined) seen.add(external)
    const about = {
      payout_description: row['description'] || undefined,
      unique_external_id: external,
      execute_at: row['execute_at'] || undefined,
    }
    return { line, faults, item: { address, currency: currency.toLowerCase(), amount, ...definedFields(about) } }
  })
  refuseFaults(read.flatMap(({ line, faults }) => faults.map((message) => ({ line, message }))))
  return read.map(({ line, item }) => ({ line, item }))
}

/** Returns the totals of a batch by currency, as decimal text. */
export function totalsOf(
  items: readonly { readonly currency?: string | null | undefined; readonly amount?: unknown }[],
): { currency: string; amount: string }[] {
  const sums = new Map<string, Decimal>()
  // Enough digits to add amounts without rounding.
  const Exact = Decimal.clone({ precision: 80 })
  for (const { currency, amount } of items) {
    const code = String(currency).toLowerCase()
    sums.set(code, (sums.get(code) ?? new Exact(0)).plus(new Exact(String(amount))))
  }
  return [...sums].map(([currency, amount]) => ({ currency, amount: amount.toFixed() }))
}

/** Formats totals: `10 trx and 0.5 btc`. */
export function totalsText(totals: readonly { currency: string; amount: string }[]): string {
  return totals.map(({ currency, amount }) => `${amount} ${currency}`).join(' and ')
}
