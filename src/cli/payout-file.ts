import type { PayoutItemOrder } from '../gateway/shapes.ts'
import { Problem } from '../kit/problem.ts'
import { coinAmountFault, given, tickerFault } from './gateway-words.ts'

const columns = ['address', 'currency', 'amount', 'description', 'external_id', 'execute_at'] as const

/** The payouts of a CSV file: `address,currency,amount` and, where wanted, `description,external_id,execute_at`. INVALID_FILE names the line. */
export async function payoutsFromCsv(text: string): Promise<PayoutItemOrder[]> {
  const { parse } = await import('csv-parse/sync')
  let rows: Record<string, string>[]
  try {
    rows = parse(text, { columns: true, skip_empty_lines: true, trim: true, bom: true })
  } catch (error) {
    throw new Problem('INVALID_FILE', `The file is not CSV: ${error instanceof Error ? error.message : error}`)
  }
  const [first] = rows
  if (first === undefined) throw new Problem('INVALID_FILE', 'The file has no payouts')
  const unknown = Object.keys(first).find((name) => !columns.some((known) => known === name))
  if (unknown !== undefined)
    throw new Problem('INVALID_FILE', `The file has an unknown column "${unknown}"; it may have ${columns.join(', ')}`)
  const seen = new Set<string>()
  return rows.map((row, i) => {
    const line = i + 2
    const { address = '', currency = '', amount = '' } = row
    const fault = coinAmountFault(amount) ?? tickerFault(currency)
    if (address === '') throw new Problem('INVALID_FILE', `Line ${line}: the address is missing`, { line })
    if (fault) throw new Problem('INVALID_FILE', `Line ${line}: ${fault.message}`, { line })
    const external = row['external_id'] || undefined
    // The same reference twice in one file is a row that was copied by mistake.
    if (external !== undefined && seen.has(external))
      throw new Problem('INVALID_FILE', `Line ${line}: external_id ${external} stands in the file twice`, { line })
    if (external !== undefined) seen.add(external)
    return {
      address,
      currency: currency.toLowerCase(),
      amount,
      ...given({
        payout_description: row['description'] || undefined,
        unique_external_id: external,
        execute_at: row['execute_at'] || undefined,
      }),
    }
  })
}

/** What a batch comes to by currency, as decimal text. */
export async function totalsOf(
  items: readonly { readonly currency?: string | null | undefined; readonly amount?: unknown }[],
): Promise<{ currency: string; amount: string }[]> {
  const { Decimal } = await import('decimal.js')
  const sums = new Map<string, InstanceType<typeof Decimal>>()
  // Enough digits that no sum of amounts is ever rounded.
  const Exact = Decimal.clone({ precision: 80 })
  for (const { currency, amount } of items) {
    const code = String(currency).toLowerCase()
    sums.set(code, (sums.get(code) ?? new Exact(0)).plus(new Exact(String(amount))))
  }
  return [...sums].map(([currency, amount]) => ({ currency, amount: amount.toFixed() }))
}

/** The totals in words: `10 trx and 0.5 btc`. */
export function totalsText(totals: readonly { currency: string; amount: string }[]): string {
  return totals.map(({ currency, amount }) => `${amount} ${currency}`).join(' and ')
}
