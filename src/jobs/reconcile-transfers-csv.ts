import type { ComparedTransfer } from './reconcile-transfers.ts'

const columns = [
  'line',
  'txnId',
  'result',
  'player',
  'dir',
  'amount',
  'currency',
  'time',
  'platformPlayer',
  'platformDir',
  'platformAmount',
  'platformTime',
  'differs',
  'message',
] as const

/** Every transfer and what it came to, as CSV: UTF-8, RFC 4180, lines ended by LF, the columns in this order. */
export async function transfersCsv(transfers: readonly ComparedTransfer[]): Promise<string> {
  const { stringify } = await import('csv-stringify/sync')
  const records = transfers.map((each) => [
    each.line ?? '',
    textCell(each.txnId),
    each.result,
    textCell(each.player),
    each.dir,
    each.amount,
    textCell(each.currency),
    each.at ?? '',
    textCell(each.platform?.player ?? ''),
    each.platform?.dir ?? '',
    each.platform?.amount ?? '',
    each.platform?.at ?? '',
    each.differences.map(({ field }) => field).join(' '),
    textCell(each.message),
  ])
  return stringify([[...columns], ...records])
}

/** A spreadsheet runs a cell that begins so as a formula, and a username or txnId may begin with `-` or `@`. */
function textCell(text: string): string {
  return /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
}
