import { basename } from 'node:path'
import { sha256Hex } from '../../../../kit/hmac.ts'
import { minuteText } from '../../../../kit/moment.ts'
import { periodCsv } from '../../../../operator/reconcile/periods/csv.ts'
import { openDayLines } from '../../../../operator/reconcile/periods/open-days.ts'
import { periodNamed, showPeriod } from '../../../../operator/reconcile/periods/periods.ts'
import type { PeriodDetails } from '../../../../operator/reconcile/periods/schema.ts'
import { periodPage } from '../../../../operator/report/period-page.ts'
import type { CommandContext } from '../../../context/context.ts'
import { writeOut } from '../../../terminal/out-file.ts'
import { type Column, tableText } from '../../../terminal/table.ts'
import { printable } from '../../../terminal/text.ts'
import { checkOutputFiles, outputFiles } from '../output-files.ts'
import { bookName } from '../report-sources.ts'
import { openPeriods, stateColors } from './work.ts'

interface ShowFlags {
  readonly report: string | undefined
  readonly csv: string | undefined
  readonly force: boolean
}

/** Shows a period with its figures, and writes the report to sign. */
export async function showPeriodNamed(context: CommandContext, name: string, flags: ShowFlags) {
  checkOutputFiles(flags)
  const work = await openPeriods(context)
  const { details, lines } = await showPeriod(work, periodNamed(name, work.timezone))
  const files = outputFiles(flags, { job: 'period', tenant: context.profile.name, date: details.period })
  const csv = await periodCsv(details, lines)
  if (files.csv !== null) writeOut(files.csv, csv)
  if (files.report !== null)
    writeOut(
      files.report,
      periodPage({
        details,
        lines,
        madeAt: work.now,
        madeBy: context.tool,
        book: bookName(await context.services.book()),
        csv: files.csv === null ? null : { name: basename(files.csv), sha256: sha256Hex(csv) },
      }),
    )
  const shown = context.screen.complete(details)
  const open = details.days.filter(({ reasons }) => reasons.length > 0)
  printPeriod(context, shown, context.screen.complete(openDayLines(open)))
  if (shown.state === 'restated')
    context.endWith('RESTATED', `Period ${shown.period} changed after the close`, {
      category: 'differences',
      period: shown.period,
    })
  return { ...shown, lines: [...lines], files }
}

function printPeriod(context: CommandContext, details: PeriodDetails, openDays: readonly string[]): void {
  const { paintOut: paint, tableWidth } = context.screen
  const { period, state, timezone, breaks, totals, restated, reportId, next } = details
  context.log(paint(['bold', stateColors[state]], `Period ${period} in ${timezone} is ${state}.`))
  context.fields({
    'closed by': signedText(details.closedBy, details.closedAt),
    'approved by': signedText(details.approvedBy, details.approvedAt),
    breaks: `${breaks.open} open, ${breaks.closed} closed, ${breaks.cleared} cleared`,
    report: reportId,
  })
  const print = (title: string, rows: readonly object[], columns: readonly Column[]) => {
    if (rows.length === 0) return
    context.log()
    context.log(paint('bold', title))
    context.log(tableText(rows, columns, { width: tableWidth(), paint, hasHeader: true }).trimEnd())
  }
  print(state === 'open' ? 'Current figures' : 'Figures at the close', totals, [
    { key: 'currency', title: 'cur' },
    { key: 'slips', kind: 'amount' },
    ...['stake', 'payout', 'winLoss', 'rake', 'ggr'].map(
      (key): Column => ({ key, title: key === 'winLoss' ? 'win/loss' : key, kind: 'amount' }),
    ),
  ])
  if (openDays.length > 0) {
    context.log()
    context.log(paint('bold', 'Open days'))
    for (const line of openDays) context.log(`- ${printable(line)}`)
  }
  print(
    'Changes after the close',
    restated.flatMap(({ player, currency, fields }) => fields.map((field) => ({ player, currency, ...field }))),
    [
      { key: 'player' },
      { key: 'currency', title: 'cur' },
      { key: 'field' },
      ...['before', 'after', 'change'].map((key): Column => ({ key, kind: 'amount' })),
    ],
  )
  if (next.length > 0) {
    context.log()
    context.log(paint('bold', 'Next'))
    for (const step of next) context.log(`- ${printable(step)}`)
  }
}

const signedText = (by: string | null, at: string | null): string =>
  by === null ? 'nobody' : `${by}, ${at === null ? 'time unknown' : minuteText(at)}`
