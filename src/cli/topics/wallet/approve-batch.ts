import { foldName } from '../../../domain/wallet/approval.ts'
import { minuteText } from '../../../kit/moment.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import type { Book } from '../../../operator/book/book.ts'
import { approveTransferBatch, type Person } from '../../../operator/transfers/batch-decisions.ts'
import { type BatchReport, countedReport } from '../../../operator/transfers/batch-report.ts'
import { confirmTotals } from '../../context/confirm-money.ts'
import type { CommandContext } from '../../context/context.ts'
import { decidingPerson } from '../../context/deciding-person.ts'
import { approvalRules } from './approval-settings.ts'
import { approvalStep, batchCommand, findBatch, refuseElsewhere } from './batch-checks.ts'
import type { TotalsFlags } from './batch-flags.ts'
import { printBatch } from './batch-view.ts'

interface ApproveFlags extends TotalsFlags {
  readonly 'passphrase-file'?: string | undefined
}

/** Approves a batch in the name of the person who runs this, after a question about its totals on a live profile. */
export async function approveBatch(context: CommandContext, batchId: string, flags: ApproveFlags) {
  const { isDryRun } = context
  const { book } = await context.services.book()
  const by = await decidingPerson(context, book, flags['passphrase-file'])
  const batch = await findBatch(book, batchId)
  refuseElsewhere(context, batch.head)
  const report = countedReport(batch, approvalRules(context.settings))
  refuseClosed(report)
  const { planId, madeBy, state } = report
  const isAuthor = foldName(by.name) === foldName(madeBy)
  if (report.needsAnother && isAuthor) throw await needsSecondPerson(context, book, report)
  const earlier = hasApproval(report, by)
  if (!earlier && !isDryRun) {
    await confirmBatch(context, report, flags)
    await approveTransferBatch(book, batch, by)
  }
  const after = isDryRun ? report : countedReport(await findBatch(book, planId), approvalRules(context.settings))
  const next = [batchCommand(context, state === 'begun' ? 'wallet resume' : 'wallet apply', planId)]
  printBatch(context, after)
  if (isDryRun) context.footnote('Valid; nothing was approved.')
  else context.footnote(`${earlier ? 'Already approved' : 'Approved'} by ${by.name}. To apply it:\n  ${next[0]}`)
  if (isAuthor && !isDryRun)
    context.warn(
      'The same person created and approved the batch. To require a second person above a limit, use the setting approvalAbove',
    )
  return { ...after, by: by.name, earlier, dryRun: isDryRun, next }
}

/** Rejects a batch that is over or started. A started batch can be approved again if its approvals have expired. */
function refuseClosed({ planId, state, approvals }: BatchReport): void {
  const isExpired = state === 'begun' && !approvals.some(({ valid }) => valid)
  if (state === 'made' || state === 'approved' || isExpired) return
  throw new Problem('CONFLICT', `Batch ${planId} is ${state} and cannot be approved`, {
    ...{ planId, state, remoteCode: null },
  })
}

async function needsSecondPerson(context: CommandContext, book: Book, report: BatchReport): Promise<Problem> {
  const { planId, madeBy } = report
  const { approvalAbove } = context.settings.settings
  const { command, text } = await approvalStep(context, book, report)
  return new Problem(
    'SAME_PERSON',
    `${madeBy} created batch ${planId}, and its total needs a second person (setting approvalAbove). ${text}`,
    { planId, madeBy, approvalAbove, category: 'conflict', remoteCode: null, next: [command] },
  )
}

function hasApproval({ approvals }: BatchReport, { name }: Person): boolean {
  return approvals.some(({ valid, by }) => valid && foldName(by) === foldName(name))
}

async function confirmBatch(context: CommandContext, report: BatchReport, flags: TotalsFlags): Promise<void> {
  const { screen, prompts, profile } = context
  if (screen.canAsk && !screen.isJson && !flags.yes) printSums(context, report)
  const { rows, moved } = report
  const totals = moved.map(({ amount, currency }) => ({ amount, currency }))
  await confirmTotals(prompts, profile, { action: `Approve ${countText(rows, 'transfer')}`, totals }, flags)
}

/** Prints the batch before the question: the regular output comes only after the run. */
function printSums(context: CommandContext, report: BatchReport): void {
  const { rows, players, source, madeBy, madeAt, totals, note } = report
  const sums = totals.map(
    ({ currency, dir, rows, amount }) =>
      `  ${dir === 'in' ? 'deposits   ' : 'withdrawals'} ${amount} ${currency} in ${countText(rows, 'row')}`,
  )
  context.note(
    [
      `${countText(rows, 'transfer')} for ${countText(players, 'player')}, from ${source}, created ${minuteText(madeAt)} by ${madeBy}`,
      ...(note === null ? [] : [note]),
      ...sums,
    ].join('\n'),
  )
}
