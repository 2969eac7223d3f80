import type { BookTransferRow } from '../../../db/schema/book.ts'
import type { BatchItem } from '../../../domain/wallet/batch.ts'
import { maybeMoment, minuteText } from '../../../kit/moment.ts'
import { countText, grouped } from '../../../kit/text/count-text.ts'
import type { RowOutcome } from '../../../operator/transfers/apply-batch.ts'
import type { BatchApproval, BatchReport } from '../../../operator/transfers/batch-report.ts'
import type { CommandContext } from '../../context/context.ts'
import type { Column } from '../../terminal/table.ts'

/** Views of transfer batches and their rows. */

/** Report of one row. */
export interface BatchRowReport {
  readonly place: number
  readonly line: number
  readonly txnId: string
  readonly username: string
  readonly dir: 'in' | 'out'
  readonly amount: string
  readonly currency: string
  readonly outcome: RowOutcome
  readonly code: string | null
  readonly message: string | null
  readonly balance: string | null
  readonly attempts: number
  readonly changedAt: string | null
  readonly note: string | null
}

const totalColumns = [
  { key: 'currency' },
  { key: 'dir' },
  { key: 'rows', kind: 'count' },
  { key: 'amount', kind: 'amount' },
] as const satisfies readonly Column[]

/** Columns of the rows of a batch, in a file and in a table. */
export const rowColumns = [
  { key: 'line', kind: 'count' },
  { key: 'txnId', whole: true },
  { key: 'username', title: 'player' },
  { key: 'dir' },
  { key: 'amount', kind: 'amount' },
  { key: 'currency', title: 'cur' },
  {
    key: 'outcome',
    tint: (outcome) =>
      outcome === 'unknown' || outcome === 'refused'
        ? 'red'
        : outcome === 'done' || outcome === 'already'
          ? 'green'
          : undefined,
  },
  { key: 'code' },
  { key: 'balance', kind: 'amount' },
  { key: 'attempts', kind: 'count' },
  { key: 'changedAt' },
  { key: 'note' },
] as const satisfies readonly Column[]

/**
 * Columns of the file that a run writes. `amountDone` is the amount if the row is done by now, and `amountDoneNow` if this
 * run did it, so that the files of several runs add up: a row done before has `already` and no `amountDoneNow`.
 */
export const runFileColumns = [
  ...rowColumns,
  { key: 'amountDone', kind: 'amount' },
  { key: 'amountDoneNow', kind: 'amount' },
] as const satisfies readonly Column[]

/** Adds the amounts that are done to a row of the file. */
export function runFileRow(row: BatchRowReport) {
  const isNow = row.outcome === 'done'
  return {
    ...row,
    amountDone: isNow || row.outcome === 'already' ? row.amount : '0',
    amountDoneNow: isNow ? row.amount : '0',
  }
}

const personText = (name: string, osUser: string): string => (name === osUser ? name : `${name} (user ${osUser})`)

/** Describes the progress of a batch. */
function stateText({ state, done, refused, unknown, left, needsAnother }: BatchReport): string {
  if (state === 'made') return needsAnother ? 'created, needs approval by a second person' : 'created, needs approval'
  if (state === 'approved') return 'approved, not started'
  const parts = [
    `${grouped(done)} done`,
    ...(refused > 0 ? [`${grouped(refused)} rejected`] : []),
    ...(unknown > 0 ? [`${grouped(unknown)} unknown`] : []),
  ]
  return `${state}: ${[...parts, ...(left > 0 ? [`${grouped(left)} left`] : [])].join(', ')}`
}

/** A row stored in the book. */
export function rowReport(
  row: BatchItem,
  known: BookTransferRow | undefined,
  result: Pick<BatchRowReport, 'outcome' | 'code' | 'message' | 'balance' | 'attempts'>,
): BatchRowReport {
  const { place, line, txnId, username, dir, amount, currency, note } = row
  return {
    ...{ place, line, txnId, username, dir, amount, currency },
    ...result,
    changedAt: maybeMoment(known?.changed_at ?? null),
    note,
  }
}

/** Prints the head of a batch. A dry run leaves out fields that the real batch would not share. */
export function printBatch(context: CommandContext, report: BatchReport, { isDryRun = false } = {}): void {
  const { planId, state, source, sha256, note, rows, players, digest, madeBy, osUser, madeAt, approvals } = report
  const author = personText(madeBy, osUser)
  context.fields({
    ...(isDryRun ? {} : { plan: planId }),
    state: isDryRun ? 'validated, not created' : stateText(report),
    file: `${source} (SHA-256 ${sha256.slice(0, 12)}…)`,
    ...(note === null ? {} : { note }),
    rows: `${grouped(rows)} for ${countText(players, 'player')}${report.creates ? ', may create players' : ''}`,
    ...(isDryRun ? { by: author } : { digest: digest.slice(0, 16), created: `${minuteText(madeAt)} by ${author}` }),
    ...(approvals.length === 0 ? {} : { approved: approvals.map(approvalText).join('; ') }),
    ...(state === 'cancelled' ? { canceled: `by ${report.cancelledBy}` } : {}),
  })
  context.log()
  context.table([...report.totals], totalColumns)
}

function approvalText({ by, osUser, at, until, isOfThis, valid }: BatchApproval): string {
  const limitation = isOfThis ? (valid ? '' : `, expired on ${until.slice(0, 10)}`) : ', for other content'
  return `${minuteText(at)} by ${personText(by, osUser)}${limitation}`
}
