import { daysAround } from '../../../operator/bets/slips-by-day.ts'
import type { Book } from '../../../operator/book/book.ts'
import { reconciliationCsv } from '../../../operator/reconcile/daily/csv.ts'
import type { Reconciled } from '../../../operator/reconcile/daily/types.ts'
import { reportPage } from '../../../operator/report/daily-page.ts'
import { writeOut } from '../../terminal/out-file.ts'
import type { OutputFiles } from './output-files.ts'

/** Reconciled days, and what their report says about itself. */
interface DailyReport {
  readonly book: Book
  readonly days: readonly Reconciled[]
  readonly madeAt: number
  readonly madeBy: string
}

/** Writes the CSV file and the report of reconciled days, each if it is requested. */
export async function writeDailyFiles(
  { book, days, madeAt, madeBy }: DailyReport,
  { report, csv }: OutputFiles,
): Promise<void> {
  if (csv !== null) writeOut(csv, await reconciliationCsv(days))
  const [first, last] = [days[0]?.result, days.at(-1)?.result]
  if (report === null || !first || !last) return
  const range = { day: first.date, lastDay: last.date, zone: first.timezone }
  const around = await book.store.read((reader) => daysAround(reader, range))
  writeOut(report, reportPage({ days, around, madeAt, madeBy }))
}
