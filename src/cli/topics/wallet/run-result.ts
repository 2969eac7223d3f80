import { type BatchTotal, totalsOf } from '../../../domain/wallet/batch.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText, grouped, partText } from '../../../kit/text/count-text.ts'
import type { BatchRunEnd, RowOutcome, RowResult } from '../../../operator/transfers/apply-batch.ts'
import { type BatchReport, countedReport } from '../../../operator/transfers/batch-report.ts'
import type { StoredBatch } from '../../../operator/transfers/batches.ts'
import type { CommandContext } from '../../context/context.ts'
import { typedCommand } from '../../framework/shell-quote.ts'
import { batchCategory, type Category, categoryOf, problemOf } from '../../outcome/exit-codes.ts'
import { writeOut } from '../../terminal/out-file.ts'
import { csvText } from '../../terminal/table.ts'
import { approvalRules } from './approval-settings.ts'
import { batchCommand } from './batch-checks.ts'
import type { RunFlags } from './batch-flags.ts'
import { type BatchRowReport, printBatch, rowColumns, rowReport, runFileColumns, runFileRow } from './batch-view.ts'

/** Results of runs that apply a batch, and of their dry runs. */

/** Maximum number of unfinished rows in the table; the file and --json have all. */
const maxShown = 40

/** Prints what a run would send. */
export function printDryRun(
  context: CommandContext,
  batch: StoredBatch,
  report: BatchReport,
  flags: Pick<RunFlags, 'retry-refused'>,
) {
  const { rows, unknown, refused } = report
  const left = report.left + (flags['retry-refused'] ? refused : 0)
  printBatch(context, report)
  const lookups = unknown > 0 ? `${grouped(unknown)} would be looked up first, then ` : ''
  context.footnote(
    `Valid; nothing was sent. Without --dry-run: ${lookups}${partText(left, rows, 'transfer')} would be sent.`,
  )
  const transfers = batch.rows.map((row) => {
    const known = batch.transfers.get(row.txnId)
    const outcome: RowOutcome =
      known?.state === 'done'
        ? 'already'
        : known?.state === 'refused' || known?.state === 'unknown'
          ? known.state
          : 'left'
    return rowReport(row, known, {
      ...{ outcome, message: null, code: known?.refusal ?? null },
      ...{ balance: known?.balance ?? null, attempts: known?.attempts ?? 0 },
    })
  })
  const doneTotals = totalsOf(batch.rows.filter(({ txnId }) => batch.transfers.get(txnId)?.state === 'done'))
  return { ...report, transfers, doneNow: 0, doneTotals, dryRun: true, out: null, next: [] as string[] }
}

/** Prints what a run did, and writes it to a file if one is named. */
export async function printRun(context: CommandContext, batch: StoredBatch, end: BatchRunEnd, out: string | null) {
  const report = countedReport(batch, approvalRules(context.settings))
  const resume = batchCommand(context, 'wallet resume', report.planId)
  const transfers = end.results.map(({ row, ...result }) => rowReport(row, batch.transfers.get(row.txnId), result))
  if (out !== null) await writeRows(context, out, report.planId, transfers)
  const isDone = new Set(
    end.results.flatMap(({ row, outcome }) => (outcome === 'done' || outcome === 'already' ? [row.place] : [])),
  )
  const doneTotals = totalsOf(batch.rows.filter(({ place }) => isDone.has(place)))
  const doneNow = end.results.filter(({ outcome }) => outcome === 'done').length
  const next = report.state === 'begun' ? [resume] : []
  printTotals(context, report, doneTotals)
  printOpenRows(context, transfers)
  if (end.unrecorded > 0)
    context.warn(
      `${countText(end.unrecorded, 'transfer is', 'transfers are')} done but could not be saved in the book. To save them: ${resume}`,
    )
  const problem = runProblem(end, next[0])
  if (problem) context.endWith(problem.code, problem.message, problem.detail)
  if (out !== null) context.footnote(`Wrote ${out}`)
  const open = report.left + report.unknown
  if (next[0] !== undefined)
    context.footnote(`${countText(open, 'row is', 'rows are')} not finished. To continue: ${next[0]}`)
  return { ...report, transfers, doneNow, doneTotals, dryRun: false, out, next }
}

