import { realAmbient } from '../../../kit/ambient.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import { countText } from '../../../kit/text/count-text.ts'
import { type Book, claimBook } from '../../../operator/book/book.ts'
import { recorded } from '../../../operator/book/runs.ts'
import { withinShare } from '../../../operator/rate-share/transport.ts'
import { type BatchRunEnd, runTransferBatch, unfinishedBatches } from '../../../operator/transfers/apply-batch.ts'
import { beginTransferBatch } from '../../../operator/transfers/batch-decisions.ts'
import { type BatchReport, countedReport } from '../../../operator/transfers/batch-report.ts'
import { type StoredBatch, transferBatch } from '../../../operator/transfers/batches.ts'
import type { Clients } from '../../../world/clients/casino.ts'
import { durationOf } from '../../arguments/moments.ts'
import { confirmTotals } from '../../context/confirm-money.ts'
import type { CommandContext } from '../../context/context.ts'
import { batchRetryOptions } from '../../framework/rate-share-flags.ts'
import { problemOf } from '../../outcome/exit-codes.ts'
import { exitCodeFor } from '../../outcome/run-exit.ts'
import { outFile } from '../../terminal/out-file.ts'
import { approvalRules } from './approval-settings.ts'
import { batchCommand, findBatch, refuseUnapproved } from './batch-checks.ts'
import type { RunFlags } from './batch-flags.ts'
import { lockTransfers } from './lock-transfers.ts'
import { countsText, printDryRun, printRun, runProblem } from './run-result.ts'

/** A run that applies a batch. */
interface Run {
  readonly context: CommandContext
  readonly book: Book
  readonly flags: RunFlags
  readonly job: 'wallet apply' | 'wallet resume'
}

/** Applies an approved batch. */
export function applyBatch(context: CommandContext, planId: string, flags: RunFlags) {
  return runBatch(context, (book) => findBatch(book, planId), flags, 'wallet apply')
}

/** Resumes the named batch, or the only unfinished one. */
export async function resumeBatch(context: CommandContext, planId: string | undefined, flags: RunFlags) {
  const unfinished = planId ?? (await onlyUnfinished(context))
  if (unfinished === undefined) {
    context.note('No unfinished batch: nothing to resume.')
    return { planId: null, doneNow: 0, transfers: [] }
  }
  return runBatch(context, (book) => findStarted(context, book, unfinished), flags, 'wallet resume')
}

async function findStarted(context: CommandContext, book: Book, planId: string): Promise<StoredBatch> {
  const batch = await findBatch(book, planId)
  const { id, begun_at: begunAt, cancelled_at: cancelledAt } = batch.head
  if (begunAt !== null || cancelledAt !== null) return batch
  throw new Problem(
    'CONFLICT',
    `Batch ${id} is not started yet. To start it: ${batchCommand(context, 'wallet apply', id)}`,
    { planId: id, remoteCode: null },
  )
}

/** Returns the only unfinished batch. With several, a person has to choose. */
async function onlyUnfinished(context: CommandContext): Promise<string | undefined> {
  const book = await context.services.bookIfThere()
  if (!book) return undefined
  const open = await unfinishedBatches(book)
  const [first, ...more] = open
  if (first === undefined || more.length === 0) return first?.id
  const list = open.map(({ id, source, made_by: by }) => `  ${id}  ${source}, by ${by}`).join('\n')
  throw new Problem('CONFLICT', `${open.length} batches are unfinished; name one:\n${list}`, {
    ...{ plans: open.map(({ id }) => id), remoteCode: null },
  })
}

/** Applies the unfinished rows of the batch that `find` returns, under the lock. */
async function runBatch(
  context: CommandContext,
  find: (book: Book) => Promise<StoredBatch>,
  flags: RunFlags,
  job: Run['job'],
) {
  const out = outFile(flags.out, flags.force === true)
  const deadlineMs = durationOf('deadline', flags.deadline)
  const deadline = deadlineMs === undefined ? [] : [AbortSignal.timeout(deadlineMs)]
  const { book, url } = await context.services.book()
  // A missing or invalid batch is reported even while another run holds the lock.
  const { planId } = await checkedReport(context, book, await find(book), flags)
  const lost = context.isDryRun ? new AbortController().signal : await lockTransfers(context, book, url, flags.wait)
  const batch = await transferBatch(book, planId)
  const report = await checkedReport(context, book, batch, flags)
  if (context.isDryRun) return printDryRun(context, batch, report, flags)
  await compareTotals(context, flags, report)
  const halt = AbortSignal.any([context.stop, lost, ...deadline])
  const isOver = report.state === 'finished' && !flags['retry-refused']
  const end = await executeBatch({ context, book, flags, job }, batch, { halt, isOver })
  if (lost.aborted) context.warn('The lock was lost; no more rows were started')
  if (deadline[0]?.aborted && !context.stop.aborted) context.warn('Deadline reached; no more rows were started')
  return printRun(context, await transferBatch(book, planId), end, out)
}

