import { daysAround } from '../../../operator/bets/slips-by-day.ts'
import { reconciliationCsv } from '../../../operator/reconcile/daily/csv.ts'
import type { Reconciled } from '../../../operator/reconcile/daily/types.ts'
import { dailyPage } from '../../../operator/report/daily-page.ts'
import type { OpenBook } from '../../context/services.ts'
import { writeOut } from '../../terminal/out-file.ts'
import type { OutputFiles } from './output-files.ts'
import { reportSources } from './report-sources.ts'

/** Reconciled days, and what their report says about itself. */
interface DailyReport {
  readonly book: OpenBook
  readonly days: readonly Reconciled[]
  readonly madeAt: number
  readonly madeBy: string
}

/** Writes the CSV file and the report of reconciled days, each if it is requested. */
export async function writeDailyFiles(
  { book, days, madeAt, madeBy }: DailyReport,
  { report, csv }: OutputFiles,
): Promise<void> {
  const text = csv === null ? '' : await reconciliationCsv(days)
  if (csv !== null) writeOut(csv, text)
  const [first, last] = [days[0]?.result, days.at(-1)?.result]
  if (report === null || !first || !last) return
  const range = { day: first.date, lastDay: last.date, zone: first.timezone }
  const around = await book.book.store.read((reader) => daysAround(reader, range))
  const span = { start: first.start, end: last.end }
  const sources = await reportSources(book, span, { path: csv, text, content: 'differences of this report' })
  writeOut(report, dailyPage({ days, around, sources, madeAt, madeBy }))
}
