import { type PlanTotal, totalsOf } from '../../../domain/wallet/batch.ts'
import { realAmbient } from '../../../kit/ambient.ts'
import { isProblem, Problem } from '../../../kit/problem.ts'
import type { Book } from '../../../operator/book/book.ts'
import type { PlanRunEnd, RowResult } from '../../../operator/transfers/apply-batch.ts'
import type { KeptWalletPlan } from '../../../operator/transfers/batches.ts'
import { exitCodeFor } from '../../framework/command.ts'
import { confirmTotals } from '../../framework/confirm-money.ts'
import { attemptsFlag, dryRunFlag, Flags, totalsFlags } from '../../framework/flags.ts'
import { patienceHere, shareFlags } from '../../framework/rate-share-flags.ts'
import { batchCategory, type Category, categoryOf, moneyExits, problemOf } from '../../outcome/exit-codes.ts'
import { outFile, writeOut } from '../../terminal/out-file.ts'
import { durationOf } from '../reconcile/book-command.ts'
import { WalletPlanCommand } from './batch-command.ts'
import { type PlanReport, type PlanRowReport, planFields, planRowSchema, rowColumns, rowReport } from './batch-view.ts'
import { bookFlag } from './transfer-command.ts'

export const runFlags = {
  'at-once': Flags.integer({
    summary: 'How many players to work on at once; the rows of one player go one after another',
    default: 8,
    min: 1,
    max: 64,
    helpValue: 'N',
  }),
  ...attemptsFlag,
  'stop-on-refusal': Flags.boolean({ summary: 'Begin no further row once one is refused' }),
  'retry-refused': Flags.boolean({ summary: 'Send again what was refused in an earlier run' }),
  deadline: Flags.string({
    summary: 'Begin no row and wait for no better moment after so long; what is on the wire is waited for',
    helpValue: 'DURATION',
  }),
  wait: Flags.string({ summary: 'Wait so long for another run to end', helpValue: 'DURATION' }),
  out: Flags.string({ summary: 'Where to write what became of every row, as CSV', helpValue: 'FILE.csv' }),
  force: Flags.boolean({ summary: 'Overwrite the file of --out' }),
  ...shareFlags,
  ...bookFlag,
  ...dryRunFlag,
  ...totalsFlags,
}

/** What the parser makes of them. */
export interface RunFlags {
  readonly 'at-once': number
  readonly 'stop-on-refusal'?: boolean
  readonly 'retry-refused'?: boolean
  readonly deadline?: string | undefined
  readonly wait?: string | undefined
  readonly out?: string | undefined
  readonly force?: boolean
  readonly 'rate-share': number
  readonly rate?: number | undefined
  readonly yes?: boolean
  readonly 'confirm-total'?: readonly { amount: string; currency: string }[] | undefined
}

/** So many rows that are not done are shown; the file and --json have all. */
const mostShown = 40

/** The schema of what a run tells. */
export async function runSchema() {
  const { Type } = await import('typebox')
  const text = Type.String()
  return Type.Object({
    ...(await planFields()),
    transfers: Type.Array(await planRowSchema()),
    doneNow: Type.Integer({ description: 'Rows that were done in this run' }),
    doneTotals: Type.Array(
      Type.Object({ currency: text, dir: Type.Enum(['in', 'out']), rows: Type.Integer(), amount: text }),
      { description: 'What all rows come to that are done, in whichever run' },
    ),
    dryRun: Type.Boolean(),
    out: Type.Union([text, Type.Null()]),
    next: Type.Array(text),
  })
}

/** What carries a plan out, from its beginning or from where it was left. */
export abstract class WalletRunCommand extends WalletPlanCommand {
  static override writes = true
  static override exits = [...moneyExits, 'partial', 'locked', 'stopped'] as const
  static override files = [
    'the book: every transfer is in it before it is sent (COUNTROOM_BOOK), and its lock beside it',
    '--out: written whole or not at all, when the run ends',
  ]
  static override completes = { plan: 'plans', book: 'files', out: 'files' }
  static override data: () => Promise<import('typebox').TSchema> = runSchema

  /** Carries out what is not finished of the plan that `choose` names, once the lock is held. */
  protected async carryOut(
    choose: (book: Book) => Promise<KeptWalletPlan>,
    flags: RunFlags,
    job: 'wallet apply' | 'wallet resume',
  ) {
    const out = outFile(flags.out, flags.force === true)
    const deadlineMs = durationOf('deadline', flags.deadline)
    const deadline = deadlineMs === undefined ? [] : [AbortSignal.timeout(deadlineMs)]
    const { book, url } = await this.bookThere()
    // A plan that is not there, or not to be carried out, is told also while another run holds the lock.
    const { planId } = await this.#judged(await choose(book), flags)
    const lost = this.isDryRun ? new AbortController().signal : await this.lock(book, url, flags.wait)
    const { walletPlan } = await import('../../../operator/transfers/batches.ts')
    const kept = await walletPlan(book, planId)
    const report = await this.#judged(kept, flags)
    if (this.isDryRun) return this.#rehearsed(kept, report, flags)
    await this.#heldAgainst(flags, report)
    const halt = AbortSignal.any([this.stop, lost, ...deadline])
    const isOver = report.state === 'finished' && !flags['retry-refused']
    const end = await this.#run(book, kept, { flags, job, halt, isOver })
    if (lost.aborted) this.warn('The lock was lost on the way: no further row was begun')
    if (deadline[0]?.aborted && !this.stop.aborted) this.warn('The deadline came: no further row was begun')
    return this.#told(await walletPlan(book, planId), end, out)
  }