/** The money has moved, so a failed write of the file is only a warning. */
async function writeRows(
  context: CommandContext,
  out: string,
  planId: string,
  transfers: readonly BatchRowReport[],
): Promise<void> {
  try {
    writeOut(out, await csvText(transfers.map(runFileRow), runFileColumns, true))
  } catch (error) {
    context.warn(
      `Cannot write ${out} (${problemOf(error).message}). To write it again: ${typedCommand('wallet plans', [planId], { out })}`,
    )
  }
}

function printTotals(context: CommandContext, report: BatchReport, doneTotals: readonly BatchTotal[]): void {
  const totals = report.totals.map((total) => {
    const done = doneTotals.find(({ currency, dir }) => currency === total.currency && dir === total.dir)
    return { ...total, doneRows: done?.rows ?? 0, doneAmount: done?.amount ?? '0' }
  })
  context.table(totals, [
    { key: 'currency' },
    { key: 'dir' },
    { key: 'rows', kind: 'count' },
    { key: 'amount', kind: 'amount' },
    { key: 'doneRows', title: 'done', kind: 'count' },
    { key: 'doneAmount', title: 'amount done', kind: 'amount' },
  ])
}

/** Prints the first rows that are not done and that need attention. */
function printOpenRows(context: CommandContext, transfers: readonly BatchRowReport[]): void {
  const open = transfers.filter(({ outcome }) => outcome === 'refused' || outcome === 'unknown' || outcome === 'unsent')
  if (open.length === 0) return
  context.log()
  context.table(open.slice(0, maxShown), [
    ...rowColumns.filter(({ key }) =>
      ['line', 'txnId', 'username', 'dir', 'amount', 'currency', 'outcome'].includes(key),
    ),
    { key: 'code', title: 'reason' },
  ])
  const more = open.length - maxShown
  if (more > 0) context.footnote(`And ${countText(more, 'more that is', 'more that are')} not done.`)
}

const outcomeTexts: Readonly<Record<RowOutcome, string>> = {
  done: 'done',
  already: 'already done',
  refused: 'refused',
  unknown: 'unknown',
  unsent: 'not sent',
  left: 'left',
}

/** Lists the outcomes of rows with their counts, without those that no row has. */
export function countsText(counts: Readonly<Record<RowOutcome, number>>): string {
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${grouped(count)} ${outcomeTexts[outcome as RowOutcome]}`)
    .join(', ')
}

/** Returns the problem of a run: the worst category of its rows, as for all batches. */
export function runProblem({ results, stoppedOn }: BatchRunEnd, next?: string): Problem | undefined {
  const category = batchCategory(results.map(categoryOfRow))
  if (category === 'ok') return undefined
  const count = (outcome: RowOutcome) => results.filter((each) => each.outcome === outcome).length
  const counts = { refused: count('refused'), unknown: count('unknown'), unsent: count('unsent'), left: count('left') }
  const open = countsText({ done: 0, already: 0, ...counts })
  const reason = stoppedOn === undefined ? '' : `. Stopped by ${stoppedOn.code}: ${stoppedOn.message}`
  const continuation = next === undefined ? '' : `. To continue: ${next}`
  const detail = {
    category,
    ...counts,
    ...(stoppedOn ? { reason: stoppedOn.code } : {}),
    ...(next ? { next: [next] } : {}),
  }
  if (category === 'unknown-outcome')
    return new Problem(
      'MONEY_UNKNOWN',
      `Unknown outcome of ${countText(counts.unknown, 'transfer')} (${open})${reason}${continuation}. Never send ${counts.unknown === 1 ? 'it' : 'them'} with another transfer ID`,
      detail,
    )
  return new Problem('BATCH_PARTLY', `Not all transfers are done: ${open}${reason}${continuation}`, detail)
}

function categoryOfRow({ outcome, code }: RowResult): Category {
  if (outcome === 'done' || outcome === 'already') return 'ok'
  if (outcome === 'unknown') return 'unknown-outcome'
  if (outcome === 'left' || code === null) return 'temporary'
  return code === 'INTERRUPTED' ? 'temporary' : categoryOf(code)
}
