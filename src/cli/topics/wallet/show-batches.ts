import type { BookWalletPlanRow } from '../../../db/schema/book.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText, partText } from '../../../kit/text/count-text.ts'
import type { Book } from '../../../operator/book/book.ts'
import { isUnjudged, standingOf } from '../../../operator/transfers/apply-batch.ts'
import { approvalsOf } from '../../../operator/transfers/batch-decisions.ts'
import { type BatchReport, batchReport, countedReport } from '../../../operator/transfers/batch-report.ts'
import {
  batchRow,
  listTransferBatches,
  type StoredBatch,
  talliesOf,
  transferBatch,
} from '../../../operator/transfers/batches.ts'
import type { CommandContext } from '../../context/context.ts'
import { outFile, writeOut } from '../../terminal/out-file.ts'
import { manyRows } from '../../terminal/progress.ts'
import { csvText } from '../../terminal/table.ts'
import { approvalRules } from './approval-settings.ts'
import { batchIdFrom } from './batch-checks.ts'
import { type BatchRowReport, printBatch, rowColumns, rowReport } from './batch-view.ts'

/** Parsed flags of `wallet plans`. */
interface ListFlags {
  readonly limit: number
  readonly out?: string | undefined
  readonly force?: boolean
  readonly csv?: boolean
  readonly columns?: string | undefined
}

/** Lists the batches in the book, or shows the named one with its rows. */
export async function showBatches(context: CommandContext, planId: string | undefined, flags: ListFlags) {
  if (flags.out !== undefined && planId === undefined)
    throw new Problem('INVALID_USAGE', '--out requires a batch. To list them: countroom wallet plans')
  const out = outFile(flags.out, flags.force === true)
  if (planId !== undefined) return showBatch(context, planId, out, flags)
  // The columns for programs are always the same.
  const isForPrograms = flags.csv === true || flags.columns !== undefined
  const book = await context.services.bookIfThere()
  const reports = book ? await reportsOf(context, book, await listTransferBatches(book, flags.limit + 1)) : []
  const { rows: plans, more } = context.upTo(flags.limit, reports)
  printList(context, plans, isForPrograms)
  return { plans, transfers: [], more, out: null }
}

/** Returns the reports of batches from stored counts, without reading their rows. */
async function reportsOf(
  context: CommandContext,
  book: Book,
  plans: readonly BookWalletPlanRow[],
): Promise<BatchReport[]> {
  const ids = plans.map(({ id }) => id)
  const approvals = await approvalsOf(book, ids)
  const tallies = await talliesOf(book, ids, isUnjudged)
  const rules = approvalRules(context.settings)
  return plans.map((head) =>
    batchReport(
      head,
      approvals.filter(({ plan_id: planId }) => planId === head.id),
      tallies.get(head.id) ?? { done: 0, refused: 0, unknown: 0 },
      rules,
    ),
  )
}

function printList(context: CommandContext, plans: readonly BatchReport[], isForPrograms: boolean): void {
  const rows = plans.map(({ moved, ...report }) => ({
    ...report,
    moves: moved.map(({ amount, currency }) => `${amount} ${currency}`).join(', '),
    progress: progressText(report),
  }))
  const made = { key: 'madeAt', title: 'created', whole: true, show: (at: unknown) => String(at).slice(0, 10) }
  const [plan, file, moves] = [{ key: 'planId', whole: true }, { key: 'source', title: 'file' }, { key: 'moves' }]
  const counts = ['rows', 'done', 'refused', 'unknown', 'left'].map((key) => ({ key, kind: 'count' as const }))
  context.table(
    rows,
    isForPrograms
      ? [made, plan, { key: 'madeBy', title: 'by' }, file, moves, { key: 'state' }, ...counts]
      : [made, plan, file, moves, { key: 'progress', title: 'state', tint: (text) => colorOf(String(text)) }],
    'The book has no batches.',
  )
}

async function showBatch(context: CommandContext, batchName: string, out: string | null, flags: ListFlags) {
  const { book } = await context.services.book()
  const planId = batchIdFrom(batchName)
  const head = await book.store.read((reader) => batchRow(reader, planId))
  const isLarge = head !== undefined && head.rows > manyRows
  // People get the head of a large batch before its rows are read and checked. Programs get all or nothing.
  const isHeadFirst = isLarge && flags.csv !== true && !context.screen.isJson
  if (isHeadFirst) {
    for (const counted of await reportsOf(context, book, [head])) printHead(context, counted)
    await context.flush()
  }
  const progress = isLarge ? context.progress(`Reading ${countText(head.rows, 'row')}`) : undefined
  const batch = await transferBatch(book, planId).finally(() => progress?.stop())
  const report = countedReport(batch, approvalRules(context.settings))
  const transfers = rowsOf(batch)
  if (out !== null) writeOut(out, await csvText(transfers, rowColumns, true))
  if (!isHeadFirst && flags.csv !== true) printHead(context, report)
  // Leaves out columns that have the same value, or none, in every row.
  const isBare = flags.csv !== true && flags.columns === undefined
  const spare = new Set(['attempts', 'changedAt', ...(report.begunAt === null ? ['balance', 'code', 'outcome'] : [])])
  const shown = isBare ? firstRows(transfers) : transfers
  context.table(shown, isBare ? rowColumns.filter(({ key }) => !spare.has(key)) : rowColumns)
  if (shown.length < transfers.length)
    context.footnote(
      `Showing ${partText(shown.length, transfers.length, 'row')}, those that are not done if there are any. All rows: countroom wallet plans ${report.planId} --out ${report.planId}.csv`,
    )
  if (out !== null) context.footnote(`Wrote ${out}`)
  return { plans: [report], transfers, more: false, out }
}

/** Maximum number of rows that people get; programs get all. */
const maxShown = 100

/** Returns the rows to show of a large batch: those that are not done, or if there are none, the first. */
function firstRows(transfers: readonly BatchRowReport[]): readonly BatchRowReport[] {
  if (transfers.length <= maxShown) return transfers
  const open = transfers.filter(({ outcome }) => outcome !== 'done')
  return (open.length > 0 ? open : transfers).slice(0, maxShown)
}

function printHead(context: CommandContext, report: BatchReport): void {
  printBatch(context, report)
  context.log()
}

function rowsOf(batch: StoredBatch): BatchRowReport[] {
  return batch.rows.map((row) => {
    const known = batch.transfers.get(row.txnId)
    const { refusal: code = null, balance = null, attempts = 0 } = known ?? {}
    return rowReport(row, known, { outcome: standingOf(known), code, message: null, balance, attempts })
  })
}

/** Returns the progress of a batch in a few words. */
function progressText({ state, rows, done, refused, unknown }: Omit<BatchReport, 'moved'>): string {
  if (state === 'made') return 'created'
  if (state === 'approved') return state
  const open = [...(refused > 0 ? [`${refused} refused`] : []), ...(unknown > 0 ? [`${unknown} unknown`] : [])]
  return [`${state} ${done}/${rows}`, ...open].join(', ')
}

/** Marks batches with rows that need attention. */
const colorOf = (state: string) => (state.includes('unknown') ? ('red' as const) : undefined)
