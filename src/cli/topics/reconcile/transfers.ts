import { dayOf } from '../../../domain/time/day.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { Problem } from '../../../kit/problem.ts'
import { countText, grouped } from '../../../kit/text/count-text.ts'
import { recordTransferBreaks } from '../../../operator/reconcile/transfers/breaks.ts'
import { transfersCsv } from '../../../operator/reconcile/transfers/csv.ts'
import { ledgerFromCsv } from '../../../operator/reconcile/transfers/ledger-csv.ts'
import { type ClosedRange, ledgerSpan } from '../../../operator/reconcile/transfers/ledger-span.ts'
import {
  reconcileTransfers,
  type TransfersOptions,
  type TransfersReconciled,
} from '../../../operator/reconcile/transfers/reconcile.ts'
import { durationOf, momentFrom } from '../../arguments/moments.ts'
import { warnOfClock } from '../../context/clock-warning.ts'
import type { CommandContext } from '../../context/context.ts'
import { writeOut } from '../../terminal/out-file.ts'
import { readBytes } from '../../terminal/read-input.ts'
import { type BookJob, openBookJob } from './book-job.ts'
import type { BookJobFlags } from './flags.ts'
import { notifyingOfBreaks } from './notify-of-breaks.ts'
import { checkOutputFiles, outputFiles } from './output-files.ts'
import { openAmong } from './record-findings.ts'
import { countResults, printTransfers, warnOfLimits } from './transfers-view.ts'

interface TransfersFlags extends BookJobFlags {
  readonly since: string | undefined
  readonly until: string | undefined
  readonly fresh: string
  readonly recheck: boolean
  readonly csv: string | undefined
  readonly force: boolean
}

/** Reconciles a ledger of transfers, writes the file, and records the differences as breaks. */
export async function reconcileLedger(context: CommandContext, ledgerFile: string, flags: TransfersFlags) {
  const freshMs = durationOf('fresh', flags.fresh) ?? 0
  const range = rangeFromFlags(flags)
  checkOutputFiles(flags)
  const ledger = await ledgerFromCsv(await readBytes(ledgerFile))
  durationOf('wait', flags.wait)
  const job = await openBookJob(context, 'reconcile-transfers', flags)
  const { companyCode: tenant, timezone } = job.clients.casinoAccess
  const date = dayOf(job.now(), timezone)
  const { csv: file } = outputFiles({ csv: flags.csv, force: flags.force }, { job: context.words, tenant, date })
  const span = ledgerSpan(ledger, range, job.now())
  const result = await lookUpTransfers(context, job, { ledger, span, freshMs, isRecheck: flags.recheck })
  const run = { id: realAmbient().id(), who: context.words }
  const { breaks } = await notifyingOfBreaks(context, job.book, () =>
    recordTransferBreaks(job.book, run, result.transfers),
  )
  if (file !== null) writeOut(file, await transfersCsv(result.transfers))
  warnOfLimits(context, ledger, span)
  warnOfClock(context, job.clients)
  warnOfUnsigned(context, result)
  return conclude(context, result, { span, file, open: openAmong(breaks) })
}

function rangeFromFlags(flags: TransfersFlags) {
  const [since, until] = [flags.since, flags.until].map((text) => (text === undefined ? undefined : momentFrom(text)))
  if (since !== undefined && until !== undefined && until < since)
    throw new Problem('INVALID_USAGE', '--until is before --since')
  return { since, until }
}

async function lookUpTransfers(
  context: CommandContext,
  { platform, book, now }: BookJob,
  options: TransfersOptions,
): Promise<TransfersReconciled> {
  const { ledger } = options
  const progress = context.progress('Looking up transfers', ledger.length)
  let done = 0
  const onStep = (count: number) => {
    done = count
    progress.update(count)
  }
  const work = { platform, book, here: Date.now, now, signal: context.stop, onStep }
  return reconcileTransfers(work, options).finally(() =>
    progress.end(`${grouped(done)} of ${grouped(ledger.length)} compared`),
  )
}

function warnOfUnsigned(context: CommandContext, { transfers }: TransfersReconciled): void {
  const unsigned = transfers.filter(({ dir, result }) => dir === 'adjust' && result === 'matched').length
  if (unsigned > 0)
    context.warn(
      `The platform does not return the sign of an adjustment: ${countText(unsigned, 'adjustment is', 'adjustments are')} matched by amount only`,
    )
}

/** Prints the result, and sets the exit code by the verdict. */
function conclude(
  context: CommandContext,
  { verdict, transfers, doubts, known }: TransfersReconciled,
  { span, file, open }: { span: ClosedRange | null; file: string | null; open: string[] },
) {
  const { counts, text } = countResults(transfers)
  const unmatched = transfers.filter(({ result }) => result !== 'matched')
  printTransfers(context, verdict, transfers)
  for (const doubt of doubts) context.warn(doubt)
  // A break closed by a person stays in the result but does not count as a difference.
  const isSettled = verdict === 'differences' && open.length === 0
  if (verdict === 'differences' && !isSettled)
    context.endWith('DIFFERENCES', `The ledger and the platform differ: ${text}`, { counts, breaks: open })
  else if (counts['undecided'] || doubts.length > 0)
    context.endWith('CANNOT_CONCLUDE', `Some transfers may still be on their way: ${text}`, { counts })
  else if (verdict === 'cannot-conclude')
    context.endWith(
      'CANNOT_CONCLUDE',
      'The ledger has no rows: nothing was compared, and the journal was not searched. Set the start with --since',
    )
  const spanText = span && { from: new Date(span.from).toISOString(), to: new Date(span.to).toISOString() }
  return { verdict, counts, known, span: spanText, transfers: unmatched, doubts, breaks: open, file }
}
