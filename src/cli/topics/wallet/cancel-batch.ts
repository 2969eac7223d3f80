import { Problem } from '../../../kit/problem.ts'
import { countText, partText } from '../../../kit/text/count-text.ts'
import { cancelTransferBatch } from '../../../operator/transfers/batch-decisions.ts'
import { type BatchReport, countedReport } from '../../../operator/transfers/batch-report.ts'
import type { CommandContext } from '../../context/context.ts'
import { personHere } from '../../context/operator-name.ts'
import { approvalRules } from './approval-settings.ts'
import { batchCommand, findBatch, refuseElsewhere } from './batch-checks.ts'
import { printBatch } from './batch-view.ts'
import { lockTransfers } from './lock-transfers.ts'

/** Cancels the unsent transfers of a batch. */
export async function cancelBatch(context: CommandContext, batchId: string, wait: string | undefined) {
  const { isDryRun } = context
  const by = personHere(context.settings)
  const { book, url } = await context.services.book()
  await lockTransfers(context, book, url, wait)
  const batch = await findBatch(book, batchId)
  refuseElsewhere(context, batch.head)
  const report = countedReport(batch, approvalRules(context.settings))
  const { planId, state, left, done, rows } = report
  if (state === 'cancelled') {
    printBatch(context, report)
    return { ...report, earlier: true, dryRun: isDryRun }
  }
  refuseUncancelable(context, report)
  if (!isDryRun) {
    await context.confirmDanger(`Cancel batch ${planId}: ${partText(left, rows, 'transfer')} will not be sent`)
    await cancelTransferBatch(book, batch, by)
  }
  const after = isDryRun ? report : countedReport(await findBatch(book, planId), approvalRules(context.settings))
  printBatch(context, after)
  const effect = `${countText(left, 'transfer')} ${isDryRun ? 'would' : 'will'} not be sent${done > 0 ? `, ${done} already done` : ''}`
  context.footnote(`${isDryRun ? 'Valid; nothing was canceled' : 'Canceled'}: ${effect}.`)
  return { ...after, earlier: false, dryRun: isDryRun }
}

function refuseUncancelable(context: CommandContext, { planId, state, unknown }: BatchReport): void {
  if (unknown > 0)
    throw new Problem(
      'CONFLICT',
      `The outcome of ${countText(unknown, 'row')} is unknown. First run: ${batchCommand(context, 'wallet resume', planId)}`,
      { planId, unknown, remoteCode: null },
    )
  if (state === 'finished')
    throw new Problem('CONFLICT', `Batch ${planId} is finished: nothing is left to cancel`, {
      ...{ planId, remoteCode: null },
    })
}