  async #judged(kept: KeptWalletPlan, flags: RunFlags): Promise<PlanReport> {
    const report = await this.reportOfKept(kept)
    const { planId, state } = report
    if (state === 'cancelled')
      throw new Problem('CONFLICT', `The plan ${planId} was cancelled: nothing of it is sent`, {
        planId,
        remoteCode: null,
      })
    if (state !== 'finished' || flags['retry-refused']) this.refuseUnapproved(report)
    return report
  }

  /** Totals that were said are held against the plan's; whoever approved it has said them already, so they need not be. */
  async #heldAgainst(flags: RunFlags, { rows, moved }: PlanReport): Promise<void> {
    if ((flags['confirm-total'] ?? []).length === 0) return
    await confirmTotals(this.prompts, this.profile, { order: `Carry ${rows} transfers out`, totals: moved }, flags)
  }

  async #run(
    book: Book,
    kept: KeptWalletPlan,
    { flags, job, halt, isOver }: { flags: RunFlags; job: string; halt: AbortSignal; isOver: boolean },
  ): Promise<PlanRunEnd> {
    const [{ carryOutPlan }, { withinShare }, { recorded }, { beginWalletPlan }, { claimBook }] = await Promise.all([
      import('../../../operator/transfers/apply-batch.ts'),
      import('../../../operator/rate-share/transport.ts'),
      import('../../../operator/book/runs.ts'),
      import('../../../operator/transfers/batch-decisions.ts'),
      import('../../../operator/book/book.ts'),
    ])
    const clients = await this.clients()
    const { companyCode, environment, timezone, target } = clients.casinoAccess
    await claimBook(book, { company_code: companyCode, environment, timezone })
    const { plan } = kept
    if (plan.company_code !== companyCode || plan.environment !== environment)
      throw new Problem(
        'BOOK_OF_ANOTHER',
        `The plan is of ${plan.company_code} (${plan.environment}), not of ${companyCode} (${environment})`,
      )
    if (plan.target !== target) this.warn(`The players were asked for at ${plan.target}, and this is ${target}`)
    const patience = patienceHere(this.settings, (text) => this.note(text), halt)
    const share = { environment, rateShare: flags['rate-share'], rate: flags.rate }
    // Where all is done nobody has to be asked for anything.
    const transport = isOver
      ? clients.casinoTransport
      : await withinShare(clients.casinoTransport, share, patience).catch((error) => {
          if (!halt.aborted || isProblem(error)) throw error
          throw new Problem(
            'REMOTE_UNAVAILABLE',
            'The deadline came before the platform could be asked: nothing was sent',
            { outcome: 'none' },
            { cause: error },
          )
        })
    await beginWalletPlan(book, kept)
    const progress = this.progress('Transfers', kept.rows.length)
    const counts = { done: 0, already: 0, refused: 0, unknown: 0, unsent: 0, left: 0 }
    let rows = 0
    try {
      const end = await recorded(
        book,
        { id: realAmbient().id(), job },
        () =>
          carryOutPlan(
            { book, transport, patience, platformNow: clients.platformNow, stop: halt },
            {
              planId: plan.id,
              rows: kept.rows,
              transfers: kept.transfers,
              atOnce: flags['at-once'],
              stopOnRefusal: flags['stop-on-refusal'] === true,
              retryRefused: flags['retry-refused'] === true,
              halt,
              onRow: ({ outcome }) => {
                counts[outcome] += 1
                rows += 1
                progress.update(rows, countsText({ ...counts, left: 0, done: 0, already: 0 }))
              },
            },
          ),
        (end) => ({
          exit: exitCodeFor('error' in end ? problemOf(end.error) : complaintOf(end.value)),
          summary: { planId: plan.id, ...counts },
        }),
      )
      progress.end(countsText(counts))
      return end
    } catch (error) {
      progress.end('broken off; what was done is in the book')
      throw error
    }
  }

  #rehearsed(kept: KeptWalletPlan, report: PlanReport, flags: RunFlags) {
    const { rows, unknown, refused } = report
    const left = report.left + (flags['retry-refused'] ? refused : 0)
    this.tellPlan(report)
    const looked = unknown > 0 ? `${unknown} would be looked up first, ` : ''
    this.footnote(`Checked; nothing was sent. ${looked}${left} of ${rows} transfers would follow.`)
    const transfers = kept.rows.map((row) => {
      const known = kept.transfers.get(row.txnId)
      const outcome =
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
    const doneTotals = totalsOf(kept.rows.filter(({ txnId }) => kept.transfers.get(txnId)?.state === 'done'))
    return { ...report, transfers, doneNow: 0, doneTotals, dryRun: true, out: null, next: [] as string[] }
  }

  async #told(kept: KeptWalletPlan, end: PlanRunEnd, out: string | null) {
    const report = await this.reportOfKept(kept)
    const { planId } = report
    const transfers = end.results.map(({ row, ...result }) => rowReport(row, kept.transfers.get(row.txnId), result))
    if (out !== null) await this.#write(out, transfers)
    const isDone = new Set(
      end.results.flatMap(({ row, outcome }) => (outcome === 'done' || outcome === 'already' ? [row.place] : [])),
    )
    const doneTotals = totalsOf(kept.rows.filter(({ place }) => isDone.has(place)))
    const doneNow = end.results.filter(({ outcome }) => outcome === 'done').length
    const next = report.state === 'begun' ? [this.next('wallet resume', planId)] : []
    this.#print(report, transfers, doneTotals)
    if (end.unrecorded > 0)
      this.warn(
        `${end.unrecorded} are done, but the book could not be told: "${this.next('wallet resume', planId)}" mends that`,
      )
    const complaint = complaintOf(end, next[0])
    if (complaint) this.endWith(complaint.code, complaint.message, complaint.detail)
    if (out !== null) this.footnote(`Written to ${out}`)
    if (next[0] !== undefined) this.footnote(`${report.left + report.unknown} are not finished: "${next[0]}" goes on`)
    return { ...report, transfers, doneNow, doneTotals, dryRun: false, out, next }
  }

  /** The money has moved: that the file cannot be written is told beside that, not instead of it. */
  async #write(out: string, transfers: readonly PlanRowReport[]): Promise<void> {
    const { csvText } = await import('../../terminal/table.ts')
    try {
      writeOut(out, await csvText(transfers, rowColumns, true))
    } catch (error) {
      this.warn(`${out} could not be written (${problemOf(error).message}); "wallet plans PLAN --out" writes it again`)
    }
  }

  #print(report: PlanReport, transfers: readonly PlanRowReport[], doneTotals: readonly PlanTotal[]): void {
    const totals = report.totals.map((total) => {
      const done = doneTotals.find(({ currency, dir }) => currency === total.currency && dir === total.dir)
      return { ...total, doneRows: done?.rows ?? 0, doneAmount: done?.amount ?? '0' }
    })
    this.table(totals, [
      { key: 'currency' },
      { key: 'dir' },
      { key: 'rows', kind: 'count' },
      { key: 'amount', kind: 'amount' },
      { key: 'doneRows', title: 'done', kind: 'count' },
      { key: 'doneAmount', title: 'amount done', kind: 'amount' },
    ])
    const open = transfers.filter(
      ({ outcome }) => outcome === 'refused' || outcome === 'unknown' || outcome === 'unsent',
    )
    if (open.length === 0) return
    this.log()
    this.table(open.slice(0, mostShown), [
      ...rowColumns.filter(({ key }) =>
        ['line', 'txnId', 'username', 'dir', 'amount', 'currency', 'outcome'].includes(key),
      ),
      { key: 'code', title: 'why' },
    ])
    if (open.length > mostShown) this.footnote(`And ${open.length - mostShown} more that are not done.`)
  }
}

