import { unitsOf } from '../../../domain/money.ts'
import { amountScale, type Order } from '../../../domain/reconcile/payments.ts'
import { Problem } from '../../../kit/problem.ts'
import { csvTable } from '../../csv/read.ts'
import { refuseFaults } from '../../csv/row-errors.ts'

const needed = ['order_id', 'amount', 'currency'] as const
const paidWords: Readonly<Record<string, boolean | null>> = {
  yes: true,
  true: true,
  '1': true,
  paid: true,
  no: false,
  false: false,
  '0': false,
  open: false,
  '': null,
}

/**
 * Reads the merchant's orders from a CSV file with a header: `order_id`, `amount`, `currency` and optionally `paid`. Other
 * columns are ignored, because it is the merchant's own export. INVALID_FILE has every error with its line.
 */
export async function ordersFromCsv(file: string | Uint8Array): Promise<Order[]> {
  const { head, rows } = await csvTable(file, 'The orders')
  const missing = needed.find((name) => rows.length > 0 && !head.includes(name))
  if (missing)
    throw new Problem('INVALID_FILE', `The orders have no column "${missing}"; required: ${needed.join(', ')}`)
  const seen = new Set<string>()
  const read = rows.map(({ line, cells }) => {
    const record = Object.fromEntries(head.map((name, i) => [name, cells[i] ?? '']))
    const { order_id: id = '', amount = '', currency = '', paid = '' } = record
    const units = unitsOf(amount, amountScale)
    const isPaid = paidWords[paid.toLowerCase()]
    const faults = [
      cells.length > head.length && 'more cells than columns; does an amount contain a comma?',
      id === '' && 'the order_id is missing',
      id !== '' && seen.has(id) && `the order ${id} appears twice in the file`,
      (units === null || units < 0n) && `"${amount}" is not an amount`,
      !/^[a-z0-9]{2,20}$/i.test(currency) && `"${currency}" is not a currency`,
      isPaid === undefined && `"${paid}" must be yes or no`,
    ].flatMap((message) => (message === false ? [] : [{ line, message }]))
    seen.add(id)
    return { faults, order: { id, amount: units ?? 0n, currency: currency.toLowerCase(), isPaid: isPaid ?? null } }
  })
  refuseFaults(read.flatMap(({ faults }) => faults))
  return read.map(({ order }) => order)
}