/** Returns the report of a batch that may be applied. */
async function checkedReport(
  context: CommandContext,
  book: Book,
  batch: StoredBatch,
  flags: RunFlags,
): Promise<BatchReport> {
  const report = countedReport(batch, approvalRules(context.settings))
  const { planId, state } = report
  if (state === 'cancelled')
    throw new Problem('CONFLICT', `Batch ${planId} is canceled; nothing is sent`, {
      planId,
      remoteCode: null,
    })
  if (state !== 'finished' || flags['retry-refused']) await refuseUnapproved(context, book, report)
  return report
}

/** Compares given totals with those of the batch. They are optional, because the approver has confirmed them. */
async function compareTotals(context: CommandContext, flags: RunFlags, { rows, moved }: BatchReport): Promise<void> {
  if ((flags['confirm-total'] ?? []).length === 0) return
  await confirmTotals(
    context.prompts,
    context.profile,
    { action: `Apply ${countText(rows, 'transfer')}`, totals: moved },
    flags,
  )
}

async function executeBatch(
  run: Run,
  batch: StoredBatch,
  { halt, isOver }: { halt: AbortSignal; isOver: boolean },
): Promise<BatchRunEnd> {
  const { context, book, flags, job } = run
  const { head, rows, transfers } = batch
  const clients = await clientsFor(run, batch)
  const retryOptions = batchRetryOptions(context.settings, (text) => context.note(text), halt)
  // If everything is done, no request is necessary.
  const transport = isOver ? clients.casinoTransport : await sharedTransport(run, clients, { retryOptions, halt })
  await beginTransferBatch(book, batch)
  const progress = context.progress('Transfers', rows.length)
  const counts = { done: 0, already: 0, refused: 0, unknown: 0, unsent: 0, left: 0 }
  let count = 0
  try {
    const end = await recorded(
      book,
      { id: realAmbient().id(), job },
      () =>
        runTransferBatch(
          { book, transport, retryOptions, platformNow: clients.platformNow, stop: halt },
          {
            ...{ planId: head.id, rows, transfers, halt },
            concurrency: flags.concurrency,
            stopOnRefusal: flags['stop-on-refusal'] === true,
            retryRefused: flags['retry-refused'] === true,
            onRow: ({ outcome }) => {
              counts[outcome] += 1
              count += 1
              progress.update(count, countsText({ ...counts, left: 0, done: 0, already: 0 }))
            },
          },
        ),
      (end) => ({
        exit: exitCodeFor('error' in end ? problemOf(end.error) : runProblem(end.value)),
        summary: { planId: head.id, ...counts },
      }),
    )
    progress.end(countsText(counts))
    return end
  } catch (error) {
    progress.end('stopped; the book has everything that was done')
    throw error
  }
}

/** Returns the clients of the profile, after a check that the batch and the book belong to its tenant. */
async function clientsFor({ context, book }: Run, { head }: StoredBatch): Promise<Clients> {
  const clients = await context.services.casino()
  const { companyCode, environment, timezone, target } = clients.casinoAccess
  await claimBook(book, { company_code: companyCode, environment, timezone })
  if (head.company_code !== companyCode || head.environment !== environment)
    throw new Problem(
      'BOOK_OF_ANOTHER',
      `The batch is for ${head.company_code} (${head.environment}), not ${companyCode} (${environment})`,
    )
  if (head.target !== target)
    context.warn(`The players were looked up at ${head.target}, but the profile is now at ${target}`)
  return clients
}

/** Returns a transport that keeps to the share of the tenant's rate limit, which is read from the platform. */
async function sharedTransport(
  { flags }: Run,
  clients: Clients,
  { retryOptions, halt }: { retryOptions: ReturnType<typeof batchRetryOptions>; halt: AbortSignal },
) {
  const share = {
    environment: clients.casinoAccess.environment,
    rateShare: flags['rate-share'],
    rate: flags.rate,
  }
  return withinShare(clients.casinoTransport, share, retryOptions).catch((error) => {
    if (!halt.aborted || isProblem(error)) throw error
    throw new Problem(
      'REMOTE_UNAVAILABLE',
      'Deadline reached before the platform could be contacted; nothing was sent',
      { outcome: 'none' },
      { cause: error },
    )
  })
}