function countsText(counts: Readonly<Record<RowResult['outcome'], number>>): string {
  const words = {
    done: 'done',
    already: 'done before',
    refused: 'refused',
    unknown: 'unknown',
    unsent: 'not sent',
    left: 'left',
  }
  return Object.entries(counts)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count.toLocaleString('en-US')} ${words[outcome as keyof typeof words]}`)
    .join(', ')
}

/** What a run ends in: the worst of its rows, by the order that holds for all batches. */
function complaintOf({ results, stoppedOn }: PlanRunEnd, next?: string): Problem | undefined {
  const category = batchCategory(results.map(categoryOfRow))
  if (category === 'ok') return undefined
  const count = (outcome: RowResult['outcome']) => results.filter((each) => each.outcome === outcome).length
  const counts = { refused: count('refused'), unknown: count('unknown'), unsent: count('unsent'), left: count('left') }
  const said = countsText({ done: 0, already: 0, ...counts })
  const why = stoppedOn === undefined ? '' : `. It ended on ${stoppedOn.code}: ${stoppedOn.message}`
  const how = next === undefined ? '' : `. "${next}" goes on`
  const detail = {
    category,
    ...counts,
    ...(stoppedOn ? { reason: stoppedOn.code } : {}),
    ...(next ? { next: [next] } : {}),
  }
  if (category === 'unknown-outcome')
    return new Problem(
      'MONEY_UNKNOWN',
      `It is not known of ${counts.unknown} transfers whether they were done (${said})${why}${how}; never send them under another id`,
      detail,
    )
  return new Problem('BATCH_PARTLY', `Not all was done: ${said}${why}${how}`, detail)
}

function categoryOfRow({ outcome, code }: RowResult): Category {
  if (outcome === 'done' || outcome === 'already') return 'ok'
  if (outcome === 'unknown') return 'unknown-outcome'
  if (outcome === 'left' || code === null) return 'temporary'
  return code === 'INTERRUPTED' ? 'temporary' : categoryOf(code)
}
